//! Agents that are started over ssh for one run, and end with it.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::JoinLine;

use super::root::{ALLOW_ROOT, RootConsent};

/// The program, if `KNEEPOINT_SSH` names no other one.
const SSH: &str = "ssh";

/// An agent ends within this time after it was told so.
const GRACE: Duration = Duration::from_secs(5);

/// An agent on another host, started from here. It ends when its standard input is closed.
#[derive(Debug)]
pub(crate) struct Launched {
    host: String,
    child: Child,
    leash: Option<ChildStdin>,
}

impl Launched {
    /// Starts an agent on `host` that may use `targets`, each with its grant, may run as root if the user
    /// has said so, and joins by `line`. The line is a secret, and goes by standard input. The host reaches
    /// the server through the connection.
    ///
    /// # Errors
    /// When ssh cannot be started.
    pub(crate) fn start(
        host: &str,
        (targets, root): (&[String], RootConsent),
        line: &JoinLine,
    ) -> Result<Self, Fault> {
        let program = std::env::var("KNEEPOINT_SSH").unwrap_or_else(|_| SSH.to_owned());
        let failed = |error: io::Error| {
            Fault::new(format!("cannot start an agent on {host}"))
                .because(format!("{program}: {error}"))
                .fix(format!(
                    "install ssh, or let the host join for good: kneepoint hosts join; {}",
                    "then kneepoint agent --join LINE there"
                ))
        };
        let mut agent = vec!["kneepoint", "agent", "--join", "-", "--name", host];
        agent.extend(targets.iter().flat_map(|target| ["--target", target.as_str()]));
        agent.extend((root == RootConsent::Given).then_some(ALLOW_ROOT));
        let agent = shlex::try_join(agent).map_err(|error| failed(io::Error::other(error)))?;
        let port = line.address.rsplit_once(':').map_or("", |(_, port)| port);
        let mut child = Command::new(&program)
            .args(["-T", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes"])
            .args(["-R", &format!("{port}:{}", line.address), host, &agent])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            // Ctrl-C is for the controller, which lets the agents end first.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let mut leash = child.stdin.take();
        if let Some(leash) = &mut leash {
            writeln!(leash, "{line}").and_then(|()| leash.flush()).map_err(failed)?;
        }
        Ok(Self { host: host.to_owned(), child, leash })
    }

    /// Refuses to wait for an agent that has ended.
    ///
    /// # Errors
    /// When it has.
    pub(crate) fn check(&mut self) -> Result<(), Fault> {
        match self.child.try_wait() {
            Ok(Some(status)) => Err(Fault::new(format!("the agent on {} has ended", self.host))
                .because(status)
                .fix(format!("try `ssh {} kneepoint --version`", self.host))),
            _ => Ok(()),
        }
    }
}

/// Agents that were started from here. All are told to end before the first is waited for.
#[derive(Debug, Default)]
pub(crate) struct Crew(pub(crate) Vec<Launched>);

impl Drop for Crew {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|launched| launched.leash = None);
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        self.leash = None;
        let until = Instant::now() + GRACE;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() > until {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}
