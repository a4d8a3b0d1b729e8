//! Clients that disconnect: hyper drops the request's future, which must leave no partial writes and no locks.

use crate::harness::{Client, Engine, TestApp};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

both_engines![aborted_sign_up_leaves_no_partial_writes, aborted_refresh_keeps_session];

/// Disconnects are spread over this time, which is longer than a request takes.
const DELAY_RANGE: Duration = Duration::from_millis(12);
const ATTEMPTS: u32 = 48;

/// Sends a request and resets the connection after `delay`.
async fn send_and_reset(app: &TestApp, head: &str, body: &str, delay: Duration) {
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    stream.set_zero_linger().unwrap();
    let length = body.len();
    let request = format!("{head}\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).await.unwrap();
    // The test is about the moment of the disconnect; there is no condition to wait for.
    tokio::time::sleep(delay).await;
}

fn cookies(client: &Client) -> String {
    client.jar().header().unwrap()
}

async fn aborted_sign_up_leaves_no_partial_writes(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let browser = app.anonymous();
    browser.get("/auth/signup").await.expect(200);
    let csrf = browser.token("csrf").unwrap();
    for number in 0..ATTEMPTS {
        let head = format!(
            "POST /auth/signup HTTP/1.1\r\nCookie: {}\r\nContent-Type: application/x-www-form-urlencoded",
            cookies(&browser)
        );
        let body = format!("csrf_token={csrf}&email=user{number}%40example.com&password=a+lighthouse+in+the+fog");
        send_and_reset(&app, &head, &body, DELAY_RANGE * number / ATTEMPTS).await;
    }
    app.sign_up("ada@example.com").await.api_user().await.expect(200);
    let database = app.database();
    let users = database.count("SELECT count(*) FROM users").await;
    for table in ["organizations", "memberships", "sessions"] {
        // In one statement, because the last request may still be finishing.
        let more = format!("SELECT (SELECT count(*) FROM {table}) - (SELECT count(*) FROM users)");
        assert_eq!(database.count(&more).await, 0, "{table}");
    }
    assert!(users > 1, "some of the requests were read before the disconnect");
}

async fn aborted_refresh_keeps_session(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for number in 0..ATTEMPTS {
        // Beyond the grace period each time: the previous response was lost, and this one will be too.
        app.clock().advance(Duration::from_secs(31));
        let head = format!(
            "POST /auth/api/v1/sessions/refresh?audience=app HTTP/1.1\r\nCookie: {}\r\nX-CSRF-Token: {}",
            cookies(&ada),
            ada.token("csrf").unwrap()
        );
        send_and_reset(&app, &head, "", DELAY_RANGE * number / ATTEMPTS).await;
    }
    app.clock().advance(Duration::from_secs(31));
    ada.refresh("app").await.expect(200);
    ada.api_user().await.expect(200);
    app.sign_up("bob@example.com").await;
}
