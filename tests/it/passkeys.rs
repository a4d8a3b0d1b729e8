//! Passkeys (WebAuthn level 3) in a real browser with a virtual authenticator.

use crate::audit::log_of;
use crate::backup::doorward;
use crate::harness::{
    Browser, Builder, CAN_BE_BACKED_UP, Client, Engine, IS_BACKED_UP, Look, PASSWORD, Passkey, Reply, TestApp,
    eventually,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::domain::account::operator;
use doorward::model::principal::Principal;
use fantoccini::Locator;
use serde_json::{Value, json};

browser![
    passkey_is_added_renamed_and_logs_in,
    login_page_offers_passkey_autofill,
    passkeys_are_offered_where_browsers_take_them,
    passkey_logs_in_after_reset_of_lost_key,
    removed_passkey_is_refused,
    cloned_passkey_is_refused_and_audited,
    assertion_without_user_verification_is_refused,
    replayed_assertion_is_refused,
    passkey_page_without_javascript_says_so,
];
both_engines![stored_passkey_is_renamed_and_removed];
one_engine![
    adding_passkey_requires_recent_authentication,
    passkey_works_on_when_its_keeper_learns_to_back_up,
    refused_passkey_is_recorded_with_its_reason,
];

/// Starts a service on `localhost`: an IP address cannot be the relying party of a passkey.
pub async fn service() -> (TestApp, String) {
    service_from(Engine::Sqlite.prepare().await).await
}

pub async fn service_from(builder: Builder) -> (TestApp, String) {
    let port = builder.variables()["SVC_LISTEN"].rsplit(':').next().unwrap().to_owned();
    let url = format!("http://localhost:{port}");
    (builder.set("SVC_BASE_URL", url.as_str()).start().await, url)
}

/// Adds a virtual authenticator that verifies its user and responds at once; returns its id.
pub async fn add_authenticator(browser: &Browser) -> String {
    browser.devtools("WebAuthn.enable", json!({})).await;
    let options = json!({ "options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
        "isUserVerified": true, "automaticPresenceSimulation": true,
    }});
    let added = browser.devtools("WebAuthn.addVirtualAuthenticator", options).await;
    added["authenticatorId"].as_str().unwrap().to_owned()
}

/// Sets whether the authenticator responds, as if its user touched it.
pub async fn set_user_presence(browser: &Browser, authenticator: &str, present: bool) {
    let parameters = json!({ "authenticatorId": authenticator, "enabled": present });
    browser.devtools("WebAuthn.setAutomaticPresenceSimulation", parameters).await;
}

/// A user whose browser has an authenticator.
pub struct Person {
    pub browser: Browser,
    authenticator: String,
    pub url: String,
}

impl Person {
    pub async fn sign_up(url: &str) -> Self {
        let browser = Browser::open(Look::DESKTOP).await;
        let authenticator = add_authenticator(&browser).await;
        browser.go(&format!("{url}/auth/signup")).await;
        browser.type_into("email", "ada@example.com").await;
        browser.type_into("password", PASSWORD).await;
        browser.press("Create account").await;
        browser.wait_for_url("/auth/account").await;
        Self { browser, authenticator, url: url.to_owned() }
    }

    pub async fn add_passkey(&self, name: &str) {
        self.browser.go(&format!("{}/auth/account/passkeys", self.url)).await;
        self.browser.press("Add a passkey").await;
        self.browser.wait_for_url("/auth/account/passkeys?done=added").await;
        assert!(self.browser.text().await.contains("Chrome on Linux"), "{}", self.browser.text().await);
        self.rename_newest_passkey(name).await;
    }

    /// On the page of passkeys.
    pub async fn rename_newest_passkey(&self, name: &str) {
        self.open_passkey("last").await;
        self.browser.type_into("name", name).await;
        self.browser.press("Rename").await;
        self.browser.wait_for_url("/auth/account/passkeys?done=renamed").await;
        assert!(self.browser.text().await.contains(name), "{}", self.browser.text().await);
    }

