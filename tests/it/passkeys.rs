//! Passkeys in a real browser, with an authenticator that exists only there (Web Authentication, level 3).

use crate::harness::{Browser, Builder, Engine, Look, PASSWORD, TestApp, eventually};
use fantoccini::Locator;
use serde_json::{Value, json};

browser![
    a_passkey_is_added_and_logs_in,
    a_passkey_is_offered_where_the_name_is_typed,
    a_removed_passkey_is_refused,
    a_copied_passkey_is_refused,
    an_answer_without_user_verification_is_refused,
    an_answer_counts_once,
    passkeys_say_that_they_need_javascript,
];
both![passkeys_need_a_name_and_a_fresh_proof];

/// A service whose address can have passkeys.
pub async fn service() -> (TestApp, String) {
    service_of(Engine::Sqlite.prepare().await).await
}

/// The same, made of this.
pub async fn service_of(builder: Builder) -> (TestApp, String) {
    let port = builder.variables()["SVC_LISTEN"].rsplit(':').next().unwrap().to_owned();
    let url = format!("http://localhost:{port}");
    (builder.set("SVC_BASE_URL", url.as_str()).start().await, url)
}

/// Gives the browser a device that verifies whoever holds it, and answers at once.
pub async fn add_device(browser: &Browser) -> String {
    browser.devtools("WebAuthn.enable", json!({})).await;
    let options = json!({ "options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
        "isUserVerified": true, "automaticPresenceSimulation": true,
    }});
    let added = browser.devtools("WebAuthn.addVirtualAuthenticator", options).await;
    added["authenticatorId"].as_str().unwrap().to_owned()
}

/// Whether whoever holds the device touches it when asked.
pub async fn react(browser: &Browser, device: &str, reacts: bool) {
    let parameters = json!({ "authenticatorId": device, "enabled": reacts });
    browser.devtools("WebAuthn.setAutomaticPresenceSimulation", parameters).await;
}

/// Somebody with a device that verifies them.
pub struct Person {
    pub browser: Browser,
    authenticator: String,
    pub url: String,
}

impl Person {
    pub async fn sign_up(url: &str) -> Self {
        let browser = Browser::open(Look::DESKTOP).await;
        let authenticator = add_device(&browser).await;
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
        self.browser.type_into("name", name).await;
        self.browser.press("Create passkey").await;
        self.browser.wait_for_url("/auth/account/passkeys").await;
        assert!(self.browser.text().await.contains(name), "{}", self.browser.text().await);
    }

    pub async fn device(&self, command: &str, mut parameters: Value) -> Value {
        parameters["authenticatorId"] = json!(self.authenticator);
        self.browser.devtools(&format!("WebAuthn.{command}"), parameters).await
    }

    /// Whether the person touches the device when asked.
    pub async fn reacts(&self, reacts: bool) {
        react(&self.browser, &self.authenticator, reacts).await;
    }

    async fn credential(&self) -> Value {
        self.device("getCredentials", json!({})).await["credentials"][0].clone()
    }

    /// A log-in page that asks for the passkey only when the button is pressed: that after a wrong password.
    pub async fn quiet_log_in_page(&self) {
        self.reacts(false).await;
        self.browser.go(&format!("{}/auth/login?return_to=%2Fauth%2Fhealth", self.url)).await;
        self.browser.type_into("email", "ada").await;
        self.browser.type_into("password", "not the password").await;
        self.browser.press("Log in").await;
        self.reacts(true).await;
    }

    /// The log-in page that follows would ask the device at once.
    pub async fn log_out(&self) {
        self.reacts(false).await;
        self.browser.go(&format!("{}/auth/account", self.url)).await;
        self.browser.press("Log out").await;
    }

    async fn is_refused(&self) {
        let refused = async || self.browser.text().await.contains("This passkey is not accepted here").then_some(());
        eventually("a refusal", refused).await;
        self.reacts(false).await;
        self.browser.go(&format!("{}/auth/account", self.url)).await;
        assert!(self.browser.page.current_url().await.unwrap().path().ends_with("/auth/login"));
    }
}

