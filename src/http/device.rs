//! The client's device, from its `User-Agent`.

pub use crate::device_name::display_name;

use super::client::ClientAddress;
use crate::model::device::Device;
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
