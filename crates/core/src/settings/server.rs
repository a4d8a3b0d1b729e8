//! The listener, the public address, trusted proxies and allowed origins.

use super::links::web_url;
use super::name::ServiceName;
use super::origin::Origin;
use super::pages::APP_URL;
use super::parse;
use super::problem::InvalidValue;
use super::public_suffix::is_public_suffix;
use super::reader::{Read, Reader};
use super::spec::{Derived, Values, section};
use crate::model::finding::{Finding, FindingCode};
use ipnet::{IpNet, Ipv4Net};
use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};

/// A header in which a proxy names the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

#[derive(Debug)]
pub struct ServerSettings {
    pub listen: SocketAddr,
    /// Public origin of the service, used in mailed links; with `https`, cookies are `Secure`.
    pub base_url: Origin,
    /// `Domain` of the cookies; unset: host-only.
    pub cookie_domain: Option<String>,
    /// Origins that may call API v1, the session of API v2 and logout.
    pub allowed_origins: Vec<Origin>,
    /// Origins that an absolute `return_to` may have, and that may do nothing else but be an assertion's audience.
    pub return_origins: Vec<Origin>,
    /// The origin of the application, which counts as one of them.
    pub app_origin: Option<Origin>,
    /// The default `return_to`: a path on this origin, or a URL of one of [`return_targets`](Self::return_targets).
    pub default_return_to: String,
    /// Peers whose forwarding headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// The header that they write; `None`: either.
    pub proxy_header: Option<ProxyHeader>,
    pub metrics_listen: Option<SocketAddr>,
    pub rate_limit: bool,
}

impl ServerSettings {
    /// The origins that an absolute `return_to` may have.
    pub fn return_targets(&self) -> impl Iterator<Item = &Origin> {
        let own = [&self.base_url].into_iter().chain(&self.allowed_origins);
        own.chain(&self.return_origins).chain(&self.app_origin)
    }

