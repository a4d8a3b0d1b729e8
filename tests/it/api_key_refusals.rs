//! API keys that are refused are in the audit log and, once they were valid, in the log (docs/guides/api-keys.md).

use crate::harness::{Builder, Client, Engine, Process, TestApp, eventually, run_program};
use doorward::crypto::api_key::GeneratedApiKey;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

one_engine![refused_keys_are_audited_by_hour, flood_of_unknown_keys_adds_few_entries, entries_of_api_keys_are_listed,];
single_run![ended_keys_warn_once_an_hour];

const ELSEWHERE: &str = "203.0.113.7";
const OF_REFUSALS: &str = "FROM audit WHERE kind = 'api_key_refused'";

fn configured(builder: Builder) -> Builder {
    builder.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").set("SVC_RATE_LIMIT", "off")
}

/// Runs a command that succeeds, with its JSON.
async fn doorward(variables: &BTreeMap<String, String>, line: &str) -> Value {
    let arguments: Vec<&str> = ["--json"].into_iter().chain(line.split(' ')).collect();
    let output = run_program(&arguments, variables).await;
    assert!(output.status.success(), "{line}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The key with another random part, and the checksum of that.
fn with_other_secret(key: &str) -> String {
    let (body, _) = key.split_at(key.len() - 6);
    let last = if body.ends_with('a') { 'b' } else { 'a' };
    let body = format!("{}{last}", &body[..body.len() - 1]);
    let crc = !body.bytes().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    });
    let digits: Vec<u8> = (b'0'..=b'9').chain(b'A'..=b'Z').chain(b'a'..=b'z').collect();
    let digit = |place: u32| char::from(digits[(crc / 62_u32.pow(place) % 62) as usize]);
    format!("{body}{}", (0..6).rev().map(digit).collect::<String>())
}

async fn present(client: &Client, key: &str, from: &str) -> u16 {
    let call = client.get("/auth/api/v2/users?limit=1").header("authorization", &format!("Bearer {key}"));
    call.header("x-forwarded-for", from).header("user-agent", "backend/1.0").await.status
}

/// Lets no hour end within the test.
fn begin_hour(app: &TestApp) {
    let into_hour = app.clock().now().as_seconds().rem_euclid(3600);
    app.clock().advance(Duration::from_secs(3600 - into_hour.unsigned_abs()));
}

async fn refused_keys_are_audited_by_hour(engine: Engine) {
    let app = configured(engine.prepare().await).start().await;
    let create = async |line: &str| doorward(app.variables(), &format!("api-key create {line}")).await;
    let live = create("live --scope users:read").await;
    let revoked = create("gone --scope users:read").await;
    let expired = create("over --scope users:read --expires 1h").await;
    let bound = create("bound --scope users:read --from 198.51.100.0/24").await;
    doorward(app.variables(), &format!("api-key revoke {}", text(&revoked["id"]))).await;
    app.clock().advance(Duration::from_hours(1));
    begin_hour(&app);
    let client = app.anonymous();
    let wrong = with_other_secret(&text(&live["key"]));
    let foreign = GeneratedApiKey::generate(&app.app.settings.name).unwrap().text.to_string();
    let keys = [&revoked, &expired, &bound].map(|created| text(&created["key"]));
    for key in keys.iter().chain([&wrong, &foreign, &"not a key".to_owned()]) {
        for _ in 0..3 {
            assert_eq!(present(&client, key, ELSEWHERE).await, 401, "{key}");
        }
    }
    assert_eq!(present(&client, &text(&live["key"]), ELSEWHERE).await, 200);
    let id = |created: &Value| text(&created["id"]);
    let mut expected = [
        format!("gone {} revoked 3 {ELSEWHERE} backend/1.0 unknown", id(&revoked)),
        format!("over {} expired 3 {ELSEWHERE} backend/1.0 unknown", id(&expired)),
        format!("bound {} foreign_network 3 {ELSEWHERE} backend/1.0 unknown", id(&bound)),
        format!("live {} wrong_secret 3 {ELSEWHERE} backend/1.0 unknown", id(&live)),
        format!("unknown_key 6 {ELSEWHERE} backend/1.0 unknown"),
    ];
    expected.sort();
    let columns = "detail || ' ' || CAST(times AS TEXT) || ' ' || address || ' ' || user_agent || ' ' || actor";
    eventually("they are written", async || {
        let mut entries = app.database().texts(&format!("SELECT {columns} {OF_REFUSALS}")).await;
        entries.sort();
        (entries == expected).then_some(())
    })
    .await;
    let fields = app.database().texts(&format!("SELECT fields {OF_REFUSALS} AND detail LIKE 'gone %'")).await;
    let fields: Value = serde_json::from_str(&fields[0]).unwrap();
    assert_eq!(fields, json!({"name": "gone", "key_id": id(&revoked), "result": "revoked"}));
    // Another hour has entries of its own.
    app.clock().advance(Duration::from_hours(1));
    present(&client, &keys[0], ELSEWHERE).await;
    eventually("another entry", async || {
        let rows = app.database().count(&format!("SELECT count(*) {OF_REFUSALS} AND detail LIKE 'gone %'")).await;
        (rows == 2).then_some(())
    })
    .await;
    let all = app.database().texts("SELECT detail || COALESCE(fields, '') || actor FROM audit").await.concat();
    for key in keys.iter().chain([&wrong, &foreign]) {
        assert!(!all.contains(key.rsplit('_').next().unwrap()));
    }
    assert!(!all.contains(foreign.split('_').nth(1).unwrap()), "the id of no key of ours");
}

