//! Clients that hang up: hyper drops what it was doing for them, and nothing may stay half-done or blocked.

use crate::harness::{Client, Engine, TestApp};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

both![hanging_up_on_a_sign_up_leaves_nothing_half_done, hanging_up_on_a_refresh_costs_no_session];

/// Hang-ups are spread over this time, which is longer than a request takes.
const SPREAD: Duration = Duration::from_millis(12);
const TRIES: u32 = 48;

/// Sends a request and resets the connection after `patience`.
async fn hang_up(app: &TestApp, head: &str, body: &str, patience: Duration) {
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    stream.set_zero_linger().unwrap();
    let length = body.len();
    let request = format!("{head}\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).await.unwrap();
    // The moment of the hang-up is what this story is about; there is no condition to wait for.
    tokio::time::sleep(patience).await;
}

fn cookies(client: &Client) -> String {
    client.jar().header().unwrap()
}

async fn hanging_up_on_a_sign_up_leaves_nothing_half_done(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let browser = app.anonymous();
    browser.get("/auth/signup").await.expect(200);
    let csrf = browser.token("csrf").unwrap();
    for number in 0..TRIES {
        let head = format!(
            "POST /auth/signup HTTP/1.1\r\nCookie: {}\r\nContent-Type: application/x-www-form-urlencoded",
            cookies(&browser)
        );
        let body = format!("csrf_token={csrf}&email=user{number}%40example.com&password=a+lighthouse+in+the+fog");
        hang_up(&app, &head, &body, SPREAD * number / TRIES).await;
    }
    app.sign_up("ada@example.com").await.api_user().await.expect(200);
    let database = app.database();
    let users = database.count("SELECT count(*) FROM users").await;
    for table in ["organizations", "memberships", "sessions"] {
        // In one statement, as the last of the requests may be at its end only now.
        let more = format!("SELECT (SELECT count(*) FROM {table}) - (SELECT count(*) FROM users)");
        assert_eq!(database.count(&more).await, 0, "{table}");
    }
    assert!(users > 1, "some of the requests were read before the hang-up");
}

async fn hanging_up_on_a_refresh_costs_no_session(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for number in 0..TRIES {
        // Beyond the grace each time: the answer of the last one was lost, and so will be this one's.
        app.clock().advance(Duration::from_secs(31));
        let head = format!(
            "POST /auth/api/v1/sessions/refresh?audience=app HTTP/1.1\r\nCookie: {}\r\nX-CSRF-Token: {}",
            cookies(&ada),
            ada.token("csrf").unwrap()
        );
        hang_up(&app, &head, "", SPREAD * number / TRIES).await;
    }
    app.clock().advance(Duration::from_secs(31));
    ada.refresh("app").await.expect(200);
    ada.api_user().await.expect(200);
    app.sign_up("bob@example.com").await;
}
