//! What one site may take of logins with providers: starts, returns that fail, and the requests to a provider at once.

use crate::harness::{Answer, Client, Engine, Receiver, Reply, TestApp};
use crate::provider_logins::{Stage, is_logged_in, people, return_path};
use doorward::domain::change;
use doorward::domain::provider::fields::{ProviderFields, WholeProvider};
use doorward::domain::provider::manage;
use doorward::domain::provider::secret::{GivenSecret, SecretField};
use doorward::model::principal::Principal;
use doorward::model::provider::ProviderName;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

one_engine![
    returns_of_one_site_keep_no_other_site_out,
    starts_of_many_networks_of_one_site_are_limited_and_leave_few_rows,
    returns_that_fail_are_limited_by_site_and_others_are_given_back,
];

const OTHER_SITE: &str = "2001:db8:2::1";

/// An address in one of the many networks of one site.
fn network(number: usize) -> String {
    format!("2001:db8:1:{number:x}::1")
}

async fn begin_from(client: &Client, provider: &str, address: &str) -> Reply {
    client.get(&format!("/auth/login/with/{provider}")).header("x-forwarded-for", address).await
}

/// What a browser brings back that meets no page there: its state, and this code.
fn fields_with(begun: &Reply, code: &str) -> BTreeMap<String, String> {
    let (_, query) = begun.location().split_once('?').unwrap();
    let mut fields: BTreeMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    fields.retain(|name, _| name == "state");
    fields.insert("code".to_owned(), code.to_owned());
    fields
}

fn json_answer(body: &Value) -> Answer {
    let (body, head) = (body.to_string(), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close");
    Answer::Raw(format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

/// Adds the provider `dev`, of GitHub's kind, which answers as the receiver does.
async fn add_github(app: &TestApp, receiver: &Receiver) {
    let fields = ProviderFields {
        kind: Some("github".to_owned()),
        issuer: receiver.url().strip_suffix("/hooks").map(str::to_owned),
        client_id: Some("client".to_owned()),
        ..ProviderFields::default()
    };
    let secret = GivenSecret { field: SecretField::ClientSecretFile, text: "secret".to_owned().into() };
    let new = WholeProvider::new(ProviderName::parse("dev").unwrap(), &fields, Some(secret)).unwrap();
    change::run(&app.app, &Principal::operator(), manage::Add(new)).await.unwrap();
}

async fn returns_of_one_site_keep_no_other_site_out(engine: Engine) {
    const STRANGERS: usize = 220;
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    let (provider, gate) = (Receiver::start().await, Arc::new(Semaphore::new(0)));
    add_github(&app, &provider).await;
    let refusal = Box::new(json_answer(&json!({"error": "bad_verification_code"})));
    provider.answer_always(Answer::Held(gate.clone(), refusal));
    let (stranger, mut paths) = (app.anonymous(), Vec::new());
    for number in 0..STRANGERS {
        if number % 90 == 89 {
            // The limit of starts is another one.
            app.clock().advance(Duration::from_secs(200));
        }
        let begun = begin_from(&stranger, "dev", &network(number)).await.expect(303);
        paths.push(return_path(&fields_with(&begun, "wrong")));
    }
    let mut returns = JoinSet::new();
    for (number, path) in paths.iter().enumerate() {
        let call = stranger.get(path).header("x-forwarded-for", &network(number));
        returns.spawn(async move { call.await.status });
    }
    provider.wait_for(4).await;
    let emails = json!([{"email": "ada@example.com", "primary": true, "verified": true}]);
    provider.answer_next([json!({"access_token": "token"}), json!({"id": 1}), emails].iter().map(json_answer));
    let ada = app.anonymous();
    let begun = begin_from(&ada, "dev", OTHER_SITE).await.expect(303);
    let path = return_path(&fields_with(&begun, "right"));
    ada.get(&path).header("x-forwarded-for", OTHER_SITE).await.expect(303);
    assert!(is_logged_in(&ada));
    assert_eq!(provider.max_concurrent_requests(), 5, "four of the strangers, and Ada's");
    gate.add_permits(STRANGERS);
    let statuses = returns.join_all().await;
    assert!(statuses.iter().all(|status| [401, 429, 503].contains(status)), "{statuses:?}");
    let asked = statuses.iter().filter(|status| **status != 429).count();
    assert!((60..80).contains(&asked), "{asked} returns were worth a request");
}

async fn starts_of_many_networks_of_one_site_are_limited_and_leave_few_rows(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8");
    let stage = Stage::with(app, people(true), ProviderFields::default()).await;
    let count = async |sql| stage.app.database().count(sql).await;
    let (limits, starts) = ("SELECT COUNT(*) FROM limits", "SELECT COUNT(*) FROM foreign_logins");
    let (stranger, mut begun) = (stage.app.anonymous(), 0);
    let path = format!("dev?return_to=/{}", "a".repeat(1500));
    for number in 0..200 {
        match begin_from(&stranger, &path, &network(number)).await.status {
            303 => begun += 1,
            status => assert_eq!(status, 429),
        }
    }
    assert!((100..150).contains(&begun), "{begun} starts of one site");
    assert_eq!((count(starts).await, count(limits).await), (begun, 1));
    let large = "SELECT COUNT(*) FROM foreign_logins WHERE length(return_to) > 1000";
    assert_eq!(count(large).await, 0);
    begin_from(&stage.app.anonymous(), "dev", OTHER_SITE).await.expect(303);
}

async fn returns_that_fail_are_limited_by_site_and_others_are_given_back(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8");
    let stage = Stage::with(app, people(true), ProviderFields::default()).await;
    let stranger = stage.app.anonymous();
    let fail = async |number| {
        let begun = begin_from(&stranger, "dev", &network(number)).await.expect(303);
        let path = return_path(&fields_with(&begun, "wrong"));
        stranger.get(&path).header("x-forwarded-for", &network(number)).await.status
    };
    for number in 0..50 {
        assert_eq!(fail(number).await, 401);
    }
    let log_in = async |address: &str| {
        let ada = stage.app.anonymous();
        let begun = begin_from(&ada, "dev?login_hint=ada", address).await.expect(303);
        let path = return_path(&stage.provider.visit(begun.location()).await);
        ada.get(&path).header("x-forwarded-for", address).await.expect(303);
        assert!(is_logged_in(&ada));
    };
    for number in 0..15 {
        log_in(&network(number)).await;
    }
    let mut failed = 50;
    let last = loop {
        match fail(failed).await {
            401 => failed += 1,
            status => break status,
        }
        assert!(failed < 80, "wrong codes of one site are sent to the provider without end");
    };
    assert_eq!(last, 429);
    let waiting = "SELECT COUNT(*) FROM foreign_logins WHERE claimed_at IS NULL";
    assert_eq!(stage.app.database().count(waiting).await, 1, "the refused one waits on");
    log_in(OTHER_SITE).await;
}