async fn a_passkey_is_added_and_logs_in() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.browser.go(&format!("{url}/auth/account/passkeys")).await;
    ada.add_passkey("Laptop").await;
    // The browser itself knows which passkeys the account has.
    ada.browser.go(&format!("{url}/auth/account/passkeys/new")).await;
    ada.browser.type_into("name", "The same again").await;
    ada.browser.page.find(Locator::Css("button.primary")).await.unwrap().click().await.unwrap();
    let failed = async || ada.browser.text().await.contains("The browser gave no passkey").then_some(());
    eventually("a word about the failure", failed).await;
    ada.log_out().await;
    ada.quiet_log_in_page().await;
    ada.browser.press("Log in with a passkey").await;
    ada.browser.wait_for_url("/auth/health").await;
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys WHERE last_used_at IS NOT NULL").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'passkey_added'").await, 1);
    // It stands for both factors: the app's code is not asked for as well.
    app.database().execute("INSERT INTO totp SELECT id, x'00', 0, 0, 0, 0, NULL FROM users").await;
    ada.log_out().await;
    ada.quiet_log_in_page().await;
    ada.browser.press("Log in with a passkey").await;
    ada.browser.wait_for_url("/auth/health").await;
    // Another name, and the end.
    ada.browser.go(&format!("{url}/auth/account/passkeys")).await;
    ada.browser.press("Change").await;
    ada.browser.type_into("name", "Old laptop").await;
    ada.browser.press("Rename").await;
    ada.browser.wait_for_url("/auth/account/passkeys").await;
    assert!(ada.browser.text().await.contains("Old laptop"));
}

async fn a_passkey_is_offered_where_the_name_is_typed() {
    let (_app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    ada.log_out().await;
    // The device answers the offer of the name's field as soon as the page asks; nothing is pressed.
    ada.reacts(true).await;
    ada.browser.go(&format!("{url}/auth/login?return_to=%2Fauth%2Fhealth")).await;
    ada.browser.wait_for_url("/auth/health").await;
}

async fn a_removed_passkey_is_refused() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Lost phone").await;
    ada.browser.press("Change").await;
    ada.browser.press("Remove").await;
    ada.browser.wait_for_url("/auth/account/passkeys").await;
    assert!(ada.browser.text().await.contains("You have no passkey yet"));
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys").await, 0);
    ada.log_out().await;
    ada.quiet_log_in_page().await;
    ada.browser.press("Log in with a passkey").await;
    ada.is_refused().await;
}

async fn a_copied_passkey_is_refused() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    for _ in 0..2 {
        ada.log_out().await;
        ada.quiet_log_in_page().await;
        ada.browser.press("Log in with a passkey").await;
        ada.browser.wait_for_url("/auth/health").await;
    }
    ada.log_out().await;
    let mut copy = ada.credential().await;
    assert!(copy["signCount"].as_i64().unwrap() > 1, "{copy}");
    copy["signCount"] = json!(1);
    ada.device("clearCredentials", json!({})).await;
    ada.device("addCredential", json!({ "credential": copy })).await;
    ada.quiet_log_in_page().await;
    ada.browser.press("Log in with a passkey").await;
    ada.is_refused().await;
    let recorded = async || {
        (app.database().count("SELECT count(*) FROM audit WHERE kind = 'passkey_copied'").await == 1).then_some(())
    };
    eventually("a word in the audit log", recorded).await;
}

/// Has the page ask the device without verification of its user, and send the answer; twice, if asked to.
const ASK_WITHOUT_VERIFICATION: &str = r#"
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
    /// The flags of the device's answer, and the form with it.
    pub async fn answer(&self, verification: &str) -> (u64, String) {
        let answer =
            self.browser.page.execute_async(ASK_WITHOUT_VERIFICATION, vec![json!(verification)]).await.unwrap();
        let flags = answer[0].as_u64().unwrap_or_else(|| panic!("{answer}"));
        (flags, answer[1].as_str().unwrap().to_owned())
    }
}

