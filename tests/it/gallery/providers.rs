//! Login with others: the buttons, and the pages of a login with a provider.

use super::visitor::{EMAIL, PASSWORD};
use super::{LANGUAGES, Visitor};
use crate::harness::{ScriptedProvider, eventually};
use crate::provider_logins;
use doorward::domain::provider::fields::{ProviderFields, WholeProvider};
use doorward::domain::provider::manage;
use doorward::domain::provider::secret::{GivenSecret, SecretField};
use doorward::model::principal::Principal;
use doorward::model::provider::ProviderName;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use zeroize::Zeroizing;

browser![buttons_of_providers, offer_to_connect, questions_after_a_return, connected_accounts, way_to_a_provider];

const START: &str = "/auth/login/with/dev?login_hint=ada";
const LOG_IN: &str = "form[action='/auth/login']";
const CONNECT: &str = "form[action$='/connect']";

/// A provider whose only person has the visitor's address.
async fn provider() -> ScriptedProvider {
    ScriptedProvider::with_people(&json!([
        {"sub": "ada", "email": EMAIL, "email_verified": true, "name": "Grace Hopper"},
        {"sub": "eve"},
    ]))
    .await
}

async fn add(visitor: &Visitor, name: &str, fields: ProviderFields) {
    let secret = GivenSecret { field: SecretField::ClientSecretFile, text: Zeroizing::new("secret".to_owned()) };
    let fields = ProviderFields { client_id: fields.client_id.clone().or(Some(name.to_owned())), ..fields };
    let new = WholeProvider::new(ProviderName::parse(name).unwrap(), &fields, Some(secret)).unwrap();
    manage::add(&visitor.app.app, &Principal::operator(), new).await.unwrap();
}

async fn add_scripted(visitor: &Visitor, provider: &ScriptedProvider) {
    let fields = ProviderFields { label: Some("Mount Wilson Staff".to_owned()), ..ProviderFields::default() };
    provider_logins::add_as(&visitor.app, provider, "dev", fields).await;
}

async fn add_makers(visitor: &Visitor) {
    let of = |kind: &str, tenant: Option<&str>| ProviderFields {
        kind: Some(kind.to_owned()),
        tenant: tenant.map(str::to_owned),
        ..ProviderFields::default()
    };
    add(visitor, "google", of("google", None)).await;
    add(visitor, "microsoft", of("microsoft", Some("common"))).await;
    add(visitor, "github", of("github", None)).await;
}

async fn buttons_of_providers() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        add_makers(&visitor).await;
        let provider = provider().await;
        add_scripted(&visitor, &provider).await;
        visitor.go("/auth/login").await;
        visitor.see("login", "login-providers").await;
        visitor.go("/auth/signup").await;
        visitor.see("signup", "signup-providers").await;
        let target = format!("{}{START}", visitor.app.variables()["SVC_BASE_URL"]);
        visitor.browser.go(&format!("data:text/html,<a id=go href='{target}'>go</a>")).await;
        visitor.browser.page.execute("document.getElementById('go').click()", vec![]).await.unwrap();
        arrive(&visitor, "/auth/login/with/dev").await;
        visitor.see("provider_start", "provider-start").await;
        let above = Visitor::at_ip_address(language, &[("SVC_PROVIDERS_PLACE", "above")]).await;
        add_makers(&above).await;
        above.go("/auth/login").await;
        above.see("login", "login-providers-above").await;
        above.go("/auth/signup").await;
        above.see("signup", "signup-providers-above").await;
    }
}

/// Waits until the browser is at a path.
async fn arrive(visitor: &Visitor, path: &str) {
    let is_there = async || {
        let url = visitor.browser.page.current_url().await.ok()?;
        let state = visitor.browser.page.execute("return document.readyState", vec![]).await.ok()?;
        (url.path() == path && state == json!("complete")).then_some(())
    };
    eventually("the page is there", is_there).await;
}

