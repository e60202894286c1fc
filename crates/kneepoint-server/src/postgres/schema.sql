-- Business operations in PostgreSQL: a wholesale company with warehouses, and its transactions.
--
-- The same company and the same transactions as in memory (business/warehouse.rs, which has the sizes:
-- {names} in braces are filled in from there). Everything is in its own schema, which a comment marks.

CREATE SCHEMA kneepoint;

-- Settings of the whole server that the run has set: what ALTER SYSTEM had of them before (NULL: nothing), and
-- the values of the run.
CREATE TABLE kneepoint.altered (
    name   text PRIMARY KEY,
    former text,
    ours   text[] NOT NULL
);

-- What the company sells, at which price in cents.
CREATE TABLE kneepoint.item (
    item  integer PRIMARY KEY,
    price bigint NOT NULL
);

CREATE TABLE kneepoint.warehouse (
    warehouse integer PRIMARY KEY,
    received  bigint NOT NULL DEFAULT 0
);

-- Orders of a district are numbered from 1; those up to `delivered` are delivered, the oldest first.
CREATE TABLE kneepoint.district (
    warehouse        integer NOT NULL,
    district         integer NOT NULL,
    received         bigint NOT NULL DEFAULT 0,
    ordered          bigint NOT NULL DEFAULT 0,
    delivered        bigint NOT NULL DEFAULT 0,
    delivered_amount bigint NOT NULL DEFAULT 0,
    units            bigint NOT NULL DEFAULT 0,
    lines            bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (warehouse, district)
);

