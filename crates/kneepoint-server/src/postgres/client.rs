//! A client that blocks: `tokio-postgres` over a socket that the thread which calls reads and writes itself.
//!
//! No reactor waits for the socket. A request is one write and its answer one read, and the thread wakes once
//! for each answer: what a transaction costs the client is about what it costs `libpq`.

use std::io::{self, ErrorKind, Read, Write};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Connection, Error, NoTls, Row, Statement};

/// The parameters of a statement.
pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// What bytes go through, to a server and back.
pub(super) trait Socket: Read + Write + Send {
    /// Lets a read fail that takes longer than this; `None` for one that may take as long as it does.
    ///
    /// # Errors
    /// When the system refuses.
    fn limit_reads(&self, longest: Option<Duration>) -> io::Result<()>;
}

/// A connection on which one statement is done after the other.
pub(super) struct Client {
    /// Hands requests to the line; dropped before it, which ends the session.
    inner: tokio_postgres::Client,
    line: Line,
}

impl Client {
    /// A session as `config` has it on a `socket` that is connected, with a server that answers within `longest`.
    ///
    /// # Errors
    /// When the server does not let us in, or does not answer.
    pub(super) fn open(
        socket: Box<dyn Socket>,
        config: &Config,
        longest: Duration,
    ) -> Result<Self, Error> {
        let turn = Arc::new(Turn::default());
        let wire = Wire { socket, turn: Arc::clone(&turn), is_gone: false };
        // A limit that cannot be set is none.
        let _ = wire.socket.limit_reads(Some(longest));
        let waker = Waker::from(Arc::clone(&turn));
        let mut opening = pin!(config.connect_raw(wire, NoTls));
        let (inner, connection) = loop {
            if let Poll::Ready(opened) = opening.as_mut().poll(&mut Context::from_waker(&waker)) {
                break opened?;
            }
            turn.may_read.store(true, Ordering::Relaxed);
        };
        turn.may_wait.store(true, Ordering::Relaxed);
        Ok(Self { inner, line: Line { connection: Some(connection), turn } })
    }

    /// Whether the session has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.inner.is_closed()
    }

    /// Does one or more statements without parameters.
    ///
    /// # Errors
    /// When the server refuses, or is gone; likewise below.
    pub(super) fn batch_execute(&mut self, sql: &str) -> Result<(), Error> {
        let Self { inner, line } = self;
        line.wait(inner.batch_execute(sql))
    }

    /// Lets the server plan a statement.
    pub(super) fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        let Self { inner, line } = self;
        line.wait(inner.prepare(sql))
    }

    /// Calls a statement that was prepared, and gives its only row.
    pub(super) fn call(
        &mut self,
        statement: &Statement,
        with: Parameters<'_>,
    ) -> Result<Row, Error> {
        let Self { inner, line } = self;
        line.wait(inner.query_one(statement, with))
    }

    /// Does a statement without rows; how many it changed.
    pub(super) fn execute(&mut self, sql: &str, with: Parameters<'_>) -> Result<u64, Error> {
        let Self { inner, line } = self;
        line.wait(inner.execute(sql, with))
    }

    /// Asks for rows.
    pub(super) fn query(&mut self, sql: &str, with: Parameters<'_>) -> Result<Vec<Row>, Error> {
        let Self { inner, line } = self;
        line.wait(inner.query(sql, with))
    }

    /// Asks for one row.
    pub(super) fn query_one(&mut self, sql: &str, with: Parameters<'_>) -> Result<Row, Error> {
        let Self { inner, line } = self;
        line.wait(inner.query_one(sql, with))
    }

    /// Asks for one row, if there is one.
    pub(super) fn query_opt(
        &mut self,
        sql: &str,
        with: Parameters<'_>,
    ) -> Result<Option<Row>, Error> {
        let Self { inner, line } = self;
        line.wait(inner.query_opt(sql, with))
    }
}

/// Whose turn it is: whether a part of the client can go on, or all of them wait for the server.
#[derive(Default)]
struct Turn {
    /// Something can go on.
    is_woken: AtomicBool,
    /// The wire may read once, and wait for the server in it.
    may_read: AtomicBool,
    /// The session has begun: reads may take as long as they do.
    may_wait: AtomicBool,
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Relaxed);
    }
}

