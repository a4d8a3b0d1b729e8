//! A URL with several hosts, as libpq takes it: `postgres://user@first:5432,second:5432/database`.

use secrecy::{ExposeSecret, SecretString};

const IN_QUERY: &str =
    "several hosts stand before the database's name: postgres://USER@FIRST:5432,SECOND:5432/DATABASE";
const ATTRIBUTES: &str =
    "target_session_attrs can be read-write or primary only: no other server than one that takes writes is used";

/// A URL for each host, without `target_session_attrs`: whichever it says, only a server that takes writes is used.
pub(super) fn single_hosts(url: &SecretString) -> Result<Vec<SecretString>, &'static str> {
    let (scheme, rest) = url.expose_secret().split_once("://").ok_or("it has no //")?;
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, hosts) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
    let tail = without_attributes(tail)?;
    Ok(hosts.split(',').map(|host| format!("{scheme}://{user}{host}{tail}").into()).collect())
}

fn without_attributes(tail: &str) -> Result<String, &'static str> {
    let Some((path, query)) = tail.split_once('?') else { return Ok(tail.to_owned()) };
    let mut kept = Vec::new();
    for parameter in query.split('&') {
        match parameter.split_once('=') {
            Some(("target_session_attrs", "read-write" | "primary")) => {}
            Some(("target_session_attrs", _)) => return Err(ATTRIBUTES),
            Some(("host" | "hostaddr" | "port", value)) if value.contains(',') || value.contains("%2C") => {
                return Err(IN_QUERY);
            }
            _ => kept.push(parameter),
        }
    }
    Ok(if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) })
}

#[cfg(test)]
#[path = "hosts_tests.rs"]
mod tests;
