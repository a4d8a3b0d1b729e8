//! `doorward dev provider`, the provider of the tests of logins.

use super::process::Process;
use super::runner::eventually;
use super::temp::TempDir;
use doorward::model::provider::{AppleKeyName, EmailTrust, Provider, ProviderKind, ProviderMfa, ProviderName};
use regex::Regex;
use reqwest::redirect::Policy;
use serde_json::Value;
use std::collections::BTreeMap;

/// A running provider; it ends when this is dropped.
#[derive(Debug)]
pub struct ScriptedProvider {
    _process: Process,
    pub issuer: String,
    pub client_id: String,
    pub client_secret: String,
    http: reqwest::Client,
    _people: TempDir,
}

impl ScriptedProvider {
    /// With ada and bob, without a fault.
    pub async fn start() -> Self {
        Self::launch(None, &[]).await
    }

    pub async fn with_fault(fault: &str) -> Self {
        Self::launch(None, &["--fault", fault]).await
    }

    /// With other people, whose `claims` may have what other kinds of providers say.
    pub async fn with_people(people: &Value) -> Self {
        Self::launch(Some(people), &[]).await
    }

    async fn launch(people: Option<&Value>, options: &[&str]) -> Self {
        let folder = TempDir::new("people");
        let file = folder.path().join("people.json").to_str().unwrap().to_owned();
        let mut arguments = vec!["dev", "provider"];
        arguments.extend(options);
        if let Some(people) = people {
            std::fs::write(&file, people.to_string()).unwrap();
            arguments.extend(["--people", &file]);
        }
        let process = Process::spawn_command(&arguments, &BTreeMap::new());
        let read = async || process.stdout().split_once('\n').map(|(first, _)| first.to_owned());
        let first = eventually("the provider listens", read).await;
        let first: Value = serde_json::from_str(&first).unwrap();
        let field = |name: &str| first[name].as_str().unwrap().to_owned();
        let (issuer, client_id, client_secret) = (field("issuer"), field("client_id"), field("client_secret"));
        let http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        Self { _process: process, issuer, client_id, client_secret, http, _people: folder }
    }

    /// A record of it, as an operator would make one of this kind.
    pub fn record(&self, kind: ProviderKind) -> Provider {
        Provider {
            name: ProviderName::parse("dev").unwrap(),
            kind,
            issuer: self.issuer.clone(),
            client_id: self.client_id.clone(),
            tenant: None,
            apple: (kind == ProviderKind::Apple)
                .then(|| AppleKeyName { team_id: "TEAM".to_owned(), key_id: "KEY".to_owned() }),
            scopes: kind.scopes().iter().map(|scope| (*scope).to_owned()).collect(),
            label: "Dev".to_owned(),
            email: EmailTrust::Verified,
            mfa: ProviderMfa::Ask,
            signup: true,
        }
    }

    /// What a browser brings back that is sent to an address of the provider and meets no page: the fields of the
    /// address, or of the form that sends itself.
    pub async fn visit(&self, address: &str) -> BTreeMap<String, String> {
        let answer = self.http.get(address).send().await.unwrap();
        let location = answer.headers().get("location").map(|location| location.to_str().unwrap().to_owned());
        let page = answer.text().await.unwrap();
        if let Some(location) = location {
            let (_, query) = location.split_once('?').unwrap();
            return form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        }
        let field = Regex::new(r#"<input type="hidden" name="([^"]*)" value="([^"]*)">"#).unwrap();
        let plain =
            |text: &str| text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        assert!(page.contains("<form method=\"post\""), "{page}");
        field.captures_iter(&page).map(|found| (plain(&found[1]), plain(&found[2]))).collect()
    }
}