/// Requests on their way to the server, and its answers.
struct Line {
    /// `None` once it has ended.
    connection: Option<Connection<Wire, NoTlsStream>>,
    turn: Arc<Turn>,
}

impl Line {
    /// Waits for an answer.
    fn wait<T>(&mut self, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let mut answer = pin!(answer);
        let waker = Waker::from(Arc::clone(&self.turn));
        let mut context = Context::from_waker(&waker);
        loop {
            // First the one who asks: it hands over its request, which is then carried at once.
            if let Poll::Ready(answer) = answer.as_mut().poll(&mut context) {
                return answer;
            }
            self.turn.is_woken.store(false, Ordering::Relaxed);
            self.carry(&mut context)?;
        }
    }

    /// Carries requests and answers as far as they go; at the next time it waits for the server if nothing else
    /// can go on.
    fn carry(&mut self, context: &mut Context<'_>) -> Result<(), Error> {
        // Without a connection whoever waits for an answer hears that there is none.
        let Some(connection) = &mut self.connection else { return Ok(()) };
        let ended = match connection.poll_message(context) {
            Poll::Pending => {
                if !self.turn.is_woken.load(Ordering::Relaxed) {
                    self.turn.may_read.store(true, Ordering::Relaxed);
                }
                return Ok(());
            }
            // A notice.
            Poll::Ready(Some(Ok(_))) => return Ok(()),
            Poll::Ready(Some(Err(error))) => Err(error),
            Poll::Ready(None) => Ok(()),
        };
        self.connection = None;
        ended
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // No one can ask any more: this tells the server.
        let _ = self.carry(&mut Context::from_waker(Waker::noop()));
    }
}

