//! A provider as its authors ship it, and a person who goes through its pages.

use crate::harness::{Call, Client, Guardian, PASSWORD, Reply, TempDir, TestApp, eventually, free_port, providers};
use doorward::domain::change;
use doorward::domain::provider::fields::{ProviderFields, WholeProvider};
use doorward::domain::provider::manage;
use doorward::domain::provider::secret::{GivenSecret, SecretField};
use doorward::model::principal::Principal;
use doorward::model::provider::ProviderName;
use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use zeroize::Zeroizing;

/// Which provider, how it signs, and where it takes the client's secret.
#[derive(Clone, Copy)]
pub struct Kind {
    pub program: &'static str,
    pub algorithm: &'static str,
    pub method: &'static str,
    pub secret: &'static str,
    path: &'static str,
}

impl Kind {
    /// npm's oidc-provider, which tells an address by userinfo only.
    pub const NODE: Self = Self {
        program: "oidc_provider.mjs",
        algorithm: "RS256",
        method: "client_secret_basic",
        // With what is encoded in a form, and in a header as in a form.
        secret: "a secret: with %, / and +",
        path: "",
    };
    /// Canaille, which does not say whether an address is verified.
    pub const CANAILLE: Self = Self { program: "canaille_provider.py", ..Self::NODE };
    /// Glewlwyd, which decodes nothing in a header, and whose issuer has a path.
    pub const GLEWLWYD: Self =
        Self { program: "glewlwyd_provider.py", secret: "a-plain-secret", path: "/api/oidc", ..Self::NODE };

    /// Whether `scripts/providers` could bring it.
    pub fn is_there(self) -> bool {
        let is_glewlwyd = self.program == Self::GLEWLWYD.program;
        !is_glewlwyd || providers().is_some_and(|tools| Path::new(&tools).join("glewlwyd/usr/bin/glewlwyd").exists())
    }

    pub fn signing(self, algorithm: &'static str, method: &'static str) -> Self {
        Self { algorithm, method, ..self }
    }
}

/// A running provider, with the service as its only client. It ends when this is dropped.
pub struct RealProvider {
    guardian: Guardian,
    folder: TempDir,
    /// Another site than the service, which is at 127.0.0.1.
    origin: String,
    /// Where it sends browsers back to.
    service: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Logs in and consents.
    LogIn,
    /// Goes back at the first page.
    Cancel,
    /// Logs in, and does not consent.
    Deny,
}

pub struct Back {
    /// The path at the service, with its query.
    pub path: String,
    pub forms: usize,
}

impl RealProvider {
    /// Starts it, and adds it to the service as `real`.
    pub async fn start(app: &TestApp, kind: Kind, fields: ProviderFields) -> Self {
        let (folder, port, tools) = (TempDir::new("provider"), free_port(), providers().unwrap());
        let origin = format!("http://localhost:{port}");
        let redirect_uri = format!("{}/auth/login/with/real/return", app.url());
        let set = json!({"port": port, "redirect_uri": redirect_uri, "alg": kind.algorithm, "method": kind.method});
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/real_providers").join(kind.program);
        let source = source.into_os_string();
        let (program, first): (String, Vec<OsString>) = match kind.program {
            "canaille_provider.py" => (format!("{tools}/python/bin/python"), vec![source]),
            "glewlwyd_provider.py" => ("python3".to_owned(), vec![source, format!("{tools}/glewlwyd").into()]),
            _ => ("node".to_owned(), vec![source, tools.into()]),
        };
        let (program, set) = (program.into(), set.to_string().into());
        let arguments: Vec<&OsStr> =
            [&program].into_iter().chain(&first).chain([&set]).map(OsString::as_os_str).collect();
        let log = folder.path().join("log");
        let guardian = Guardian::start("guard \"$@\"", &arguments, &log);
        let metadata = format!("{origin}{}/.well-known/openid-configuration", kind.path);
        let is_up = async || reqwest::get(&metadata).await.ok().filter(|answer| answer.status().is_success());
        eventually("the provider listens", is_up).await;
        let provider = Self { guardian, folder, origin, service: app.url().clone() };
        provider.add(app, kind, fields).await;
        provider
    }

    async fn add(&self, app: &TestApp, kind: Kind, fields: ProviderFields) {
        let text = Zeroizing::new(kind.secret.to_owned());
        let secret = GivenSecret { field: SecretField::ClientSecretFile, text };
        let fields = ProviderFields {
            kind: Some("oidc".to_owned()),
            issuer: Some(format!("{}{}", self.origin, kind.path)),
            client_id: Some("doorward".to_owned()),
            label: Some("Real".to_owned()),
            ..fields
        };
        let new = WholeProvider::new(ProviderName::parse("real").unwrap(), &fields, Some(secret)).unwrap();
        change::run(&app.app, &Principal::operator(), manage::Add(new)).await.unwrap();
    }

