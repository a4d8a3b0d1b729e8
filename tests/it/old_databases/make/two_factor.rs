//! What Ada does, who has every second factor, and ends with a session of each method.

use super::people::set_up_app;
use super::{LAPTOP, Maker, PHONE};
use crate::harness::{Authenticator, Client, PASSWORD, Passkey};
use doorward::clock::Clock;
use std::time::Duration;

const ADA: &str = "ada@example.com";

pub(super) async fn act(maker: &mut Maker) {
    let ada = maker.sign_up(ADA).await;
    maker.keep(&ada, "ada", "password");
    // A code works once: the ones of the last two steps are left for now and for the login.
    let (key, codes) = set_up_app(&ada, Duration::from_secs(30)).await;
    log_in_by_app(maker, &key).await;
    let browser = maker.log_in(ADA).await;
    browser.send_recovery_code(&codes[0]).await.expect(303);
    maker.keep(&browser, "ada", "password,recovery_code");
    maker.facts.recovery_codes = codes[1..].to_vec();
    maker.facts.totp_key = key;
    passkeys(maker, &ada).await;
    // The second factor is outstanding.
    maker.log_in(ADA).await;
}

async fn log_in_by_app(maker: &mut Maker, key: &str) {
    let browser = maker.log_in(ADA).await;
    browser.send_code("000000").await.expect(401);
    let code = Authenticator::from_key(key).code_at(Clock::system().now());
    let fields = [("code", code.as_str()), ("remember", "yes")];
    browser.post_form("/auth/login/second-factor", &fields).await.expect(303);
    maker.keep(&browser, "ada", "password,totp");
    let device = browser.token("device").expect("a trusted device");
    let again = maker.browser(PHONE);
    again.set_token("device", &device);
    again.log_in(ADA, PASSWORD).await.expect(303);
    maker.keep(&again, "ada", "password,trusted_device");
    maker.facts.trusted_device = device;
}

async fn passkeys(maker: &mut Maker, ada: &Client) {
    Passkey::add(ada, super::BASE_URL, "Phone").await;
    let phone = passkey_page(ada).await;
    ada.post_form(&format!("{phone}/rename"), &[("name", "Old phone")]).await.expect(303);
    ada.post_form(&format!("{phone}/remove"), &[]).await.expect(303);
    let mut laptop = Passkey::add(ada, super::BASE_URL, "Laptop").await;
    let mut clone = laptop.clone();
    let browser = maker.browser(LAPTOP);
    laptop.log_in(&browser).await.expect(303);
    maker.keep(&browser, "ada", "passkey");
    clone.log_in(&maker.browser(PHONE)).await.expect(401);
    maker.wait_for("SELECT count(*) FROM audit WHERE kind = 'passkey_copied'").await;
    maker.facts.passkey = Some(laptop);
}

/// The path of the only passkey's page.
async fn passkey_page(client: &Client) -> String {
    let page = client.get("/auth/account/passkeys").await.expect(200).text();
    let found = page.split("href=\"").find(|part| part.starts_with("/auth/account/passkeys/0"));
    found.unwrap().split('"').next().unwrap().to_owned()
}
