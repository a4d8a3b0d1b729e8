//! `SVC_JWT_ALG`: `EdDSA` or ES256, and the change from one to the other while requests go on (docs/reference/api-v1.md
//! 6).

use crate::harness::{Client, Engine, TestApp, eventually, run_program};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

both_engines![
    processes_with_different_algorithms_accept_each_other,
    disagreeing_processes_do_not_fill_database,
    es256_service_signs_with_es256_from_start,
    change_of_algorithm_refuses_no_session,
    command_without_setting_changes_no_algorithm,
    es256_key_is_resealed,
    previous_version_sees_only_keys_it_can_read
];

/// Longer than the ten minutes from the publication of a key to its first signature.
const ACTIVATION: Duration = Duration::from_secs(601);

async fn with_algorithm(engine: Engine, algorithm: &str) -> TestApp {
    let builder = engine.prepare().await.set("SVC_JWT_ALG", algorithm).set("SVC_RATE_LIMIT", "off");
    builder.set("SVC_ACCESS_TTL", "1h").start().await
}

fn header_of(token: &str) -> Value {
    let header = token.split('.').next().unwrap();
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap()
}

fn algorithm_of(client: &Client) -> String {
    header_of(&client.token("access").unwrap())["alg"].as_str().unwrap().to_owned()
}

async fn key_set(app: &TestApp) -> Value {
    app.anonymous().get("/auth/.well-known/jwks.json").await.expect(200).json()
}

async fn published_algorithms(app: &TestApp) -> Vec<String> {
    let set = key_set(app).await;
    let keys = set["keys"].as_array().unwrap().iter();
    let mut algorithms: Vec<_> = keys.map(|key| key["alg"].as_str().unwrap().to_owned()).collect();
    algorithms.sort();
    algorithms
}

/// What a process does twice a minute by itself.
async fn reload(app: &TestApp) {
    doorward::domain::keys::refresh_ring(&app.app).await.unwrap();
}

/// Verifies a token as an application does, with a key set that it has kept.
fn verify_outside(token: &str, set: &Value) {
    let set: JwkSet = serde_json::from_value(set.clone()).unwrap();
    let header = decode_header(token).unwrap();
    let key = set.find(header.kid.as_deref().unwrap()).expect("the key is published");
    let mut validation = Validation::new(header.alg);
    validation.set_audience(&["app"]);
    // The library reads the time of day, and the test moves the service's clock only.
    validation.validate_exp = false;
    let claims = decode::<Value>(token, &DecodingKey::from_jwk(key).unwrap(), &validation).unwrap().claims;
    assert_eq!(claims["client_id"], "app");
}

async fn es256_service_signs_with_es256_from_start(engine: Engine) {
    let app = with_algorithm(engine, "ES256").await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(algorithm_of(&ada), "ES256");
    ada.api_user().await.expect(200);
    ada.refresh("app").await.expect(200);
    let set = key_set(&app).await;
    verify_outside(&ada.token("access").unwrap(), &set);
    let key = &set["keys"][0];
    assert_eq!((&key["kty"], &key["crv"], &key["use"]), (&json!("EC"), &json!("P-256"), &json!("sig")));
    assert!(key.get("d").is_none() && set["keys"].as_array().unwrap().len() == 1, "{set}");
    let app = app.restart().await;
    ada.api_user().await.expect(200);
    assert_eq!(key_set(&app).await, set);
}

/// People who use the application all the time, by whichever process runs.
struct Traffic {
    running: Arc<RwLock<Vec<String>>>,
    stopped: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    people: tokio::task::JoinSet<()>,
}