    /// Whether browsers send the service's cookies to an origin (RFC 6265, 5.1.3 and 5.4): ports do not matter.
    pub fn receives_cookies(&self, origin: &Origin) -> bool {
        let is_within = |domain: &str| {
            let rest = origin.host().strip_suffix(domain);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        let receives = self.cookie_domain.as_deref().map_or(origin.host() == self.base_url.host(), is_within);
        receives && (origin.is_https() || !self.base_url.is_https())
    }
}

section! { "Server";
    LISTEN: "IP address and port", Fixed("127.0.0.1:8080"), Public,
        "Address of the HTTP listener.";
    BASE_URL: "origin", Fixed("http://localhost:8080"), Address,
        "Public origin of the service: scheme, host and port, no path. Links in emails use it; with https, cookies are \
        sent over TLS only.";
    COOKIE_DOMAIN: "domain", Unset("only the host of SVC_BASE_URL"), Public,
        "Domain of the cookies, for applications on sibling subdomains: the host of SVC_BASE_URL or a parent of it. \
        Not a public suffix such as co.uk or duckdns.org: browsers reject cookies for it.";
    ALLOWED_ORIGINS: "list of origins", Unset("none"), Address,
        "Origins of applications on other hosts. They may call the two operations of API v1, the session of API v2 and \
        logout with the user's cookies (CORS), and users may be sent back to them after login.";
    RETURN_ORIGINS: "list of origins", Unset("none"), Address,
        "Origins that users may be sent back to, and for which the gate signs assertions. Unlike those in \
        SVC_ALLOWED_ORIGINS, they cannot call any operation with the user's cookies. An origin that cannot receive \
        the cookies causes a warning at startup.";
    DEFAULT_RETURN_TO: "path or URL",
        Derived("SVC_APP_URL, else /auth/account", app_or_account), Address,
        "Where login and signup end when the application names no return_to: a path on this origin, or a URL of this \
        origin, that of SVC_APP_URL, or one in SVC_ALLOWED_ORIGINS or SVC_RETURN_ORIGINS.";
    TRUSTED_PROXIES: "list of networks (CIDR)", Unset("none"), Public,
        "Reverse proxies. X-Forwarded-* and Forwarded are trusted from these peers only; otherwise rate limits, the \
        limit of connections and session lists see the proxy's address.";
    PROXY_HEADER: "X-Forwarded-For or Forwarded", Unset("either"), Public,
        "The header that the proxies write; the other one is ignored. Most proxies write one and forward what the \
        client put into the other: if the headers disagree and this is unset, the client address is unknown.";
    METRICS_LISTEN: "IP address and port", Unset("no metrics"), Public,
        "Address of a separate listener for Prometheus, path /metrics. Must differ from SVC_LISTEN.";
    RATE_LIMIT: "on or off", Fixed("on"), Public,
        "off disables all request limits, for load tests or behind a gateway that has its own.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<ServerSettings> {
    let listen = reader.required(&LISTEN, parse::listener);
    let base_url = reader.required(&BASE_URL, origin);
    let cookie_domain = reader.optional(&COOKIE_DOMAIN, |text| cookie_domain(text, base_url.as_ref().ok()));
    let allowed_origins = reader.optional(&ALLOWED_ORIGINS, |text| parse::list(text, origin));
    let return_origins = reader.optional(&RETURN_ORIGINS, |text| parse::list(text, origin));
    let app_origin = app_url(&reader.values).and_then(|url| Origin::of_url(&url));
    let default_return_to = {
        let lists = [&allowed_origins, &return_origins].map(|read| read.as_ref().ok().map(|list| list.as_deref()));
        let known = lists.into_iter().collect::<Option<Vec<_>>>();
        let own = base_url.as_ref().ok().into_iter().chain(&app_origin);
        let allowed = known.map(|lists| lists.into_iter().flatten().flatten().chain(own).collect::<Vec<_>>());
        reader.required(&DEFAULT_RETURN_TO, |text| return_to(text, allowed.as_deref()))
    };
    let trusted_proxies = reader.optional(&TRUSTED_PROXIES, |text| parse::list(text, network));
    let headers = [("X-Forwarded-For", ProxyHeader::XForwardedFor), ("Forwarded", ProxyHeader::Forwarded)];
    let proxy_header = reader.optional(&PROXY_HEADER, parse::one_of(&headers));
    let metrics_listen = reader.optional(&METRICS_LISTEN, |text| metrics_listener(text, listen.ok()));
    let rate_limit = reader.required(&RATE_LIMIT, parse::one_of(&[("on", true), ("off", false)]));
    let (base_url, allowed_origins) = (base_url?, allowed_origins?.unwrap_or_default());
    let return_origins = return_origins?.unwrap_or_default();
    let is_new =
        |origin: &Origin| *origin != base_url && !allowed_origins.contains(origin) && !return_origins.contains(origin);
    Ok(ServerSettings {
        listen: listen?,
        cookie_domain: cookie_domain?,
        app_origin: app_origin.filter(is_new),
        base_url,
        allowed_origins,
        return_origins,
        default_return_to: default_return_to?,
        trusted_proxies: trusted_proxies?.unwrap_or_default(),
        proxy_header: proxy_header?,
        metrics_listen: metrics_listen?,
        rate_limit: rate_limit?,
    })
}

/// Warns of origins to return to that do not receive the cookies.
pub(super) fn warnings(name: &ServiceName, settings: &ServerSettings) -> impl Iterator<Item = Finding> {
    let named = settings.return_origins.iter().map(|origin| (&RETURN_ORIGINS, origin));
    let named = named.chain(settings.app_origin.iter().map(|origin| (&APP_URL, origin)));
    named.filter(|(_, origin)| !settings.receives_cookies(origin)).map(|(spec, origin)| {
        let [variable, domain, base_url] = [spec, &COOKIE_DOMAIN, &BASE_URL].map(|spec| name.variable(spec.suffix));
        let origin = origin.as_str();
        let message = format!("{variable}: browsers do not send the cookies to {origin}; see {base_url} and {domain}");
        Finding::new(FindingCode::OriginWithoutCookies, message)
    })
}

/// The normalized base URL, as the default of another setting.
pub(super) fn base_url_as_default(values: &Values<'_>) -> Option<Derived> {
    let origin = Origin::parse(&values.effective(&BASE_URL)?)?;
    Some(Derived { value: origin.as_str().to_owned(), from: Some(&BASE_URL) })
}

/// The application, else the account page.
#[expect(clippy::unnecessary_wraps, reason = "the form of every derived default")]
fn app_or_account(values: &Values<'_>) -> Option<Derived> {
    Some(match app_url(values) {
        Some(url) => Derived { value: url.into_owned(), from: Some(&APP_URL) },
        None => Derived { value: "/auth/account".to_owned(), from: None },
    })
}

/// The application's URL, unless it cannot be one, which the pages' settings report.
fn app_url<'a>(values: &Values<'a>) -> Option<Cow<'a, str>> {
    values.effective(&APP_URL).filter(|url| web_url(url).is_ok())
}