    /// Opens the `first` or `last` of the list.
    async fn open_passkey(&self, which: &str) {
        let script = "return document.querySelector(arguments[0]).href";
        let row = format!(".rows li:{which}-child .row-link");
        let href = self.browser.page.execute(script, vec![json!(row)]).await.unwrap();
        self.browser.go(href.as_str().unwrap()).await;
    }

    /// Removes the `first` or `last` of the list, which asks.
    pub async fn remove_passkey(&self, which: &str) {
        self.open_passkey(which).await;
        self.browser.press("Remove this passkey").await;
        self.browser.press("Remove passkey").await;
    }

    pub async fn webauthn(&self, command: &str, mut parameters: Value) -> Value {
        parameters["authenticatorId"] = json!(self.authenticator);
        self.browser.devtools(&format!("WebAuthn.{command}"), parameters).await
    }

    pub async fn set_user_presence(&self, present: bool) {
        set_user_presence(&self.browser, &self.authenticator, present).await;
    }

    async fn credential(&self) -> Value {
        self.webauthn("getCredentials", json!({})).await["credentials"][0].clone()
    }

    /// Opens the one login page that waits for the passkey button: the page after a wrong password.
    pub async fn open_login_page_without_autofill(&self) {
        self.set_user_presence(false).await;
        self.browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth", self.url)).await;
        self.browser.type_into("email", "ada").await;
        self.browser.type_into("password", "not the password").await;
        self.browser.press("Log in").await;
        self.set_user_presence(true).await;
    }

    /// Turns the authenticator off first: the login page would use it at once.
    pub async fn log_out(&self) {
        self.set_user_presence(false).await;
        self.browser.go(&format!("{}/auth/account", self.url)).await;
        self.browser.log_out().await;
    }

    async fn expect_refused(&self) {
        let refused = async || self.browser.text().await.contains("This passkey isn’t accepted here").then_some(());
        eventually("the passkey is refused", refused).await;
        self.set_user_presence(false).await;
        self.browser.go(&format!("{}/auth/account", self.url)).await;
        assert!(self.browser.page.current_url().await.unwrap().path().ends_with("/auth/login"));
    }
}

/// Creates a passkey by the button of the page; returns the encoded form instead of sending it.
const KEEP_CREATED: &str = r#"
    const done = arguments[arguments.length - 1];
    HTMLFormElement.prototype.submit = function () { done(new URLSearchParams(new FormData(this)).toString()); };
    document.querySelector("form[data-passkey] button").click();
"#;

/// Sends the form of a page in another browser, which gets the page's CSRF token.
pub async fn send(client: &Client, path: &str, form: &str) -> Reply {
    let token = form_urlencoded::parse(form.as_bytes()).find(|(name, _)| name == "csrf_token").unwrap().1;
    client.set_token("csrf", &token);
    client.call(reqwest::Method::POST, path).form_body(form.to_owned()).await
}

async fn passkey_is_added_renamed_and_logs_in() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.browser.go(&format!("{url}/auth/account/passkeys/new")).await;
    let form = ada.browser.page.execute_async(KEEP_CREATED, vec![]).await.unwrap();
    let client = app.anonymous();
    client.log_in("ada", PASSWORD).await.expect(303);
    send(&client, "/auth/account/passkeys", form.as_str().unwrap()).await.snapshot("passkeys/created");
    // The browser refuses a second passkey of the account on this authenticator (`excludeCredentials`).
    ada.browser.go(&format!("{url}/auth/account/passkeys/new")).await;
    ada.browser.page.find(Locator::Css("button.primary")).await.unwrap().click().await.unwrap();
    let failed = async || ada.browser.text().await.contains("Your passkey didn’t work").then_some(());
    eventually("the page shows the failure", failed).await;
    ada.log_out().await;
    ada.open_login_page_without_autofill().await;
    ada.browser.press("Log in with a passkey").await;
    ada.browser.wait_for_url("/auth/health").await;
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys WHERE last_used_at IS NOT NULL").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'passkey_added'").await, 1);
    // A passkey is both factors: no code is required.
    app.database().execute("INSERT INTO totp SELECT id, x'00', 0, 0, 0, 0, NULL FROM users").await;
    ada.log_out().await;
    ada.open_login_page_without_autofill().await;
    ada.browser.press("Log in with a passkey").await;
    ada.browser.wait_for_url("/auth/health").await;
    ada.browser.go(&format!("{url}/auth/account/passkeys")).await;
    assert!(ada.browser.text().await.contains("Unknown device"), "who sent the form says nothing of a device");
    ada.rename_newest_passkey("Old laptop").await;
}