impl Traffic {
    async fn start(app: &TestApp, second: &TestApp) -> Self {
        let mut traffic = Self {
            running: Arc::new(RwLock::new(vec![app.url(), second.url()])),
            stopped: Arc::default(),
            answered: Arc::default(),
            people: tokio::task::JoinSet::new(),
        };
        for number in 0..4 {
            let person = app.sign_up(&format!("person{number}@example.com")).await;
            let (running, stopped, answered) =
                (traffic.running.clone(), traffic.stopped.clone(), traffic.answered.clone());
            traffic.people.spawn(async move {
                while !stopped.load(Ordering::Relaxed) {
                    let processes = running.read().unwrap().clone();
                    let count = answered.load(Ordering::Relaxed);
                    let at = person.at(&processes[count % processes.len()]);
                    let call = if count % 3 == 0 { at.refresh("app") } else { at.api_user() };
                    // A process that has just ended answers nothing; a load balancer asks the next one.
                    let Ok(reply) = call.try_send().await else { continue };
                    assert_eq!(reply.status, 200, "request {count}: {}", reply.text());
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        traffic
    }

    /// Waits for requests that began after this call.
    async fn flows(&self) {
        let before = self.answered.load(Ordering::Relaxed);
        let more = async || (self.answered.load(Ordering::Relaxed) > before + 40).then_some(());
        eventually("requests are answered", more).await;
    }

    /// Restarts a process while the requests go to the other one.
    async fn restart(&self, app: TestApp, other: &TestApp, algorithm: &str) -> TestApp {
        *self.running.write().unwrap() = vec![other.url()];
        let app = app.restart_with(&[("SVC_JWT_ALG", algorithm)]).await;
        *self.running.write().unwrap() = vec![app.url(), other.url()];
        self.flows().await;
        app
    }

    async fn stop(self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.people.join_all().await;
    }
}

async fn change_of_algorithm_refuses_no_session(engine: Engine) {
    let first = with_algorithm(engine, "EdDSA").await;
    let second = first.second_process().await;
    let ada = first.sign_up("ada@example.com").await;
    let before = ada.copy();
    let traffic = Traffic::start(&first, &second).await;
    traffic.flows().await;

    let second = traffic.restart(second, &first, "ES256").await;
    reload(&first).await;
    for process in [&first, &second] {
        assert_eq!(published_algorithms(process).await, ["ES256", "EdDSA"]);
    }
    let kept_set = key_set(&first).await;
    ada.refresh("app").await.expect(200);
    assert_eq!(algorithm_of(&ada), "EdDSA", "verifiers may not have fetched the new key");

    first.clock().advance(ACTIVATION);
    traffic.flows().await;
    for process in [&first, &second] {
        ada.at(&process.url()).refresh("app").await.expect(200);
        assert_eq!(algorithm_of(&ada), "ES256");
        verify_outside(&ada.token("access").unwrap(), &kept_set);
        before.at(&process.url()).api_user().await.expect(200);
    }

    let first = traffic.restart(first, &second, "ES256").await;
    assert_eq!(published_algorithms(&first).await, ["ES256", "EdDSA"], "tokens of both are valid");
    before.api_user().await.expect(200);
    traffic.stop().await;

    first.clock().advance(Duration::from_mins(62));
    for process in [&first, &second] {
        reload(process).await;
        assert_eq!(published_algorithms(process).await, ["ES256"]);
    }
    before.api_user().await.expect(401);
    ada.refresh("app").await.expect(200);
    ada.api_user().await.expect(200);
}

async fn processes_with_different_algorithms_accept_each_other(engine: Engine) {
    let eddsa = with_algorithm(engine, "EdDSA").await;
    let es256 = eddsa.second_process().await.restart_with(&[("SVC_JWT_ALG", "ES256")]).await;
    // It answers once it has created its key.
    es256.anonymous().api_user().await.expect(401);
    reload(&eddsa).await;
    for expected in ["EdDSA", "ES256"] {
        for (one, other) in [(&eddsa, &es256), (&es256, &eddsa)] {
            let person = one.anonymous();
            person.sign_up(&format!("{expected}{}@example.com", one.address().port())).await.expect(303);
            assert_eq!(algorithm_of(&person), expected, "the newest key signs, on whichever process");
            person.at(&other.url()).api_user().await.expect(200);
            person.at(&other.url()).refresh("app").await.expect(200);
            person.api_user().await.expect(200);
        }
        eddsa.clock().advance(ACTIVATION);
    }
    // A reload changes nothing: only a start does.
    reload(&eddsa).await;
    assert_eq!(published_algorithms(&eddsa).await, ["ES256", "EdDSA"]);
}

async fn command_without_setting_changes_no_algorithm(engine: Engine) {
    let app = with_algorithm(engine, "ES256").await;
    let mut variables = app.variables().clone();
    variables.remove("SVC_JWT_ALG");
    for command in ["user create --email bob@example.com", "secrets reseal"] {
        let output = run_program(&command.split(' ').collect::<Vec<_>>(), &variables).await;
        assert!(output.status.success(), "{command}: {output:?}");
    }
    reload(&app).await;
    assert_eq!(published_algorithms(&app).await, ["ES256"]);
    let output = run_program(&["--json", "keys", "rotate"], app.variables()).await;
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["algorithm"], "ES256");
    let output = run_program(&["keys", "list"], &variables).await;
    let listed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(listed.lines().filter(|line| line.contains("  ES256  ")).count(), 2, "{listed}");
}

async fn disagreeing_processes_do_not_fill_database(engine: Engine) {
    let mut app = with_algorithm(engine, "EdDSA").await;
    for count in 0..12 {
        app = app.restart_with(&[("SVC_JWT_ALG", ["ES256", "EdDSA"][count % 2])]).await;
    }
    let ada = app.sign_up("ada@example.com").await;
    ada.api_user().await.expect(200);
    assert_eq!(key_set(&app).await["keys"].as_array().unwrap().len(), 9, "eight wait, one signs");
}

async fn es256_key_is_resealed(engine: Engine) {
    let [first, second] = [[1; 32], [2; 32]].map(|key| BASE64_STANDARD.encode(key));
    let builder = engine.prepare().await.set("SVC_SECRET_KEY", &first).set("SVC_JWT_ALG", "ES256");
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    let app = app.restart_with(&[("SVC_SECRET_KEY", &format!("new:{second},old:{first}"))]).await;
    let output = run_program(&["--json", "secrets", "reseal"], app.variables()).await;
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["resealed"], 2, "and the answer to her signup");
    let _app = app.restart_with(&[("SVC_SECRET_KEY", &second)]).await;
    ada.api_user().await.expect(200);
}

/// It would not start with another key in this table.
async fn previous_version_sees_only_keys_it_can_read(engine: Engine) {
    let app = with_algorithm(engine, "EdDSA").await.restart_with(&[("SVC_JWT_ALG", "ES256")]).await;
    app.anonymous().api_user().await.expect(401);
    assert_eq!(app.database().count("SELECT count(*) FROM signing_keys").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM es256_signing_keys").await, 1);
}
