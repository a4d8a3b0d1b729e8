//! Login with an account at a provider, from the button to the session: every row of docs/reference/browser.md 8.5.

use crate::harness::{Builder, Client, Engine, PASSWORD, Reply, ScriptedProvider, TestApp};
use doorward::domain::change;
use doorward::domain::provider::fields::{ProviderFields, WholeProvider};
use doorward::domain::provider::manage;
use doorward::domain::provider::secret::{GivenSecret, SecretField};
use doorward::model::principal::Principal;
use doorward::model::provider::ProviderName;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use zeroize::Zeroizing;

one_engine![
    worthy_address_without_an_account_makes_a_verified_one,
    known_identity_logs_in_and_shows_its_provider,
    verified_account_is_connected_only_after_its_own_login_and_a_button,
    unverified_account_is_asked_about_and_mine_ends_every_earlier_way_in,
    not_mine_leaves_the_account_without_the_address,
    missing_address_is_asked_for,
    closed_signup_and_signup_of_the_provider_admit_nobody,
    disabled_user_and_second_factor_are_as_after_a_password,
    logged_in_person_connects_and_disconnects,
    identity_of_another_account_is_a_conflict,
    return_counts_once_and_in_its_browser_only,
    tabs_go_on_side_by_side,
    login_ends_with_a_change_of_its_record_or_after_ten_minutes,
    provider_that_is_away_harms_no_other_login,
];
single_run![start_is_for_navigations_of_this_site, answer_by_a_form_is_kept_once];

/// A service with the provider `dev`.
pub struct Stage {
    pub app: TestApp,
    pub provider: ScriptedProvider,
}

pub fn people(email_verified: bool) -> Value {
    json!([
        {"sub": "ada", "email": "ada@example.com", "email_verified": email_verified, "name": "Ada Lovelace"},
        {"sub": "bob", "email": "bob@example.com", "email_verified": email_verified, "name": "https://evil.example"},
        {"sub": "eve"},
    ])
}

async fn add(app: &TestApp, provider: &ScriptedProvider, fields: ProviderFields) {
    add_as(app, provider, "dev", fields).await;
}

/// Adds a scripted provider under a name.
pub async fn add_as(app: &TestApp, provider: &ScriptedProvider, name: &str, fields: ProviderFields) {
    let text = Zeroizing::new(provider.client_secret.clone());
    let secret = GivenSecret { field: SecretField::ClientSecretFile, text };
    let fields = ProviderFields {
        kind: fields.kind.or(Some("oidc".to_owned())),
        issuer: Some(provider.issuer.clone()),
        client_id: Some(provider.client_id.clone()),
        label: fields.label.or(Some("Dev".to_owned())),
        ..fields
    };
    let new = WholeProvider::new(ProviderName::parse(name).unwrap(), &fields, Some(secret)).unwrap();
    change::run(&app.app, &Principal::operator(), manage::Add(new)).await.unwrap();
}

impl Stage {
    pub async fn with(builder: Builder, people: Value, fields: ProviderFields) -> Self {
        let (app, provider) = (builder.start().await, ScriptedProvider::with_people(&people).await);
        add(&app, &provider, fields).await;
        Self { app, provider }
    }

    pub async fn new(engine: Engine, email_verified: bool) -> Self {
        Self::with(engine.prepare().await, people(email_verified), ProviderFields::default()).await
    }

    /// What the browser brings back.
    pub async fn begin(&self, client: &Client, query: &str) -> BTreeMap<String, String> {
        let begun = client.get(&format!("/auth/login/with/dev?{query}")).await.expect(303);
        self.provider.visit(begun.location()).await
    }

    pub async fn log_in(&self, client: &Client, hint: &str) -> Reply {
        client.get(&return_path(&self.begin(client, &format!("login_hint={hint}")).await)).await
    }

    pub async fn identities(&self) -> i64 {
        self.app.database().count("SELECT COUNT(*) FROM identities").await
    }
}

/// Changes what these fields say of the provider.
pub async fn update(stage: &Stage, fields: ProviderFields) {
    let name = ProviderName::parse("dev").unwrap();
    let update = manage::Update { name: &name, fields: &fields, secret: None };
    change::run(&stage.app.app, &Principal::operator(), update).await.unwrap();
}

pub fn return_path(fields: &BTreeMap<String, String>) -> String {
    return_path_of("dev", fields)
}

/// The address to which a provider sends a browser back.
pub fn return_path_of(name: &str, fields: &BTreeMap<String, String>) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    format!("/auth/login/with/{name}/return?{query}")
}

pub fn is_logged_in(client: &Client) -> bool {
    client.token("access").is_some()
}