async fn login_page_offers_passkey_autofill() {
    let (_app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    ada.log_out().await;
    // The authenticator responds to the autofill request of the page (conditional mediation); nothing is pressed.
    ada.set_user_presence(true).await;
    ada.browser.go(&format!("{url}/auth/login?return_to=%2Fauth%2Fhealth")).await;
    ada.browser.wait_for_url("/auth/health").await;
}

/// On another host than the base URL's the browser refuses them: the button could only fail.
async fn passkeys_are_offered_where_browsers_take_them() {
    let (_app, url) = service().await;
    let browser = Browser::open(Look::DESKTOP).await;
    for (host, offers) in [("localhost", true), ("below.localhost", true), ("127.0.0.1", false)] {
        browser.go(&format!("{}/auth/login", url.replace("localhost", host))).await;
        let text = browser.text().await;
        assert!(text.contains("Password") && text.contains("Log in with a passkey") == offers, "{host}: {text}");
    }
}

async fn passkey_logs_in_after_reset_of_lost_key() {
    let (mut app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    ada.log_out().await;
    app.stop().await;
    let mut variables = app.variables().clone();
    let key = STANDARD.encode([7; 32]);
    variables.insert("SVC_SECRET_KEY".to_owned(), key.clone());
    doorward(&["secrets", "reset", "--yes"], &variables).await;
    let _app = app.restart_with(&[("SVC_SECRET_KEY", &key)]).await;
    ada.open_login_page_without_autofill().await;
    ada.browser.press("Log in with a passkey").await;
    ada.browser.wait_for_url("/auth/health").await;
}

async fn removed_passkey_is_refused() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Lost phone").await;
    ada.remove_passkey("first").await;
    ada.browser.wait_for_url("/auth/account/passkeys?done=removed").await;
    assert!(ada.browser.text().await.contains("have a passkey yet"));
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys").await, 0);
    ada.log_out().await;
    ada.open_login_page_without_autofill().await;
    ada.browser.press("Log in with a passkey").await;
    ada.expect_refused().await;
}

async fn cloned_passkey_is_refused_and_audited() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    for _ in 0..2 {
        ada.log_out().await;
        ada.open_login_page_without_autofill().await;
        ada.browser.press("Log in with a passkey").await;
        ada.browser.wait_for_url("/auth/health").await;
    }
    ada.log_out().await;
    let mut copy = ada.credential().await;
    assert!(copy["signCount"].as_i64().unwrap() > 1, "{copy}");
    copy["signCount"] = json!(1);
    ada.webauthn("clearCredentials", json!({})).await;
    ada.webauthn("addCredential", json!({ "credential": copy })).await;
    ada.open_login_page_without_autofill().await;
    ada.browser.press("Log in with a passkey").await;
    ada.expect_refused().await;
    let recorded = async || {
        (app.database().count("SELECT count(*) FROM audit WHERE kind = 'passkey_copied'").await == 1).then_some(())
    };
    eventually("the audit log has an entry", recorded).await;
}

/// Requests an assertion with the given user verification and puts it into the form of the page; returns the flags of
/// the authenticator data and the encoded form.
const REQUEST_ASSERTION: &str = r#"
    const done = arguments[arguments.length - 1];
    const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    const form = document.querySelector("form[data-passkey]");
    const { publicKey } = JSON.parse(form.dataset.options);
    publicKey.challenge = bytes(publicKey.challenge);
    for (const known of publicKey.allowCredentials ?? []) known.id = bytes(known.id);
    publicKey.userVerification = arguments[0];
    navigator.credentials.get({ publicKey }).then(({ id, rawId, type, response }) => {
        const fields = {};
        for (const name of ["clientDataJSON", "authenticatorData", "signature", "userHandle"]) {
            if (response[name]) fields[name] = text(response[name]);
        }
        const flags = new Uint8Array(response.authenticatorData)[32];
        form.elements.credential.value = JSON.stringify({ id, rawId: text(rawId), type, response: fields });
        const pairs = new URLSearchParams(new FormData(form)).toString();
        done([flags, pairs]);
    }, (error) => done([String(error), ""]));
