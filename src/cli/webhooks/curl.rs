//! The `curl` command that repeats a received event.

use super::receiver::Arrival;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::net::SocketAddr;

/// A line for a POSIX shell that sends the event again, byte for byte, with the headers that a receiver looks at.
///
/// `service_prefix` is what the headers named after the service begin with, in lower case: `x-svc-`.
pub(super) fn repeating(arrival: &Arrival, address: SocketAddr, service_prefix: &str) -> String {
    let is_sent =
        |name: &str| name == "content-type" || name.starts_with("webhook-") || name.starts_with(service_prefix);
    let headers = arrival.headers.iter().filter(|(name, _)| is_sent(name));
    let headers = headers.map(|(name, value)| format!(" -H {}", quoted(&format!("{name}: {value}"))));
    let headers = headers.collect::<Vec<_>>().concat();
    let url = quoted(&format!("http://{address}{}", arrival.path));
    match std::str::from_utf8(&arrival.body) {
        Ok(body) if !body.contains(|c: char| c.is_control() && c != '\n') => {
            format!("curl -i {url}{headers} --data-raw {}", quoted(body))
        }
        _ => {
            let body = STANDARD.encode(&arrival.body);
            format!("printf %s {body} | base64 -d | curl -i {url}{headers} --data-binary @-")
        }
    }
}

/// One word for the shell, whatever it holds.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
#[path = "curl_tests.rs"]
mod tests;
