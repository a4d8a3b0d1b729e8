//! The client's device, from its `User-Agent`.

pub use crate::device_name::display_name;

use super::client::ClientAddress;
use crate::messages::Messages;
use crate::model::device::Device;
use crate::model::network::{is_local, subnet};
use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;

/// The device that a request comes from.
pub fn from_headers(headers: &HeaderMap, client: ClientAddress) -> Device {
    Device::new(user_agent(headers), client.for_records)
}

/// What the client says that it is; empty if it says nothing readable.
pub fn user_agent(headers: &HeaderMap) -> &str {
    headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Whether it is carried in a pocket.
pub fn is_phone(user_agent: &str) -> bool {
    let parsed = woothee::parser::Parser::new().parse(user_agent);
    parsed.is_some_and(|found| ["smartphone", "mobilephone"].contains(&found.category))
}

/// Where a client was, as far as an address says, to who reads from `here`.
pub fn place(messages: Messages<'_>, address: &str, here: &str) -> String {
    let (Ok(there), here) = (address.parse(), here.parse().ok()) else {
        return if address.is_empty() { messages.t("address-unknown").to_string() } else { address.to_owned() };
    };
    let is_here = here.is_some_and(|here| subnet(here) == subnet(there));
    match (is_local(there), is_here) {
        (true, _) => messages.t("place-local").with("address", address).to_string(),
        (false, true) => messages.t("place-here").with("address", address).to_string(),
        (false, false) => address.to_owned(),
    }
}

#[cfg(test)]
#[path = "device_tests.rs"]
mod tests;