"#;

impl Person {
    /// Returns the flags of a new assertion and the encoded form that contains it.
    pub async fn assertion(&self, verification: &str) -> (u64, String) {
        let answer = self.browser.page.execute_async(REQUEST_ASSERTION, vec![json!(verification)]).await.unwrap();
        let flags = answer[0].as_u64().unwrap_or_else(|| panic!("{answer}"));
        (flags, answer[1].as_str().unwrap().to_owned())
    }
}

async fn assertion_without_user_verification_is_refused() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    ada.log_out().await;
    ada.open_login_page_without_autofill().await;
    ada.webauthn("setUserVerified", json!({ "isUserVerified": false })).await;
    let (flags, _) = ada.assertion("discouraged").await;
    assert_eq!(flags & 0b101, 0b001, "present, and not verified");
    ada.browser.page.execute("document.querySelector('form[data-passkey]').submit()", vec![]).await.unwrap();
    ada.expect_refused().await;
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys WHERE last_used_at IS NOT NULL").await, 0);
}

async fn replayed_assertion_is_refused() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    ada.log_out().await;
    ada.open_login_page_without_autofill().await;
    let (_, form) = ada.assertion("required").await;
    let token = form_urlencoded::parse(form.as_bytes()).find(|(name, _)| name == "csrf_token").unwrap().1.into_owned();
    let send = async |csrf: &str| {
        let client = app.anonymous();
        client.set_token("csrf", csrf);
        let body = form.replace(&token, csrf);
        client.call(reqwest::Method::POST, "/auth/login/passkey").form_body(body).await
    };
    // Bound to the browser.
    send(&"x".repeat(43)).await.expect(401);
    // Accepted once of two concurrent requests.
    let (one, other) = tokio::join!(send(&token), send(&token));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 401]);
    if one.status == 303 { one } else { other }.snapshot("login/done_by_passkey");
    // Expired.
    ada.open_login_page_without_autofill().await;
    let (_, form) = ada.assertion("required").await;
    app.clock().advance(std::time::Duration::from_secs(601));
    let client = app.anonymous();
    client.set_token("csrf", &token);
    client.call(reqwest::Method::POST, "/auth/login/passkey").form_body(form).await.expect(401);
}

async fn passkey_page_without_javascript_says_so() {
    let (app, url) = service().await;
    app.sign_up("ada@example.com").await;
    let browser = Browser::open(Look::DESKTOP.without_javascript()).await;
    browser.go(&format!("{url}/auth/login")).await;
    assert!(!browser.text().await.contains("passkey"), "{}", browser.text().await);
    browser.type_into("email", "ada").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.go(&format!("{url}/auth/account/passkeys/new")).await;
    assert!(browser.text().await.contains("Passkeys need JavaScript"), "{}", browser.text().await);
}

async fn adding_passkey_requires_recent_authentication(engine: Engine) {
    // An IP address cannot have passkeys, and the page says so.
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert!(!app.anonymous().get("/auth/login").await.expect(200).text().contains("data-passkey"));
    ada.get("/auth/account/passkeys").await.snapshot("passkeys/no_host_name");
    ada.get("/auth/account/passkeys/new").await.snapshot("passkeys/new_no_host_name");
    let app = app.restart_with(&[("SVC_BASE_URL", "https://login.example.com")]).await;
    let ada = ada.at(&app.url());
    ada.get("/auth/account/passkeys").await.snapshot("passkeys/none");
    ada.get("/auth/account/passkeys/new").await.snapshot("passkeys/new");
    for (name, fields) in [
        ("no_name", vec![("name", "")]),
        ("no_credential", vec![("name", "Phone")]),
        ("bad_credential", vec![("name", "Phone"), ("credential", "{}"), ("state", "AAAA")]),
    ] {
        ada.post_form("/auth/account/passkeys", &fields).await.snapshot(&format!("passkeys/{name}"));
    }
    ada.form("/auth/account/passkeys", &[("name", "Phone")]).await.expect(403);
    for junk in ["", "{}", "null", "[1]"] {
        let fields = [("credential", junk), ("state", junk)];
        app.anonymous().post_form("/auth/login", &[]).await;
        let visitor = app.anonymous();
        visitor.get("/auth/login").await;
        visitor.post_form("/auth/login/passkey", &fields).await.snapshot("login/passkey_refused");
    }
    app.clock().advance(std::time::Duration::from_mins(16));
    ada.get("/auth/account/passkeys/new").await.snapshot("passkeys/confirm_needed");
    let unknown = "/auth/account/passkeys/00000000-0000-0000-0000-000000000000";
    ada.get(unknown).await.snapshot("passkeys/unknown");
    ada.get(&format!("{unknown}/remove")).await.snapshot("passkeys/remove_confirm_needed");
    ada.post_form(&format!("{unknown}/rename"), &[("name", "x")]).await.snapshot("passkeys/rename_unknown");
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys").await, 0);
}

