//! `doorward webhooks …`.

use crate::event_schemas::differences;
use crate::harness::{
    Answer, Engine, Process, Receiver, TestApp, WEBHOOK_SECRET, eventually, free_port, run_program, run_to_snapshot,
    snapshot,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Output};

both_engines![replay_of_waiting_sends_now];
one_engine![
    deliveries_are_listed_newest_first,
    show_prints_delivery_with_attempts,
    response_control_characters_are_escaped,
    replay_keeps_id_and_bytes,
    replay_of_failed_resets_attempts,
    replay_of_many_requires_confirmation,
    replay_wakes_running_service,
    stats_are_shown,
];

single_run![
    ping_shows_exchange,
    refused_ping_fails,
    listen_receives_events_locally,
    listen_needs_no_database,
    listen_passes_webhooks_on,
];

type Variables = BTreeMap<String, String>;

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

async fn run(arguments: &[&str], variables: &Variables) -> Output {
    run_program(&[&["webhooks"], arguments].concat(), variables).await
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", stdout(output), stderr(output));
    stdout(output)
}

async fn text(arguments: &[&str], variables: &Variables) -> String {
    succeeded(&run(arguments, variables).await)
}

async fn json(arguments: &[&str], variables: &Variables) -> Value {
    serde_json::from_str(&text(&[arguments, &["--json"]].concat(), variables).await).unwrap()
}

/// A service after one signup, whose three events got these responses, in the order of docs/reference/webhooks.md 12.3.
async fn after_signup(engine: Engine, receiver: &Receiver, answers: impl IntoIterator<Item = Answer>) -> TestApp {
    receiver.answer_next(answers);
    let builder = engine.prepare().await.webhooks(receiver).set("SVC_WEBHOOK_WORKER_COUNT", "1");
    let app = builder.set("SVC_WEBHOOK_RETRY_DELAYS", "1h").start().await;
    app.sign_up("ada@example.com").await;
    wait(&app, 3, "state = 'delivered' OR state = 'failed' OR (state = 'pending' AND attempts = 1)").await;
    app
}

async fn wait(app: &TestApp, count: i64, condition: &str) {
    let sql = format!("SELECT count(*) FROM outbox WHERE {condition}");
    let check = async || (app.database().count(&sql).await == count).then_some(());
    eventually(&format!("{count} where {condition}"), check).await;
}

