//! Login with providers of others, as their authors ship them: npm's oidc-provider, Canaille and Glewlwyd, which
//! `scripts/providers` brings. What a provider may do wrong is tried with one of our own (`provider_logins`); here is what they do right in
//! their own ways.

mod server;

use crate::harness::{Browser, Client, Engine, Look, Need, PASSWORD, Reply, TestApp, report};
use crate::provider_logins::begin_to_connect;
use doorward::domain::provider::fields::ProviderFields;
use serde_json::json;
use server::{Back, Deed, Kind, RealProvider};

one_engine![
    new_person_comes_back_as_a_known_one,
    logged_in_person_connects,
    cancelled_login_and_denied_consent_can_be_tried_again,
    changed_key_is_fetched,
    provider_that_ends_in_the_middle_is_an_outage,
    canaille_logs_in_a_trusted_address,
    glewlwyd_logs_in_a_trusted_address,
];
single_run![every_algorithm_and_way_of_the_secret_is_taken];
browser![person_logs_in_and_connects_in_a_browser, person_connects_without_javascript];

/// A service with a provider, and one person's browser, with what it keeps of each.
struct Stage {
    app: TestApp,
    provider: RealProvider,
}

impl Stage {
    async fn with(engine: Engine, kind: Kind, fields: ProviderFields) -> Option<Self> {
        if !Need::Providers.is_met() {
            return None;
        }
        let app = engine.app().await;
        let provider = RealProvider::start(&app, kind, fields).await;
        Some(Self { app, provider })
    }

    async fn new(engine: Engine) -> Option<Self> {
        Self::with(engine, Kind::NODE, ProviderFields::default()).await
    }

    /// Begins a login and goes through it at the provider.
    async fn go_there(&self, here: &Client, there: &Client, query: &str, deed: Deed) -> Back {
        let begun = here.get(&format!("/auth/login/with/real{query}")).await.expect(303);
        self.provider.visit(there, begun.location(), "ada", deed).await
    }

    async fn log_in(&self, here: &Client, there: &Client) -> Reply {
        here.get(&self.go_there(here, there, "", Deed::LogIn).await.path).await
    }

    async fn users(&self) -> i64 {
        self.app.database().count("SELECT COUNT(*) FROM users").await
    }
}

async fn new_person_comes_back_as_a_known_one(engine: Engine) {
    let Some(stage) = Stage::new(engine).await else { return };
    let (here, there) = (stage.app.anonymous(), stage.provider.browser());
    let back = stage.go_there(&here, &there, "?return_to=%2Fauth%2Forganizations", Deed::LogIn).await;
    assert_eq!(back.forms, 2, "login and consent");
    assert_eq!(here.get(&back.path).await.expect(303).location(), "/auth/organizations");
    let page = here.get("/auth/account").await.expect(200).text();
    assert!(page.contains("ada@example.com") && page.contains("The ada"), "{page}");
    let verified = "SELECT COUNT(*) FROM users WHERE email_verified_at IS NOT NULL";
    assert_eq!(stage.app.database().count(verified).await, 1);
    // The session there goes on: the same person comes back without a page.
    let again = stage.app.anonymous();
    let back = stage.go_there(&again, &there, "", Deed::LogIn).await;
    assert_eq!(back.forms, 0);
    assert_eq!(again.get(&back.path).await.expect(303).location(), "/auth/account");
    let session = again.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["provider"]), "{session}");
    // The hint fills in the form there.
    let back = stage.go_there(&stage.app.anonymous(), &stage.provider.browser(), "?login_hint=bob", Deed::LogIn).await;
    assert_eq!(back.forms, 2);
    assert_eq!(stage.users().await, 1);
}

async fn connect(stage: &Stage, here: &Client, there: &Client) -> Reply {
    let address = begin_to_connect(here, "real").await;
    let back = stage.provider.visit(there, &address, "ada", Deed::LogIn).await;
    here.get(&back.path).await
}

