//! The outcome of a delivery by the receiver's response.

use super::fixture::{Outbox, SECRET, seconds, wait_for_poll};
use crate::harness::{Answer, Engine, Receiver, free_port};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

both_engines![
    request_has_headers_and_signatures,
    server_error_is_retried_after_delay,
    client_error_fails_at_once,
    redirect_is_not_followed,
    interim_responses_are_skipped,
    delivery_fails_after_maximum_attempts,
    retry_after_delays_next_attempt,
    disabled_kind_is_not_sent,
];
single_run![
    faults_are_classified,
    connection_closed_between_events_costs_no_attempt,
    connection_is_reused,
    status_decides_despite_broken_body,
];

async fn request_has_headers_and_signatures(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let url = outbox.receiver.url().replace("http://", "http://shop:pass%3Aword@");
    let workers = outbox.work_on(&outbox.store, &url, &[("WEBHOOK_SECRET_PREVIOUS", "whsec_b2xkIHNlY3JldA==")]);
    outbox.push(1).await;
    let all = outbox.receiver.wait_for(1).await;
    let request = &all[0];
    let id = request.json()["id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("evt_"), "{id}");
    assert_eq!(request.request_line, "POST /hooks HTTP/1.1");
    let expected = [
        ("content-type", "application/json"),
        ("x-svc-event", "user.created"),
        ("x-svc-delivery", &id),
        ("webhook-id", &id),
        ("user-agent", concat!("doorward/", env!("CARGO_PKG_VERSION"))),
        ("authorization", "Basic c2hvcDpwYXNzOndvcmQ="),
    ];
    for (name, value) in expected {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    assert!(request.headers.iter().any(|(name, _)| name == "X-Svc-Signature"), "spelled as documented: {request:?}");
    assert!(request.is_signed("svc", SECRET));
    assert!(request.is_standard_signed(SECRET));
    assert!(request.is_standard_signed("whsec_b2xkIHNlY3JldA=="));
    outbox.wait_for(1, "delivered").await;
    assert_eq!(
        outbox.count_where("outbox_attempts", "outcome = 'delivered' AND status = 204 AND attempt = 1").await,
        1
    );
    workers.shutdown().await;
    assert_eq!(outbox.receiver.received().len(), 1);
}

async fn server_error_is_retried_after_delay(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_next([Answer::Status(500)]);
    let workers = outbox.work(&[]);
    outbox.push(1).await;
    outbox.wait_where(1, "outbox", "state = 'pending' AND attempts = 1").await;
    outbox.clock.advance(seconds(27));
    wait_for_poll(&workers).await;
    assert_eq!(outbox.count_where("outbox", "lease = 1").await, 1, "it is not due yet");
    assert_eq!(outbox.receiver.received().len(), 1);
    outbox.clock.advance(seconds(3));
    outbox.wait_for(1, "delivered").await;
    let all = outbox.receiver.received();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].body, all[1].body);
    assert!(all[1].is_standard_signed(SECRET));
    assert_eq!(outbox.count_where("outbox_attempts", "outcome = 'status' AND status = 500 AND attempt = 1").await, 1);
    assert_eq!(workers.metrics().retried.get(), 1);
    assert_eq!(workers.metrics().delivered.get(), 1);
    workers.shutdown().await;
}

async fn client_error_fails_at_once(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let statuses = [400, 401, 404, 408, 410, 422, 425];
    outbox.receiver.answer_next(statuses.map(Answer::Status));
    let workers = outbox.work(&[]);
    outbox.push(statuses.len()).await;
    outbox.wait_for(7, "failed").await;
    outbox.clock.advance(seconds(7200));
    wait_for_poll(&workers).await;
    assert_eq!(outbox.count_where("outbox", "lease = 1").await, 7, "none was claimed again");
    assert_eq!(outbox.receiver.received().len(), 7);
    assert_eq!(workers.metrics().failed.get(), 7);
    workers.shutdown().await;
}

async fn redirect_is_not_followed(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let target = Receiver::start().await;
    for status in [301, 302, 303, 307, 308] {
        let head = format!("HTTP/1.1 {status} Go\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", target.url());
        outbox.receiver.answer_next([Answer::Raw(head.into_bytes())]);
    }
    outbox
        .receiver
        .answer_next([Answer::Raw(b"HTTP/1.1 101 Up\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n".to_vec())]);
    let workers = outbox.work(&[]);
    outbox.push(6).await;
    outbox.wait_for(6, "failed").await;
    assert_eq!(outbox.receiver.received().len(), 6);
    assert!(target.received().is_empty());
    workers.shutdown().await;
}

async fn interim_responses_are_skipped(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\
        Link: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\nthank";
    outbox.receiver.answer_next([Answer::Raw(head.as_bytes().to_vec())]);
    let workers = outbox.work(&[]);
    outbox.push(1).await;
    outbox.wait_for(1, "delivered").await;
    assert_eq!(outbox.count_where("outbox_attempts", "status = 202 AND length(response) = 5").await, 1);
    workers.shutdown().await;
}