    pub fn browser(&self) -> Client {
        Client::new(&self.origin, "none")
    }

    /// Another key signs from now on; the one before is gone.
    pub async fn rotate(&self, algorithm: &str) {
        self.browser().get(&format!("/rotate?{algorithm}")).await.expect(200);
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    pub fn stop(self) {
        drop(self.guardian);
    }

    /// Follows a person from the address that the service sends them to until they are sent back.
    pub async fn visit(&self, browser: &Client, address: &str, who: &str, deed: Deed) -> Back {
        let mut call = browser.get(self.path(address).expect("an address of the provider"));
        let mut forms = 0;
        for _ in 0..20 {
            let reply = call.await;
            if matches!(reply.status, 302 | 303) {
                let Some(path) = self.path(reply.location()) else {
                    let back = reply.location().strip_prefix(&self.service);
                    let path = back.unwrap_or_else(|| panic!("sent to {}", reply.location())).to_owned();
                    return Back { path, forms };
                };
                call = browser.get(path);
                continue;
            }
            let page = reply.expect(200);
            forms += 1;
            if page.request.contains("/login.html?") {
                call = self.go_on_by_script(browser, &page, who).await;
                continue;
            }
            let is_consent = !page.text().contains("name=\"login\"") && !page.text().contains("name=\"password\"");
            call = if deed == Deed::Cancel || deed == Deed::Deny && is_consent {
                self.go_back(browser, &page)
            } else {
                self.fill(browser, &page, who)
            };
        }
        panic!("it goes on and on: {}", self.log());
    }

    fn path<'a>(&self, address: &'a str) -> Option<&'a str> {
        if address.starts_with('/') { Some(address) } else { address.strip_prefix(&self.origin) }
    }

    /// Does what the script of Glewlwyd's page does: logs in and consents by its API, and goes on.
    async fn go_on_by_script(&self, browser: &Client, page: &Reply, who: &str) -> Call {
        let ask = async |method, path, body: Value| {
            let call = browser.call(method, path).header("content-type", "application/json");
            call.body(body.to_string()).await.expect(200)
        };
        ask(Method::POST, "/api/auth/", json!({"username": who, "password": PASSWORD})).await;
        ask(Method::PUT, "/api/auth/grant/doorward", json!({"scope": "openid email profile"})).await;
        let (_, query) = page.request.split_once('?').unwrap();
        let next = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "callback_url").unwrap().1;
        browser.get(&format!("{}&g_continue", self.path(&next).unwrap()))
    }

    fn go_back(&self, browser: &Client, page: &Reply) -> Call {
        let text = page.text();
        if let Some(link) = found(&text, "href=\"([^\"]*/abort)\"") {
            return browser.get(self.path(&link).unwrap());
        }
        self.send(browser, page, &[("answer", "deny")])
    }

    /// Fills in what a form asks for. What is filled in already, by the hint, stays.
    fn fill(&self, browser: &Client, page: &Reply, who: &str) -> Call {
        let mut fields = Vec::new();
        if page.text().contains("name=\"login\"") && found(&page.text(), "value=\"(ada|bob)\"").is_none() {
            fields.push(("login", who));
        }
        if page.text().contains("name=\"password\"") {
            fields.push(("password", PASSWORD));
        }
        if page.text().contains("name=\"answer\"") {
            fields.push(("answer", "accept"));
        }
        self.send(browser, page, &fields)
    }

    /// Sends the last form of a page, with these fields in place of its own.
    fn send(&self, browser: &Client, page: &Reply, fields: &[(&str, &str)]) -> Call {
        let text = page.text();
        let form = text.rsplit("<form").next().unwrap();
        let action = found(form, "action=\"([^\"]*)\"").filter(|action| !action.is_empty());
        let here = page.request.split_once(' ').unwrap().1.to_owned();
        let action = action.unwrap_or(here);
        let input = Regex::new("<input[^>]*>").unwrap();
        let own = input.find_iter(form).filter_map(|input| {
            let name = found(input.as_str(), "name=\"([^\"]*)\"")?;
            Some((name, found(input.as_str(), "value=\"([^\"]*)\"").unwrap_or_default()))
        });
        let own: Vec<_> = own.filter(|(name, _)| fields.iter().all(|(given, _)| given != name)).collect();
        let mut body = form_urlencoded::Serializer::new(String::new());
        let body = body.extend_pairs(own).extend_pairs(fields).finish();
        browser.call(Method::POST, self.path(&action).unwrap()).form_body(body)
    }
}

fn found(text: &str, pattern: &str) -> Option<String> {
    let found = Regex::new(pattern).unwrap().captures(text)?;
    Some(found[1].replace("&amp;", "&").replace("&#39;", "'"))
}
