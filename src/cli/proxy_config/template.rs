//! The files of `deploy/proxies` that this build holds, and what is replaced in them.

use super::login_host::TwoHosts;
use crate::cli::proxy_config_args::Proxy;
use std::borrow::Cow;

/// A file, with example addresses in the place of an operator's.
pub(super) struct Template {
    /// Its name.
    pub(super) file: &'static str,
    text: &'static str,
    two_hosts: TwoHosts,
}

/// An operator's addresses.
pub(super) struct Addresses {
    /// The application's host.
    pub(super) host: String,
    /// The login's host, if it has one of its own.
    pub(super) login_host: Option<String>,
    /// Host and port of Doorward.
    pub(super) auth: String,
    /// Host and port of the application.
    pub(super) app: String,
}

impl Addresses {
    /// The addresses that stand in every file, in its comments too, each with what replaces it. Envoy's file has host and
    /// port apart as well.
    fn of_examples(&self) -> [(&'static str, Cow<'_, str>); 6] {
        [
            ("app.example.org", (&self.host).into()),
            ("auth.example.org", self.login_host.as_deref().unwrap_or_default().into()),
            ("127.0.0.1:8080", (&self.auth).into()),
            ("127.0.0.1:3000", (&self.app).into()),
            ("address: \"127.0.0.1\", port_value: 8080", socket_address(&self.auth).into()),
            ("address: \"127.0.0.1\", port_value: 3000", socket_address(&self.app).into()),
        ]
    }
}

/// Host and port as Envoy has them, an IPv6 address without its brackets.
fn socket_address(server: &str) -> String {
    let (host, port) = server.rsplit_once(':').unwrap_or((server, "80"));
    format!("address: \"{}\", port_value: {port}", host.trim_matches(['[', ']']))
}

static NGINX: Template = Template {
    file: "nginx.conf",
    text: include_str!("../../../deploy/proxies/nginx.conf"),
    two_hosts: TwoHosts::Split {
        head: "server {",
        login: "    # The login itself",
        application: "    location / {",
        end: "    location / {\n        return 404;\n    }\n}\n\n",
    },
};
static CADDY: Template = Template {
    file: "Caddyfile",
    text: include_str!("../../../deploy/proxies/Caddyfile"),
    two_hosts: TwoHosts::Split {
        head: "{$APP_ORIGIN",
        login: "\t\t# The login itself",
        application: "\t\t# Rules are added",
        end: "\t\trespond 404\n\t}\n}\n\n",
    },
};
/// Under a host of its own, the login is the only thing that is asked of Doorward: not its metrics, for instance.
static HAPROXY: Template = Template {
    file: "haproxy.cfg",
    text: include_str!("../../../deploy/proxies/haproxy.cfg"),
    two_hosts: TwoHosts::Replaced(&[
        ("`--login-host` gives it a host of its own.", "Every other host is the application's."),
        (
            "acl is_login path_beg /auth/\n    http-request deny deny_status 404 if { path /auth/gate }\n",
            "acl is_login req.hdr(host),field(1,:) -i auth.example.org\n    \
             http-request deny deny_status 404 if is_login !{ path_beg /auth/ }\n    \
             http-request deny deny_status 404 if is_login { path /auth/gate }\n",
        ),
    ]),
};
static LUA: Template = Template {
    file: "gate.lua",
    text: include_str!("../../../deploy/proxies/gate.lua"),
    two_hosts: TwoHosts::Replaced(&[]),
};
static TRAEFIK: Template = Template {
    file: "traefik.yml",
    text: include_str!("../../../deploy/proxies/traefik.yml"),
    two_hosts: TwoHosts::Replaced(&[
        ("Host(`app.example.org`) && Path(", "Host(`auth.example.org`) && Path("),
        ("Host(`app.example.org`) && PathPrefix(", "Host(`auth.example.org`) && PathPrefix("),
    ]),
};
static ENVOY: Template = Template {
    file: "envoy.yaml",
    text: include_str!("../../../deploy/proxies/envoy.yaml"),
    two_hosts: TwoHosts::Split {
        head: "                    - name: app\n",
        login: "                        - match: { path: /auth/gate }",
        application: "                        # Only what the script",
        end: ENVOYS_END,
    },
};

const ENVOYS_END: &str = "                        - match: { prefix: / }
                          direct_response: { status: 404 }
                          typed_per_filter_config:
                            envoy.filters.http.ext_authz: *off
                            envoy.filters.http.lua: *off
";

impl Template {
    /// The file of a proxy, or its Lua file. `None` if it has none.
    pub(super) fn of(proxy: Proxy, lua: bool) -> Option<&'static Self> {
        match (proxy, lua) {
            (Proxy::Nginx, false) => Some(&NGINX),
            (Proxy::Caddy, false) => Some(&CADDY),
            (Proxy::Haproxy, false) => Some(&HAPROXY),
            (Proxy::Haproxy, true) => Some(&LUA),
            (Proxy::Traefik, false) => Some(&TRAEFIK),
            (Proxy::Envoy, false) => Some(&ENVOY),
            (_, true) => None,
        }
    }

    /// The file with the operator's addresses. In one pass, as one of them may be the example of another: an
    /// application on 127.0.0.1:8080.
    pub(super) fn fill(&self, addresses: &Addresses) -> String {
        let examples = addresses.of_examples();
        let next = |text: &str| {
            let found = examples.iter().filter_map(|(example, address)| Some((text.find(example)?, *example, address)));
            found.min_by_key(|(at, ..)| *at)
        };
        let text: Cow<'_, str> = match addresses.login_host {
            Some(_) => self.two_hosts.of(self.text).into(),
            None => self.text.into(),
        };
        let (mut filled, mut rest) = (String::with_capacity(text.len()), &*text);
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