async fn delivery_fails_after_maximum_attempts(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_always(Answer::Status(503));
    let workers = outbox.work(&[("WEBHOOK_RETRY_DELAYS", "1s"), ("WEBHOOK_MAX_DELIVERY_ATTEMPTS", "3")]);
    outbox.push(1).await;
    for attempts in 1..3 {
        outbox.wait_where(1, "outbox", &format!("state = 'pending' AND attempts = {attempts}")).await;
        outbox.clock.advance(seconds(1));
    }
    outbox.wait_for(1, "failed").await;
    assert_eq!(outbox.receiver.received().len(), 3);
    assert_eq!(outbox.count_where("outbox_attempts", "status = 503").await, 3);
    workers.shutdown().await;
}

async fn retry_after_delays_next_attempt(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let head = "HTTP/1.1 429 Slow\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n";
    outbox.receiver.answer_next([Answer::Raw(head.as_bytes().to_vec())]);
    let workers = outbox.work(&[]);
    outbox.push(1).await;
    outbox.wait_where(1, "outbox", "state = 'pending' AND attempts = 1").await;
    outbox.clock.advance(seconds(590));
    wait_for_poll(&workers).await;
    assert_eq!(outbox.count_where("outbox", "lease = 1").await, 1, "it is not due yet");
    assert_eq!(outbox.receiver.received().len(), 1);
    outbox.clock.advance(seconds(10));
    outbox.wait_for(1, "delivered").await;
    workers.shutdown().await;
}

async fn disabled_kind_is_not_sent(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(2).await;
    let workers = outbox.work(&[("WEBHOOK_ENABLED_EVENTS", "user.deleted")]);
    outbox.wait_for(2, "failed").await;
    assert!(outbox.receiver.received().is_empty());
    assert_eq!(outbox.count_where("outbox", "attempts = 0").await, 2);
    assert_eq!(outbox.count_where("outbox_attempts", "outcome = 'disabled'").await, 2);
    workers.shutdown().await;
}

async fn faults_are_classified() {
    let closed = format!("http://127.0.0.1:{}/", free_port());
    let plain = Receiver::start().await;
    plain.answer_always(Answer::Close);
    let silent = Receiver::start().await;
    silent.answer_always(Answer::Silence);
    let garbled = Receiver::start().await;
    garbled.answer_always(Answer::Raw(b"SSH-2.0-OpenSSH\r\n\r\n".to_vec()));
    let huge = Receiver::start().await;
    huge.answer_always(Answer::Raw(format!("HTTP/1.1 204 No\r\nX: {}\r\n\r\n", "x".repeat(1 << 20)).into_bytes()));
    let table = [
        ("connect", closed),
        ("name", "http://receiver.invalid/".to_owned()),
        ("tls", start_plain_text_server().await),
        ("closed", plain.url()),
        ("closed", garbled.url()),
        ("closed", huge.url()),
        ("timeout", silent.url()),
    ];
    for (class, url) in table {
        let outbox = Outbox::new(Engine::Sqlite).await;
        let workers = outbox.work_on(&outbox.store, &url, &[("WEBHOOK_TIMEOUT", "2s")]);
        outbox.push(1).await;
        outbox.wait_where(1, "outbox_attempts", &format!("outcome = '{class}' AND status IS NULL")).await;
        assert_eq!(outbox.count("pending").await, 1, "{class} is retried");
        workers.shutdown().await;
    }
}

/// Starts a server that greets in plain text; returns its https URL.
async fn start_plain_text_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"220 mail.example ESMTP ready\r\n").await;
            let _ = stream.read(&mut [0; 1024]).await;
        }
    });
    format!("https://{address}/")
}

async fn connection_closed_between_events_costs_no_attempt() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    // The receiver closes a connection that its response has kept alive.
    let closed = Arc::new(Semaphore::new(0));
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec();
    outbox.receiver.answer_always(Answer::UntilClosed(answer, closed.clone()));
    let workers = outbox.work(&[]);
    for count in 1..=5 {
        outbox.push(1).await;
        outbox.wait_for(count, "delivered").await;
        closed.acquire().await.unwrap().forget();
    }
    assert_eq!(outbox.receiver.received().len(), 5);
    assert_eq!(outbox.count_where("outbox", "attempts = 1").await, 5);
    workers.shutdown().await;
}

async fn connection_is_reused() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    let workers = outbox.work(&[]);
    outbox.push(5).await;
    outbox.wait_for(5, "delivered").await;
    let earlier: Vec<usize> = outbox.receiver.received().iter().map(|one| one.earlier_on_connection).collect();
    assert_eq!(earlier, [0, 1, 2, 3, 4]);
    workers.shutdown().await;
}

async fn status_decides_despite_broken_body() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this".to_vec();
    let endless = format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(1 << 20)).into_bytes();
    let junk = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_vec();
    outbox.receiver.answer_next([cut, endless, junk].map(Answer::Raw));
    let workers = outbox.work(&[]);
    outbox.push(3).await;
    outbox.wait_for(3, "delivered").await;
    assert_eq!(outbox.count_where("outbox_attempts", "length(response) = 9").await, 1);
    assert_eq!(outbox.count_where("outbox_attempts", "length(response) = 1024").await, 1);
    workers.shutdown().await;
}
