//! JSON: orders parsed, changed, and printed again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;
use crate::text::Vocabulary;

pub(crate) const MEMBER: Member = Member {
    name: "json",
    class: Class::Integer,
    title: "JSON documents",
    work: "parses generated documents of orders (serde_json), drops, renames and adds members, sums by \
           customer, prints the result twice and parses it again",
    unit: "a document of 4,000 orders",
    run,
};

fn run(scale: Scale) -> Output {
    let (documents, orders) = scale.choose((400, 4000), (12, 4000), (2, 20));
    let mut output = Output::default();
    let mut random = Random::new(0x5eed_0002);
    let vocabulary = Vocabulary::new(500, &mut random);
    for _ in 0..documents {
        let (text, cents) = document(orders, &vocabulary, &mut random);
        let changed = changed(&text);
        let pretty = serde_json::to_string_pretty(&changed).unwrap_or_default();
        let short = serde_json::to_string(&changed).unwrap_or_default();
        let again = serde_json::from_str::<Value>(&pretty).unwrap_or_default();
        output.count("equal", u8::from(again == changed));
        output.count("cents generated", cents);
        output.count("cents parsed", changed["total_cents"].as_u64().unwrap_or_default());
        output.content("pretty", pretty.as_bytes());
        output.content("short", short.as_bytes());
    }
    output
}

/// A document, and the sum of its prices.
fn document(orders: u64, vocabulary: &Vocabulary, random: &mut Random) -> (String, u64) {
    let mut text = String::from("{\"orders\": [\n");
    let mut cents = 0;
    for order in 0..orders {
        let customer = random.below(300);
        let name = vocabulary.word(random);
        let comma = if order == 0 { " " } else { "," };
        let open = random.once_in(3);
        let _ = write!(
            text,
            "{comma} {{\"id\": {order}, \"customer\": \"c{customer}\", \
             \"note\": \"\\u00e4 \\\"{name}\\\"\\n\", \"open\": {open}, \"weight\": {}.{:03}, \"lines\": [",
            random.below(50),
            random.below(1000),
        );
        for line in 0..1 + random.below(6) {
            let price = random.below(50_000);
            cents += price;
            let comma = if line == 0 { "" } else { ", " };
            let item = vocabulary.word(random);
            let _ =
                write!(text, "{comma}{{\"item\": \"{item}\", \"cents\": {price}, \"gift\": null}}");
        }
        text.push_str("]}\n");
    }
    text.push_str("]}\n");
    (text, cents)
}

/// The document with sums, without what is null.
fn changed(text: &str) -> Value {
    let mut document = serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut by_customer = BTreeMap::<String, u64>::new();
    let mut total = 0;
    for order in document["orders"].as_array_mut().into_iter().flatten() {
        let sum: u64 = order["lines"].as_array_mut().into_iter().flatten().map(line_cents).sum();
        total += sum;
        let customer = order["customer"].as_str().unwrap_or_default().to_owned();
        *by_customer.entry(customer).or_default() += sum;
        if let Some(order) = order.as_object_mut() {
            rename(order, sum);
        }
    }
    json!({"total_cents": total, "customers": by_customer, "orders": document["orders"].take()})
}

/// The price of a line, which loses its empty members.
fn line_cents(line: &mut Value) -> u64 {
    if let Some(line) = line.as_object_mut() {
        line.retain(|_, value| !value.is_null());
    }
    line["cents"].as_u64().unwrap_or_default()
}

fn rename(order: &mut Map<String, Value>, sum: u64) {
    if let Some(note) = order.remove("note") {
        let text = note.as_str().unwrap_or_default().trim().to_uppercase();
        order.insert("remark".to_owned(), text.into());
    }
    order.insert("cents".to_owned(), sum.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_that_were_written() {
        let mut random = Random::new(3);
        let vocabulary = Vocabulary::new(50, &mut random);
        let (text, cents) = document(40, &vocabulary, &mut random);
        let changed = changed(&text);
        assert_eq!(changed["total_cents"], cents);
        let customers = changed["customers"].as_object().unwrap().values();
        assert_eq!(customers.map(|sum| sum.as_u64().unwrap()).sum::<u64>(), cents);
        assert_eq!(changed["orders"].as_array().unwrap().len(), 40);
    }

    #[test]
    fn a_document_is_changed_as_written_here() {
        let text = r#"{"orders": [{"id": 1, "customer": "c1", "note": " \u00e4b\n", "lines": [
            {"item": "x", "cents": 5, "gift": null}, {"item": "y", "cents": 7, "gift": 1}]}]}"#;
        let expected = json!({"total_cents": 12, "customers": {"c1": 12}, "orders": [
            {"id": 1, "customer": "c1", "remark": "ÄB", "cents": 12,
             "lines": [{"item": "x", "cents": 5}, {"item": "y", "cents": 7, "gift": 1}]}]});
        assert_eq!(changed(text), expected);
    }
}
