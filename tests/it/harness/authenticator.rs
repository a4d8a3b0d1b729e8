//! An authenticator app (TOTP) with the key of one account.

use super::app::TestApp;
use super::client::{Client, PASSWORD};
use super::reply::Reply;
use super::transactions::begin;
use doorward::model::ids::{PasskeyId, UserId};
use doorward::model::time::Time;
use doorward::store::PasskeyRow;
use std::time::Duration;
use totp_rs::{Builder, Secret, Totp};
use uuid::Uuid;

/// An authenticator app with the key of one account.
#[derive(Clone, Debug)]
pub struct Authenticator {
    totp: Totp,
}

impl Authenticator {
    /// Reads the key from the setup page.
    pub fn from_page(html: &str) -> Self {
        Self::from_key(&Self::key_on_page(html))
    }

    /// The key on the setup page, in base32.
    pub fn key_on_page(html: &str) -> String {
        let field = html.split("id=\"key\"").nth(1).unwrap_or_else(|| panic!("no key: {html}"));
        field.split('>').nth(1).unwrap().split('<').next().unwrap().replace(' ', "")
    }

    /// With a key in base32.
    pub fn from_key(key: &str) -> Self {
        let secret = Secret::try_from_base32(key).unwrap();
        Self { totp: Builder::new().with_secret(secret).build().unwrap() }
    }

    /// The code for the service's current time, which may have been used already.
    pub fn code(&self, app: &TestApp) -> String {
        self.code_at(app.clock().now())
    }

    pub fn code_at(&self, time: Time) -> String {
        self.totp.generate(u64::try_from(time.as_seconds()).unwrap()).to_string()
    }

    /// Moves the clock one step forward and returns its code, which is unused.
    pub fn next_code(&self, app: &TestApp) -> String {
        app.clock().advance(Duration::from_secs(30));
        self.code(app)
    }

    /// Six digits that match no time step near the current one.
    pub fn wrong_code(&self, app: &TestApp) -> String {
        let now = u64::try_from(app.clock().now().as_seconds()).unwrap();
        let near: Vec<String> = (0..=4).map(|step| self.totp.generate(now - 60 + step * 30).to_string()).collect();
        (0..1_000_000).map(|number| format!("{number:06}")).find(|code| !near.contains(code)).unwrap()
    }
}

impl Client {
    /// Sends a form that needs a recent authentication; reauthenticates with [`PASSWORD`] when asked to.
    pub async fn post_confirmed(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let reply = self.post_form(path, fields).await;
        if reply.header("location").is_none_or(|location| !location.starts_with("/auth/account/confirm?")) {
            return reply;
        }
        self.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(303);
        self.post_form(path, fields).await
    }

    /// Turns on two-factor authentication for an account with [`PASSWORD`]; returns the app and the recovery codes.
    pub async fn turn_on_two_factor(&self, app: &TestApp) -> (Authenticator, Vec<String>) {
        self.post_confirmed("/auth/account/two-factor", &[]).await.expect(303);
        let page = self.get("/auth/account/two-factor").await.expect(200);
        let authenticator = Authenticator::from_page(&page.text());
        let code = authenticator.code(app);
        let shown = self.post_form("/auth/account/two-factor/confirm", &[("code", &code)]).await.expect(200);
        (authenticator, recovery_codes(&shown))
    }

    /// Sends a code as the second factor.
    pub async fn send_code(&self, code: &str) -> Reply {
        self.post_form("/auth/login/second-factor", &[("code", code)]).await
    }

    /// Sends a recovery code as the second factor.
    pub async fn send_recovery_code(&self, code: &str) -> Reply {
        self.post_form("/auth/login/second-factor", &[("recovery_code", code)]).await
    }
}

pub fn recovery_codes(page: &Reply) -> Vec<String> {
    let html = page.text();
    html.split("<li><code>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

impl TestApp {
    /// Stores a passkey that no authenticator has.
    pub async fn store_passkey(&self, user: UserId) {
        let row = PasskeyRow {
            id: PasskeyId(Uuid::from_u128(7)),
            user_id: user,
            credential_id: vec![7],
            name: "Phone".to_owned(),
            credential: vec![7],
            counter: 0,
            backed_up: false,
            created_at: Time::from_micros(0),
            last_used_at: None,
        };
        let mut tx = begin(&self.app.store).await;
        assert!(tx.passkey_create(&row).await.unwrap());
        tx.commit().await.unwrap();
    }
}
