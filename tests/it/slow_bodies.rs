//! Bodies that come slowly, or not at all, do not keep other clients from logging in.

use crate::harness::{Client, Engine, PASSWORD, TestApp, advance_tokio_clock, eventually, on_one_thread, run_program};
use reqwest::Method;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::Instant;

single_run![
    slow_bodies_of_one_site_keep_no_other_out,
    slow_bodies_of_six_addresses_keep_no_other_out,
    small_forms_are_served_while_the_budget_is_full,
    site_with_session_or_api_key_sends_more_than_a_stranger,
    body_that_is_too_slow_is_ended,
    phone_with_pauses_is_waited_for,
];

const OTHER: &str = "198.51.100.1";

/// A service behind a proxy that names the clients.
async fn service() -> TestApp {
    Engine::Sqlite.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.1").start().await
}

/// The head of a log-in whose body has this size, as the proxy passes it on.
fn head(from: &str, bytes: usize) -> String {
    format!(
        "POST /auth/login HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {from}\r\nContent-Length: {bytes}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n"
    )
}

async fn send(app: &TestApp, text: String) -> TcpStream {
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    // One that is refused at once may be closed before all is written.
    let _ = stream.write_all(text.as_bytes()).await;
    stream
}

/// The status of the answer; `None` if the connection ended without one.
async fn answer(mut stream: TcpStream) -> Option<u16> {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).to_ascii_lowercase();
    let status = answer.strip_prefix("http/1.1 ")?.get(..3)?.parse().ok()?;
    assert!(answer.contains("\r\nconnection: close"), "{answer}");
    assert_eq!(answer.contains("\r\nretry-after: 5"), status == 503, "{answer}");
    Some(status)
}

#[derive(Default)]
struct Attack(JoinSet<Option<u16>>);

impl Attack {
    /// Sends forms that lack their last byte, one from each of these.
    async fn send(&mut self, app: &TestApp, from: impl IntoIterator<Item = String>, bytes: usize) {
        for from in from {
            let form = format!("{}\r\n{}", head(&from, bytes + 1), "x".repeat(bytes));
            self.0.spawn(answer(send(app, form).await));
        }
    }

    async fn expect_refusals(&mut self, mut count: usize) {
        while count > 0 {
            let status = self.0.join_next().await.expect("enough refusals").unwrap();
            count -= usize::from(status == Some(503));
        }
    }

    /// Fills what is left after forms of 60 kB were refused.
    async fn fill_gaps(&mut self, app: &TestApp, from: impl Fn(usize) -> String) {
        self.send(app, (0..30).map(&from), 7000).await;
        self.expect_refusals(10).await;
        self.send(app, (0..72).map(&from), 450).await;
    }
}

async fn log_in_from(client: &Client, from: &str, email: &str) -> u16 {
    let token = client.token("csrf").unwrap();
    let fields = [("email", email), ("password", PASSWORD), ("csrf_token", &token)];
    client.form("/auth/login", &fields).header("x-forwarded-for", from).await.status
}

/// Fails if many slow bodies of these, of whom most are refused, refuse anybody else.
async fn expect_no_other_kept_out(attackers: [&str; 6]) {
    let app = service().await;
    app.sign_up("ada@example.com").await;
    let visitor = app.anonymous();
    visitor.get("/auth/login").await.expect(200);
    let mut attack = Attack::default();
    let from = |number: usize| attackers[number % 6].to_owned();
    attack.send(&app, (0..150).map(from), 60_000).await;
    attack.expect_refusals(6).await;
    attack.fill_gaps(&app, from).await;
    for _ in 0..20 {
        visitor.form("/auth/login", &[("email", "ada")]).header("x-forwarded-for", OTHER).await.expect(403);
    }
    assert_eq!(log_in_from(&visitor, OTHER, "ada@example.com").await, 303);
    // A small form of the attackers' own network, too.
    let neighbour = app.anonymous();
    neighbour.get("/auth/login").await.expect(200);
    assert_eq!(log_in_from(&neighbour, attackers[0], "ada@example.com").await, 303);
}

