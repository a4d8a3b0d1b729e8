//! A URL with several hosts, as libpq takes it: `postgres://user@first:5432,second:5432/database`.

use secrecy::{ExposeSecret, SecretString};

const IN_QUERY: &str =
    "several hosts stand before the database's name: postgres://USER@FIRST:5432,SECOND:5432/DATABASE";
const ATTRIBUTES: &str =
    "target_session_attrs can be read-write or primary only: no other server than one that takes writes is used";

const ENCODED: &str =
    "in a username or password # is written as %23, / as %2F, ? as %3F, @ as %40, : as %3A and % as %25";

/// A URL for each host, without `target_session_attrs`: whichever it says, only a server that takes writes is used.
pub(super) fn single_hosts(url: &SecretString) -> Result<Vec<SecretString>, &'static str> {
    let (scheme, rest) = url.expose_secret().split_once("://").ok_or("it has no //")?;
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if hides_password(authority, tail) {
        return Err(ENCODED);
    }
    let (user, hosts) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
    let tail = without_attributes(tail)?;
    Ok(hosts.split(',').map(|host| single_host(scheme, user, host, &tail)).collect())
}

/// Whether a password with a character that ends the authority seems to stand in it: the user is behind that, and what is
/// before it is no port.
fn hides_password(authority: &str, tail: &str) -> bool {
    if authority.contains('@') {
        return false;
    }
    let path = tail.split('?').next().unwrap_or(tail);
    let first = tail.split_once('?').map_or("", |(_, query)| query.split('&').next().unwrap_or(query));
    tail.contains('#') || path.contains('@') || (first.contains('@') && !first.contains('='))
}

/// Where libpq takes a user before an empty host, for a socket, the driver wants the user in the query.
fn single_host(scheme: &str, user: &str, host: &str, tail: &str) -> SecretString {
    let port = host.strip_prefix(':');
    if user.is_empty() || (port.is_none() && !host.is_empty()) {
        return format!("{scheme}://{user}{host}{tail}").into();
    }
    let user = user.trim_end_matches('@');
    let (name, password) = user.split_once(':').map_or((user, None), |(name, password)| (name, Some(password)));
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    let own = [("user", Some(name)), ("password", password), ("port", port)];
    // There, a plus is a blank.
    let own = own.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?.replace('+', "%2B"))));
    let query: Vec<String> = own.chain(query.split('&').filter(|part| !part.is_empty()).map(str::to_owned)).collect();
    format!("{scheme}:///{}?{}", path.trim_start_matches('/'), query.join("&")).into()
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