async fn an_answer_without_user_verification_is_refused() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    ada.log_out().await;
    ada.quiet_log_in_page().await;
    ada.device("setUserVerified", json!({ "isUserVerified": false })).await;
    let (flags, _) = ada.answer("discouraged").await;
    assert_eq!(flags & 0b101, 0b001, "present, and not verified");
    ada.browser.page.execute("document.querySelector('form[data-passkey]').submit()", vec![]).await.unwrap();
    ada.is_refused().await;
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys WHERE last_used_at IS NOT NULL").await, 0);
}

async fn an_answer_counts_once() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    ada.log_out().await;
    ada.quiet_log_in_page().await;
    let (_, form) = ada.answer("required").await;
    let token = form_urlencoded::parse(form.as_bytes()).find(|(name, _)| name == "csrf_token").unwrap().1.into_owned();
    let send = async |csrf: &str| {
        let client = app.anonymous();
        client.set_token("csrf", csrf);
        let body = form.replace(&token, csrf);
        client.call(reqwest::Method::POST, "/auth/login/passkey").form_body(body).await
    };
    // Worth nothing in another browser.
    send(&"x".repeat(43)).await.expect(401);
    // Sent twice at once, it counts once.
    let (one, other) = tokio::join!(send(&token), send(&token));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 401]);
    // Worth nothing when it comes late.
    ada.quiet_log_in_page().await;
    let (_, form) = ada.answer("required").await;
    app.clock().advance(std::time::Duration::from_secs(601));
    let client = app.anonymous();
    client.set_token("csrf", &token);
    client.call(reqwest::Method::POST, "/auth/login/passkey").form_body(form).await.expect(401);
}

async fn passkeys_say_that_they_need_javascript() {
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

async fn passkeys_need_a_name_and_a_fresh_proof(engine: Engine) {
    // At an IP address there are none, and the page says so.
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert!(!app.anonymous().get("/auth/login").await.expect(200).text().contains("data-passkey"));
    assert!(ada.get("/auth/account/passkeys").await.expect(200).text().contains("HTTPS"));
    assert_eq!(ada.get("/auth/account/passkeys/new").await.expect(303).location(), "/auth/account/passkeys");
    let app = app.restart_with(&[("SVC_BASE_URL", "https://login.example.com")]).await;
    let ada = ada.at(&app.url());
    let page = ada.get("/auth/account/passkeys/new").await.expect(200).text();
    for asked in
        ["residentKey&quot;:&quot;required", "userVerification&quot;:&quot;required", "attestation&quot;:&quot;none"]
    {
        let asked = asked.replace("&quot;", "&#34;");
        assert!(page.contains(&asked), "{asked} in {page}");
    }
    for (fields, status) in [
        (vec![("name", "")], 422),
        (vec![("name", "Phone")], 422),
        (vec![("name", "Phone"), ("credential", "{}"), ("state", "AAAA")], 422),
    ] {
        ada.post_form("/auth/account/passkeys", &fields).await.expect(status);
    }
    ada.form("/auth/account/passkeys", &[("name", "Phone")]).await.expect(403);
    for junk in ["", "{}", "null", "[1]"] {
        let fields = [("credential", junk), ("state", junk)];
        app.anonymous().post_form("/auth/login", &[]).await;
        let nobody = app.anonymous();
        nobody.get("/auth/login").await;
        nobody.post_form("/auth/login/passkey", &fields).await.expect(401);
    }
    app.clock().advance(std::time::Duration::from_mins(16));
    let asked = ada.get("/auth/account/passkeys/new").await.expect(303);
    assert!(asked.location().starts_with("/auth/account/confirm?"), "{}", asked.location());
    let nowhere = "/auth/account/passkeys/00000000-0000-0000-0000-000000000000";
    ada.get(nowhere).await.expect(404);
    ada.post_form(&format!("{nowhere}/rename"), &[("name", "x")]).await.expect(404);
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys").await, 0);
}
