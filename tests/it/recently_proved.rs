//! *Recently proved* (docs/concepts/security.md): one rule, which pages of the account, acts of administrators and the
//! gate's `fresh` ask alike.

use crate::gate::{ask, page, start};
use crate::harness::{
    Authenticator, Client, Engine, PASSWORD, ScriptedProvider, TestApp, code_of, eventually, id_of, written_table,
};
use crate::provider_logins::{add_as, connect, return_path_of};
use doorward::domain::provider::fields::ProviderFields;
use doorward::model::auth_method::{AuthMethod, AuthMethods};
use doorward::model::authentication::Authentication;
use doorward::model::provider::ProviderName;
use doorward::model::time::Time;
use serde_json::json;
use std::fmt::Write;
use std::time::Duration;

one_engine![
    every_place_asks_for_the_same_proof,
    provider_that_states_no_time_proves_nobody,
    second_factor_adds_its_method_and_moves_no_time,
    second_factor_is_taken_only_where_it_is_asked_for,
    person_with_a_provider_alone_passes_by_a_mailed_code,
    account_with_nothing_to_show_can_add_an_address,
];
single_run![table_in_documents_is_computed];

const CONFIRM: &str = "/auth/account/confirm";
const PAST: Duration = Duration::from_mins(15);

/// An administrator with a password and accounts at a provider, which says of each what their name says.
struct Stage {
    app: TestApp,
    provider: ScriptedProvider,
    /// The page of a person to act on.
    person: String,
}

impl Stage {
    async fn new(engine: Engine) -> Self {
        let app = start(engine, &[]).await;
        let now = app.clock().now().as_seconds();
        // The provider's clock stays where it is.
        let exp = now + 86400;
        let at = |sub: &str, time: i64| json!({ "sub": sub, "claims": { "auth_time": time, "exp": exp } });
        let silent = json!({ "sub": "silent", "claims": { "exp": exp } });
        let people = json!([silent, at("now", now), at("old", now - 7200), at("future", now + 3600)]);
        let provider = ScriptedProvider::with_people(&people).await;
        add_as(&app, &provider, "dev", ProviderFields::default()).await;
        app.sign_up("bob@example.com").await;
        let person = format!("/auth/admin/people/{}", id_of(&app, "bob@example.com").await);
        let ada = app.sign_up("ada@example.com").await;
        for sub in ["silent", "now", "old", "future"] {
            connect(&provider, &ada, sub).await.expect(303);
        }
        app.database().execute("UPDATE users SET roles = 'admin' WHERE username = 'ada'").await;
        Self { app, provider, person }
    }

    async fn arrive(&self, sub: &str) -> Client {
        let browser = self.app.anonymous();
        self.arrive_in(&browser, sub).await;
        browser
    }

    async fn arrive_in(&self, browser: &Client, sub: &str) {
        let begun = browser.get(&format!("/auth/login/with/dev?login_hint={sub}")).await.expect(303);
        browser.get(&return_path_of("dev", &self.provider.visit(begun.location()).await)).await.expect(303);
    }

    /// Whether the places are open that ask; all of them answer alike.
    async fn is_proved(&self, client: &Client) -> bool {
        let disable = format!("{}/disable", self.person);
        let mut open = Vec::new();
        for path in [
            "/auth/account/email",
            "/auth/account/export",
            "/auth/account/recovery-codes",
            "/auth/admin/audit/export?format=csv",
            disable.as_str(),
        ] {
            let reply = client.get(path).await;
            let asks = reply.header("location").is_some_and(|location| location.starts_with(CONFIRM));
            open.push((path.to_owned(), !asks));
        }
        let form = client.post_form("/auth/account/connections/dev", &[]).await;
        open.push(("connections".to_owned(), form.status == 200));
        let gate = page(ask(client, "?fresh=15m")).await;
        let asks = gate.header("location").is_some_and(|location| location.contains(&format!("{CONFIRM}?")));
        assert!(asks || gate.status == 200, "{gate}");
        open.push(("gate".to_owned(), !asks));
        assert!(open.iter().all(|(_, is_open)| *is_open == open[0].1), "{open:?}");
        open[0].1
    }
}

async fn log_in(app: &TestApp) -> Client {
    let browser = app.anonymous();
    browser.log_in("ada", PASSWORD).await.expect(303);
    browser
}

async fn confirm(client: &Client) {
    client.post_form(CONFIRM, &[("password", PASSWORD)]).await.expect(303);
}

