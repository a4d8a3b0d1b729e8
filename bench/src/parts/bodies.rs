//! Memory of requests that are still arriving, and what a request with many forged tokens costs.

use crate::instance::{Instance, Service};
use crate::load::{connect, exchange};
use crate::outcome::{Outcome, progress};
use crate::process::cpu_seconds;
use crate::requests::{CSRF, request};
use crate::rig::Rig;
use crate::stats::{count, millis, percentile};
use crate::table::Table;
use axum::http::{HeaderValue, Method};
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Connections of one client, all of which send at the same time.
const CONNECTIONS: usize = 500;
/// How long other people send forms meanwhile.
const DURATION: Duration = Duration::from_secs(8);
/// The other people are of another network.
const BYSTANDER: &str = "127.0.0.2:0";
const FORGED: usize = 150;
const REQUESTS: usize = 1000;
const AIM_PEAK_MB: f64 = 60.0;
const AIM_FORGED_US: f64 = 1000.0;

/// The figures.
#[derive(Serialize)]
pub struct Bodies {
    shapes: Vec<ShapeStats>,
    tokens: Vec<TokenStats>,
    aim_peak_mb: f64,
    aim_forged_us: f64,
}

/// What each connection sends.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    QueryFields,
    LongQuery,
    Chunks,
    FormFields,
    LargeForms,
    UnfinishedHeads,
}

#[derive(Serialize)]
struct ShapeStats {
    shape: Shape,
    idle_mb: f64,
    peak_mb: f64,
    /// Forms of other people that were answered as they should.
    answered: usize,
    other: usize,
    p95_ms: f64,
}

#[derive(Serialize)]
struct TokenStats {
    cookies: &'static str,
    cpu_us: f64,
}

impl Shape {
    const ALL: [Self; 6] = [
        Shape::QueryFields,
        Shape::LongQuery,
        Shape::Chunks,
        Shape::FormFields,
        Shape::LargeForms,
        Shape::UnfinishedHeads,
    ];

    const fn in_words(self) -> &'static str {
        match self {
            Shape::QueryFields => "62 kB of query fields, a body that does not come",
            Shape::LongQuery => "62 kB in one query field, a body that does not come",
            Shape::Chunks => "65,000 chunks of one byte",
            Shape::FormFields => "log-ins with 30,000 fields",
            Shape::LargeForms => "log-ins of 60 kB in three fields",
            Shape::UnfinishedHeads => "60 kB of headers without an end",
        }
    }

    /// The bytes of a connection.
    fn bytes(self) -> Vec<u8> {
        let form = "Content-Type: application/x-www-form-urlencoded";
        let head = |query: &str, rest: &str| {
            format!(
                "POST /auth/login{query} HTTP/1.1\r\nHost: localhost\r\nCookie: svc_csrf={CSRF}\r\n{form}\r\n{rest}"
            )
        };
        let with_body = |body: &str| head("", &format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        let text = match self {
            Shape::QueryFields => head(&format!("?{}", "a&".repeat(31_000)), "Content-Length: 100\r\n\r\na"),
            Shape::LongQuery => head(&format!("?{}", "a".repeat(62_000)), "Content-Length: 100\r\n\r\na"),
            Shape::Chunks => head("", &format!("Transfer-Encoding: chunked\r\n\r\n{}", "1\r\na\r\n".repeat(65_000))),
            Shape::FormFields => with_body(&format!("csrf_token={CSRF}&email=a&password=b{}", "&c".repeat(30_000))),
            Shape::LargeForms => with_body(&format!("csrf_token={CSRF}&email=a&password=b&c={}", "d".repeat(60_000))),
            Shape::UnfinishedHeads => head("", &format!("X-Header: {}", "a".repeat(60_000))),
        };
        text.into_bytes()
    }
}

/// Measures on SQLite: no statement is involved.
pub async fn measure(rig: &mut Rig) -> Outcome<Bodies> {
    let Some(instance) = rig.instances.first_mut() else { return Err("no instance".into()) };
    // With limits, as strangers meet them.
    instance.set("SVC_RATE_LIMIT", "on");
    let mut shapes = Vec::new();
    for shape in Shape::ALL {
        progress(&format!("bodies: {}", shape.in_words()));
        shapes.push(measure_shape(&instance.start().await?, shape).await?);
    }
    let tokens = measure_tokens(instance).await;
    instance.set("SVC_RATE_LIMIT", "off");
    Ok(Bodies { shapes, tokens: tokens?, aim_peak_mb: AIM_PEAK_MB, aim_forged_us: AIM_FORGED_US })
}

