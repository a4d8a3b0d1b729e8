//! The client of a request.

use super::network::subnet;
use std::net::IpAddr;

/// The `User-Agent` header is truncated to this number of characters.
const MAX_USER_AGENT_CHARS: usize = 300;

/// The client of a request, as its user sees it in the list of sessions.
#[derive(Clone, Debug)]
pub struct Device {
    user_agent: String,
    address: String,
}

impl Device {
    /// Stores the printable part of the `User-Agent` header, and the client's address.
    pub fn new(user_agent: &str, address: Option<IpAddr>) -> Self {
        Self {
            user_agent: user_agent.chars().filter(|c| !c.is_control()).take(MAX_USER_AGENT_CHARS).collect(),
            address: address.map(|address| address.to_string()).unwrap_or_default(),
        }
    }

    /// The stored part of the `User-Agent` header.
    pub fn user_agent(&self) -> &str {
        &self.user_agent
    }

    /// The client's address; empty if it is not known.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The client's address, if it is known.
    pub fn ip(&self) -> Option<IpAddr> {
        self.address.parse().ok()
    }

    /// The client's subnet; empty if the address is not known.
    pub fn subnet(&self) -> String {
        self.ip().map(|address| subnet(address).to_string()).unwrap_or_default()
    }
}
