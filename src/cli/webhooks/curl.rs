//! The `curl` command that resends a received event.

use super::receiver::ReceivedRequest;
use crate::cli::wording::shell_quote;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::net::SocketAddr;

/// Returns a POSIX shell command that resends the event byte for byte, with the headers that a receiver checks.
///
/// `service_prefix` is the prefix of the headers named after the service, in lower case: `x-svc-`.
pub(super) fn curl_command(request: &ReceivedRequest, address: SocketAddr, service_prefix: &str) -> String {
    let is_sent =
        |name: &str| name == "content-type" || name.starts_with("webhook-") || name.starts_with(service_prefix);
    let headers = request.headers.iter().filter(|(name, _)| is_sent(name));
    let headers = headers.map(|(name, value)| format!(" -H {}", shell_quote(&format!("{name}: {value}"))));
    let headers = headers.collect::<Vec<_>>().concat();
    let url = shell_quote(&format!("http://{address}{}", request.path));
    match std::str::from_utf8(&request.body) {
        Ok(body) if !body.contains(|c: char| c.is_control() && c != '\n') => {
            format!("curl -i {url}{headers} --data-raw {}", shell_quote(body))
        }
        _ => {
            let body = STANDARD.encode(&request.body);
            format!("printf %s {body} | base64 -d | curl -i {url}{headers} --data-binary @-")
        }
    }
}

#[cfg(test)]
#[path = "curl_tests.rs"]
mod tests;