async fn worthy_address_without_an_account_makes_a_verified_one(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    let reply = stage.log_in(&ada, "ada").await.expect(303);
    let reply = reply.snapshot("provider_logins/made");
    assert_eq!(reply.location(), "/auth/account");
    let page = ada.get("/auth/account").await.expect(200).text();
    assert!(page.contains("Ada Lovelace") && page.contains("ada@example.com"), "{page}");
    let verified = "SELECT COUNT(*) FROM users WHERE email_verified_at IS NOT NULL AND password_hash IS NULL";
    assert_eq!(stage.app.database().count(verified).await, 1);
    // A name that leads into a host is none.
    let bob = stage.app.anonymous();
    stage.log_in(&bob, "bob").await.expect(303);
    assert!(!bob.get("/auth/account").await.expect(200).text().contains("evil.example"));
    assert_eq!(stage.identities().await, 2);
}

async fn known_identity_logs_in_and_shows_its_provider(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    stage.log_in(&stage.app.anonymous(), "ada").await.expect(303);
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, "login_hint=ada&return_to=%2Fauth%2Forganizations").await;
    let reply = ada.get(&return_path(&fields)).await.expect(303);
    assert_eq!(reply.location(), "/auth/organizations");
    let session = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["provider"]), "{session}");
    let of_provider = "SELECT COUNT(*) FROM sessions WHERE provider = 'dev'";
    assert_eq!(stage.app.database().count(of_provider).await, 2);
    // A reload leads where the login led.
    assert_eq!(ada.get(&return_path(&fields)).await.expect(303).location(), "/auth/organizations");
    assert_eq!(ada.get("/auth/login/with/dev").await.status, 200, "the token is fresh: no loop");
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
}

async fn verified_account_is_connected_only_after_its_own_login_and_a_button(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    stage.app.sign_up("ada@example.com").await;
    stage.app.sign_up("eve@example.com").await;
    stage.app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let ada = stage.app.anonymous();
    let offer = stage.log_in(&ada, "ada").await.expect(200);
    let offer = offer.snapshot("provider_logins/offer");
    assert!(!is_logged_in(&ada) && stage.identities().await == 0, "{offer}");
    let log_in = offer.text().split("/auth/login?return_to=").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let connect = decoded(&log_in);
    // Another account does not get it.
    let eve = ada.copy();
    eve.log_in("eve@example.com", PASSWORD).await.expect(303);
    let page = eve.get(&connect).await.expect(200).text();
    assert!(page.contains("another account") && !page.contains("name=\"page\""), "{page}");
    let named = decoded(connect.split("state=").nth(1).unwrap());
    eve.post_form("/auth/login/with/dev/connect", &[("state", &named)]).await.expect(200);
    assert_eq!(stage.identities().await, 0);
    // Nor does another browser in which the account is logged in.
    let elsewhere = stage.app.anonymous();
    elsewhere.log_in("ada@example.com", PASSWORD).await.expect(303);
    elsewhere.get(&connect).await.expect(401).snapshot("provider_logins/connect_elsewhere");
    elsewhere.post_form("/auth/login/with/dev/connect", &[("state", &named)]).await.expect(401);
    assert_eq!(stage.identities().await, 0);
    // The login leads there by a page, as every answer to a form that goes on to a provider's path.
    let typed = [("email", "ada@example.com"), ("password", PASSWORD), ("return_to", &connect)];
    let departure = ada.post_form("/auth/login", &typed).await.expect(200);
    assert!(departure.text().contains("http-equiv=\"refresh\""), "{departure}");
    assert_eq!(departure.header("referrer-policy"), Some("no-referrer"));
    let host = stage.app.url().replace("http://", "");
    assert!(departure.text().contains(&format!("Continue to {host} ")), "it leads to a page of ours: {departure}");
    departure.snapshot("provider_logins/departure");
    ada.get(&connect).await.expect(200).snapshot("provider_logins/connect");
    let connected = ada.post_form("/auth/login/with/dev/connect", &[("state", &named)]).await.expect(303);
    connected.snapshot("provider_logins/connected");
    assert_eq!(stage.identities().await, 1);
    stage.app.mail_to("ada@example.com", "was connected").await;
    // Once: the offer is void.
    ada.post_form("/auth/login/with/dev/connect", &[("state", &named)]).await.expect(401);
    let again = stage.app.anonymous();
    stage.log_in(&again, "ada").await.expect(303);
    assert!(is_logged_in(&again));
}

