//! One event and what its receiver does.

use super::fixture::{Outbox, SECRET, seconds};
use crate::harness::{Answer, Engine, Receiver, free_port};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

both![
    an_event_arrives_with_its_headers_and_signatures,
    a_server_error_is_repeated_after_its_delay,
    a_client_error_fails_at_once,
    a_redirect_is_not_followed,
    interim_answers_are_waited_past,
    attempts_are_used_up,
    a_receiver_can_ask_for_more_time,
    a_disabled_kind_is_not_sent,
];
once![
    every_fault_has_its_class,
    a_connection_closed_between_events_costs_nothing,
    a_connection_is_used_again,
    the_status_decides_whatever_becomes_of_the_body,
];

async fn an_event_arrives_with_its_headers_and_signatures(engine: Engine) {
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
    assert!(request.headers.iter().any(|(name, _)| name == "X-Svc-Signature"), "as documents spell it: {request:?}");
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

async fn a_server_error_is_repeated_after_its_delay(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_next([Answer::Status(500)]);
    let workers = outbox.work(&[]);
    outbox.push(1).await;
    outbox.wait_where(1, "outbox", "state = 'pending' AND attempts = 1").await;
    outbox.clock.advance(seconds(27));
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(outbox.receiver.received().len(), 1, "it is not due yet");
    outbox.clock.advance(seconds(3));
    outbox.wait_for(1, "delivered").await;
    let all = outbox.receiver.received();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].body, all[1].body);
    assert!(all[1].is_standard_signed(SECRET));
    assert_eq!(outbox.count_where("outbox_attempts", "outcome = 'status' AND status = 500 AND attempt = 1").await, 1);
    assert_eq!(workers.figures().retried.get(), 1);
    assert_eq!(workers.figures().delivered.get(), 1);
    workers.shutdown().await;
}

async fn a_client_error_fails_at_once(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let statuses = [400, 401, 404, 408, 410, 422, 425];
    outbox.receiver.answer_next(statuses.map(Answer::Status));
    let workers = outbox.work(&[]);
    outbox.push(statuses.len()).await;
    outbox.wait_for(7, "failed").await;
    outbox.clock.advance(seconds(7200));
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(outbox.receiver.received().len(), 7);
    assert_eq!(workers.figures().failed.get(), 7);
    workers.shutdown().await;
}

async fn a_redirect_is_not_followed(engine: Engine) {
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

async fn interim_answers_are_waited_past(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
        HTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\nthank";
    outbox.receiver.answer_next([Answer::Raw(head.as_bytes().to_vec())]);
    let workers = outbox.work(&[]);
    outbox.push(1).await;
    outbox.wait_for(1, "delivered").await;
    assert_eq!(outbox.count_where("outbox_attempts", "status = 202 AND length(response) = 5").await, 1);
    workers.shutdown().await;
}

async fn attempts_are_used_up(engine: Engine) {
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

async fn a_receiver_can_ask_for_more_time(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let head = "HTTP/1.1 429 Slow\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n";
    outbox.receiver.answer_next([Answer::Raw(head.as_bytes().to_vec())]);
    let workers = outbox.work(&[]);
    outbox.push(1).await;
    outbox.wait_where(1, "outbox", "state = 'pending' AND attempts = 1").await;
    outbox.clock.advance(seconds(590));
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(outbox.receiver.received().len(), 1);
    outbox.clock.advance(seconds(10));
    outbox.wait_for(1, "delivered").await;
    workers.shutdown().await;
}

async fn a_disabled_kind_is_not_sent(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(2).await;
    let workers = outbox.work(&[("WEBHOOK_ENABLED_EVENTS", "user.deleted")]);
    outbox.wait_for(2, "failed").await;
    assert!(outbox.receiver.received().is_empty());
    assert_eq!(outbox.count_where("outbox", "attempts = 0").await, 2);
    assert_eq!(outbox.count_where("outbox_attempts", "outcome = 'disabled'").await, 2);
    workers.shutdown().await;
}

async fn every_fault_has_its_class() {
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
        ("tls", speaks_no_tls().await),
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
        assert_eq!(outbox.count("pending").await, 1, "{class} is repeated");
        workers.shutdown().await;
    }
}

/// The address of a server that greets everyone in plain text.
async fn speaks_no_tls() -> String {
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

async fn a_connection_closed_between_events_costs_nothing() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    // The receiver closes after an answer that promises to keep the connection.
    outbox.receiver.answer_always(Answer::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec()));
    let workers = outbox.work(&[]);
    for count in 1..=5 {
        outbox.push(1).await;
        outbox.wait_for(count, "delivered").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(outbox.receiver.received().len(), 5);
    assert_eq!(outbox.count_where("outbox", "attempts = 1").await, 5);
    workers.shutdown().await;
}

async fn a_connection_is_used_again() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    let workers = outbox.work(&[]);
    outbox.push(5).await;
    outbox.wait_for(5, "delivered").await;
    let earlier: Vec<usize> = outbox.receiver.received().iter().map(|one| one.earlier_on_connection).collect();
    assert_eq!(earlier, [0, 1, 2, 3, 4]);
    workers.shutdown().await;
}

async fn the_status_decides_whatever_becomes_of_the_body() {
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