async fn slow_bodies_of_one_site_keep_no_other_out() {
    let subnets = [
        "2001:db8:7:1::1",
        "2001:db8:7:2::1",
        "2001:db8:7:3::1",
        "2001:db8:7:4::1",
        "2001:db8:7:5::1",
        "2001:db8:7:6::1",
    ];
    expect_no_other_kept_out(subnets).await;
}

async fn slow_bodies_of_six_addresses_keep_no_other_out() {
    let addresses = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4", "203.0.113.5", "203.0.113.6"];
    expect_no_other_kept_out(addresses).await;
}

async fn small_forms_are_served_while_the_budget_is_full() {
    let app = service().await;
    app.sign_up("ada@example.com").await;
    let visitor = app.anonymous();
    visitor.get("/auth/login").await.expect(200);
    // Each of forty addresses may hold four of these, but not all of them together.
    let mut attack = Attack::default();
    attack.send(&app, (0..160).map(|number| format!("203.0.113.{}", number / 4)), 60_000).await;
    attack.expect_refusals(10).await;
    attack.fill_gaps(&app, |number| format!("192.0.2.{number}")).await;
    assert_eq!(log_in_from(&visitor, OTHER, "ada@example.com").await, 303);
    // When those are gone, what they held is free.
    attack.0.shutdown().await;
    let token = visitor.token("csrf").unwrap();
    let large = [("csrf_token", token.as_str()), ("email", &"x".repeat(60_000))];
    eventually("a large form is served again", async || {
        let form = visitor.form("/auth/login", &large).header("x-forwarded-for", OTHER);
        (form.await.status == 401).then_some(())
    })
    .await;
}

async fn site_with_session_or_api_key_sends_more_than_a_stranger() {
    let app = service().await;
    let ada = app.sign_up("ada@example.com").await;
    let create = ["--json", "api-key", "create", "backend", "--scope", "users:write"];
    let created: serde_json::Value =
        serde_json::from_slice(&run_program(&create, app.variables()).await.stdout).unwrap();
    let key = format!("Bearer {}", created["key"].as_str().unwrap());
    let mut attack = Attack::default();
    attack.send(&app, (0..8).map(|_| OTHER.to_owned()), 60_000).await;
    attack.expect_refusals(1).await;
    let large = "x".repeat(60_000);
    let send = async |client: &Client| {
        client.form("/auth/account/username", &[("username", &large)]).header("x-forwarded-for", OTHER).await.status
    };
    assert_eq!(send(&ada).await, 403);
    let user = format!("{{\"email\":\"{large}\"}}");
    let call = app.anonymous().call(Method::POST, "/auth/api/v2/users").header("x-forwarded-for", OTHER);
    let call = call.header("authorization", &key).header("content-type", "application/json").body(user);
    call.await.expect_error(422, "validation_failed");
}

async fn body_that_is_too_slow_is_ended() {
    on_one_thread(async || {
        let app = service().await;
        let began = Instant::now();
        let mut stream = send(&app, format!("{}\r\nemail=a", head(OTHER, 5000))).await;
        for _ in 0..4 {
            app.anonymous().get("/auth/health").await.expect(200);
            advance_tokio_clock(Duration::from_secs(1)).await;
            // 300 bytes in a second are too few.
            let _ = stream.write_all("x".repeat(300).as_bytes()).await;
        }
        assert_eq!(answer(stream).await, Some(408));
        assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
    })
    .await;
}

async fn phone_with_pauses_is_waited_for() {
    on_one_thread(async || {
        let app = service().await;
        let began = Instant::now();
        let mut stream = send(&app, format!("{}Connection: close\r\n\r\n", head(OTHER, 30_000))).await;
        for second in 0..10 {
            app.anonymous().get("/auth/health").await.expect(200);
            // A pause of two seconds now and then.
            advance_tokio_clock(Duration::from_secs(if second % 4 == 0 { 2 } else { 1 })).await;
            stream.write_all("x".repeat(3000).as_bytes()).await.unwrap();
        }
        assert!(began.elapsed() > Duration::from_secs(13));
        assert_eq!(answer(stream).await, Some(403));
    })
    .await;
}