/// Answers the question whose an account is.
pub async fn answer_whose(client: &Client, page: &Reply, account: &str) -> Reply {
    let (named, holder) = (page.hidden("state"), page.hidden("holder"));
    let fields = [("state", named.as_str()), ("holder", &holder), ("account", account)];
    client.post_form("/auth/login/with/dev/whose", &fields).await
}

async fn unverified_account_is_asked_about_and_mine_ends_every_earlier_way_in(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let squatter = stage.app.sign_up("ada@example.com").await;
    let ada = stage.app.anonymous();
    let question = stage.log_in(&ada, "ada").await.expect(200);
    assert!(question.text().contains("name=\"account\" type=\"radio\""), "{question}");
    let path = format!("/auth/login/with/dev/whose?state={}", question.hidden("state"));
    ada.get(&path).await.expect(200).snapshot("provider_logins/whose");
    stage.app.anonymous().get(&path).await.expect(401).snapshot("provider_logins/whose_elsewhere");
    assert!(!is_logged_in(&ada) && stage.identities().await == 0);
    // Without an answer it is asked again.
    answer_whose(&ada, &question, "").await.expect(422);
    let reply = answer_whose(&ada, &question, "keep").await.expect(303);
    let reply = reply.snapshot("provider_logins/mine");
    assert_eq!((reply.location(), is_logged_in(&ada)), ("/auth/account", true));
    assert_eq!(stage.app.database().count("SELECT COUNT(*) FROM users").await, 1);
    squatter.get("/auth/account").await.expect(303);
    stage.app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    assert_eq!(stage.identities().await, 1);
    answer_whose(&ada, &question, "keep").await.expect(401);
}

async fn not_mine_leaves_the_account_without_the_address(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let other = stage.app.sign_up("ada@example.com").await;
    let ada = stage.app.anonymous();
    let question = stage.log_in(&ada, "ada").await.expect(200);
    answer_whose(&ada, &question, "anew").await.expect(303);
    assert!(is_logged_in(&ada));
    assert_eq!(stage.app.database().count("SELECT COUNT(*) FROM users").await, 2);
    other.get("/auth/account").await.expect(200);
    assert!(!other.get("/auth/account").await.text().contains("ada@example.com"));
}

async fn missing_address_is_asked_for(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let eve = stage.app.anonymous();
    let page = stage.log_in(&eve, "eve").await.expect(200);
    let named = page.hidden("state");
    let path = format!("/auth/login/with/dev/address?state={named}");
    eve.get(&path).await.expect(200).snapshot("provider_logins/address");
    stage.app.anonymous().get(&path).await.expect(401).snapshot("provider_logins/address_elsewhere");
    let details = |email| [("state", named.as_str()), ("email", email), ("username", "")].to_vec();
    eve.post_form("/auth/login/with/dev/address", &details("nonsense")).await.expect(422);
    stage.app.anonymous().post_form("/auth/login/with/dev/address", &details("eve@example.com")).await.expect(401);
    let made = eve.post_form("/auth/login/with/dev/address", &details("eve@example.com")).await.expect(303);
    made.snapshot("provider_logins/address_given");
    assert!(is_logged_in(&eve) && stage.identities().await == 1);
}

async fn closed_signup_and_signup_of_the_provider_admit_nobody(engine: Engine) {
    let closed = engine.prepare().await.set("SVC_SIGNUP", "closed");
    let stage = Stage::with(closed, people(true), ProviderFields::default()).await;
    let ada = stage.app.anonymous();
    let reply = stage.log_in(&ada, "ada").await.expect(403).text();
    assert!(reply.contains("Signup is closed"), "{reply}");
    let fields = ProviderFields { signup: Some("off".to_owned()), ..ProviderFields::default() };
    let stage = Stage::with(engine.prepare().await, people(true), fields).await;
    stage.log_in(&stage.app.anonymous(), "ada").await.expect(403);
    assert_eq!(stage.app.database().count("SELECT COUNT(*) FROM users").await, 0);
    assert_eq!(stage.app.database().count("SELECT COUNT(*) FROM mails").await, 0);
}

async fn disabled_user_and_second_factor_are_as_after_a_password(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    stage.log_in(&ada, "ada").await.expect(303);
    stage.app.confirm_by_mail(&ada, "ada@example.com").await;
    let (authenticator, _) = ada.turn_on_two_factor(&stage.app).await;
    let again = stage.app.anonymous();
    let reply = stage.log_in(&again, "ada").await.expect(303);
    assert_eq!((reply.location(), is_logged_in(&again)), ("/auth/login/second-factor", false));
    again.send_code(&authenticator.next_code(&stage.app)).await.expect(303);
    let session = again.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["totp", "provider"]), "{session}");
    let of_provider = "SELECT COUNT(*) FROM sessions WHERE provider = 'dev'";
    assert_eq!(stage.app.database().count(of_provider).await, 2);
    stage.app.database().execute("UPDATE users SET disabled_at = created_at").await;
    stage.log_in(&stage.app.anonymous(), "ada").await.expect(403);
}

