//! What strangers send, and a receiver that is away for long, fills no log with warnings.

use crate::harness::{Answer, Client, Engine, Process, Receiver, eventually};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};

single_run![
    unreadable_rules_of_strangers_are_no_errors,
    odd_passkeys_are_no_errors,
    receiver_that_takes_nothing_is_warned_of_once,
    reader_of_the_log_that_stalls_stops_no_page,
    refused_origins_of_return_to_are_named_with_their_variable,
];

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

async fn receiver_that_takes_nothing_is_warned_of_once() {
    let receiver = Receiver::start().await;
    // Fewer than the attempts of one event: however slow the machine, one is left that is taken.
    receiver.answer_next(vec![Answer::Status(503); 12]);
    let builder = Engine::Sqlite.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_RETRY_DELAYS", "10ms");
    // One after the other: else one that was refused before may be noted after one that was taken.
    let builder = builder.set("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "20").set("SVC_WEBHOOK_WORKER_COUNT", "1");
    let process = Process::start(builder.variables()).await;
    builder.anonymous().sign_up("ada@example.com").await.expect(303);
    let back = async || process.stderr().contains("webhooks are delivered again").then_some(());
    eventually("the log says that it takes them again", back).await;
    let log = process.stderr();
    assert_eq!(log.matches("webhook not delivered yet").count(), 1, "{log}");
    let line = log.lines().find(|line| line.contains("webhooks are delivered again")).unwrap();
    let failed = line.split("attempts_failed=").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(line.contains(" INFO ") && failed.parse::<u64>().unwrap() >= 9, "{line}");
}

async fn reader_of_the_log_that_stalls_stops_no_page() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_LOG", "trace");
    let visit = async |times| {
        for _ in 0..times {
            builder.anonymous().get("/auth/api/v2/session").await.expect(401);
        }
    };
    let (mut process, _unread) = Process::start_unread(builder.variables()).await;
    visit(800).await;
    process.signal("TERM");
    assert!(process.wait().await.success(), "the end waits for no reader either");
    let (_process, unread) = Process::start_unread(builder.variables()).await;
    visit(4000).await;
    let mut lines = BufReader::new(unread).lines().map_while(Result::ok);
    let told = move || lines.find(|line| line.contains("lines of the log were lost"));
    let told = tokio::task::spawn_blocking(told).await.unwrap().expect("a line that says so");
    assert!(told.contains(" WARN ") && told.contains("lines="), "{told}");
}

async fn refused_origins_of_return_to_are_named_with_their_variable() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_RETURN_ORIGINS", "https://wiki.example");
    let process = Process::start(builder.variables()).await;
    let visitor = builder.anonymous();
    let ask = async |target: &str| visitor.get(&format!("/auth/login?return_to={target}")).await.expect(200);
    for target in
        ["https://wiki.example/page", "/page", "//evil.example/", "javascript:alert(1)", "https://wiki.example/%2f"]
    {
        ask(target).await;
    }
    for _ in 0..3 {
        ask("https://app.example/reports").await;
    }
    for number in 1..=20 {
        ask(&format!("https://app.example:{number}/")).await;
    }
    let told = async || {
        let log = process.stderr();
        let lines: Vec<_> = log.lines().filter(|line| line.contains("nobody is sent back to this origin")).collect();
        assert!(
            lines.iter().all(|line| line.contains(" WARN ") && line.contains("SVC_RETURN_ORIGINS permits it")),
            "{log}"
        );
        assert!(lines.iter().all(|line| line.contains("origin=\"https://app.example")), "{log}");
        let named = lines.iter().filter(|line| line.contains("origin=\"https://app.example\"")).count();
        (named == 1 && lines.len() >= 10).then_some(lines.len())
    };
    assert_eq!(eventually("the log names the origins", told).await, 10);
}