async fn logged_in_person_connects(engine: Engine) {
    let Some(stage) = Stage::new(engine).await else { return };
    let (here, there) = (stage.app.sign_up("grace@example.com").await, stage.provider.browser());
    let connected = connect(&stage, &here, &there).await.expect(303);
    assert_eq!(connected.location(), "/auth/account/connections?done=connected");
    let page = here.get("/auth/account/connections").await.expect(200).text();
    assert!(page.contains("ada@example.com"), "{page}");
    let other = stage.app.anonymous();
    stage.log_in(&other, &there).await.expect(303);
    assert!(other.get("/auth/account").await.expect(200).text().contains("grace@example.com"));
    assert_eq!(stage.users().await, 1);
}

async fn cancelled_login_and_denied_consent_can_be_tried_again(engine: Engine) {
    let Some(stage) = Stage::new(engine).await else { return };
    let (here, there) = (stage.app.anonymous(), stage.provider.browser());
    for deed in [Deed::Cancel, Deed::Deny] {
        let back = stage.go_there(&here, &there, "?return_to=%2Fauth%2Forganizations", deed).await;
        assert!(back.path.contains("error=access_denied") && back.path.contains("&iss="), "{}", back.path);
        let page = here.get(&back.path).await.expect(401).text();
        assert!(page.contains("Reference: ") && !page.contains("access_denied"), "{page}");
        assert!(page.contains("/auth/login/with/real?return_to=%2Fauth%2Forganizations"), "{page}");
    }
    // Who has logged in there is asked for the consent only.
    let back = stage.go_there(&here, &there, "", Deed::LogIn).await;
    assert_eq!(back.forms, 1);
    here.get(&back.path).await.expect(303);
    assert_eq!(stage.users().await, 1);
}

async fn changed_key_is_fetched(engine: Engine) {
    let Some(stage) = Stage::new(engine).await else { return };
    let there = stage.provider.browser();
    stage.log_in(&stage.app.anonymous(), &there).await.expect(303);
    stage.provider.rotate("RS256").await;
    stage.log_in(&stage.app.anonymous(), &there).await.expect(303);
    // Of another kind, within the same minute: nobody is asked again so soon.
    stage.provider.rotate("ES256").await;
    stage.log_in(&stage.app.anonymous(), &there).await.expect(401);
    stage.app.clock().advance(std::time::Duration::from_secs(61));
    stage.log_in(&stage.app.anonymous(), &there).await.expect(303);
}

async fn provider_that_ends_in_the_middle_is_an_outage(engine: Engine) {
    let Some(stage) = Stage::new(engine).await else { return };
    let ada = stage.app.sign_up("grace@example.com").await;
    ada.log_out().await;
    let back = stage.go_there(&ada, &stage.provider.browser(), "", Deed::LogIn).await;
    stage.provider.stop();
    let page = ada.get(&back.path).await.expect(503).text();
    assert!(page.contains("Real isn’t responding right now.") && page.contains("Reference: "), "{page}");
    ada.get("/auth/login").await.expect(200);
    ada.log_in("grace@example.com", PASSWORD).await.expect(303);
}

async fn canaille_logs_in_a_trusted_address(engine: Engine) {
    // It takes the secret in one place only, and names both.
    let kind = match engine {
        Engine::Sqlite => Kind::CANAILLE,
        Engine::Postgres => Kind::CANAILLE.signing("EdDSA", "client_secret_post"),
    };
    let trusted = ProviderFields { email: Some("trusted".to_owned()), ..ProviderFields::default() };
    let Some(stage) = Stage::with(engine, kind, trusted).await else { return };
    let (here, there) = (stage.app.anonymous(), stage.provider.browser());
    let denied = stage.go_there(&here, &there, "", Deed::Deny).await;
    here.get(&denied.path).await.expect(401);
    stage.log_in(&here, &there).await.expect(303);
    let page = here.get("/auth/account").await.expect(200).text();
    assert!(page.contains("ada@example.com") && page.contains("Ada Lovelace"), "{page}");
    let back = stage.go_there(&stage.app.anonymous(), &there, "", Deed::LogIn).await;
    assert_eq!(back.forms, 0, "it remembers the consent");
}

