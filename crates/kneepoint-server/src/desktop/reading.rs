//! What the machine of a desktop server does, read on that machine.

use std::fs;
use std::net::IpAddr;
use std::path::Path;

use kneepoint_core::measure::metering::{
    MemoryTaken, MeterDepth, MeterRequest, NetworkCount, ServerReading,
};
use kneepoint_core::result::warning::Metered;
use kneepoint_core::words::fault::Fault;

use super::address::{Address, Place};
use super::cgroup::{self, Group};
use super::net::monotonic;
use super::sessions::FOLDER;
use super::{memory, meter};

/// Where a kernel tells what all processes of the machine use (proc_stat(5)).
const PROCESSORS: &str = "/proc/stat";

/// The interface over which a machine reaches itself.
const LOOPBACK: &str = "lo";

/// The state of a socket that listens (proc_net(5)).
const LISTENS: &str = "0A";

/// Reads what is asked for of a server that is on this machine.
///
/// # Errors
/// When it is not, or this kernel does not count.
pub fn read_server(request: &MeterRequest) -> Result<ServerReading, Fault> {
    let server = Server::find(&request.server)?;
    let group = server.group();
    let counts = group.as_ref().map(Group::counts);
    let (used_s, processors) = machine_used().ok_or_else(uncounted)?;
    let memory = match request.depth {
        MeterDepth::Counters => None,
        MeterDepth::All => server.memory(counts, request.users),
    };
    Ok(ServerReading {
        at: monotonic(),
        of: if group.is_some() { Metered::Sessions } else { Metered::Machine },
        used_s: match counts {
            None => used_s,
            Some(folder) => cgroup::used(folder)
                .map(|used| used.user_s + used.system_s)
                .ok_or_else(uncounted)?,
        },
        available: group
            .as_ref()
            .and_then(Group::quota)
            .map_or(processors, |cpu| cpu.min(processors)),
        stalled_us: counts.map_or_else(meter::machine_stalled_us, meter::stalled_us),
        network: server.network(),
        memory,
    })
}

fn uncounted() -> Fault {
    Fault::new("the processors of this machine are not counted")
        .because(format!("{PROCESSORS} cannot be read"))
}

/// A server on this machine.
struct Server {
    place: Place,
    /// The socket at which its first screen is reached.
    listener: Listener,
}

/// A socket that listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Listener {
    port: u16,
    /// The account that it belongs to.
    account: u32,
    inode: u64,
}

impl Server {
    fn find(name: &str) -> Result<Self, Fault> {
        let place = Address::parse(name)?.place;
        let port = match &place {
            Place::Running { port, .. } => *port,
            Place::Accounts(server) => server.port,
            Place::Temporary(_) => {
                return Err(Fault::new(format!("{name} is on the machine that measures"))
                    .because("the run meters the sessions that it starts itself"));
            }
        };
        let listener = all_listeners().into_iter().find(|found| found.port == port);
        let listener = listener.ok_or_else(|| {
            Fault::new(format!("{name} is not on this machine"))
                .because(format!("nothing listens at port {port} here"))
                .fix("name the agent of the server's machine: ?meter=HOST")
        })?;
        Ok(Self { place, listener })
    }

    /// The control group of sessions that Kneepoint has started; `None` for other servers, or if no group counts.
    fn group(&self) -> Option<Group> {
        let group = Group::of_process(process_with(self.listener.inode)?)?;
        let name = group.counts().file_name()?.to_str()?;
        name.starts_with(FOLDER).then_some(group)
    }

    /// Whether it is called by an address at which only this machine reaches it.
    fn is_on_loopback(&self) -> bool {
        let host = match &self.place {
            Place::Running { host, .. } => host,
            Place::Accounts(server) => &server.host,
            Place::Temporary(_) => return true,
        };
        host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }

    /// What went over the interfaces of this machine; of its loopback alone for a server that is called so.
    fn network(&self) -> Option<NetworkCount> {
        let text = fs::read_to_string("/proc/net/dev").ok()?;
        if self.is_on_loopback() {
            return network_in(&text, |name| name == LOOPBACK);
        }
        let has_device =
            |name: &str| Path::new("/sys/class/net").join(name).join("device").exists();
        network_in(&text, |name| name != LOOPBACK && has_device(name))
            .or_else(|| network_in(&text, |name| name != LOOPBACK))
    }

