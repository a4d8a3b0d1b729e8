//! The arguments of `doorward proxy-config`. Doc comments here are the help text.

use clap::{Args, ValueEnum};

/// A proxy whose file the command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Proxy {
    /// A file for conf.d
    Nginx,
    /// A Caddyfile
    Caddy,
    /// haproxy.cfg; with --lua gate.lua, which it loads
    Haproxy,
    /// A file of the dynamic configuration
    Traefik,
    /// A whole configuration, for 1.40 or later
    Envoy,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  doorward proxy-config nginx --host app.example.org --app http://127.0.0.1:3000 > /etc/nginx/conf.d/app.conf
  doorward proxy-config caddy --host app.example.org --app http://127.0.0.1:3000 > /etc/caddy/Caddyfile
  doorward proxy-config caddy --host wiki.example.org --login-host auth.example.org --app http://127.0.0.1:3000
  doorward proxy-config haproxy --host app.example.org --app http://127.0.0.1:3000 --lua > /etc/haproxy/gate.lua
  doorward proxy-config haproxy --host app.example.org --app http://127.0.0.1:3000 > /etc/haproxy/haproxy.cfg
  doorward proxy-config traefik --host app.example.org --app http://127.0.0.1:3000 > /etc/traefik/dynamic/app.yml
  doorward proxy-config envoy --host app.example.org --app http://127.0.0.1:3000 > /etc/envoy/envoy.yaml";

/// Arguments of `doorward proxy-config`. The addresses are texts here: what is wrong with one is told in one line.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ProxyConfig {
    /// The proxy
    #[arg(value_name = "PROXY")]
    pub proxy: Proxy,
    /// The application's host in a browser: a name or an IPv4 address, without a port
    #[arg(long, value_name = "HOST")]
    pub host: String,
    /// A host for the login alone, which the public URL has; without it, the login is on the application's host
    #[arg(long, value_name = "HOST")]
    pub login_host: Option<String>,
    /// Where the proxy reaches the application.
    #[arg(long, value_name = "URL", help = "Where the proxy reaches the application, such as http://127.0.0.1:3000")]
    pub app: String,
    /// Where the proxy reaches Doorward [default: http:// and `SVC_LISTEN`]
    #[arg(long, value_name = "URL")]
    pub auth: Option<String>,
    /// Print the Lua file that haproxy.cfg loads
    #[arg(long)]
    pub lua: bool,
}
