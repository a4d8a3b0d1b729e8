//! The public address: the doctor calls the service as a browser would, and compares what arrives with what it sent.

use super::report::Report;
use super::{call, certificate};
use crate::clock::Clock;
use crate::crypto::token_hash::LinkToken;
use crate::domain::doctor_nonce;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::Principal;
use crate::outbound::{ServerAnswer, Unanswered};
use crate::settings::Settings;
use crate::store::Store;
use hyper::header::{COOKIE, LOCATION};
use hyper::{StatusCode, Uri};
use serde::Deserialize;
use std::net::{IpAddr, SocketAddr};

const CHECK: &str = "address";

#[derive(Deserialize)]
pub(super) struct Arrived {
    /// Another one in each answer.
    pub(super) answer: String,
    peer: SocketAddr,
    peer_trusted: bool,
    forwarded: bool,
    client: Option<IpAddr>,
    scheme: Option<String>,
    host: Option<String>,
    pub(super) cookies: Vec<String>,
    pub(super) set_cookies: Vec<String>,
    differing_settings: String,
}

impl Arrived {
    /// `None` if something else answered.
    pub(super) fn read(answer: &ServerAnswer) -> Option<Self> {
        let seen = Some(answer).filter(|answer| answer.status == StatusCode::OK);
        seen.and_then(|answer| serde_json::from_slice(&answer.body).ok())
    }
}

pub(super) async fn examine(report: &mut Report, store: &Store, settings: &Settings, clock: &Clock) {
    let nonce = match report.in_time(CHECK, doctor_nonce::create(store, &Principal::operator())).await {
        Some(Ok(nonce)) => nonce,
        Some(Err(error)) => return report.found(CHECK, Finding::new(FindingCode::DatabaseAway, error.to_string())),
        None => return,
    };
    let call = Call { report, settings };
    call.run(&nonce, clock).await;
    // It expires by itself.
    let _ = report.in_time(CHECK, doctor_nonce::remove(store, &Principal::operator(), &nonce)).await;
}

pub(super) struct Call<'a> {
    pub(super) report: &'a mut Report,
    settings: &'a Settings,
}