    /// Memory of its sessions, if they can be told from other programs, or else what is used of the machine's.
    fn memory(&self, group: Option<&Path>, users: usize) -> Option<MemoryTaken> {
        let (machine_bytes, available) = memory::of_machine()?;
        let taken = |of, bytes| Some(MemoryTaken { of, bytes, machine_bytes });
        if let Some(bytes) = group.and_then(memory::of_group) {
            return taken(Metered::Sessions, bytes);
        }
        if let Some(bytes) = self.accounts(users).and_then(|all| memory::of_accounts(&all)) {
            return taken(Metered::Accounts, bytes);
        }
        taken(Metered::Machine, machine_bytes.saturating_sub(available))
    }

    /// The accounts of the users, if each has its own.
    fn accounts(&self, users: usize) -> Option<Vec<u32>> {
        let mut accounts: Vec<u32> = match &self.place {
            Place::Running { port, .. } => {
                let all = all_listeners();
                let owner = |user: usize| {
                    let port = u16::try_from(usize::from(*port) + user).ok()?;
                    Some(all.iter().find(|found| found.port == port)?.account)
                };
                (0..users).map(owner).collect::<Option<_>>()?
            }
            Place::Accounts(server) => {
                let known = fs::read_to_string("/etc/passwd").ok()?;
                let number = |user| account_of(&server.account(user).ok()?, &known);
                (0..users).map(number).collect::<Option<_>>()?
            }
            Place::Temporary(_) => return None,
        };
        accounts.sort_unstable();
        accounts.dedup();
        let is_each_its_own = accounts.len() == users && !accounts.contains(&0);
        is_each_its_own.then_some(accounts)
    }
}

/// The number of an account, by the text of `/etc/passwd` (passwd(5)).
fn account_of(name: &str, known: &str) -> Option<u32> {
    let mut lines = known.lines().map(|line| line.split(':').collect::<Vec<_>>());
    lines.find(|fields| fields[0] == name)?.get(2)?.parse().ok()
}

/// All sockets of this machine that listen.
fn all_listeners() -> Vec<Listener> {
    let of = |file: &str| fs::read_to_string(file).unwrap_or_default();
    ["/proc/net/tcp", "/proc/net/tcp6"].iter().flat_map(|file| listeners(&of(file))).collect()
}

/// The sockets that listen, in the text of `/proc/net/tcp`.
fn listeners(text: &str) -> Vec<Listener> {
    let of_line = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, port) = fields.get(1)?.rsplit_once(':')?;
        let is_it = *fields.get(3)? == LISTENS;
        Some(Listener {
            port: u16::from_str_radix(port, 16).ok().filter(|_| is_it)?,
            account: fields.get(7)?.parse().ok()?,
            inode: fields.get(9)?.parse().ok()?,
        })
    };
    text.lines().filter_map(of_line).collect()
}

/// A process that has this socket open, as far as this user may look.
fn process_with(inode: u64) -> Option<i32> {
    let socket = format!("socket:[{inode}]");
    let pid = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<i32>().ok();
    let mut processes = fs::read_dir("/proc").ok()?.flatten().filter_map(pid);
    processes.find(|pid| {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        let mut links = files.filter_map(|file| fs::read_link(file.path()).ok());
        links.any(|link| link.as_os_str() == socket.as_str())
    })
}

/// Processor time that the machine has used, in seconds, and the number of its processors.
fn machine_used() -> Option<(f64, f64)> {
    let ticks_per_s = rustix::param::clock_ticks_per_second() as f64;
    let (ticks, processors) = used_in(&fs::read_to_string(PROCESSORS).ok()?)?;
    Some((ticks as f64 / ticks_per_s, processors as f64))
}

/// Ticks that were used, and the number of processors, in the text of `/proc/stat`: user, nice, system, and
/// interrupts. Time of guests is in that of users, and what a hypervisor stole was used by others.
fn used_in(text: &str) -> Option<(u64, usize)> {
    let of_all = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let fields: Vec<u64> =
        of_all.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let used =
        [0, 1, 2, 5, 6].iter().map(|field| fields.get(*field).copied()).sum::<Option<_>>()?;
    let is_one = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    Some((used, text.lines().filter(is_one).count()))
}