fn ids(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

fn raw(status: &str, body: &[u8]) -> Answer {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", body.len());
    Answer::Raw([head.as_bytes(), body].concat())
}

async fn deliveries_are_listed_newest_first(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = after_signup(engine, &receiver, [Answer::Status(204), Answer::Status(410), Answer::Status(500)]).await;
    let variables = app.variables();
    let listed = json(&["list"], variables).await;
    let sent = receiver.received();
    let expected: Vec<&str> = sent.iter().rev().map(|request| request.header("webhook-id").unwrap()).collect();
    assert_eq!(ids(&listed), expected);
    for (state, id) in [("pending", expected[0]), ("failed", expected[1]), ("delivered", expected[2])] {
        assert_eq!(ids(&json(&["list", "--state", state, "--since", "2h"], variables).await), [id]);
    }
    assert!(ids(&json(&["list", "--state", "processing"], variables).await).is_empty());
    let one_kind = json(&["list", "--kind", "user.created"], variables).await;
    assert_eq!(ids(&one_kind), [expected[2]]);
    let none = json(&["list", "--state", "failed", "--kind", "user.created"], variables).await;
    assert!(ids(&none).is_empty());
    assert_eq!(ids(&json(&["list", "--limit", "2"], variables).await), expected[..2]);
    let lines = run_to_snapshot("commands/webhooks_list", &["webhooks", "list"], variables).await;
    assert!(stdout(&lines).contains("due in 59m"), "{}", stdout(&lines));
    run_to_snapshot("commands/webhooks_list_json", &["webhooks", "list", "--json"], variables).await;
    // The program ran several times since the events were recorded, so that more than a millisecond has passed.
    assert!(ids(&json(&["list", "--since", "1ms"], variables).await).is_empty());
}

async fn show_prints_delivery_with_attempts(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = after_signup(engine, &receiver, [raw("410 Gone", b"we have moved")]).await;
    let sent = &receiver.received()[0];
    let id = sent.header("webhook-id").unwrap();
    let shown = json(&["show", id], app.variables()).await;
    assert_eq!((&shown["payload"], &shown["payload_bytes"]), (&sent.json(), &sent.body.len().into()));
    assert_eq!(shown["payload_text"].as_str().unwrap().as_bytes(), sent.body);
    assert!(shown["attempt_list"][0]["duration_ms"].as_f64().unwrap() > 0.0, "{shown}");
    run_to_snapshot("commands/webhooks_show", &["webhooks", "show", id], app.variables()).await;
    run_to_snapshot("commands/webhooks_show_json", &["webhooks", "show", id, "--json"], app.variables()).await;
}

async fn response_control_characters_are_escaped(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = after_signup(engine, &receiver, [raw("400 No", b"\x1b[2J\x1b]0;title\x07\xff")]).await;
    let id = receiver.received()[0].header("webhook-id").unwrap().to_owned();
    let text = text(&["show", &id], app.variables()).await;
    assert!(!text.contains(|c: char| c.is_control() && c != '\n') && text.contains("\\u{1b}[2J"), "{text:?}");
}

async fn replay_keeps_id_and_bytes(engine: Engine) {
    let receiver = Receiver::start().await;
    let mut app = after_signup(engine, &receiver, []).await;
    app.stop().await;
    let first = receiver.received()[0].clone();
    let id = first.header("webhook-id").unwrap();
    let missing = "evt_0191d6ab-3f0e-7000-8000-000000000000";
    let output = run(&["replay", id, missing, id, "--json"], app.variables()).await;
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&answer["replayed"], &answer["not_replayed"][0]["id"]), (&1.into(), &missing.into()));
    wait(&app, 1, "state = 'pending' AND attempts = 0").await;
    let app = app.restart().await;
    let again = receiver.wait_for(4).await[3].clone();
    assert_eq!((again.header("webhook-id"), &again.body), (Some(id), &first.body));
    wait(&app, 3, "state = 'delivered'").await;
    let shown = json(&["show", id], app.variables()).await;
    assert_eq!((&shown["attempts"], &shown["attempts_since_replay"]), (&2.into(), &1.into()));
    assert_eq!(shown["attempt_list"].as_array().unwrap().len(), 2);
}