async fn offer_to_connect() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let provider = provider().await;
        add_scripted(&visitor, &provider).await;
        visitor.sign_up(EMAIL).await;
        visitor.sign_up("other@example.org").await;
        visitor.app.database().execute("UPDATE users SET email_verified_at = created_at").await;
        visitor.go(START).await;
        visitor.see("provider_connect", "provider-connect-log-in").await;
        let log_in = visitor.href("main.card > a.primary").await;
        visitor.go(&log_in).await;
        visitor.send(LOG_IN, &[("email", "other@example.org"), ("password", PASSWORD)]).await;
        arrive(&visitor, "/auth/login/with/dev/connect").await;
        visitor.see("provider_connect", "provider-connect-other").await;
        visitor.clear_cookies().await;
        visitor.go(START).await;
        let log_in = visitor.href("main.card > a.primary").await;
        visitor.go(&log_in).await;
        visitor.send(LOG_IN, &[("email", EMAIL), ("password", PASSWORD)]).await;
        arrive(&visitor, "/auth/login/with/dev/connect").await;
        visitor.see("provider_connect", "provider-connect").await;
        visitor.send(CONNECT, &[("csrf_token", "stale")]).await;
        visitor.see("provider_connect", "provider-connect-error").await;
        visitor.app.database().execute("UPDATE users SET password_hash = NULL").await;
        visitor.clear_cookies().await;
        visitor.go(START).await;
        visitor.see("provider_connect", "provider-connect-mail").await;
        visitor.send("form:has(input[name=send])", &[]).await;
        arrive(&visitor, "/auth/login/with/dev/connect").await;
        visitor.see("provider_connect", "provider-connect-code").await;
    }
}

async fn questions_after_a_return() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let provider = provider().await;
        add_scripted(&visitor, &provider).await;
        visitor.go("/auth/login/with/dev?login_hint=eve").await;
        visitor.see("provider_details", "provider-address").await;
        visitor.send("form[action$='/address']", &[("email", "nobody"), ("username", "a b")]).await;
        visitor.see("provider_details", "provider-address-error").await;
        visitor.sign_up(EMAIL).await;
        visitor.go(START).await;
        visitor.see("provider_whose", "provider-whose").await;
        visitor.send("form[action$='/whose']", &[]).await;
        visitor.see("provider_whose", "provider-whose-error").await;
        let required = Visitor::open(language, &[("SVC_SIGNUP_USERNAME", "required")]).await;
        add_scripted(&required, &provider).await;
        required.go(START).await;
        required.see("provider_details", "provider-username").await;
    }
}

async fn connected_accounts() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let provider = provider().await;
        add_scripted(&visitor, &provider).await;
        visitor.sign_up("other@example.org").await;
        visitor.log_in("other@example.org").await;
        visitor.go("/auth/account/connections").await;
        visitor.see("connections", "connections-none").await;
        visitor.clear_cookies().await;
        visitor.go(START).await;
        visitor.go("/auth/account/connections").await;
        visitor.see("connections", "connections").await;
        visitor.send("form[action$='/remove']", &[]).await;
        visitor.see("connections", "connections-error").await;
    }
}

/// A server that lets browsers stay where they are.
async fn staying_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                // The browser may be gone.
                drop(stream.read(&mut request).await);
                drop(stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").await);
            });
        }
    });
    origin
}

async fn way_to_a_provider() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let fields = ProviderFields {
            kind: Some("github".to_owned()),
            issuer: Some(staying_server().await),
            ..ProviderFields::default()
        };
        add(&visitor, "staying", fields).await;
        visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.go("/auth/account/connections").await;
        // The page goes on at once, to a server that lets the browser stay.
        let press = "document.querySelector(\"form[action='/auth/account/connections/staying'] button\").click()";
        visitor.browser.page.execute(press, vec![]).await.unwrap();
        arrive(&visitor, "/auth/account/connections/staying").await;
        visitor.see("departure", "departure").await;
    }
}
