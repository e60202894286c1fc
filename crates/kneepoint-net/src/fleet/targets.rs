//! Which host has which target.

use kneepoint_core::words::fault::Fault;

/// The host in front of a target's name, and the name behind it: `a:/data/file` if `a` is one of
/// `hosts`.
pub fn split_host<'a>(name: &'a str, hosts: &[String]) -> Option<(&'a str, &'a str)> {
    let (host, rest) = name.split_once(':')?;
    hosts.iter().any(|known| known == host).then_some((host, rest))
}

/// The targets of each of `hosts`, in their order: those named `host:target` there, and those without a
/// host dealt out to all of them, neighbours to the same one.
///
/// # Errors
/// When a host is left without a target.
pub fn dealt(names: &[String], hosts: &[String]) -> Result<Vec<(String, Vec<String>)>, Fault> {
    let mut dealt: Vec<(String, Vec<String>)> =
        hosts.iter().map(|host| (host.clone(), Vec::new())).collect();
    let (named, free): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| split_host(name, hosts).is_some());
    for name in named {
        if let Some((host, rest)) = split_host(name, hosts)
            && let Some((_, targets)) = dealt.iter_mut().find(|(known, _)| known == host)
        {
            targets.push(rest.to_owned());
        }
    }
    for (number, name) in free.iter().enumerate() {
        let host = number * hosts.len() / free.len();
        dealt[host].1.push((*name).clone());
    }
    match dealt.iter().find(|(_, targets)| targets.is_empty()) {
        None => Ok(dealt),
        Some((host, _)) => Err(Fault::new(format!("{host} has no target"))
            .because(format!("{} targets are named for {} hosts", names.len(), hosts.len()))
            .fix(format!("name one: {host}:PATH"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], hosts: &[&str], expected: &[(&str, &[&str])]) {
        let owned = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let dealt = dealt(&owned(names), &owned(hosts)).unwrap();
        let expected: Vec<(String, Vec<String>)> =
            expected.iter().map(|(host, names)| ((*host).to_owned(), owned(names))).collect();
        assert_eq!(dealt, expected);
    }

    #[test]
    fn targets_go_to_the_host_that_is_named() {
        check(&["b:/x", "a:/x", "b:/y"], &["a", "b"], &[("a", &["/x"]), ("b", &["/x", "/y"])]);
    }

    #[test]
    fn others_are_dealt_out_to_neighbours() {
        check(&["1", "2", "3"], &["a", "b"], &[("a", &["1", "2"]), ("b", &["3"])]);
        check(&["sim:x", "sim:y"], &["a", "b"], &[("a", &["sim:x"]), ("b", &["sim:y"])]);
        check(&["b:/x", "/y"], &["b"], &[("b", &["/x", "/y"])]);
    }

    #[test]
    fn no_host_is_left_without_a_target() {
        let error = dealt(&["a:/x".to_owned()], &["a".to_owned(), "b".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("b has no target"), "{error}");
    }
}