async fn stored_passkey_is_renamed_and_removed(engine: Engine) {
    let app = engine.prepare().await.set("SVC_BASE_URL", "https://login.example.com").start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.store_passkey(operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id).await;
    let phone = "/auth/account/passkeys/00000000-0000-0000-0000-000000000007";
    ada.get("/auth/account/passkeys").await.snapshot("passkeys/one");
    ada.get(phone).await.snapshot("passkeys/shown");
    ada.post_form(&format!("{phone}/rename"), &[("name", "")]).await.snapshot("passkeys/rename_without_name");
    ada.post_form(&format!("{phone}/rename"), &[("name", "Tablet")]).await.snapshot("passkeys/renamed");
    ada.get(&format!("{phone}/remove")).await.snapshot("passkeys/remove_asked");
    ada.post_form(&format!("{phone}/remove"), &[]).await.snapshot("passkeys/removed");
}

/// A service with a person, and the passkey of her account.
async fn with_passkey(engine: Engine) -> (TestApp, Passkey) {
    let (app, url) = service_from(engine.prepare().await).await;
    let passkey = Passkey::add(&app.sign_up("ada@example.com").await, &url, "Phone").await;
    (app, passkey)
}

/// As `KeePassXC` and iCloud did.
async fn passkey_works_on_when_its_keeper_learns_to_back_up(engine: Engine) {
    for backups in [CAN_BE_BACKED_UP, CAN_BE_BACKED_UP | IS_BACKED_UP] {
        let (app, mut passkey) = with_passkey(engine).await;
        passkey.log_in(&app.anonymous()).await.expect(303);
        let mut newer = passkey.saying(backups);
        for _ in 0..2 {
            newer.log_in(&app.anonymous()).await.expect(303);
        }
        // It does not forget it again.
        newer.saying(0).log_in(&app.anonymous()).await.expect(401);
        let mut newest = newer.saying(CAN_BE_BACKED_UP);
        newest.log_in(&app.anonymous()).await.expect(303);
        let recorded = async || log_of(&app, "ada").await.into_iter().find(|entry| entry.kind == "sign_in_failed");
        let entry = eventually("the refusal is recorded", recorded).await;
        assert_eq!(entry.detail, "passkey: its flags for backups contradict");
    }
}

async fn refused_passkey_is_recorded_with_its_reason(engine: Engine) {
    let (app, mut passkey) = with_passkey(engine).await;
    passkey.log_in(&app.anonymous()).await.expect(303);
    for (mut refused, kind, reason) in [
        (passkey.counting_from(0), "passkey_copied", "passkey: its counter went back"),
        (passkey.of_nobody(), "sign_in_failed", "passkey: no user handle, or another's"),
        (passkey.saying(IS_BACKED_UP), "sign_in_failed", "passkey: its flags for backups contradict"),
    ] {
        refused.log_in(&app.anonymous()).await.expect(401);
        let recorded = async || log_of(&app, "ada").await.into_iter().find(|entry| entry.detail == reason);
        assert_eq!(eventually(reason, recorded).await.kind, kind);
    }
    passkey.counting_from(10).log_in(&app.anonymous()).await.expect(303);
}
