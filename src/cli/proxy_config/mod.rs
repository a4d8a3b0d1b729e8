//! `doorward proxy-config`: prints the file of `deploy/proxies` for a proxy, with the operator's addresses.

mod address;
mod template;

use super::failure::Failure;
use super::output::Output;
use super::proxy_config_args::ProxyConfig;
use crate::settings::ServiceName;
use serde_json::json;
use template::{Addresses, Template};

const SAME_HOST: &str = "it must be another host than that of --host; without it, both are on one host";

/// Text that an operator gave, and what an error calls it.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    /// The argument or the variable.
    pub(super) source: &'a str,
    pub(super) text: &'a str,
}

impl Given<'_> {
    /// Reads it. An error names the source, and never repeats the text: a URL may hold a password.
    fn read(self, parse: impl FnOnce(&str) -> Result<String, &'static str>) -> Result<String, Failure> {
        parse(self.text).map_err(|reason| Failure::Operator(format!("{}: {reason}", self.source)))
    }
}

/// Prints the file; `auth` is the URL at which the proxy reaches Doorward.
pub(super) fn run(
    name: &ServiceName,
    arguments: &ProxyConfig,
    auth: Given<'_>,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    refuse_other_name(name)?;
    let ProxyConfig { proxy, host, login_host, app, lua, .. } = arguments;
    let template =
        Template::of(*proxy, *lua).ok_or_else(|| Failure::Operator("--lua: only haproxy has a Lua file".to_owned()))?;
    let host = Given { source: "--host", text: host }.read(address::host)?;
    let addresses = Addresses {
        login_host: login_host.as_deref().map(|text| read_login_host(text, &host)).transpose()?,
        host,
        app: Given { source: "--app", text: app }.read(|text| address::application(*proxy, text))?,
        auth: auth.read(|text| address::doorward(*proxy, text))?,
    };
    let config = template.fill(&addresses);
    out.result(&json!({ "file": template.file, "config": config }), config.trim_end())
}

fn read_login_host(text: &str, application: &str) -> Result<String, Failure> {
    let of_its_own = |host: String| if host == application { Err(SAME_HOST) } else { Ok(host) };
    Given { source: "--login-host", text }.read(|text| address::host(text).and_then(of_its_own))
}

/// The names of cookies and headers stand in the files. Another name is not filled in: one of few letters would take a
/// part of other headers' names, which Caddy deletes by a part.
fn refuse_other_name(name: &ServiceName) -> Result<(), Failure> {
    if name.as_str() == ServiceName::DEFAULT {
        return Ok(());
    }
    Err(Failure::Operator(format!(
        "--service-name: the files are written and tried for the service name {}, and not for {name}",
        ServiceName::DEFAULT
    )))
}

#[cfg(test)]
#[path = "proxy_config_tests.rs"]
mod tests;