async fn every_place_asks_for_the_same_proof(engine: Engine) {
    let stage = Stage::new(engine).await;
    let ada = log_in(&stage.app).await;
    assert!(stage.is_proved(&ada).await);
    stage.app.clock().advance(PAST);
    assert!(!stage.is_proved(&ada).await);
    // What keeps a session going proves nobody.
    ada.refresh("app").await.expect(200);
    ada.get("/auth/sessions/renew?return_to=%2Fauth%2Faccount").await.expect(303);
    let organization = ada.get("/auth/api/v2/session").await.expect(200).json()["organization"]["id"].clone();
    let switch = format!("/auth/organizations/{}/switch", organization.as_str().unwrap());
    ada.post_form(&switch, &[]).await.expect(303);
    let tab = ada.clone();
    assert!(!stage.is_proved(&tab).await);
    confirm(&tab).await;
    assert!(stage.is_proved(&ada).await, "a tab is the same session");
    stage.app.clock().advance(PAST);
    assert!(!stage.is_proved(&ada).await);
}

async fn provider_that_states_no_time_proves_nobody(engine: Engine) {
    let stage = Stage::new(engine).await;
    for (sub, proves) in [("silent", false), ("now", true), ("old", false), ("future", false)] {
        assert_eq!(stage.is_proved(&stage.arrive(sub).await).await, proves, "{sub}");
    }
    // In the browser of someone who left it open: log out, and come back without typing anything.
    let ada = log_in(&stage.app).await;
    stage.app.clock().advance(PAST);
    ada.log_out().await.expect(204);
    stage.arrive_in(&ada, "silent").await;
    assert!(!stage.is_proved(&ada).await);
    let session = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["authenticated_at"], "1970-01-01T00:00:00.000000Z", "{session}");
    confirm(&ada).await;
    assert!(stage.is_proved(&ada).await);
    let later = stage.arrive("now").await;
    assert!(!stage.is_proved(&later).await, "what it states is 15 minutes old by now");
}

async fn second_factor_adds_its_method_and_moves_no_time(engine: Engine) {
    let stage = Stage::new(engine).await;
    let (phone, codes) = log_in(&stage.app).await.turn_on_two_factor(&stage.app).await;
    // Neither at a login …
    let ada = stage.app.anonymous();
    ada.log_in("ada", PASSWORD).await.expect(303);
    stage.app.clock().advance(Duration::from_mins(9));
    ada.send_code(&phone.next_code(&stage.app)).await.expect(303);
    assert!(stage.is_proved(&ada).await, "the password is nine minutes old");
    stage.app.clock().advance(Duration::from_mins(6));
    assert!(!stage.is_proved(&ada).await);
    let silent = stage.app.anonymous();
    stage.arrive_in(&silent, "silent").await;
    silent.send_code(&phone.next_code(&stage.app)).await.expect(303);
    assert!(!stage.is_proved(&silent).await);
    // … nor in a session.
    let code = phone.next_code(&stage.app);
    for typed in [("code", code.as_str()), ("recovery_code", codes[0].as_str())] {
        ada.post_form(&format!("{CONFIRM}/code?mfa=1"), &[typed]).await.expect(303);
        assert!(!stage.is_proved(&ada).await, "{typed:?}");
    }
    let session = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["password", "totp", "recovery_code"]), "{session}");
    confirm(&ada).await;
    assert!(stage.is_proved(&ada).await);
}

async fn second_factor_is_taken_only_where_it_is_asked_for(engine: Engine) {
    let app = start(engine, &[]).await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, codes) = ada.turn_on_two_factor(&app).await;
    app.clock().advance(PAST);
    let code = phone.next_code(&app);
    for typed in [("code", code.as_str()), ("recovery_code", codes[0].as_str())] {
        ada.post_form(&format!("{CONFIRM}/code"), &[typed]).await.expect(422);
    }
    assert_eq!(app.database().count("SELECT count(*) FROM recovery_codes WHERE used_at IS NOT NULL").await, 0);
    ada.get("/auth/account/email").await.expect(303);
    // A code that was refused there was not used up.
    ada.post_form(&format!("{CONFIRM}/code?mfa=1"), &[("code", &code)]).await.expect(303);
    assert_trusted_device_proves_nobody(&app, &phone).await;
}

/// With the provider's session beside it, a trusted device is all that a login takes.
async fn assert_trusted_device_proves_nobody(app: &TestApp, phone: &Authenticator) {
    let exp = app.clock().now().as_seconds() + 86400;
    let provider = ScriptedProvider::with_people(&json!([{ "sub": "silent", "claims": { "exp": exp } }])).await;
    add_as(app, &provider, "dev", ProviderFields::default()).await;
    let ada = app.anonymous();
    ada.log_in("ada", PASSWORD).await.expect(303);
    let code = phone.next_code(app);
    ada.post_form("/auth/login/second-factor", &[("code", &code), ("remember", "yes")]).await.expect(303);
    connect(&provider, &ada, "silent").await.expect(303);
    ada.log_out().await.expect(204);
    app.clock().advance(Duration::from_secs(1));
    let begun = ada.get("/auth/login/with/dev?login_hint=silent").await.expect(303);
    ada.get(&return_path_of("dev", &provider.visit(begun.location()).await)).await.expect(303);
    let session = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["trusted_device", "provider"]), "{session}");
    ada.get("/auth/account/email").await.expect(303);
}

