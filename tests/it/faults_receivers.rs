//! Misbehaving receivers, one event each.

use crate::harness::{Answer, Blackhole, Engine, Need, Received, Receiver, TempDir, eventually, free_port};
use crate::outbox::fixture::{Outbox, SECRET};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

both_engines![secret_change_applies_to_waiting_events];
single_run![
    broken_response_heads_are_retried,
    unreachable_receiver_times_out,
    self_signed_certificate_is_refused,
    body_faults_do_not_change_outcome,
    no_redirect_status_is_followed,
    retry_after_is_bounded,
    connection_that_the_receiver_closed_costs_no_attempt,
];

/// What the receiver does after the request.
#[derive(Clone, Copy, Debug)]
enum Misbehaviour {
    ResetUnread,
    ResetRead,
    ResetWithinHead,
    ResetAfterHead,
    SlowHead,
    EndlessInterim,
    EndlessHead,
    EndlessBody,
    SlowBody,
    Bomb,
}

impl Misbehaviour {
    /// Listens; the result is its address as the start of a URL.
    async fn listen(self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // Ends when the service closes the connection.
                tokio::spawn(self.misbehave(stream));
            }
        });
        url
    }

    async fn misbehave(self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        if !matches!(self, Misbehaviour::ResetUnread) {
            stream.read_exact(&mut [0; 64]).await?;
        }
        match self {
            Misbehaviour::ResetUnread | Misbehaviour::ResetRead => stream.set_zero_linger()?,
            Misbehaviour::ResetWithinHead => reset_after(&mut stream, b"HTTP/1.1 200 OK\r\nContent-Le").await?,
            Misbehaviour::ResetAfterHead => {
                reset_after(&mut stream, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n").await?;
            }
            Misbehaviour::SlowHead => write_slowly(&mut stream, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await?,
            Misbehaviour::EndlessInterim => {
                write_endlessly(&mut stream, b"", b"HTTP/1.1 103 Early Hints\r\n\r\n").await?;
            }
            Misbehaviour::EndlessHead => {
                write_endlessly(&mut stream, b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n").await?;
            }
            Misbehaviour::EndlessBody => {
                write_endlessly(&mut stream, b"HTTP/1.1 200 OK\r\n\r\n", &[b'x'; 4096]).await?;
            }
            Misbehaviour::SlowBody => {
                stream.write_all(b"HTTP/1.1 202 OK\r\nContent-Length: 99\r\n\r\n").await?;
                write_slowly(&mut stream, &"x".repeat(99)).await?;
            }
            Misbehaviour::Bomb => {
                let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03";
                // Deflate-encoded zeros: each of these expands to a thousand bytes.
                write_endlessly(&mut stream, head, &[0xed, 0xc1, 0x01, 0x0d, 0, 0, 0, 0xc2]).await?;
            }
        }
        Ok(())
    }
}

async fn reset_after(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    stream.write_all(bytes).await?;
    tokio::time::sleep(Duration::from_millis(100)).await;
    stream.set_zero_linger()
}

async fn write_slowly(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    for byte in text.bytes() {
        stream.write_all(&[byte]).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

async fn write_endlessly(stream: &mut TcpStream, first: &[u8], then: &[u8]) -> std::io::Result<()> {
    stream.write_all(first).await?;
    loop {
        stream.write_all(then).await?;
    }
}

/// Of every attempt. The slowest answer takes ten seconds in full.
const IN_TIME: &str = "duration_us < 9000000";
/// For answers that must come in time, however busy the machine is.
const LONG: &str = "30s";

/// Sends one event to the address with this timeout, and checks its state and the recorded attempt.
async fn expect(what: &str, url: &str, timeout: &str, state: &str, attempt: &str) {
    let outbox = Outbox::new(Engine::Sqlite).await;
    let workers = outbox.work_on(&outbox.store, url, &[("WEBHOOK_TIMEOUT", timeout)]);
    outbox.push(1).await;
    outbox.wait_where(1, "outbox_attempts", "1 = 1").await;
    let attempt = format!("{attempt} AND {IN_TIME}");
    assert_eq!(outbox.count_where("outbox_attempts", &attempt).await, 1, "{what}: {attempt}");
    assert_eq!(outbox.count(state).await, 1, "{what}: {state}");
    workers.shutdown().await;
}

async fn broken_response_heads_are_retried() {
    let table = [
        // The reset may come during the connect.
        (Misbehaviour::ResetUnread, LONG, "closed' OR outcome = 'connect"),
        (Misbehaviour::ResetRead, LONG, "closed"),
        (Misbehaviour::ResetWithinHead, LONG, "closed"),
        (Misbehaviour::SlowHead, "1s", "timeout"),
        (Misbehaviour::EndlessInterim, "1s", "timeout"),
        (Misbehaviour::EndlessHead, LONG, "closed"),
    ];
    for (misbehaviour, timeout, class) in table {
        let attempt = format!("(outcome = '{class}') AND status IS NULL");
        expect(&format!("{misbehaviour:?}"), &misbehaviour.listen().await, timeout, "pending", &attempt).await;
    }
}

async fn unreachable_receiver_times_out() {
    let blackhole = Blackhole::start().await;
    expect("no connection", &blackhole.url(), "1s", "pending", "outcome = 'timeout' AND status IS NULL").await;
}

async fn body_faults_do_not_change_outcome() {
    for (misbehaviour, timeout) in [
        (Misbehaviour::ResetAfterHead, LONG),
        (Misbehaviour::EndlessBody, LONG),
        // The whole body takes ten seconds.
        (Misbehaviour::SlowBody, "3s"),
        (Misbehaviour::Bomb, LONG),
    ] {
        let attempt = "outcome = 'delivered' AND status BETWEEN 200 AND 202 AND length(response) <= 1024";
        expect(&format!("{misbehaviour:?}"), &misbehaviour.listen().await, timeout, "delivered", attempt).await;
    }
}

/// A TLS server with a self-signed certificate; killed on drop.
struct SelfSigned(Child);

impl SelfSigned {
    fn start(folder: &Path, port: u16) -> Self {
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem"])
            .args(["-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        let server = Command::new("openssl")
            .args(["s_server", "-quiet", "-www", "-key", "key.pem", "-cert", "cert.pem", "-accept", &port.to_string()])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self(server)
    }
}

impl Drop for SelfSigned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn self_signed_certificate_is_refused() {
    if !Need::OpenSsl.is_met() {
        return;
    }
    let (folder, port) = (TempDir::new("tls"), free_port());
    let _server = SelfSigned::start(folder.path(), port);
    eventually("the server listens", async || TcpStream::connect(("127.0.0.1", port)).await.ok()).await;
    expect(
        "its certificate",
        &format!("https://localhost:{port}/"),
        LONG,
        "pending",
        "outcome = 'tls' AND status IS NULL",
    )
    .await;
}

async fn no_redirect_status_is_followed() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    let target = Receiver::start().await;
    let statuses = (300..=308).chain([310, 399]);
    let answers = statuses.map(|status| {
        let length = if status == 304 { "" } else { "Content-Length: 0\r\n" };
        Answer::Raw(format!("HTTP/1.1 {status} Go\r\nLocation: {}\r\n{length}\r\n", target.url()).into_bytes())
    });
    outbox.receiver.answer_next(answers);
    let workers = outbox.work(&[]);
    outbox.push(11).await;
    outbox.wait_for(11, "failed").await;
    outbox.expect_each_once(11);
    assert!(target.received().is_empty());
    workers.shutdown().await;
}

async fn retry_after_is_bounded() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    let date = |seconds: i64| {
        let moment = jiff::Timestamp::from_second(outbox.clock.now().as_seconds() + seconds).unwrap();
        moment.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
    };
    let too_early = [(429, "0".to_owned()), (503, date(-1000)), (429, "soon".to_owned()), (503, "-1".to_owned())];
    let answers = too_early.into_iter().chain([(503, "1000000000".to_owned()), (429, date(86400)), (503, date(600))]);
    outbox.receiver.answer_next(answers.map(|(status, value)| {
        let head = format!("HTTP/1.1 {status} Later\r\nRetry-After: {value}\r\nContent-Length: 0\r\n\r\n");
        Answer::Raw(head.into_bytes())
    }));
    let workers = outbox.work(&[]);
    outbox.push(7).await;
    outbox.wait_where(7, "outbox", "state = 'pending' AND attempts = 1").await;
    for (count, from, to) in [(4, 30, 35), (2, 3600, 3605), (1, 590, 605)] {
        let table = "outbox JOIN outbox_attempts ON delivery_id = id";
        let wait = "due_at - outbox_attempts.started_at - duration_us";
        let condition = format!("{wait} BETWEEN {from} * 1000000 AND {to} * 1000000");
        assert_eq!(outbox.count_where(table, &condition).await, count, "{condition}");
    }
    workers.shutdown().await;
}

/// Reads a whole request; `None` at the end of the connection.
async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    loop {
        read.push(stream.read_u8().await.ok()?);
        if read.ends_with(b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&read).to_lowercase();
            let length = head.split("content-length: ").nth(1)?.split('\r').next()?.parse().ok()?;
            stream.read_exact(&mut vec![0; length]).await.ok()?;
            return Some(head);
        }
    }
}

/// A receiver whose connections have been idle for too long just when they are used again.
async fn connection_that_the_receiver_closed_costs_no_attempt() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hooks", listener.local_addr().unwrap());
    let received = Arc::new(Mutex::new(Vec::new()));
    let noted = received.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let noted = noted.clone();
            tokio::spawn(async move {
                for answer in ["HTTP/1.1 204 Done\r\n\r\n", ""] {
                    let Some(head) = read_request(&mut stream).await else { return };
                    noted.lock().unwrap().push((head, answer.is_empty()));
                    stream.write_all(answer.as_bytes()).await.unwrap();
                }
            });
        }
    });
    let outbox = Outbox::new(Engine::Sqlite).await;
    let workers = outbox.work_on(&outbox.store, &url, &[("WEBHOOK_TIMEOUT", LONG)]);
    for count in 1..=3 {
        outbox.push(1).await;
        outbox.wait_for(count, "delivered").await;
    }
    assert_eq!(outbox.count_where("outbox_attempts", "outcome = 'delivered'").await, 3);
    assert_eq!(outbox.count_where("outbox_attempts", "1 = 1").await, 3, "no attempt is gone");
    let received = received.lock().unwrap().clone();
    let id =
        |(head, _): &(String, bool)| head.split("webhook-id: ").nth(1).unwrap().split('\r').next().unwrap().to_owned();
    let lost: Vec<_> = received.iter().filter(|(_, lost)| *lost).map(id).collect();
    assert!(!lost.is_empty(), "a kept connection was used");
    for lost in lost {
        assert_eq!(received.iter().filter(|one| id(one) == lost).count(), 2, "and the event was sent once more");
    }
    workers.shutdown().await;
}

