//! The files of `deploy/proxies` that this build holds, and what is replaced in them.

use crate::cli::proxy_config_args::Proxy;

/// A file, with example addresses in the place of an operator's.
pub(super) struct Template {
    /// Its name.
    pub(super) file: &'static str,
    text: &'static str,
}

/// An operator's addresses.
pub(super) struct Addresses {
    /// The application's host.
    pub(super) host: String,
    /// Host and port of Doorward.
    pub(super) auth: String,
    /// Host and port of the application.
    pub(super) app: String,
}

impl Addresses {
    /// The addresses that stand in every file, in its comments too, each with what replaces it.
    fn of_examples(&self) -> [(&'static str, &str); 3] {
        [("app.example.org", &self.host), ("127.0.0.1:8080", &self.auth), ("127.0.0.1:3000", &self.app)]
    }
}

static NGINX: Template = Template { file: "nginx.conf", text: include_str!("../../../deploy/proxies/nginx.conf") };
static CADDY: Template = Template { file: "Caddyfile", text: include_str!("../../../deploy/proxies/Caddyfile") };
static HAPROXY: Template = Template { file: "haproxy.cfg", text: include_str!("../../../deploy/proxies/haproxy.cfg") };
static LUA: Template = Template { file: "gate.lua", text: include_str!("../../../deploy/proxies/gate.lua") };
static TRAEFIK: Template = Template { file: "traefik.yml", text: include_str!("../../../deploy/proxies/traefik.yml") };

impl Template {
    /// The file of a proxy, or its Lua file. `None` if it has none.
    pub(super) fn of(proxy: Proxy, lua: bool) -> Option<&'static Self> {
        match (proxy, lua) {
            (Proxy::Nginx, false) => Some(&NGINX),
            (Proxy::Caddy, false) => Some(&CADDY),
            (Proxy::Haproxy, false) => Some(&HAPROXY),
            (Proxy::Haproxy, true) => Some(&LUA),
            (Proxy::Traefik, false) => Some(&TRAEFIK),
            (_, true) => None,
        }
    }

    /// The file with the operator's addresses. In one pass, as one of them may be the example of another: an
    /// application on 127.0.0.1:8080.
    pub(super) fn fill(&self, addresses: &Addresses) -> String {
        let examples = addresses.of_examples();
        let next = |text: &str| {
            let found =
                examples.iter().filter_map(|(example, address)| Some((text.find(example)?, *example, *address)));
            found.min_by_key(|(at, ..)| *at)
        };
        let (mut filled, mut rest) = (String::with_capacity(self.text.len()), self.text);
        while let Some((at, example, address)) = next(rest) {
            filled.push_str(&rest[..at]);
            filled.push_str(address);
            rest = &rest[at + example.len()..];
        }
        filled + rest
    }
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