pub async fn connect(provider: &ScriptedProvider, client: &Client, hint: &str) -> Reply {
    let address = format!("{}&login_hint={hint}", begin_to_connect(client, "dev").await);
    client.get(&return_path(&provider.visit(&address).await)).await
}

/// Where the form leads that begins to connect an account at a provider.
pub async fn begin_to_connect(client: &Client, provider: &str) -> String {
    let page = client.post_form(&format!("/auth/account/connections/{provider}"), &[]).await.expect(200);
    page.departure().unwrap_or_else(|| panic!("it goes nowhere: {page}"))
}

/// Connects an account at a provider with that of a client, and removes it again.
pub async fn connect_and_remove(app: &TestApp, client: &Client) {
    let provider = ScriptedProvider::with_people(&people(false)).await;
    add(app, &provider, ProviderFields::default()).await;
    connect(&provider, client, "ada").await.expect(303);
    let id = app.database().texts(id_query(app.engine())).await.remove(0);
    client.post_confirmed(&format!("/auth/account/connections/{id}/remove"), &[]).await.expect(303);
}

async fn logged_in_person_connects_and_disconnects(engine: Engine) {
    let stage = Stage::new(engine, false).await;
    let ada = stage.app.sign_up("grace@example.com").await;
    let departure = ada.post_form("/auth/account/connections/dev", &[]).await.expect(200);
    departure.snapshot("provider_logins/to_provider");
    let reply = connect(&stage.provider, &ada, "ada").await.expect(303);
    assert_eq!(reply.location(), "/auth/account/connections?done=connected");
    let page = ada.get("/auth/account/connections").await.expect(200);
    let page = page.snapshot("provider_logins/connections");
    assert!(page.text().contains("ada@example.com"), "{page}");
    let id = stage.app.database().texts(id_query(engine)).await.remove(0);
    let removed = ada.post_form(&format!("/auth/account/connections/{id}/remove"), &[]).await.expect(303);
    removed.snapshot("provider_logins/removed");
    assert_eq!(stage.identities().await, 0);
    // The last way in that works stays.
    connect(&stage.provider, &ada, "ada").await.expect(303);
    stage.app.database().execute("UPDATE users SET password_hash = NULL").await;
    let id = stage.app.database().texts(id_query(engine)).await.remove(0);
    let remove = format!("/auth/account/connections/{id}/remove");
    let reply = ada.post_form(&remove, &[]).await.expect(422).text();
    assert!(reply.contains("the only way you can log in"), "{reply}");
    assert_eq!(stage.identities().await, 1);
}

const fn id_query(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => {
            "SELECT lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) || '-' \
             || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) FROM identities"
        }
        Engine::Postgres => "SELECT id::text FROM identities",
    }
}

async fn identity_of_another_account_is_a_conflict(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    stage.log_in(&stage.app.anonymous(), "ada").await.expect(303);
    let bob = stage.app.sign_up("bob@example.com").await;
    connect(&stage.provider, &bob, "ada").await.expect(409);
    assert_eq!(stage.identities().await, 1);
}

async fn return_counts_once_and_in_its_browser_only(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, "login_hint=ada").await;
    // Another browser, with a secret of its own and without one.
    let thief = stage.app.anonymous();
    thief.get(&return_path(&fields)).await.expect(401);
    stage.begin(&thief, "login_hint=ada").await;
    thief.get(&return_path(&fields)).await.expect(401);
    // A planted second value: none counts.
    let planted = ada.copy();
    let value = planted.token("foreign").unwrap();
    let cookie = format!("svc_foreign={value}; svc_foreign={value}");
    planted.jar().remove("svc_foreign");
    planted.get(&return_path(&fields)).also_header("cookie", &cookie).await.expect(401);
    // Nor does an answer with a parameter twice.
    for name in ["state", "code"] {
        let twice = format!("{}&{name}={}", return_path(&fields), fields[name]);
        ada.get(&twice).await.expect(401);
        assert!(ada.token("access").is_none(), "{name}");
    }
    ada.get(&return_path(&fields)).await.expect(303);
    ada.jar().remove("svc_access");
    ada.jar().remove("svc_refresh");
    let replayed = ada.get(&return_path(&fields)).await.expect(401).text();
    assert!(replayed.contains("Reference: ") && !replayed.contains(fields["code"].as_str()), "{replayed}");
    let unknown = "/auth/login/with/dev/return?state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&code=x";
    ada.get(unknown).await.expect(401);
    // What the provider says is never shown.
    let mut fields = stage.begin(&ada, "login_hint=ada").await;
    fields.remove("code");
    fields.extend(
        [("error", "access_denied"), ("error_description", "planted-text")]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    let denied = ada.get(&return_path(&fields)).await.expect(401);
    let denied = denied.snapshot("provider_logins/denied");
    let denied = denied.text();
    assert!(!denied.contains("planted-text") && !denied.contains("access_denied"), "{denied}");
}

