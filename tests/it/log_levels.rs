//! What strangers send is no error of the service, and fills no log with such lines.

use crate::harness::{Client, Engine, Process, eventually};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};

single_run![unreadable_rules_of_strangers_are_no_errors, odd_passkeys_are_no_errors];

const UNREADABLE: &str = "a rule in the address of the gate";

async fn unreadable_rules_of_strangers_are_no_errors() {
    let quiet = "info";
    let at_debug = "info,doorward::http::gate=debug";
    for (proxies, filter, level) in
        [("192.0.2.1", quiet, None), ("192.0.2.1", at_debug, Some("DEBUG")), ("127.0.0.1", quiet, Some("ERROR"))]
    {
        let builder = Engine::Sqlite.prepare().await.set("SVC_TRUSTED_PROXIES", proxies).set("SVC_LOG", filter);
        let mut process = Process::start(builder.variables()).await;
        for _ in 0..3 {
            builder.anonymous().get("/auth/gate?role=boss").await.expect(500);
        }
        process.signal("TERM");
        assert!(process.wait().await.success());
        let log = process.stderr();
        let line = log.lines().find(|line| line.contains(UNREADABLE));
        assert_eq!(line.is_some(), level.is_some(), "{log}");
        assert!(line.is_none_or(|line| level.is_some_and(|level| line.contains(level))), "{log}");
        assert_eq!(log.contains(" ERROR "), level == Some("ERROR"), "{log}");
    }
}

/// A new passkey with this authenticator data, for the challenge of the page.
fn credential(page: &str, origin: &str, data: &[u8]) -> String {
    let options = page.split("data-options=\"").nth(1).unwrap().split('"').next().unwrap();
    let options = options.replace("&#34;", "\"").replace("&quot;", "\"");
    let options: Value = serde_json::from_str(&options).unwrap();
    let challenge = &options["publicKey"]["challenge"];
    let client = json!({"type": "webauthn.create", "challenge": challenge, "origin": origin}).to_string();
    let length = 0x40 + u8::try_from(data.len()).unwrap();
    let object = [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData".as_slice(), &[length], data].concat();
    let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let response = json!({"attestationObject": encode(&object), "clientDataJSON": encode(client.as_bytes())});
    json!({"id": "AAAA", "rawId": "AAAA", "type": "public-key", "extensions": {}, "response": response}).to_string()
}

/// Sends a passkey whose authenticator data ends too early.
async fn send_odd_passkey(url: &str) {
    let ada = Client::new(url, "svc");
    ada.sign_up("ada@example.com").await.expect(303);
    let page = ada.get("/auth/account/passkeys/new").await.expect(200).text();
    let state = page.split("name=\"state\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let credential = credential(&page, url, &[0; 4]);
    let fields = [("name", "Phone"), ("state", state), ("credential", credential.as_str())];
    ada.post_form("/auth/account/passkeys", &fields).await.expect(422);
}

async fn odd_passkeys_are_no_errors() {
    for (filter, is_shown) in [("info", false), ("info,webauthn_rs_core=error", true)] {
        let builder = Engine::Sqlite.prepare().await;
        let url = builder.variables()["SVC_BASE_URL"].replace("127.0.0.1", "localhost");
        let builder = builder.set("SVC_BASE_URL", url.as_str()).set("SVC_LOG", filter);
        let process = Process::start(builder.variables()).await;
        send_odd_passkey(&url).await;
        let answered = async || process.stderr().contains("status=422").then_some(());
        eventually("the request is logged", answered).await;
        let log = process.stderr();
        assert_eq!(log.contains("webauthn_rs_core"), is_shown, "{log}");
        assert_eq!(log.contains(" ERROR "), is_shown, "{log}");
    }
}