impl Call<'_> {
    async fn run(mut self, nonce: &LinkToken, clock: &Clock) {
        let cookies = self.cookie_names().map(|name| format!("{name}=doctor")).join("; ");
        let path = format!("/auth/doctor/{}", nonce.text());
        let Some(answer) = self.get(&path, &[(COOKIE.as_str(), &cookies)]).await else {
            return;
        };
        let base = self.settings.server.base_url.as_str();
        certificate::examine(self.report, CHECK, base, answer.certificate_end, clock);
        let Some(seen) = Arrived::read(&answer) else { return self.elsewhere(&answer) };
        self.report.ok(CHECK, format!("{base} reaches this service"));
        self.scheme_and_host(&seen);
        let cookies_arrive = self.cookies(&seen, &answer);
        self.cache(&path, &seen).await;
        self.login(&path, cookies_arrive).await;
        let is_direct = answer.local.is_some_and(|local| local.port() == seen.peer.port());
        self.client(&seen, is_direct);
        if !seen.differing_settings.is_empty() {
            let names = &seen.differing_settings;
            let message =
                format!("the process that answered differs from another. Give all processes the same values: {names}");
            self.found("processes", FindingCode::SettingsDiffer, message);
        }
        self.gate(is_direct).await;
    }

    pub(super) fn cookie_names(&self) -> [&'_ str; 3] {
        let name = &self.settings.name;
        [name.access_cookie(), name.refresh_cookie(), name.csrf_cookie()]
    }

    pub(super) fn found(&mut self, check: &'static str, code: FindingCode, message: String) {
        self.report.found(check, Finding::new(code, message));
    }

    fn variable(&self, suffix: &str) -> String {
        self.settings.name.variable(suffix)
    }

    /// A path here without other characters than a token's.
    pub(super) fn uri(&self, path: &str) -> Option<Uri> {
        format!("{}{path}", self.settings.server.base_url.as_str()).parse().ok()
    }

    pub(super) async fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> Option<ServerAnswer> {
        let base = self.settings.server.base_url.as_str();
        let uri = self.uri(path)?;
        let variable = self.variable("BASE_URL");
        match self.report.in_time(CHECK, call::get(&uri, headers)).await? {
            Ok(answer) => return Some(answer),
            Err(Unanswered::Name(error)) => {
                let message = format!("{base}: {error}; check {variable} and the name in DNS");
                self.found("dns", FindingCode::NameNotResolved, message);
            }
            Err(Unanswered::Tls(error)) if error.contains("InvalidContentType") => {
                let message =
                    format!("{base} answers without TLS: use http:// in {variable}, or give the proxy a certificate");
                self.found(CHECK, FindingCode::WrongScheme, message);
            }
            Err(Unanswered::Tls(error)) => {
                let message = format!(
                    "{base}: {error}; its certificate must be valid, for this name, and trusted by this machine"
                );
                self.found(CHECK, FindingCode::AddressCertificate, message);
            }
            Err(Unanswered::Connect(error) | Unanswered::Closed(error) | Unanswered::Timeout(error)) => {
                let message = format!(
                    "{base}: {error}; check that the service is running, and that this machine can reach {variable}"
                );
                self.found(CHECK, FindingCode::AddressUnreachable, message);
            }
        }
        None
    }

    pub(super) fn elsewhere(&mut self, answer: &ServerAnswer) {
        let base = self.settings.server.base_url.as_str();
        let (variable, status) = (self.variable("BASE_URL"), answer.status);
        let target = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if status.is_redirection() && target.starts_with("https://") && base.starts_with("http://") {
            let message = format!("{base} redirects to https: set {variable} to {}", base.replacen("http", "https", 1));
            return self.found(CHECK, FindingCode::WrongScheme, message);
        }
        let message = format!(
            "{base} answers {status}, but not as this service on this database: check {variable}, and where the proxy sends requests"
        );
        self.found(CHECK, FindingCode::AnsweredElsewhere, message);
    }

    fn scheme_and_host(&mut self, seen: &Arrived) {
        let base = self.settings.server.base_url.as_str();
        let variable = self.variable("BASE_URL");
        let (scheme, authority) = base.split_once("://").unwrap_or_default();
        match &seen.scheme {
            Some(seen) if seen != scheme => {
                let message = format!(
                    "the proxy reports {seen} for {base}: correct {variable}, or the proxy's X-Forwarded-Proto"
                );
                self.found("scheme", FindingCode::WrongScheme, message);
            }
            _ => self.report.ok("scheme", scheme),
        }
        match &seen.host {
            Some(seen) if seen == authority => self.report.ok("host", authority),
            other => {
                let host = other.as_deref().unwrap_or("none");
                let message =
                    format!("for {authority} the service sees the host {host}: configure the proxy to forward Host");
                self.found("host", FindingCode::HostChanged, message);
            }
        }
    }

    fn client(&mut self, seen: &Arrived, is_direct: bool) {
        const CHECK: &str = "client";
        let (proxies, header) = (self.variable("TRUSTED_PROXIES"), self.variable("PROXY_HEADER"));
        let peer = seen.peer.ip();
        match seen.client {
            _ if !seen.peer_trusted && seen.forwarded => {
                let message = format!(
                    "{peer} forwards the client's address, but is not trusted: add it to {proxies}; until then all \
                        clients share its limits"
                );
                self.found(CHECK, FindingCode::UntrustedProxy, message);
            }
            _ if is_direct => self.report.ok(CHECK, "no proxy in front"),
            Some(client) if seen.peer_trusted && seen.forwarded => {
                self.report.ok(CHECK, format!("{client}, reported by the proxy {peer}"));
            }
            Some(_) => {
                let message = format!(
                    "requests come from {peer}, which forwards no client address: if it is a proxy, make it set \
                    X-Forwarded-For, and add it to {proxies}"
                );
                self.found(CHECK, FindingCode::ClientNotNamed, message);
            }
            None => {
                let message = format!(
                    "the headers of {peer} about the client contradict each other or are unreadable: see {header}"
                );
                self.found(CHECK, FindingCode::ClientNotNamed, message);
            }
        }
    }

    /// The gate answers 401 to a request without cookies; a proxy that refuses it answers 403 or 404.
    async fn gate(&mut self, is_direct: bool) {
        const CHECK: &str = "gate";
        if is_direct {
            return self.report.ok(CHECK, "not in use without a proxy");
        }
        let Some(answer) = self.get("/auth/gate", &[]).await else { return };
        let status = answer.status;
        if status.is_client_error() && status != StatusCode::UNAUTHORIZED {
            return self.report.ok(CHECK, format!("refused from outside with {status}"));
        }
        let message = format!(
            "/auth/gate answers everyone with {status}: make the proxy refuse it, as docs/guides/proxies.md shows"
        );
        self.found(CHECK, FindingCode::GateOpen, message);
    }
}
