//! The addresses that go into a proxy's file. What [`Origin`] lets into a host and a port cannot end a line or begin a
//! directive there: letters, digits, `-`, `_` and `.`, and of an IPv6 address brackets and colons.

use crate::cli::proxy_config_args::Proxy;
use crate::model::this_machine::is_localhost;
use crate::settings::Origin;
use std::net::IpAddr;

const NO_HOST: &str =
    "a host name or an IPv4 address is expected, such as app.example.org, without scheme, port and path";
const NO_URL: &str = "a URL such as http://127.0.0.1:3000 is expected, without user, path and query; an IPv6 address \
    stands in brackets";
const TLS: &str = "it must begin with http://, as the file does not speak TLS to this address";
const NOWHERE: &str = "this is no address to connect to: give one of the machine, such as 127.0.0.1";
const SOCKET: &str = "nginx takes the name unix for that of a socket";
const NOT_IN_DNS: &str = "HAProxy's Lua file asks DNS alone, which does not know localhost: give 127.0.0.1 or [::1]";

/// The host of an application in a browser, in lower case.
pub(super) fn host(text: &str) -> Result<String, &'static str> {
    let url = format!("http://{}", text.to_ascii_lowercase());
    // Equal only if there is nothing but a host.
    let origin = Origin::parse(&url).filter(|origin| origin.as_str() == url && !origin.host().starts_with('['));
    origin.map(|origin| origin.host().to_owned()).ok_or(NO_HOST)
}

/// Host and port of an application.
pub(super) fn application(proxy: Proxy, url: &str) -> Result<String, &'static str> {
    server(proxy, &parse(url)?)
}

/// Host and port of Doorward.
pub(super) fn doorward(proxy: Proxy, url: &str) -> Result<String, &'static str> {
    let origin = parse(url)?;
    if proxy == Proxy::Haproxy && is_localhost(origin.host()) {
        return Err(NOT_IN_DNS);
    }
    server(proxy, &origin)
}

fn parse(url: &str) -> Result<Origin, &'static str> {
    let origin = Origin::parse(url).ok_or(NO_URL)?;
    if origin.is_https() { Err(TLS) } else { Ok(origin) }
}

/// The port always stands there: without one, `HAProxy` takes that of the visitor's connection.
fn server(proxy: Proxy, origin: &Origin) -> Result<String, &'static str> {
    let host = origin.host();
    // To HAProxy, such an address is the one to which the visitor connected.
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    if address.is_ok_and(|address| address.to_canonical().is_unspecified()) {
        return Err(NOWHERE);
    }
    if proxy == Proxy::Nginx && host == "unix" {
        return Err(SOCKET);
    }
    let authority = origin.as_str().trim_start_matches("http://");
    Ok(if authority == host { format!("{host}:80") } else { authority.to_owned() })
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
