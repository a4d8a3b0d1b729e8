//! Where a request comes from.

use super::network::network;
use std::net::IpAddr;

/// The `User-Agent` header is cut after this many characters.
const USER_AGENT_MAX: usize = 300;

/// The client of a request, as its user sees it in the list of sessions.
#[derive(Clone, Debug)]
pub struct Device {
    user_agent: String,
    address: String,
}

impl Device {
    /// Keeps the printable part of the `User-Agent` header, and the client's address.
    pub fn new(user_agent: &str, address: Option<IpAddr>) -> Self {
        Self {
            user_agent: user_agent.chars().filter(|c| !c.is_control()).take(USER_AGENT_MAX).collect(),
            address: address.map(|address| address.to_string()).unwrap_or_default(),
        }
    }

    /// The kept part of the `User-Agent` header.
    pub fn user_agent(&self) -> &str {
        &self.user_agent
    }

    /// The client's address; empty if it is not known.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The network that counts as one place; empty if the address is not known.
    pub fn network(&self) -> String {
        self.address.parse().map(|address| network(address).to_string()).unwrap_or_default()
    }
}