fn origin(text: &str) -> Result<Origin, InvalidValue> {
    Origin::parse(text).ok_or_else(|| {
        "http:// or https://, a host (international names as xn--…), perhaps a port; no username, no path".into()
    })
}

/// Accepts the host or a parent domain (RFC 6265, 5.3), without the leading dot that RFC 6265, 5.2.3 ignores. A parent
/// with one label is a top-level domain, for which browsers reject cookies, as for every public suffix.
fn cookie_domain(text: &str, base_url: Option<&Origin>) -> Result<String, InvalidValue> {
    let domain = text.strip_prefix('.').unwrap_or(text).to_ascii_lowercase();
    let Some(host) = base_url.map(Origin::host) else { return Ok(domain) };
    let is_address = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
    let is_parent = host.strip_suffix(&domain).is_some_and(|rest| rest.ends_with('.'));
    if domain != host && is_public_suffix(&domain) {
        return Err(format!("{host}, as browsers take no cookies for {domain}, a public suffix").into());
    }
    if domain == host || (is_parent && !is_address && domain.contains('.')) {
        return Ok(domain);
    }
    Err(format!("the base URL's host ({host}) or a parent domain of it").into())
}

fn return_to(text: &str, allowed: Option<&[&Origin]>) -> Result<String, InvalidValue> {
    let is_clean = !text.contains(|c: char| c == '\\' || c.is_control());
    let is_path = text.starts_with('/') && !text.starts_with("//");
    // If the origins are invalid, only they are reported.
    let is_allowed = || allowed.is_none_or(|list| Origin::of_url(text).is_some_and(|origin| list.contains(&&origin)));
    if is_clean && (is_path || is_allowed()) {
        return Ok(text.to_owned());
    }
    Err("a path that begins with one slash, or a URL of one of the allowed origins; no \\ and no control characters"
        .into())
}

fn network(text: &str) -> Result<IpNet, InvalidValue> {
    let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    network.map(|network| unmapped(network).trunc()).ok_or_else(|| {
        "a comma-separated list of networks and addresses, such as 10.0.0.0/8, 192.0.2.1, 2001:db8::/32".into()
    })
}

/// A network of IPv4 addresses that are written as IPv6 ones (`::ffff:10.0.0.0/104`) as that of IPv4: as such the addresses
/// of connections are compared.
fn unmapped(network: IpNet) -> IpNet {
    let mapped = match network {
        IpNet::V6(network) => network.addr().to_ipv4_mapped().zip(network.prefix_len().checked_sub(96)),
        IpNet::V4(_) => None,
    };
    mapped.and_then(|(address, prefix)| Ipv4Net::new(address, prefix).ok()).map_or(network, IpNet::V4)
}

fn metrics_listener(text: &str, main: Option<SocketAddr>) -> Result<SocketAddr, InvalidValue> {
    let address = parse::listener(text)?;
    if main == Some(address) && address.port() != 0 {
        return Err("an address and port other than the main listener's".into());
    }
    Ok(address)
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
