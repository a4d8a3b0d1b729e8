//! How many connections one site may have.

use crate::harness::{Builder, Engine, Process, eventually, free_port};
use crate::metrics::{scrape, value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

single_run![
    connections_of_one_site_are_bounded,
    connections_are_not_bounded_without_rate_limits,
    limit_of_all_is_logged_and_counted,
];

/// So few that a site has the least.
const OPEN_FILES: u64 = 600;
const LEAST_OF_SITE: usize = 64;

const STRANGER: &str = "127.0.0.2:0";
const PROXY: &str = "127.0.0.3:0";
const OTHER: &str = "127.0.0.4:0";
const THIRD: &str = "127.0.0.5:0";

async fn connect(builder: &Builder, from: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(from.parse().unwrap()).unwrap();
    socket.connect(builder.variables()["SVC_LISTEN"].parse().unwrap()).await.unwrap()
}

/// Whether a request is answered; otherwise the connection was closed.
async fn is_served(stream: &mut TcpStream) -> bool {
    let _ = stream.write_all(b"GET /auth/health HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).await.is_ok() && &begin == b"HTTP/1.1 200"
}

async fn open(builder: &Builder, from: &str, count: usize) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..count {
        streams.push(connect(builder, from).await);
    }
    streams
}

async fn connections_of_one_site_are_bounded() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.3");
    let process = Process::start_with_open_files(builder.variables(), OPEN_FILES).await;
    let mut streams = open(&builder, STRANGER, LEAST_OF_SITE).await;
    for _ in 0..3 {
        assert!(!is_served(&mut connect(&builder, STRANGER).await).await);
    }
    assert!(is_served(&mut streams[LEAST_OF_SITE - 1]).await);
    assert!(is_served(&mut connect(&builder, OTHER).await).await);
    // Half of all is kept for the proxy, which brings everybody.
    streams.extend(open(&builder, OTHER, LEAST_OF_SITE - 1).await);
    streams.extend(open(&builder, THIRD, LEAST_OF_SITE - 1).await);
    assert!(!is_served(&mut connect(&builder, THIRD).await).await);
    let mut proxied = open(&builder, PROXY, LEAST_OF_SITE + 36).await;
    assert!(is_served(proxied.last_mut().unwrap()).await);
    // When some are closed, there is room for others.
    drop(streams);
    eventually("the site is served again", async || {
        is_served(&mut connect(&builder, STRANGER).await).await.then_some(())
    })
    .await;
    let log = process.stderr();
    assert_eq!(log.matches("name it in SVC_TRUSTED_PROXIES").count(), 1, "{log}");
}

async fn connections_are_not_bounded_without_rate_limits() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off");
    let process = Process::start_with_open_files(builder.variables(), OPEN_FILES).await;
    let mut streams = open(&builder, STRANGER, LEAST_OF_SITE + 36).await;
    assert!(is_served(streams.last_mut().unwrap()).await);
    drop(process);
}

/// With 300 files half of them may be connections: at that limit not three quarters of the files are open.
async fn limit_of_all_is_logged_and_counted() {
    let metrics = format!("127.0.0.1:{}", free_port());
    let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").set("SVC_METRICS_LISTEN", &metrics);
    let process = Process::start_with_open_files(builder.variables(), 300).await;
    let count = async |name: &str| value(&scrape(&metrics).await, name);
    assert_eq!(count("doorward_http_connections_limit").await, Some(150.0));
    let has_line = || process.stderr().contains("as many connections are open as files and memory permit");
    assert!(!has_line());
    let streams = open(&builder, STRANGER, 160).await;
    let all_are_open = async || (count("doorward_http_connections_open").await == Some(150.0)).then_some(());
    eventually("no further client is served", all_are_open).await;
    eventually("the log says so", async || has_line().then_some(())).await;
    let (open, most) = (count("process_open_fds").await.unwrap(), count("process_max_fds").await.unwrap());
    assert!(open < 0.7 * most, "{open} of {most}: the alert on open files would say so, too");
    drop(streams);
    let none_is_open = async || (count("doorward_http_connections_open").await == Some(0.0)).then_some(());
    eventually("those who left are not counted", none_is_open).await;
}