async fn flood_of_unknown_keys_adds_few_entries(engine: Engine) {
    let app = configured(engine.prepare().await).start().await;
    let live = text(&doorward(app.variables(), "api-key create live --scope users:read").await["key"]);
    begin_hour(&app);
    let client = app.anonymous();
    let wrong = with_other_secret(&live);
    for number in 0..200 {
        let unknown = GeneratedApiKey::generate(&app.app.settings.name).unwrap().text.to_string();
        for key in [&unknown, &wrong] {
            assert_eq!(present(&client, key, &format!("203.0.{}.9", number % 40)).await, 401);
        }
    }
    for detail in ["unknown_key", "live %"] {
        let of = format!("{OF_REFUSALS} AND detail LIKE '{detail}'");
        let times = format!("SELECT CAST(COALESCE(sum(times), 0) AS BIGINT) {of}");
        eventually("all are counted", async || (app.database().count(&times).await == 200).then_some(())).await;
        let rows = app.database().count(&format!("SELECT count(*) {of}")).await;
        assert!((1..=4).contains(&rows), "{rows} rows of {detail}");
    }
}

async fn entries_of_api_keys_are_listed(engine: Engine) {
    let app = configured(engine.prepare().await).start().await;
    let created = doorward(app.variables(), "api-key create backend --scope users:read").await;
    doorward(app.variables(), &format!("api-key revoke {}", text(&created["id"]))).await;
    // The clock of commands is the computer's, and the newest entry is first.
    app.clock().advance(Duration::from_secs(5));
    present(&app.anonymous(), &text(&created["key"]), ELSEWHERE).await;
    let listed = eventually("it is listed", async || {
        let listed = doorward(app.variables(), "api-key audit").await;
        (listed["data"].as_array().unwrap().len() == 3).then_some(listed)
    })
    .await;
    let kinds: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(json!(kinds), json!(["api_key_refused", "api_key_revoked", "api_key_created"]));
    let entry = &listed["data"][0];
    assert_eq!((&entry["address"], &entry["fields"]["result"]), (&json!(ELSEWHERE), &json!("revoked")));
    let first = doorward(app.variables(), "api-key audit --limit 2").await;
    let rest = doorward(app.variables(), &format!("api-key audit --after {}", text(&first["next"]))).await;
    assert_eq!(rest["data"][0], listed["data"][2]);
    let output = run_program(&["api-key", "audit"], app.variables()).await;
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("api_key_refused") && printed.contains(ELSEWHERE), "{printed}");
}

async fn ended_keys_warn_once_an_hour() {
    let builder = configured(Engine::Sqlite.prepare().await);
    let process = Process::start(builder.variables()).await;
    let created = doorward(builder.variables(), "api-key create backend --scope users:read").await;
    let bound = doorward(builder.variables(), "api-key create bound --scope users:read --from 198.51.100.0/24").await;
    let (id, client) = (text(&created["id"]), builder.anonymous());
    doorward(builder.variables(), &format!("api-key revoke {id}")).await;
    let wrong = with_other_secret(&text(&created["key"]));
    for key in [&text(&created["key"]), &text(&bound["key"]), &wrong] {
        for _ in 0..5 {
            assert_eq!(present(&client, key, ELSEWHERE).await, 401);
        }
    }
    let lines = || {
        let log = process.stderr();
        log.lines().filter(|line| line.contains("WARN") && line.contains("API key")).map(str::to_owned).collect()
    };
    let warned: Vec<String> =
        eventually("both are logged", async || Some(lines()).filter(|lines: &Vec<_>| lines.len() >= 2)).await;
    assert_eq!(warned.len(), 2, "{warned:#?}");
    assert!(warned[0].contains(&id) && warned[0].contains("revoked"), "{warned:#?}");
    assert!(warned[1].contains(&text(&bound["id"])) && warned[1].contains("foreign_network"), "{warned:#?}");
    let log = process.stderr();
    for key in [&created["key"], &bound["key"]] {
        assert!(!log.contains(text(key).rsplit('_').next().unwrap()) && !log.contains(ELSEWHERE), "{log}");
    }
}
