//! What takes long or comes in parts: `WebSockets`, events, headers after a body, slow forms.

use super::edits::Edits;
use super::raw_application::RawApplication;
use super::raw_client::{RawClient, read_past};
use super::site::{Front, ProxyKind, Site};
use crate::harness::Need;
use std::net::SocketAddr;
use std::process::Command;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

if_installed![HaProxy: haproxy_passes_no_trailers_of_http2];
through_each_proxy![
    websockets_and_events_pass,
    websocket_of_another_origin_is_refused,
    connect_opens_no_tunnel,
    trailers_never_arrive,
    slow_form_holds_proxy_and_not_login,
];

pub const HANDSHAKE: &str = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";

/// A site before the raw application, and the header with a user's cookies.
async fn start(kind: ProxyKind) -> (RawApplication, Site, String) {
    start_with(kind, "").await
}

async fn start_with(kind: ProxyKind, rules: &'static str) -> (RawApplication, Site, String) {
    let application = RawApplication::start().await;
    let edits = Edits { rules, application: Some(application.address.to_string()), ..Edits::default() };
    let site = Site::start_with(kind, &edits).await;
    let ada = site.sign_up("ada@example.com").await;
    let cookie = format!("Cookie: {}\r\n", ada.jar().header().unwrap());
    (application, site, cookie)
}

async fn websockets_and_events_pass(kind: ProxyKind) {
    let (application, site, cookie) = start(kind).await;
    let request =
        |path: &str, lines: &str| format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{cookie}{lines}\r\n", site.address);
    for connection in ["Upgrade", "keep-alive, Upgrade", "upgrade, X-Svc-User-Id"] {
        let mut stream = TcpStream::connect(site.address).await.unwrap();
        let lines = format!("Connection: {connection}\r\nUpgrade: websocket\r\n{HANDSHAKE}");
        stream.write_all(request("/socket", &lines).as_bytes()).await.unwrap();
        let head = read_past(&mut stream, "\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 101 "), "{kind:?}, {connection}: {head}");
        for word in ["one.", "two."] {
            stream.write_all(word.as_bytes()).await.unwrap();
            assert_eq!(read_past(&mut stream, ".").await, word);
        }
    }
    assert_eq!(application.seen().matches("\r\nx-svc-user-username: ada\r\n").count(), 3, "{}", application.seen());
    let mut stream = TcpStream::connect(site.address).await.unwrap();
    stream.write_all(request("/events", "Accept: text/event-stream\r\n").as_bytes()).await.unwrap();
    for number in 1..=3 {
        application.events.add_permits(1);
        read_past(&mut stream, &format!("data: {number}\n\n")).await;
    }
    let mut stranger = RawClient::new(site.address);
    let lines = format!("Connection: Upgrade\r\nUpgrade: websocket\r\n{HANDSHAKE}");
    assert_eq!(stranger.send("GET /socket", &lines, "").await.status, 401);
}