/// An account that a provider made, whose person has just come back from there.
async fn with_provider_alone(app: &TestApp) -> Client {
    let people = json!([{ "sub": "ada", "email": "ada@example.com", "email_verified": true }]);
    let provider = ScriptedProvider::with_people(&people).await;
    add_as(app, &provider, "dev", ProviderFields::default()).await;
    let ada = app.anonymous();
    let begun = ada.get("/auth/login/with/dev?login_hint=ada").await.expect(303);
    ada.get(&return_path_of("dev", &provider.visit(begun.location()).await)).await.expect(303);
    ada
}

async fn person_with_a_provider_alone_passes_by_a_mailed_code(engine: Engine) {
    let app = start(engine, &[]).await;
    let ada = with_provider_alone(&app).await;
    ada.get("/auth/account/export").await.expect(303);
    let asked = page(ask(&ada, "?fresh=5m")).await.expect(302);
    let demand = asked.location().split_once(CONFIRM).unwrap().1;
    let offered = ada.get(&format!("{CONFIRM}{demand}")).await.expect(200).text();
    assert!(offered.contains("action=\"/auth/account/confirm/mail?max_age=300\""), "{offered}");
    let target = ("return_to", "/auth/account/export");
    ada.post_form("/auth/account/confirm/mail?max_age=300", &[target]).await.expect(303);
    let code = code_of(&app.mail_to("ada@example.com", "Confirm it’s you").await);
    let done = ada.post_form("/auth/account/confirm/code?max_age=300", &[("mailed_code", &code), target]).await;
    assert_eq!(done.expect(303).location(), "/auth/account/export");
    page(ask(&ada, "?fresh=5m")).await.expect(200);
    ada.get("/auth/account/export").await.expect(200);
}

/// Without an address no code can be mailed: of who has no other means, a new login is enough to add one.
async fn account_with_nothing_to_show_can_add_an_address(engine: Engine) {
    let app = start(engine, &[]).await;
    let ada = with_provider_alone(&app).await;
    let none = "'01234567-89ab-4def-8123-456789abcdef@unverified.invalid'";
    let remove = format!("UPDATE users SET email = {none}, email_key = {none}, email_verified_at = NULL");
    app.database().execute(&remove).await;
    let can_add = async |can: bool| {
        let status = if can { 200 } else { 303 };
        let answers = async || (ada.get("/auth/account/email").await.status == status).then_some(());
        eventually("the change is seen", answers).await;
    };
    can_add(true).await;
    // An administrator's acts are not for whom the provider's session is open: an operator adds the address.
    for (role, can) in [("'auditor'", false), ("''", true)] {
        app.database().execute(&format!("UPDATE users SET roles = {role}")).await;
        can_add(can).await;
    }
    ada.get("/auth/account/export").await.expect(303);
    app.clock().advance(PAST);
    ada.get("/auth/account/email").await.expect(303);
    ada.post_form("/auth/account/email", &[("email", "thief@example.com")]).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
    let page = ada.get(CONFIRM).await.expect(200).text();
    assert!(page.contains("Add an email address to continue"), "{page}");
}

/// What a method proves, and whether it is a second factor.
fn row(method: AuthMethod) -> String {
    const EARLIER: Time = Time::from_micros(1);
    const NOW: Time = Time::from_micros(2);
    let name = || ProviderName::parse("dev").unwrap();
    let shown = Authentication::by(AuthMethod::Password, EARLIER).with(method, NOW);
    let stated = Authentication::by_provider(name(), false, Some(EARLIER));
    let silent = Authentication::by_provider(name(), false, None);
    let proof = match (shown.proved_at, method) {
        (Some(NOW), _) => "that the person is there now",
        (Some(EARLIER), AuthMethod::Provider) => {
            assert_eq!((stated.proved_at, silent.proved_at), (Some(EARLIER), None));
            "that they were there at its `auth_time`; without one nothing"
        }
        (Some(EARLIER), _) => "nothing",
        (other, _) => panic!("{method:?}: {other:?}"),
    };
    let is_factor = AuthMethods::from(method).has_second_factor();
    format!("| `{}` | {proof} | {} |", method.as_str(), if is_factor { "yes" } else { "–" })
}

async fn table_in_documents_is_computed() {
    let mut table = "| Shown in the session | Proves | Second factor |\n|---|---|---|\n".to_owned();
    for method in AuthMethod::ALL {
        writeln!(table, "{}", row(method)).unwrap();
    }
    let written = written_table("docs/concepts/security.md", "recently proved");
    if !written.is_blessed(|| table.clone()) {
        assert_eq!(written.text(), table.trim(), "DOORWARD_BLESS=1 writes it");
    }
}
