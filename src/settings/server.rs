//! The listener, the public address and whom to believe about addresses and origins.

use ipnet::IpNet;
use std::net::SocketAddr;

/// How the service is reached.
#[derive(Debug)]
pub struct Server {
    /// Address of the HTTP listener.
    pub listen: SocketAddr,
    /// Public origin of the service; links in mails use it, and `https` switches `Secure` on.
    pub base_url: Origin,
    /// `Domain` of the cookies; unset: host-only.
    pub cookie_domain: Option<String>,
    /// Origins that may call the JSON operations and be an absolute `return_to`.
    pub allowed_origins: Vec<Origin>,
    /// Where a flow ends without `return_to`: a path on this origin, or a URL of an allowed origin.
    pub default_return_to: String,
    /// Peers whose forwarding headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Separate listener for Prometheus.
    pub metrics_listen: Option<SocketAddr>,
    /// Whether requests are limited.
    pub rate_limit: bool,
}

/// A web origin (RFC 6454): scheme, host and, unless it is the scheme's own, port; lower case, no trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// As a browser writes it in the `Origin` header.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the scheme is `https`.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}
