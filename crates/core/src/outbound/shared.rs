//! The one client of a process for servers that others name.

use super::external::ExternalClient;
use ipnet::IpNet;
use std::sync::OnceLock;

/// The [`ExternalClient`] of a process, made when it is first needed: a service without providers, and most commands, need
/// no trusted root certificates.
#[derive(Debug)]
pub struct SharedExternalClient {
    allowed: Vec<IpNet>,
    made: OnceLock<ExternalClient>,
}

impl SharedExternalClient {
    /// A client that may also connect to these inner addresses.
    pub const fn new(allowed: Vec<IpNet>) -> Self {
        Self { allowed, made: OnceLock::new() }
    }

    /// The client. Fails where the machine has no trusted root certificates; the next call tries again.
    pub fn get(&self) -> std::io::Result<&ExternalClient> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let new = ExternalClient::new(self.allowed.clone())?;
        Ok(self.made.get_or_init(|| new))
    }
}