/// With the gate's rule `same-origin`: a page of a sibling host opens no WebSocket with the cookies of its visitors, be the
/// browser one that tells the mode of a request or not.
async fn websocket_of_another_origin_is_refused(kind: ProxyKind) {
    let (application, site, cookie) = start_with(kind, "same-origin").await;
    let sibling = "Origin: http://evil.example.org\r\n";
    for told in ["", "Sec-Fetch-Mode: websocket\r\nSec-Fetch-Site: same-site\r\n"] {
        let lines = format!("{cookie}{told}Connection: Upgrade\r\nUpgrade: websocket\r\n{HANDSHAKE}");
        let reply = RawClient::new(site.address).send("GET /socket", &format!("{lines}{sibling}"), "").await;
        assert_eq!(reply.status, 403, "{kind:?}, {told}");
        assert_eq!(application.seen(), "", "{kind:?}, {told}");
    }
    let own = format!("{cookie}Origin: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n{HANDSHAKE}", site.url);
    let mut stream = TcpStream::connect(site.address).await.unwrap();
    let request = format!("GET /socket HTTP/1.1\r\nHost: {}\r\n{own}\r\n", site.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    assert!(read_past(&mut stream, "\r\n\r\n").await.starts_with("HTTP/1.1 101 "), "{kind:?}");
}

/// An application that answers 2xx to CONNECT, as one that looks at no method does, gets nothing that was not asked about.
async fn connect_opens_no_tunnel(kind: ProxyKind) {
    let (application, site, cookie) = start(kind).await;
    for target in [site.address.to_string(), "app.example.org:443".to_owned(), "/".to_owned()] {
        let mut stream = TcpStream::connect(site.address).await.unwrap();
        let connect = format!("CONNECT {target} HTTP/1.1\r\nHost: {}\r\n{cookie}\r\n", site.address);
        let hidden = format!("GET /hidden HTTP/1.1\r\nHost: {}\r\nX-Svc-User-Id: forged\r\n\r\n", site.address);
        stream.write_all(connect.as_bytes()).await.unwrap();
        read_past(&mut stream, "\r\n\r\n").await;
        // It may have been closed.
        let _ = stream.write_all(hidden.as_bytes()).await;
        let _ = stream.shutdown().await;
        read_past(&mut stream, "\r\n\r\nnever").await;
    }
    let seen = application.seen();
    assert!(!seen.contains("forged") && !seen.contains("/hidden"), "{kind:?}: {seen}");
}

/// A server may count headers that come after a body with the others.
async fn trailers_never_arrive(kind: ProxyKind) {
    let (application, site, cookie) = start(kind).await;
    let mut refused = 0;
    for announced in ["", "Trailer: X-Svc-User-Id\r\n"] {
        for name in ["X-Svc-User-Id", "X_Svc-User_Id", "x.svc.user.roles"] {
            let lines = format!("{cookie}{announced}Transfer-Encoding: chunked\r\n");
            let body = format!("6\r\n{{body}}\r\n0\r\n{name}: forged\r\n\r\n");
            match RawClient::new(site.address).send("POST /form", &lines, &body).await.status {
                200 => {}
                411 if kind == ProxyKind::HaProxy => refused += 1,
                status => panic!("{kind:?}, {announced}{name}: {status}"),
            }
        }
    }
    let seen = application.seen();
    assert!(!seen.contains("forged"), "{seen}");
    assert_eq!(seen.matches("{body}").count() + refused, 6, "{seen}");
    let reply =
        RawClient::new(site.address).send("POST /form", &format!("{cookie}Content-Length: 5\r\n"), "whole").await;
    assert_eq!(reply.status, 200);
}

/// With HTTP/2, a body has trailers with and without a told length. On a connection of its own each: a refused request's
/// trailers, which come after the answer, may end it.
const TRAILERS_OF_HTTP2: &str = "
const [url, cookie] = process.argv.slice(1);
const ask = headers => new Promise(done => {
    const session = require('http2').connect(url);
    session.on('error', () => {});
    const all = { ':method': 'POST', ':path': '/form', cookie, ...headers };
    const request = session.request(all, { waitForTrailers: true });
    request.on('wantTrailers', () => request.sendTrailers({ 'x-svc-user-id': 'forged' }));
    request.on('response', answer => done(answer[':status']));
    request.on('error', error => done(String(error)));
    request.end('{body}');
});
ask({}).then(async first => console.log(first, await ask({ 'content-length': '6' }))).then(() => process.exit());
";

async fn haproxy_passes_no_trailers_of_http2() {
    if !Need::Node.is_met() {
        return;
    }
    let (application, site, cookie) = start(ProxyKind::HaProxy).await;
    let mut command = Command::new("node");
    command.args(["-e", TRAILERS_OF_HTTP2, &site.url]).arg(cookie.trim_start_matches("Cookie: ").trim_end());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let statuses = String::from_utf8(output.stdout).unwrap();
    assert!(["411 200\n", "200 200\n"].contains(&statuses.as_str()), "{statuses}");
    let seen = application.seen();
    assert!(seen.contains("{body}") && !seen.contains("forged"), "{seen}");
}

/// A form to the login of which the second half is not sent yet, after ten others that were answered meanwhile.
pub async fn half_sent_form(address: SocketAddr) -> TcpStream {
    let mut slow = TcpStream::connect(address).await.unwrap();
    let head = format!("POST /auth/login HTTP/1.1\r\nHost: {address}\r\nContent-Length: 8\r\n\r\nslow");
    slow.write_all(head.as_bytes()).await.unwrap();
    let mut quick = RawClient::new(address);
    for _ in 0..10 {
        assert_eq!(quick.send("POST /auth/login", "Content-Length: 5\r\n", "quick").await.status, 200);
    }
    slow
}

/// The login's budget of bodies is for all of its visitors.
async fn slow_form_holds_proxy_and_not_login(kind: ProxyKind) {
    let login = RawApplication::start().await;
    let front = Front::start(kind, &login.address.to_string(), "127.0.0.1:9", &Edits::default()).await;
    let mut slow = half_sent_form(front.address).await;
    assert!(!login.seen().contains("content-length: 8"), "{}", login.seen());
    slow.write_all(b"body").await.unwrap();
    assert!(read_past(&mut slow, "\r\n\r\n").await.starts_with("HTTP/1.1 200 "));
    assert!(login.seen().contains("slowbody") && login.seen().contains("quick"), "{}", login.seen());
}