async fn glewlwyd_logs_in_a_trusted_address(engine: Engine) {
    if Need::Providers.is_met() && !Kind::GLEWLWYD.is_there() {
        return report("SKIPPED: Glewlwyd: scripts/providers could not bring it.");
    }
    let kind = match engine {
        Engine::Sqlite => Kind::GLEWLWYD,
        Engine::Postgres => Kind::GLEWLWYD.signing("ES256", "client_secret_post"),
    };
    let trusted = ProviderFields { email: Some("trusted".to_owned()), ..ProviderFields::default() };
    let Some(stage) = Stage::with(engine, kind, trusted).await else { return };
    let (here, there) = (stage.app.anonymous(), stage.provider.browser());
    stage.log_in(&here, &there).await.expect(303);
    let page = here.get("/auth/account").await.expect(200).text();
    assert!(page.contains("ada@example.com") && page.contains("Ada Lovelace"), "{page}");
    // Its page comes each time, and only here the person is known.
    stage.log_in(&stage.app.anonymous(), &there).await.expect(303);
    assert_eq!(stage.users().await, 1);
}

async fn every_algorithm_and_way_of_the_secret_is_taken() {
    let post = "client_secret_post";
    for (algorithm, method) in [("PS256", post), ("ES256", "client_secret_basic"), ("EdDSA", post)] {
        let kind = Kind::NODE.signing(algorithm, method);
        let Some(stage) = Stage::with(Engine::Sqlite, kind, ProviderFields::default()).await else { return };
        stage.log_in(&stage.app.anonymous(), &stage.provider.browser()).await.expect(303);
    }
}

async fn log_in_there(browser: &Browser, who: &str) {
    browser.wait_for_text("Sign-in").await;
    browser.type_into("login", who).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Sign-in").await;
    browser.wait_for_text("Authorize").await;
    browser.press("Continue").await;
}

async fn person_logs_in_and_connects_in_a_browser() {
    let Some(stage) = Stage::new(Engine::Sqlite).await else { return };
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Forganizations", stage.app.url())).await;
    browser.press("Continue with Real").await;
    log_in_there(&browser, "ada").await;
    browser.wait_for_url("/auth/organizations").await;
    browser.log_out().await;
    // Both sites know the person: the button alone leads in.
    browser.go(&format!("{}/auth/login", stage.app.url())).await;
    browser.press("Continue with Real").await;
    browser.wait_for_url("/auth/account").await;
    browser.log_out().await;
    browser.go(&format!("{}/auth/signup", stage.app.url())).await;
    browser.type_into("email", "grace@example.com").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/account").await;
    // The form ends with the departure page, which goes on by itself; the account there is another person's here.
    browser.go(&format!("{}/auth/account/connections", stage.app.url())).await;
    browser.press("Connect with grace@example.com").await;
    browser.wait_for_text("Connected accounts").await;
    assert!(browser.page.current_url().await.unwrap().as_str().contains("/auth/login/with/real/return?"));
    assert_eq!(stage.users().await, 2);
}

async fn person_connects_without_javascript() {
    let Some(stage) = Stage::new(Engine::Sqlite).await else { return };
    let browser = Browser::open(Look::PHONE.without_javascript()).await;
    browser.go(&format!("{}/auth/signup", stage.app.url())).await;
    browser.type_into("email", "grace@example.com").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/account").await;
    browser.go(&format!("{}/auth/account/connections", stage.app.url())).await;
    browser.press("Connect with grace@example.com").await;
    log_in_there(&browser, "ada").await;
    browser.wait_for_url("/auth/account/connections?done=connected").await;
    assert!(browser.text().await.contains("ada@example.com"), "{}", browser.text().await);
    assert_eq!(stage.users().await, 1);
}
