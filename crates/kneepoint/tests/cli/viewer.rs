//! What is typed by a recorded script stands where it was typed: in the file of an editor that knows nothing of
//! Kneepoint.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::desktop::{Lent, PROGRAMS};
use crate::program::Bench;

/// Symbols of keys in X.
const CONTROL: u32 = 0xffe3;
const SUPER: u32 = 0xffeb;
const DELETE: u32 = 0xffff;

const TEXT: &str = "typed once";

/// The viewer of a person, as little of one as there can be: it speaks RFB 3.8, takes plain pixels, and throws them
/// away.
struct Viewer {
    stream: TcpStream,
}

impl Viewer {
    fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        let read = |count: usize| {
            let mut bytes = vec![0; count];
            (&stream).read_exact(&mut bytes).unwrap();
            bytes
        };
        assert_eq!(&read(12)[..8], b"RFB 003.");
        let mut answer = stream.try_clone().unwrap();
        answer.write_all(b"RFB 003.008\n").unwrap();
        let kinds = read(1)[0];
        assert!(read(kinds.into()).contains(&1), "without a password");
        answer.write_all(&[1]).unwrap();
        assert_eq!(read(4), [0; 4], "let in");
        answer.write_all(&[1]).unwrap();
        let told = read(24);
        let (width, height) = ([told[0], told[1]], [told[2], told[3]]);
        read(u32::from_be_bytes(told[20..24].try_into().unwrap()) as usize);
        let mut ask = stream.try_clone().unwrap();
        let receive = move || {
            let mut is_first = true;
            let mut bytes = vec![0; 1 << 16];
            // Whatever comes is thrown away, and more is asked for.
            loop {
                let mut request = vec![3, u8::from(!is_first), 0, 0, 0, 0];
                request.extend(width.into_iter().chain(height));
                is_first = false;
                if ask.write_all(&request).is_err() {
                    return;
                }
                match ask.read(&mut bytes) {
                    Ok(count) if count > 0 => {}
                    _ => return,
                }
            }
        };
        thread::Builder::new().spawn(receive).unwrap();
        Self { stream }
    }

    fn key(&mut self, symbol: u32, is_down: u8) {
        let mut message = vec![4, is_down, 0, 0];
        message.extend(symbol.to_be_bytes());
        self.stream.write_all(&message).unwrap();
    }

    /// Presses keys together, and waits as a person does who looks at the screen.
    fn press(&mut self, keys: &[u32], pause: Duration) {
        keys.iter().for_each(|key| self.key(*key, 1));
        keys.iter().rev().for_each(|key| self.key(*key, 0));
        thread::sleep(pause);
    }
}

/// A recording, with the address at which it awaits a viewer.
fn recording(bench: &Bench, target: &str) -> (Child, String) {
    let arguments = ["record", target, "-o", "typed.toml", "--port=0"];
    let mut process = bench.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut output = std::io::BufReader::new(process.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    // What it says later is read, too: it is not to wait for that.
    let receive = move || std::io::copy(&mut output, &mut std::io::sink());
    thread::Builder::new().spawn(receive).unwrap();
    let address = line.split_once("viewer to ").and_then(|(_, rest)| rest.split_once(','));
    let address = address.unwrap_or_else(|| panic!("{line}")).0.replace("::", ":");
    (process, address)
}

/// Whether the file of the editor in one of the sessions in `folder` has this text.
fn has_saved(folder: &Path, text: &str) -> bool {
    let guards = fs::read_dir(folder).unwrap().flatten();
    let mut files = guards.map(|guard| guard.path().join("0001/draft.txt"));
    files.any(|file| fs::read_to_string(file).is_ok_and(|saved| saved.trim_end() == text))
}

#[test]
fn an_editor_has_in_its_file_what_a_recorded_script_types() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let bench = Bench::new();
    let lent = Lent::start(&bench, 1);
    let target = format!("vnc://localhost:{}", lent.port);
    let (mut process, address) = recording(&bench, &target);
    let mut viewer = Viewer::connect(&address);
    let (short, long) = (Duration::from_millis(1200), Duration::from_secs(4));
    thread::sleep(long);
    viewer.press(&[SUPER, 'e'.into()], long);
    for letter in TEXT.chars() {
        viewer.press(&[letter.into()], Duration::from_millis(200));
    }
    thread::sleep(short);
    let control = |letter: char| [CONTROL, letter.into()];
    viewer.press(&control('s'), short);
    assert!(has_saved(lent.folder.path(), TEXT), "what the viewer typed");
    viewer.press(&control('a'), short);
    viewer.press(&[DELETE], short);
    viewer.press(&control('s'), short);
    assert!(has_saved(lent.folder.path(), ""), "what the viewer deleted");
    viewer.press(&control('q'), long);
    drop(viewer.stream.shutdown(std::net::Shutdown::Both));
    assert!(process.wait().unwrap().success());
    let script = bench.read("typed.toml");
    assert!(script.contains(TEXT), "{script}");
    let run = ["run", "typed.toml", &target, "--users=1", "--time=30s"];
    let mut command = bench.command(&[&run[..], &["--rule=mean<=5s"]].concat());
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    let mut is_seen = false;
    while process.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(240) {
        is_seen |= has_saved(lent.folder.path(), TEXT);
        thread::sleep(Duration::from_millis(20));
    }
    let said = process.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&said.stderr);
    assert!(is_seen, "the editor never had it: {told}\n{script}");
    assert!(said.status.success(), "{told}\n{script}");
}