async fn tabs_go_on_side_by_side(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    let first = stage.begin(&ada, "login_hint=ada&return_to=%2Ffirst").await;
    let mut others = Vec::new();
    for _ in 0..30 {
        others.push(stage.begin(&ada, "login_hint=ada&return_to=%2Fother").await);
    }
    assert_eq!(ada.get(&return_path(&first)).await.expect(303).location(), "/first");
    assert_eq!(ada.get(&return_path(&others[17])).await.expect(303).location(), "/other");
}

async fn login_ends_with_a_change_of_its_record_or_after_ten_minutes(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, "login_hint=ada").await;
    stage.app.clock().advance(Duration::from_mins(11));
    ada.get(&return_path(&fields)).await.expect(401);
    let fields = stage.begin(&ada, "login_hint=ada").await;
    let changed = ProviderFields { scopes: Some("openid email".to_owned()), ..ProviderFields::default() };
    update(&stage, changed).await;
    ada.get(&return_path(&fields)).await.expect(401);
    assert_eq!(stage.identities().await, 0);
}

async fn provider_that_is_away_harms_no_other_login(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    stage.app.sign_up("ada@example.com").await;
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, "login_hint=ada").await;
    // In the middle.
    drop(stage.provider);
    let reply = ada.get(&return_path(&fields)).await.expect(503).text();
    assert!(reply.contains("Reference: "), "{reply}");
    // A start needs only what is kept; the password needs neither.
    ada.get("/auth/login/with/dev").await.expect(303);
    ada.log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn start_is_for_navigations_of_this_site() {
    let stage = Stage::new(Engine::Sqlite, true).await;
    let client = stage.app.anonymous();
    for (path, allowed) in [("/auth/login/with/dev", "GET"), ("/auth/login/with/dev/return", "GET, POST")] {
        let reply = client.call(reqwest::Method::HEAD, path).await.expect(405);
        assert_eq!(reply.header("allow"), Some(allowed));
    }
    client.get("/auth/login/with/dev").header("sec-purpose", "prefetch").await.expect(403);
    let page = client.get("/auth/login/with/dev?return_to=%2Fapp").header("sec-fetch-site", "cross-site").await;
    assert!(page.status == 200 && page.text().contains("/auth/login/with/dev?return_to=%2Fapp"), "{page}");
    page.snapshot("provider_logins/start_from_elsewhere");
    let started = client.get("/auth/login/with/dev").header("sec-fetch-site", "same-site").await.expect(303);
    started.snapshot("provider_logins/started");
    client.get("/auth/login/with/none").await.expect(404).snapshot("provider_logins/no_such_provider");
    let login = client.get("/auth/login").await.expect(200).text();
    assert!(login.contains("Continue with Dev") && login.contains("href=\"/auth/login/with/dev\""), "{login}");
}

async fn answer_by_a_form_is_kept_once() {
    let stage = Stage::new(Engine::Sqlite, true).await;
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, "login_hint=ada").await;
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
    // As the provider's page sends it: without cookies, from another site.
    let post = stage.app.anonymous().call(reqwest::Method::POST, "/auth/login/with/dev/return");
    let reply = post.header("sec-fetch-site", "cross-site").form_body(body.clone()).await.expect(303);
    assert_eq!(reply.location(), format!("/auth/login/with/dev/return?state={}", fields["state"]));
    let reply = reply.snapshot("provider_logins/answer_kept");
    let other = body.replace(&fields["code"], "planted");
    let post = stage.app.anonymous().call(reqwest::Method::POST, "/auth/login/with/dev/return");
    post.form_body(other).await.expect(303);
    let large = format!("{body}&user={}", "x".repeat(9000));
    let post = stage.app.anonymous().call(reqwest::Method::POST, "/auth/login/with/dev/return");
    post.form_body(large).await.expect(413).snapshot("provider_logins/answer_too_large");
    ada.get(reply.location()).await.expect(303);
    assert!(is_logged_in(&ada));
}