-- `owes` is what was delivered less what was paid; `payments` are the last ones, the newest first.
CREATE TABLE kneepoint.customer (
    warehouse  integer NOT NULL,
    district   integer NOT NULL,
    customer   integer NOT NULL,
    owes       bigint NOT NULL DEFAULT 0,
    paid       bigint NOT NULL DEFAULT 0,
    deliveries bigint NOT NULL DEFAULT 0,
    payments   bigint[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (warehouse, district, customer)
);

-- `taken`, `restocked` and `lines` count from the start.
CREATE TABLE kneepoint.stock (
    warehouse integer NOT NULL,
    item      integer NOT NULL,
    units     bigint NOT NULL DEFAULT {stock_at_first},
    taken     bigint NOT NULL DEFAULT 0,
    restocked bigint NOT NULL DEFAULT 0,
    lines     bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (warehouse, item)
);

CREATE TABLE kneepoint.orders (
    warehouse integer NOT NULL,
    district  integer NOT NULL,
    number    bigint NOT NULL,
    customer  integer NOT NULL,
    delivered boolean NOT NULL DEFAULT false,
    PRIMARY KEY (warehouse, district, number)
);

CREATE INDEX orders_of_customer ON kneepoint.orders (warehouse, district, customer, number);

CREATE TABLE kneepoint.order_line (
    warehouse integer NOT NULL,
    district  integer NOT NULL,
    number    bigint NOT NULL,
    line      integer NOT NULL,
    item      integer NOT NULL,
    supplier  integer NOT NULL,
    quantity  integer NOT NULL,
    amount    bigint NOT NULL,
    PRIMARY KEY (warehouse, district, number, line)
);

-- Delivers the oldest order of a district; gives how many that were, 0 or 1. Sessions plan its statements when there
-- are few orders yet, for which reading all of them looks as cheap as the index, and keep the plan: without the setting
-- it would be chance whether deliveries become slower with every order.
CREATE FUNCTION kneepoint.deliver(home integer, place integer) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
    oldest bigint;
    buyer integer;
    cost bigint;
BEGIN
    UPDATE kneepoint.district SET delivered = delivered + 1
        WHERE warehouse = home AND district = place AND delivered < ordered
        RETURNING delivered INTO oldest;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    SELECT sum(amount) INTO cost FROM kneepoint.order_line
        WHERE warehouse = home AND district = place AND number = oldest;
    UPDATE kneepoint.orders SET delivered = true
        WHERE warehouse = home AND district = place AND number = oldest
        RETURNING customer INTO buyer;
    UPDATE kneepoint.customer SET owes = owes + cost, deliveries = deliveries + 1
        WHERE warehouse = home AND district = place AND customer = buyer;
    UPDATE kneepoint.district SET delivered_amount = delivered_amount + cost
        WHERE warehouse = home AND district = place;
    -- A district keeps a bounded number of delivered orders.
    DELETE FROM kneepoint.order_line
        WHERE warehouse = home AND district = place AND number = oldest - {delivered_max};
    DELETE FROM kneepoint.orders
        WHERE warehouse = home AND district = place AND number = oldest - {delivered_max};
    RETURN 1;
END
$$;

-- Takes the order of a customer, and its lines from the stock of their suppliers; gives what it costs. Rows of
-- the stock are always changed in the same order, so that two orders do not wait for each other.
CREATE FUNCTION kneepoint.new_order(
    home integer, place integer, buyer integer, goods integer[], suppliers integer[], quantities integer[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    newest bigint;
    waiting bigint;
    cost bigint;
    part record;
BEGIN
    UPDATE kneepoint.district
        SET ordered = ordered + 1, lines = lines + cardinality(goods),
            units = units + (SELECT sum(quantity) FROM unnest(quantities) AS quantity)
        WHERE warehouse = home AND district = place
        RETURNING ordered, ordered - delivered INTO newest, waiting;
    INSERT INTO kneepoint.orders (warehouse, district, number, customer)
        VALUES (home, place, newest, buyer);
    WITH placed AS (
        INSERT INTO kneepoint.order_line
            SELECT home, place, newest, ordered.line, ordered.item, ordered.supplier, ordered.quantity,
                   item.price * ordered.quantity
            FROM unnest(goods, suppliers, quantities) WITH ORDINALITY
                AS ordered (item, supplier, quantity, line)
            JOIN kneepoint.item USING (item)
            RETURNING amount
    ) SELECT sum(amount) INTO cost FROM placed;
    FOR part IN
        SELECT * FROM unnest(goods, suppliers, quantities) AS ordered (item, supplier, quantity)
            ORDER BY supplier, item
    LOOP
        UPDATE kneepoint.stock
            SET units = units - part.quantity
                    + CASE WHEN units - part.quantity < {restock_below} THEN {restock} ELSE 0 END,
                restocked = restocked
                    + CASE WHEN units - part.quantity < {restock_below} THEN {restock} ELSE 0 END,
                taken = taken + part.quantity, lines = lines + 1
            WHERE warehouse = part.supplier AND item = part.item;
    END LOOP;
    -- If too many wait to be delivered, the oldest is delivered at once.
    IF waiting > {open_max} THEN
        PERFORM kneepoint.deliver(home, place);
    END IF;
    RETURN cost;
END
$$;

-- A customer pays.
CREATE FUNCTION kneepoint.payment(home integer, place integer, payer integer, amount bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE kneepoint.warehouse SET received = received + amount WHERE warehouse = home;
    UPDATE kneepoint.district SET received = received + amount
        WHERE warehouse = home AND district = place;
    UPDATE kneepoint.customer
        SET owes = owes - amount, paid = paid + amount,
            payments = (amount || payments)[1:{payments_max}]
        WHERE warehouse = home AND district = place AND customer = payer;
END
$$;

-- What a customer's last order comes to; null if none is kept.
CREATE FUNCTION kneepoint.order_status(home integer, place integer, buyer integer)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    newest bigint;
BEGIN
    SELECT number INTO newest FROM kneepoint.orders
        WHERE warehouse = home AND district = place AND customer = buyer
        ORDER BY number DESC LIMIT 1;
    RETURN (SELECT sum(amount) FROM kneepoint.order_line
        WHERE warehouse = home AND district = place AND number = newest);
END
$$;

-- Delivers the oldest order of each district that has one; gives how many.
CREATE FUNCTION kneepoint.delivery(home integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    done integer := 0;
BEGIN
    FOR place IN 0 .. {districts} - 1 LOOP
        done := done + kneepoint.deliver(home, place);
    END LOOP;
    RETURN done;
END
$$;

-- How many different items of a district's last orders have fewer units here than `fewest`.
CREATE FUNCTION kneepoint.stock_level(home integer, place integer, fewest bigint)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    newest bigint;
BEGIN
    SELECT ordered INTO newest FROM kneepoint.district WHERE warehouse = home AND district = place;
    RETURN (SELECT count(DISTINCT line.item)
        FROM kneepoint.order_line AS line
        JOIN kneepoint.stock AS stock ON stock.warehouse = home AND stock.item = line.item
        WHERE line.warehouse = home AND line.district = place
            AND line.number > newest - {stock_orders} AND stock.units < fewest);
END
$$;

-- The account of a customer as text.
CREATE FUNCTION kneepoint.customer_report(home integer, place integer, buyer integer)
RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    account kneepoint.customer;
    paid_parts text;
    order_parts text;
BEGIN
    SELECT * INTO account FROM kneepoint.customer
        WHERE warehouse = home AND district = place AND customer = buyer;
    SELECT string_agg(format('<payment amount="%s"/>', amount), '') INTO paid_parts
        FROM unnest(account.payments) AS amount;
    SELECT string_agg(format('<order amount="%s">%s</order>', cost, lines), '') INTO order_parts
        FROM (
            SELECT sum(line.amount) AS cost,
                   string_agg(format('<line item="%s" supplier="%s" quantity="%s" amount="%s"/>',
                       line.item, line.supplier, line.quantity, line.amount), '') AS lines
            FROM kneepoint.orders
            JOIN kneepoint.order_line AS line USING (warehouse, district, number)
            WHERE orders.warehouse = home AND orders.district = place AND orders.customer = buyer
            GROUP BY number
        ) AS kept;
    RETURN format(
        '<account warehouse="%s" district="%s" customer="%s" owes="%s" paid="%s" deliveries="%s">%s%s</account>',
        home, place, buyer, account.owes, account.paid, account.deliveries,
        coalesce(paid_parts, ''), coalesce(order_parts, ''));
END
$$;

-- The sums of each warehouse, from which it is told whether its accounts agree.
CREATE FUNCTION kneepoint.sums() RETURNS TABLE (
    warehouse integer, received bigint, received_by_districts bigint, received_by_customers bigint, owed bigint,
    delivered_amount bigint, deliveries bigint, ordered bigint, delivered bigint, open bigint,
    units_ordered bigint, lines_ordered bigint, units_taken bigint, lines_supplied bigint,
    stock_at_first bigint
) LANGUAGE sql STABLE AS $$
    SELECT w.warehouse, w.received, d.received::bigint, c.paid::bigint, c.owes::bigint,
           d.delivered_amount::bigint, c.deliveries::bigint, d.ordered::bigint, d.delivered::bigint, o.open,
           d.units::bigint, d.lines::bigint, s.taken::bigint, s.lines::bigint, s.at_first::bigint
    FROM kneepoint.warehouse AS w
    CROSS JOIN LATERAL (
        SELECT sum(received) AS received, sum(delivered_amount) AS delivered_amount,
               sum(ordered) AS ordered, sum(delivered) AS delivered, sum(units) AS units,
               sum(lines) AS lines
        FROM kneepoint.district WHERE district.warehouse = w.warehouse
    ) AS d
    CROSS JOIN LATERAL (
        SELECT sum(paid) AS paid, sum(owes) AS owes, sum(deliveries) AS deliveries
        FROM kneepoint.customer WHERE customer.warehouse = w.warehouse
    ) AS c
    CROSS JOIN LATERAL (
        SELECT count(*) AS open FROM kneepoint.orders
        WHERE orders.warehouse = w.warehouse AND NOT orders.delivered
    ) AS o
    CROSS JOIN LATERAL (
        SELECT sum(taken) AS taken, sum(lines) AS lines,
               sum(units - restocked + taken) AS at_first
        FROM kneepoint.stock WHERE stock.warehouse = w.warehouse
    ) AS s
    ORDER BY w.warehouse
$$;
