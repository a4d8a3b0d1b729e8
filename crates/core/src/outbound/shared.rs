//! The one client of a process for servers that others name.

use super::foreign::Foreign;
use ipnet::IpNet;
use std::sync::OnceLock;

/// The [`Foreign`] client of a process, made when it is first needed: a service without providers, and most commands, need
/// no trusted root certificates.
#[derive(Debug)]
pub struct SharedForeign {
    allowed: Vec<IpNet>,
    made: OnceLock<Foreign>,
}

impl SharedForeign {
    /// A client that may also connect to these inner addresses.
    pub const fn new(allowed: Vec<IpNet>) -> Self {
        Self { allowed, made: OnceLock::new() }
    }

    /// The client. Fails where the machine has no trusted root certificates; the next call tries again.
    pub fn get(&self) -> std::io::Result<&Foreign> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let new = Foreign::new(self.allowed.clone())?;
        Ok(self.made.get_or_init(|| new))
    }
}