async fn replay_of_failed_resets_attempts(engine: Engine) {
    let receiver = Receiver::start().await;
    receiver.answer_always(Answer::Status(500));
    let builder = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_RETRY_DELAYS", "10ms");
    let builder = builder.set("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "2");
    let app = builder.set("SVC_WEBHOOK_ENABLED_EVENTS", "user.created").start().await;
    app.sign_up("ada@example.com").await;
    wait(&app, 1, "state = 'failed'").await;
    assert_eq!(receiver.received().len(), 2);
    assert!(text(&["replay", "--failed", "--since", "1ms"], app.variables()).await.contains("No delivery failed"));
    // The replay fails after two new attempts, and is not mistaken for the earlier failure.
    let answer = json(&["replay", "--failed", "--since", "24h"], app.variables()).await;
    assert_eq!(answer["replayed"], 1);
    receiver.wait_for(4).await;
    wait(&app, 1, "state = 'failed' AND attempts = 2").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts").await, 4);
    receiver.answer_always(Answer::Status(204));
    assert_eq!(json(&["replay", "--failed"], app.variables()).await["replayed"], 1);
    wait(&app, 1, "state = 'delivered'").await;
    assert_eq!(json(&["replay", "--failed"], app.variables()).await["replayed"], 0);
}

async fn replay_of_waiting_sends_now(engine: Engine) {
    let receiver = Receiver::start().await;
    receiver.answer_always(Answer::Status(503));
    let app = after_signup(engine, &receiver, []).await;
    assert_eq!(json(&["replay", "--failed"], app.variables()).await["replayed"], 0);
    // What fails again meanwhile is not sent a third time.
    assert_eq!(json(&["replay", "--waiting"], app.variables()).await["replayed"], 3);
    receiver.wait_for(6).await;
    wait(&app, 3, "state = 'pending' AND attempts = 1").await;
    assert_eq!(receiver.received().len(), 6);
    receiver.answer_always(Answer::Status(204));
    assert_eq!(json(&["replay", "--failed", "--waiting"], app.variables()).await["replayed"], 3);
    wait(&app, 3, "state = 'delivered'").await;
    let none = text(&["replay", "--waiting"], app.variables()).await;
    assert!(none.contains("No delivery waits"), "{none}");
}

async fn replay_of_many_requires_confirmation(engine: Engine) {
    let receiver = Receiver::start().await;
    let mut app = after_signup(engine, &receiver, []).await;
    app.stop().await;
    let moment = if engine == Engine::Sqlite { app.clock().now().as_micros().to_string() } else { "now()".to_owned() };
    for number in 0..101 {
        let id = format!("0191d6ab3f0e70008000000000000{number:03}");
        let id = if engine == Engine::Sqlite { format!("x'{id}'") } else { format!("'{id}'") };
        let values = "FALSE, FALSE";
        let sql = format!(
            "INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, \
             created_at, finished_at) VALUES ({id}, 'webhook', 'user.created', '{{}}', 'failed', 1, 1, {values}, \
             {moment}, {moment}, {moment})"
        );
        let sql = if engine == Engine::Sqlite { sql.replace("'{}'", "x'7b7d'") } else { sql };
        app.database().execute(&sql).await;
    }
    // All of them failed in the same moment.
    assert_eq!(paged(&["--state", "failed"], app.variables()).await, 101);
    assert_eq!(paged(&[], app.variables()).await, 104);
    run_to_snapshot("commands/webhooks_replay_unconfirmed", &["webhooks", "replay", "--failed"], app.variables()).await;
    wait(&app, 101, "state = 'failed'").await;
    assert_eq!(json(&["replay", "--failed", "--yes"], app.variables()).await["replayed"], 101);
    wait(&app, 101, "state = 'pending' AND attempts = 0 AND finished_at IS NULL").await;
}

/// The number of deliveries on all pages; none is on two.
async fn paged(filter: &[&str], variables: &Variables) -> usize {
    let (mut seen, mut pages, mut after): (_, _, Option<String>) = (BTreeSet::new(), 0, None);
    loop {
        let after_option: Vec<&str> = after.iter().flat_map(|place| ["--after", place]).collect();
        let page = json(&[&["list", "--limit", "40"], filter, &after_option].concat(), variables).await;
        let (found, length) = (ids(&page), seen.len());
        seen.extend(found.iter().map(|id| (*id).to_owned()));
        assert_eq!(seen.len(), length + found.len(), "{found:?}");
        pages += 1;
        after = page["next"].as_str().map(str::to_owned);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(pages, 3);
    seen.len()
}

async fn replay_wakes_running_service(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = after_signup(engine, &receiver, [Answer::Status(404)]).await;
    let id = receiver.received()[0].header("webhook-id").unwrap().to_owned();
    run_to_snapshot("commands/webhooks_replay", &["webhooks", "replay", &id], app.variables()).await;
    receiver.wait_for(4).await;
    wait(&app, 3, "state = 'delivered'").await;
}

async fn stats_are_shown(engine: Engine) {
    let receiver = Receiver::start().await;
    // A connection that was kept is tried once more in the same attempt.
    let answers = [Answer::Status(204), Answer::Status(404), Answer::Close, Answer::Close];
    let app = after_signup(engine, &receiver, answers).await;
    run_to_snapshot("commands/webhooks_stats", &["webhooks", "stats"], app.variables()).await;
    let output =
        run_to_snapshot("commands/webhooks_stats_json", &["webhooks", "stats", "--json"], app.variables()).await;
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(stats["oldest_pending_age_seconds"].as_f64().unwrap() < 60.0, "{stats}");
    let times = &stats["attempt_duration_ms"];
    assert!(times["p50"].as_f64().unwrap() <= times["p99"].as_f64().unwrap(), "{times}");
}

fn variables(given: &[(&str, &str)]) -> Variables {
    given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

async fn ping_shows_exchange() {
    let receiver = Receiver::start().await;
    let url = receiver.url().replace("http://", "http://ada:pass-word@");
    let variables = variables(&[("SVC_WEBHOOK_URL", &url), ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)]);
    receiver.answer_next([raw("202 Accepted", b"thank you")]);
    let exchange = json(&["ping"], &variables).await;
    let sent = &receiver.wait_for(1).await[0];
    assert!(sent.is_signed("svc", WEBHOOK_SECRET) && sent.is_standard_signed(WEBHOOK_SECRET), "{sent:?}");
    assert!(sent.header("authorization").unwrap().starts_with("Basic "));
    assert_eq!(differences(&sent.body), [""; 0]);
    snapshot("commands/webhooks_ping_exchange", &format!("{exchange:#}"));
    assert_eq!(exchange["id"], sent.json()["id"]);
    let headers = &exchange["request"]["headers"];
    assert_eq!(headers["X-Svc-Signature"], sent.header("x-svc-signature").unwrap());
    assert_eq!(headers["Webhook-Signature"], sent.header("webhook-signature").unwrap());
    let many = (0..90).map(|number| format!("X-Number: {number}\r\n")).collect::<Vec<_>>().concat();
    let head = format!("HTTP/1.1 200 OK\r\nX-Tint: \x1b[31mred\r\n{many}Content-Length: 0\r\n\r\n");
    receiver.answer_next([Answer::Raw(head.replace('\x1b', "\u{9b}").into_bytes())]);
    let output = run_to_snapshot("commands/webhooks_ping", &["webhooks", "ping"], &variables).await;
    for secret in ["pass-word", WEBHOOK_SECRET, "\u{9b}"] {
        assert!(!stdout(&output).contains(secret) && !exchange.to_string().contains(secret));
    }
}

async fn refused_ping_fails() {
    let receiver = Receiver::start().await;
    let url = receiver.url();
    let mut variables = variables(&[("SVC_WEBHOOK_URL", &url), ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)]);
    receiver.answer_next([Answer::Status(500)]);
    run_to_snapshot("commands/webhooks_ping_refused_json", &["webhooks", "ping", "--json"], &variables).await;
    receiver.answer_next([Answer::Status(204)]);
    run_to_snapshot("commands/webhooks_ping_json", &["webhooks", "ping", "--json"], &variables).await;
    variables.insert("SVC_WEBHOOK_URL".to_owned(), format!("http://127.0.0.1:{}/", free_port()));
    run_to_snapshot("commands/webhooks_ping_unreachable", &["webhooks", "ping"], &variables).await;
}

async fn listen_receives_events_locally() {
    let port = free_port().to_string();
    let secret = ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET);
    let arguments = ["webhooks", "listen", "--json", "--port", &port];
    let mut listener = Process::spawn_command(&arguments, &variables(&[secret]));
    let url = format!("http://127.0.0.1:{port}/hooks");
    let right = variables(&[("SVC_WEBHOOK_URL", &url), secret]);
    wait_until_listening(&listener).await;
    text(&["ping"], &right).await;
    let wrong = variables(&[("SVC_WEBHOOK_URL", &url), ("SVC_WEBHOOK_SECRET", "another one")]);
    assert!(stderr(&run(&["ping"], &wrong).await).contains("answered 401"));
    let lines = listener.stdout();
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), 3, "{lines}");
    assert_eq!(events[0]["checks_signatures"], true);
    assert_eq!((&events[1]["kind"], &events[1]["body"]["type"]), (&"ping".into(), &"ping".into()));
    for (event, verdict) in [(&events[1], "ok"), (&events[2], "wrong")] {
        assert_eq!(
            (&event["signature"]["verdict"], &event["webhook_signature"]["verdict"]),
            (&verdict.into(), &verdict.into())
        );
    }
    let curl = events[1]["curl"].as_str().unwrap().to_owned();
    if Command::new("curl").arg("--version").output().is_ok() {
        let repeated = Command::new("sh").args(["-c", &curl]).output().unwrap();
        assert!(stdout(&repeated).starts_with("HTTP/1.1 204"), "{repeated:?}");
        let lines = listener.stdout();
        let again: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        assert_eq!((&again["id"], &again["times_received"]), (&events[1]["id"], &2.into()));
        assert_eq!(again["webhook_signature"]["verdict"], "ok");
    }
    listener.signal("INT");
    assert!(listener.wait().await.success());
}