async fn measure_shape(service: &Service, shape: Shape) -> Outcome<ShapeStats> {
    let idle_mb = service.process.resident_megabytes()?;
    let mut senders = JoinSet::new();
    let bytes: Arc<[u8]> = shape.bytes().into();
    for _ in 0..CONNECTIONS {
        senders.spawn(send(service.address, bytes.clone()));
    }
    let (mut latencies, mut other) = (Vec::new(), 0);
    let began = Instant::now();
    while began.elapsed() < DURATION {
        let sent = Instant::now();
        let status = visit(service.address).await?;
        latencies.push(sent.elapsed());
        // Doing nothing else, this person would soon have tried too many passwords: without one, a form is 403.
        other += usize::from(status != 403);
    }
    let answered = latencies.len() - other;
    latencies.sort_unstable();
    let p95_ms = millis(percentile(&latencies, 95));
    Ok(ShapeStats { shape, idle_mb, peak_mb: service.process.peak_megabytes()?, answered, other, p95_ms })
}

/// Sends and keeps the connection open, whatever becomes of it.
async fn send(address: SocketAddr, bytes: Arc<[u8]>) {
    let Ok(mut stream) = TcpStream::connect(address).await else { return };
    let _ = stream.write_all(&bytes).await;
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
}

/// Sends a form without a token from another network; returns the status.
async fn visit(address: SocketAddr) -> Outcome<u16> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(BYSTANDER.parse()?)?;
    let mut stream = socket.connect(address).await?;
    let form = "POST /auth/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 7\r\n\
                Content-Type: application/x-www-form-urlencoded\r\n\r\nemail=a";
    stream.write_all(form.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer.split(' ').nth(1).ok_or("no status")?.parse()?)
}

/// The processor time of a request with many cookies.
async fn measure_tokens(instance: &Instance) -> Outcome<Vec<TokenStats>> {
    let access = &instance.tokens.first().ok_or("no tokens")?.access;
    // With a genuine header and a signature of the right length, and short, so that all fit into a request.
    let (header, rest) = access.split_once('.').ok_or("not a token")?;
    let tail = rest.rsplit_once('.').and_then(|(_, signature)| signature.get(3..)).ok_or("no signature")?;
    let size = format!("{header}.e30.000{tail}").len();
    let cookies = |value: &dyn Fn(usize) -> String| {
        let all: Vec<String> = (0..FORGED).map(|number| format!("svc_access={}", value(number))).collect();
        all.join("; ")
    };
    let service = instance.start().await?;
    let mut connection = connect(service.address).await?;
    let mut stats = Vec::new();
    for (what, cookies) in [
        ("none", "a=b".to_owned()),
        ("150 that are no tokens, of the same size", cookies(&|number| format!("{number:03}{}", "x".repeat(size - 3)))),
        ("150 forged tokens", cookies(&|number| format!("{header}.e30.{number:03}{tail}"))),
    ] {
        let before = cpu_seconds(service.process.id())?;
        for _ in 0..REQUESTS {
            let asked = request(Method::GET, "/auth/api/v1/user", HeaderValue::try_from(&cookies)?)?;
            exchange(&mut connection, asked).await?;
        }
        let seconds = cpu_seconds(service.process.id())? - before;
        stats.push(TokenStats { cookies: what, cpu_us: seconds * 1e6 / count(REQUESTS) });
    }
    Ok(stats)
}

impl Bodies {
    /// The tables.
    pub fn tables(&self) -> [Table; 2] {
        let shape = |stats: &ShapeStats| {
            vec![
                stats.shape.in_words().to_owned(),
                format!("{:.1}", stats.idle_mb),
                format!("{:.1}", stats.peak_mb),
                stats.answered.to_string(),
                stats.other.to_string(),
                format!("{:.1}", stats.p95_ms),
            ]
        };
        let token = |stats: &TokenStats| vec![stats.cookies.to_owned(), format!("{:.0}", stats.cpu_us)];
        [
            Table {
                title: format!(
                    "{CONNECTIONS} connections of one client, resident memory in MB (aim: peak {AIM_PEAK_MB:.0})"
                ),
                columns: vec!["each sends", "idle", "peak", "others' forms answered", "otherwise", "p95 ms"],
                rows: self.shapes.iter().map(shape).collect(),
            },
            Table {
                title: format!("Processor time of GET /user in µs (aim for forged tokens: below {AIM_FORGED_US:.0})"),
                columns: vec!["cookies", "CPU µs"],
                rows: self.tokens.iter().map(token).collect(),
            },
        ]
    }
}