/// The sum over the interfaces that count, in the text of `/proc/net/dev`; `None` if there are none.
fn network_in(text: &str, counts: impl Fn(&str) -> bool) -> Option<NetworkCount> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let mut found: Vec<(&str, [u64; 2])> = Vec::new();
    for (name, rest) in
        lines.map(|(name, rest)| (name.trim(), rest)).filter(|(name, _)| counts(name))
    {
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let bytes = |field: usize| fields.get(field).and_then(|bytes| bytes.parse().ok());
        found.push((name, [bytes(0)?, bytes(8)?]));
    }
    found.sort_unstable();
    (!found.is_empty()).then(|| NetworkCount {
        interfaces: found.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        received: found.iter().map(|(_, [received, _])| received).sum(),
        sent: found.iter().map(|(_, [_, sent])| sent).sum(),
    })
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    fn request(server: String, depth: MeterDepth) -> MeterRequest {
        MeterRequest { server, users: 1, depth }
    }

    #[test]
    fn a_server_on_this_machine_is_read_and_no_other() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = format!("vnc://127.0.0.1:{port}");
        let read = |depth| read_server(&request(server.clone(), depth)).unwrap();
        let (first, second) = (read(MeterDepth::Counters), read(MeterDepth::All));
        assert_eq!((first.of, first.memory), (Metered::Machine, None), "no session of Kneepoint");
        assert!(second.used_s >= first.used_s && first.used_s > 0.0 && second.at > first.at);
        assert!(first.available >= 1.0);
        assert_eq!(second.network.unwrap().interfaces, "lo");
        let memory = second.memory.unwrap();
        assert!(memory.bytes > 0 && memory.bytes < memory.machine_bytes, "{memory:?}");
        drop(listener);
        let said = read_server(&request(server, MeterDepth::All)).unwrap_err().to_string();
        assert!(said.contains(&format!("nothing listens at port {port} here")), "{said}");
        let own = read_server(&request("vnc:temp".to_owned(), MeterDepth::All));
        assert!(own.unwrap_err().to_string().contains("on the machine that measures"));
    }

    #[test]
    fn sockets_that_listen_are_read_as_the_kernel_writes_them() {
        let text = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             \x20  0: 0100007F:170D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 12345 1\n\
             \x20  1: 0100007F:170E 0100007F:A0A0 01 00000000:00000000 00:00000000 00000000  1001        0 12346 1\n";
        assert_eq!(listeners(text), [Listener { port: 5901, account: 1001, inode: 12345 }]);
        assert_eq!(listeners(""), []);
    }

    #[test]
    fn counters_are_read_as_the_kernel_writes_them() {
        let text = "cpu  10 20 30 400 500 6 7 80 9 0\ncpu0 1 2 3 4 5 6 7 8 9 0\ncpu1 1 2 3 4 5 6 7 8 9 0\nintr 5\n";
        assert_eq!(
            used_in(text),
            Some((73, 2)),
            "neither idle, nor waiting, nor stolen, nor guests twice"
        );
        assert_eq!(used_in("intr 5\n"), None);
        let text = "Inter-|   Receive                                                |  Transmit\n\
            \x20face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n\
            \x20   lo:  100 1 0 0 0 0 0 0  100 1 0 0 0 0 0 0\n\
            \x20 eth1: 2000 1 0 0 0 0 0 0  300 1 0 0 0 0 0 0\n\
            \x20 eth0: 1000 1 0 0 0 0 0 0  500 1 0 0 0 0 0 0\n";
        let interfaces = "eth0, eth1".to_owned();
        let expected = NetworkCount { interfaces, received: 3000, sent: 800 };
        assert_eq!(network_in(text, |name| name != LOOPBACK), Some(expected));
        assert_eq!(network_in(text, |name| name == "wlan0"), None);
    }

    #[test]
    fn accounts_are_found_by_their_whole_names() {
        let known = "root:x:0:0::/root:/bin/sh\nkp1:x:1001:1001::/home/kp1:/bin/sh\n";
        assert_eq!(account_of("kp1", known), Some(1001));
        assert_eq!(account_of("kp", known), None);
        assert_eq!(account_of("kp11", known), None);
    }
}
