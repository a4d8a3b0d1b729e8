//! Logins with a provider: of those who have no password, who connect an account and remove it, and
//! who do not come back.

use super::{LAPTOP, Maker, PHONE};
use crate::harness::{Client, Reply, ScriptedProvider};
use crate::invitations::link_in;
use crate::provider_logins::{connect, return_path};
use serde_json::json;
use std::collections::BTreeMap;

pub(super) async fn act(maker: &mut Maker) {
    let factor = json!({ "amr": ["pwd", "otp"] });
    let provider = ScriptedProvider::with_people(&json!([
        { "sub": "pru", "email": "pru@example.com", "email_verified": true, "name": "Pru Ramsay", "claims": factor },
        { "sub": "tom", "email": "tom@elsewhere.example", "email_verified": true },
        { "sub": "una" },
    ]))
    .await;
    add(maker, &provider).await;
    pru_has_no_password(maker, &provider).await;
    let tom = maker.sign_up("tom@example.com").await;
    connect(&provider, &tom, "tom").await.expect(303);
    let page = tom.get("/auth/account/connections").await.expect(200).text();
    tom.post_form(&link_in(&page, "/remove"), &[]).await.expect(303);
    connect(&provider, &tom, "tom").await.expect(303);
    maker.keep(&tom, "tom", "password");
    una_does_not_finish(maker, &provider).await;
}

async fn add(maker: &Maker, provider: &ScriptedProvider) {
    let file = maker.builder.folder().join("client.secret");
    std::fs::write(&file, &provider.client_secret).unwrap();
    let file = file.to_str().unwrap();
    for (name, client) in [("dev", provider.client_id.as_str()), ("gone", "another")] {
        let record = ["--kind", "oidc", "--issuer", &provider.issuer, "--client-id", client];
        let arguments = [&["provider", "add", name][..], &record, &["--client-secret-file", file, "--mfa", "trust"]];
        maker.command_with(&arguments.concat()).await;
    }
    maker.command("provider update dev --label Corp").await;
    maker.command("provider remove gone --yes").await;
}

/// What a browser brings back from the provider.
async fn visit(client: &Client, provider: &ScriptedProvider, hint: &str) -> BTreeMap<String, String> {
    let begun = client.get(&format!("/auth/login/with/dev?login_hint={hint}")).await.expect(303);
    provider.visit(begun.location()).await
}

async fn log_in(client: &Client, provider: &ScriptedProvider, hint: &str) -> Reply {
    client.get(&return_path(&visit(client, provider, hint).await)).await
}

/// She logs in on two devices, and has a code mailed that shows that it is she.
async fn pru_has_no_password(maker: &mut Maker, provider: &ScriptedProvider) {
    for device in [LAPTOP, PHONE] {
        let pru = maker.browser(device);
        log_in(&pru, provider, "pru").await.expect(303);
        pru.post_form("/auth/account/confirm/mail", &[]).await.expect(303);
        maker.keep(&pru, "pru", "provider,provider_mfa");
    }
}

/// She says no, then types Dan's address, which is his until a mailed link shows whose it is, and at last does not come
/// back.
async fn una_does_not_finish(maker: &Maker, provider: &ScriptedProvider) {
    let una = maker.browser(LAPTOP);
    let mut answer = visit(&una, provider, "una").await;
    answer.remove("code");
    answer.insert("error".to_owned(), "access_denied".to_owned());
    una.get(&return_path(&answer)).await.expect(401);
    let question = log_in(&una, provider, "una").await.expect(200);
    let fields = [("state", question.hidden("state")), ("email", "dan@example.com".to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    una.post_form("/auth/login/with/dev/address", &fields).await.expect(303);
    visit(&maker.browser(PHONE), provider, "una").await;
}
