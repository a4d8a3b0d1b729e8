//! The files of `deploy/proxies` that this build holds, and what is replaced in them.

use crate::cli::proxy_config_args::Proxy;
use std::borrow::Cow;

/// A file, with example addresses in the place of an operator's.
pub(super) struct Template {
    pub(super) file: &'static str,
    text: &'static str,
    two_hosts: TwoHosts,
}

pub(super) struct Addresses {
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
            ("auth.example.org", self.login_host.as_deref().unwrap_or("auth.example.org").into()),
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

/// What two files say of their addresses.
const THREE_ADDRESSES: (&str, &str) = (
    "#   app.example.org   the application's host, and that of SVC_BASE_URL unless the login has its own (--login-host)\n",
    "#   app.example.org   the application's host\n#   auth.example.org  the login's host, that of SVC_BASE_URL\n",
);
static NGINX: Template = Template {
    file: "nginx.conf",
    text: include_str!("../../../deploy/proxies/nginx.conf"),
    two_hosts: TwoHosts::Split {
        parts: ["server {", "    # The login itself", "    location / {"],
        end: "    location / {\n        return 404;\n    }\n}\n\n",
        replaced: &[THREE_ADDRESSES, ("Its three addresses", "Its four addresses")],
    },
};
/// The addresses are not taken from the environment then, which would have one value for all applications.
static CADDY: Template = Template {
    file: "Caddyfile",
    text: include_str!("../../../deploy/proxies/Caddyfile"),
    two_hosts: TwoHosts::Split {
        parts: ["{$APP_ORIGIN", "\t\t# The login itself", "\t\t# Rules are added"],
        end: "\t\trespond 404\n\t}\n}\n\n",
        replaced: &[
            (
                " Its three\n# addresses, which `doorward proxy-config caddy` fills in, and which may stand in Caddy's environment instead:\n\
                 #   APP_ORIGIN        the application's origin, and SVC_BASE_URL unless the login has its own host (--login-host)\n\
                 #   DOORWARD_ADDRESS  Doorward; Caddy's own address stands in SVC_TRUSTED_PROXIES\n\
                 #   APP_ADDRESS       the application, which must not be reachable but through here\n",
                " Its\n# addresses, which `doorward proxy-config caddy` fills in:\n\
                 #   app.example.org   the application's host\n\
                 #   auth.example.org  the login's host, that of SVC_BASE_URL\n\
                 #   127.0.0.1:8080    Doorward; Caddy's own address stands in SVC_TRUSTED_PROXIES\n\
                 #   127.0.0.1:3000    the application, which must not be reachable but through here\n",
            ),
            ("{$LOGIN_ORIGIN:http://auth.example.org}", "http://auth.example.org"),
            ("{$APP_ORIGIN:http://app.example.org}", "http://app.example.org"),
            ("reverse_proxy {$DOORWARD_ADDRESS:127.0.0.1:8080}", "reverse_proxy 127.0.0.1:8080"),
            ("forward_auth {$DOORWARD_ADDRESS:127.0.0.1:8080}", "forward_auth 127.0.0.1:8080"),
            ("{$APP_ADDRESS:127.0.0.1:3000}", "127.0.0.1:3000"),
        ],
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
        parts: [
            "                    - name: app\n",
            "                        - match: { path: /auth/gate }",
            "                        # Only what the script",
        ],
        end: ENVOYS_END,
        replaced: &[THREE_ADDRESSES, ("Its three\n# addresses", "Its four\n# addresses")],
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

/// How, with `--login-host`, the file for one host becomes that for two.
enum TwoHosts {
    /// The block of the host is in three parts, which begin with these texts: its head, which stands in both then, the
    /// login and the application. `end` is what follows the login; then come the places of [`Self::Replaced`].
    Split { parts: [&'static str; 3], end: &'static str, replaced: Places },
    /// The hosts are in a few places.
    Replaced(Places),
}

/// What stands in a file once, and what replaces it.
type Places = &'static [(&'static str, &'static str)];

/// What differs in the head of the login's host.
const OF_LOGIN: [(&str, &str); 3] =
    [("app.example.org", "auth.example.org"), ("APP_ORIGIN", "LOGIN_ORIGIN"), ("name: app", "name: login")];

impl TwoHosts {
    /// The file in which `auth.example.org` is the login's host and `app.example.org` that of the application.
    fn of(&self, file: &str) -> String {
        match self {
            Self::Split { parts: begins, end, replaced: places } => {
                let [before, head, login, application] = parts(file, *begins);
                let of_login = with(head, &OF_LOGIN);
                with(&[before, &of_login, login, end, head, application].concat(), places)
            }
            Self::Replaced(places) => with(file, places),
        }
    }
}

/// The text before the first of these, and the parts that begin with each of them, in their order.
fn parts<'a>(mut rest: &'a str, begins: [&str; 3]) -> [&'a str; 4] {
    let [first, second, third] = begins.map(|begin| {
        let (part, next) = rest.split_at(rest.find(begin).unwrap_or(rest.len()));
        rest = next;
        part
    });
    [first, second, third, rest]
}

fn with(text: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