async fn wait_until_listening(listener: &Process) {
    let check = async || listener.stdout().lines().next().map(|_| ());
    eventually("the listener is ready", check).await;
}

async fn listen_needs_no_database() {
    let port = free_port().to_string();
    let arguments =
        ["webhooks", "listen", "--port", &port, "--answer", "503", "--delay", "300ms", "--service-name", "acme"];
    let mut listener = Process::spawn_command(&arguments, &Variables::new());
    wait_until_listening(&listener).await;
    let url = format!("http://127.0.0.1:{port}/");
    let sender = variables(&[("ACME_WEBHOOK_URL", &url), ("ACME_WEBHOOK_SECRET", "x"), ("DOORWARD_NAME", "acme")]);
    let output = run(&["ping", "--json"], &sender).await;
    let exchange: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(exchange["status"], 503);
    assert!(exchange["duration_ms"].as_f64().unwrap() >= 300.0, "{exchange}");
    snapshot("commands/webhooks_listen", &listener.stdout());
    listener.signal("TERM");
    assert!(listener.wait().await.success());
}

async fn listen_passes_webhooks_on() {
    let (application, port) = (Receiver::start().await, free_port().to_string());
    let target = format!("{}?source=local", application.url());
    let secret = ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET);
    let arguments = ["webhooks", "listen", "--json", "--port", &port, "--forward-to", &target];
    let mut listener = Process::spawn_command(&arguments, &variables(&[secret]));
    wait_until_listening(&listener).await;
    let url = format!("http://ada:pass-word@127.0.0.1:{port}/hooks");
    let sender = variables(&[("SVC_WEBHOOK_URL", &url), secret]);
    application.answer_next([raw("429 Too Many Requests\r\nRetry-After: 7\r\nX-App: mine", b"later")]);
    let exchange: Value = serde_json::from_str(&stdout(&run(&["ping", "--json"], &sender).await)).unwrap();
    assert_eq!((&exchange["status"], &exchange["response"]), (&429.into(), &"later".into()), "{exchange}");
    for header in [r#"{"name":"Retry-After","value":"7"}"#, r#"{"name":"X-App","value":"mine"}"#] {
        assert!(exchange["response_headers"].to_string().contains(header), "{exchange}");
    }
    let arrived = application.wait_for(1).await.remove(0);
    assert_eq!(arrived.request_line, "POST /hooks?source=local HTTP/1.1");
    assert!(arrived.is_signed("svc", WEBHOOK_SECRET) && arrived.is_standard_signed(WEBHOOK_SECRET), "{arrived:?}");
    for (name, value) in exchange["request"]["headers"].as_object().unwrap() {
        // What is secret is not shown.
        if !["Host", "Authorization"].contains(&name.as_str()) {
            assert_eq!(arrived.header(name), value.as_str(), "{name}");
        }
    }
    assert!(arrived.header("authorization").unwrap().starts_with("Basic "));
    drop(application);
    let refused = run(&["ping", "--json"], &sender).await;
    assert!(stderr(&refused).contains("answered 502"), "{}", stderr(&refused));
    let printed = listener.stdout();
    let events: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((events.len(), &events[0]["forward_to"]), (3, &target.as_str().into()), "{printed}");
    assert_eq!((&events[1]["answer"], &events[1]["forwarded"]), (&429.into(), &true.into()));
    assert_eq!((&events[2]["answer"], &events[2]["forwarded"]), (&502.into(), &false.into()));
    listener.signal("INT");
    assert!(listener.wait().await.success());
    for wrong in
        [format!("http://app.localhost:{port}/"), "https://app.example/".to_owned(), "http://a:b@h/".to_owned()]
    {
        let arguments = ["listen", "--port", &port, "--forward-to", &wrong];
        let output = run(&arguments, &Variables::new()).await;
        assert!(output.status.code() == Some(2) && stderr(&output).contains("--forward-to"), "{output:?}");
    }
}