async fn secret_change_applies_to_waiting_events(engine: Engine) {
    const NEW: &str = "whsec_bmV3IHNlY3JldCBvZiB0aGUgdGVzdHM=";
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_always(Answer::Status(500));
    let workers = outbox.work(&[("WEBHOOK_RETRY_DELAYS", "1h")]);
    outbox.push(5).await;
    outbox.wait_where(5, "outbox", "state = 'pending' AND attempts = 1").await;
    workers.shutdown().await;
    outbox.receiver.answer_always(Answer::Status(204));
    outbox.clock.advance(Duration::from_hours(1));
    let workers = outbox.work(&[("WEBHOOK_SECRET", NEW), ("WEBHOOK_SECRET_PREVIOUS", SECRET)]);
    outbox.wait_for(5, "delivered").await;
    let all = outbox.receiver.received();
    let is_signed = |request: &Received, secret| request.is_signed("svc", secret);
    assert!(all[..5].iter().all(|one| is_signed(one, SECRET) && one.is_standard_signed(SECRET)));
    assert!(all[..5].iter().all(|one| !one.is_standard_signed(NEW)));
    assert!(all[5..].iter().all(|one| is_signed(one, NEW)));
    assert!(all[5..].iter().all(|one| one.is_standard_signed(NEW) && one.is_standard_signed(SECRET)));
    assert_eq!(all.len(), 10);
    workers.shutdown().await;
}