/// The socket as the library wants it. It reads only in its turn, and then waits for the server.
struct Wire {
    socket: Box<dyn Socket>,
    turn: Arc<Turn>,
    /// The server takes nothing more.
    is_gone: bool,
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.turn.may_read.swap(false, Ordering::Relaxed) {
            return Poll::Pending;
        }
        if self.turn.may_wait.swap(false, Ordering::Relaxed) {
            self.socket.limit_reads(None)?;
        }
        let space = buffer.initialize_unfilled();
        let read = loop {
            match self.socket.read(space) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error)
                    if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) =>
                {
                    break Err(io::Error::new(ErrorKind::TimedOut, "the server does not answer"));
                }
                read => break read,
            }
        };
        buffer.advance(read?);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    /// Writes; to a server that is gone it pretends to, so that the next read finds what the server said before it
    /// went.
    fn poll_write(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.is_gone {
            return Poll::Ready(Ok(bytes.len()));
        }
        Poll::Ready(loop {
            match self.socket.write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error)
                    if [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset]
                        .contains(&error.kind()) =>
                {
                    self.is_gone = true;
                    break Ok(bytes.len());
                }
                written => break written,
            }
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.socket.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;
    use std::sync::atomic::AtomicU32;
    use std::thread::{self, JoinHandle};

    use super::*;

    /// A socket that counts how often it is written and read.
    struct Counting {
        socket: UnixStream,
        calls: Arc<[AtomicU32; 2]>,
    }

    impl Read for Counting {
        fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            self.calls[1].fetch_add(1, Ordering::Relaxed);
            self.socket.read(space)
        }
    }

    impl Write for Counting {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls[0].fetch_add(1, Ordering::Relaxed);
            self.socket.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Socket for Counting {
        fn limit_reads(&self, longest: Option<Duration>) -> io::Result<()> {
            self.socket.set_read_timeout(longest)
        }
    }

    /// A message as a server sends it.
    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = (body.len() as u32 + 4).to_be_bytes();
        [&[kind], &length[..], body].concat()
    }

    /// That everyone is let in, and that the server waits for a statement.
    fn welcome() -> Vec<u8> {
        [message(b'R', &0_u32.to_be_bytes()), message(b'Z', b"I")].concat()
    }

    /// The bytes of the next message after its kind, by the length before them.
    fn rest(socket: &mut UnixStream) -> Vec<u8> {
        let mut length = [0; 4];
        socket.read_exact(&mut length).unwrap();
        let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
        socket.read_exact(&mut body).unwrap();
        body
    }

    /// Answers statements until the session ends, in pieces of this many bytes; the kinds of what it was sent.
    fn serve(mut socket: UnixStream, piece: usize) -> JoinHandle<String> {
        let answer = move || {
            rest(&mut socket);
            socket.write_all(&welcome()).unwrap();
            let mut kinds = String::new();
            let mut kind = [0];
            while socket.read(&mut kind).unwrap() == 1 {
                kinds.push(kind[0].into());
                rest(&mut socket);
                if kind[0] == b'Q' {
                    let answer = [message(b'C', b"SET\0"), message(b'Z', b"I")].concat();
                    for part in answer.chunks(piece) {
                        socket.write_all(part).unwrap();
                        // Time for a client to read the part alone.
                        thread::sleep(Duration::from_millis(u64::from(piece < 100)));
                    }
                }
            }
            kinds
        };
        thread::Builder::new().spawn(answer).unwrap()
    }

    type Calls = Arc<[AtomicU32; 2]>;

    fn open(socket: UnixStream) -> (Result<Client, Error>, Calls) {
        let calls = Calls::default();
        let socket = Counting { socket, calls: Arc::clone(&calls) };
        let mut config = Config::new();
        config.user("ann");
        let client = Client::open(Box::new(socket), &config, Duration::from_millis(200));
        (client, calls)
    }

    #[test]
    fn a_statement_is_one_write_and_its_answer_one_read() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let server = serve(theirs, 1_000);
        let (client, calls) = open(ours);
        let mut client = client.unwrap();
        let begun = [0, 1].map(|call: usize| calls[call].load(Ordering::Relaxed));
        for _ in 0..5 {
            client.batch_execute("SET a TO 1").unwrap();
        }
        let ended = [0, 1].map(|call: usize| calls[call].load(Ordering::Relaxed));
        assert_eq!([ended[0] - begun[0], ended[1] - begun[1]], [5, 5]);
        drop(client);
        assert_eq!(server.join().unwrap(), "QQQQQX", "the server is told of the end");
    }

    #[test]
    fn an_answer_in_pieces_is_waited_for() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let server = serve(theirs, 1);
        let (client, calls) = open(ours);
        let mut client = client.unwrap();
        client.batch_execute("SET a TO 1").unwrap();
        assert!(calls[1].load(Ordering::Relaxed) > 3);
        drop(client);
        assert_eq!(server.join().unwrap(), "QX");
    }

    #[test]
    fn what_a_server_says_before_it_goes_is_heard() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let said = b"SFATAL\0C57P01\0Mthe server ends\0\0";
        theirs.write_all(&[welcome(), message(b'E', said)].concat()).unwrap();
        let (client, _) = open(ours);
        drop(theirs);
        let mut client = client.unwrap();
        let error = client.batch_execute("SET a TO 1").unwrap_err();
        assert_eq!(error.as_db_error().map(|said| said.message()), Some("the server ends"));
        let error = client.batch_execute("SET a TO 1").unwrap_err();
        assert!(error.is_closed() && client.is_closed(), "{error:?}");
    }

    #[test]
    fn a_server_that_does_not_answer_is_given_up_only_before_the_session() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        let Err(error) = open(ours).0 else { panic!("it said nothing") };
        let why = std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(why, "the server does not answer");

        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let answer = move || {
            rest(&mut theirs);
            theirs.write_all(&welcome()).unwrap();
            thread::sleep(Duration::from_millis(400));
            theirs.write_all(&[message(b'C', b"SET\0"), message(b'Z', b"I")].concat()).unwrap();
            theirs
        };
        let server = thread::Builder::new().spawn(answer).unwrap();
        open(ours).0.unwrap().batch_execute("SET a TO 1").unwrap();
        drop(server.join().unwrap());
    }
}
