//! What becomes of requests through a proxy, each in a word or two.

use super::broken_gate::SAID;
use super::edits::Edits;
use super::forgery::mixtures;
use super::raw_application::RawApplication;
use super::raw_client::{RawClient, read_past};
use super::site::{Front, ProxyKind, Site, address_of};
use super::streams::{HANDSHAKE, half_sent_form};
use crate::harness::{Answer, Client, Receiver, WAIT_TIMEOUT, eventually};
use reqwest::Method;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What is sent, in the order of [`outcomes`].
pub const OUTCOMES: [&str; 16] = [
    "`/auth/gate`, from outside",
    "no cookies, by a script or a program",
    "no cookies, a form in a browser",
    "66 spellings of the gate's names, forged: how many arrive",
    "8 headers about the original request, forged: how many arrive",
    "`Connection: X-Svc-User-Id`: the gate's header",
    "a body of unknown length, with `X-Svc-User-Id` after it",
    "the login's cookies: the application",
    "no cookies but those of the login: the header `Cookie`",
    "a person without roles: `X-Svc-User-Roles`",
    "a WebSocket",
    "events, one by one",
    "a body of 5 MB",
    "an answer of the gate that lacks one of nine headers: 502 for",
    "a slow form to the login: the login",
    "anything, while Doorward is stopped",
];

/// Names of the gate's headers, and how many spellings each has.
const SPELLED: [&str; 4] = ["X-Svc-User-Id", "X-Svc-User-Roles", "Remote-User", "X-Remote-User"];
const ORIGINAL: [&str; 8] = [
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "X-Forwarded-Host",
    "X-Forwarded-Uri",
    "X-Forwarded-Method",
    "Forwarded",
    "X-Original-URL",
    "X-Original-Method",
];
const FORGED: &str = "forged.example";
/// Between a user and an application that keeps what it gets.
struct Attempt {
    application: RawApplication,
    site: Site,
    /// The header with the user's cookies.
    cookie: String,
}

pub async fn outcomes(kind: ProxyKind) -> Vec<String> {
    let application = RawApplication::start().await;
    let edits = Edits { has_added: true, application: Some(application.address.to_string()), ..Edits::default() };
    let site = Site::start_with(kind, &edits).await;
    let ada = site.sign_up("ada@example.com").await;
    let attempt = Attempt { application, cookie: ada.jar().header().unwrap(), site };
    let mut all = attempt.refusals().await;
    all.extend(attempt.headers().await);
    all.extend(attempt.bodies().await);
    all.push(half_identities(kind).await);
    all.extend(login(kind).await);
    all
}

fn which(is_so: bool, yes: &str, no: &str) -> String {
    if is_so { yes } else { no }.to_owned()
}

impl Attempt {
    async fn refusals(&self) -> Vec<String> {
        let visitor = self.site.visitor();
        let outside = visitor.get("/auth/gate?optional").await.status;
        let script = visitor.get("/").header("accept", "application/json").await;
        let challenge = which(script.header("www-authenticate").is_some(), " with a challenge", "");
        let form = visitor.call(Method::POST, "/form").header("accept", "text/html").await;
        let is_page = form.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        let page = which(is_page, "the gate's page", "JSON");
        vec![outside.to_string(), format!("{}{challenge}", script.status), format!("{}, {page}", form.status)]
    }

    /// Sends a request of the user, with these headers too; the status, and what the application got.
    async fn send(&self, start: &str, lines: &str, body: &str) -> (u16, String) {
        let before = self.application.seen().len();
        let lines = format!("Cookie: {}; theme=dark\r\n{lines}", self.cookie);
        let status = RawClient::new(self.site.address).send(start, &lines, body).await.status;
        (status, self.application.seen()[before..].to_owned())
    }

    async fn headers(&self) -> Vec<String> {
        let (mut spellings, mut arrived) = (0, 0);
        for spelling in SPELLED.map(mixtures).concat() {
            let (_, seen) = self.send("GET /", &format!("{spelling}: {FORGED}\r\n"), "").await;
            spellings += 1;
            arrived += usize::from(seen.contains(FORGED));
        }
        assert_eq!(spellings, 66);
        let lines = ORIGINAL.map(|name| format!("{name}: {FORGED}\r\n")).concat();
        let original = self.send("GET /", &lines, "").await.1.matches(FORGED).count();
        let (_, named) = self.send("GET /", "Connection: keep-alive, X-Svc-User-Id\r\n", "").await;
        let with_more = format!("6\r\n{{body}}\r\n0\r\nX-Svc-User-Id: {FORGED}\r\n\r\n");
        let trailed = self.send("POST /form", "Transfer-Encoding: chunked\r\n", &with_more).await;
        let trailed = match trailed {
            (200, seen) => format!("arrives, {}", which(seen.contains(FORGED), "with it", "without it")),
            (status, _) => format!("refused with {status}"),
        };
        let (_, seen) = self.send("GET /", "", "").await;
        let before = self.application.seen().len();
        let own = format!("Cookie: {}\r\n", self.cookie);
        RawClient::new(self.site.address).send("GET /", &own, "").await;
        let without = self.application.seen()[before..].to_owned();
        let empty = if without.contains("\r\ncookie: \r\n") { "empty" } else { "not sent" };
        vec![
            arrived.to_string(),
            original.to_string(),
            which(named.contains("\r\nx-svc-user-id: "), "arrives", "is lost"),
            trailed,
            which(seen.contains("svc_"), "gets them", "gets none"),
            if without.contains("svc_") { "the cookies" } else { empty }.to_owned(),
            which(seen.contains("\r\nx-svc-user-roles:"), "empty", "not sent"),
        ]
    }

    async fn bodies(&self) -> Vec<String> {
        let lines = format!("Connection: Upgrade\r\nUpgrade: websocket\r\n{HANDSHAKE}");
        let mut socket = self.open("/socket", &lines).await;
        let is_open = read_past(&mut socket, "\r\n\r\n").await.starts_with("HTTP/1.1 101 ");
        if is_open {
            socket.write_all(b"word.").await.unwrap();
            assert_eq!(read_past(&mut socket, ".").await, "word.");
        }
        let mut events = self.open("/events", "Accept: text/event-stream\r\n").await;
        self.application.events.add_permits(1);
        let is_prompt = tokio::time::timeout(WAIT_TIMEOUT, first_event(&mut events)).await.is_ok();
        self.application.events.add_permits(2);
        let length = 5_000_000;
        let (status, _) = self.send("POST /form", &format!("Content-Length: {length}\r\n"), &"x".repeat(length)).await;
        let large = if status == 200 { "passes".to_owned() } else { format!("refused with {status}") };
        vec![which(is_open, "passes", "refused"), which(is_prompt, "pass", "late"), large]
    }

    async fn open(&self, path: &str, lines: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.site.address).await.unwrap();
        let Self { site, cookie, .. } = self;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n{lines}\r\n", site.address);
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }
}

async fn first_event(stream: &mut TcpStream) {
    let mut read = String::new();
    while !read.contains("data: 1") {
        read.push(char::from(stream.read_u8().await.unwrap()));
    }
}

async fn half_identities(kind: ProxyKind) -> String {
    let (gate, application) = (Receiver::start().await, Receiver::start().await);
    let front = Front::start(kind, &address_of(&gate), &address_of(&application), &Edits::default()).await;
    let names: Vec<&str> = SAID.iter().map(|(name, _)| *name).filter(|name| name.starts_with("X-Svc-")).collect();
    let mut refused = 0;
    for lacking in &names {
        let said = names.iter().filter(|name| *name != lacking).map(|name| format!("{name}: x\r\n"));
        let said: String = said.collect();
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n{said}\r\n");
        gate.answer_always(Answer::Raw(answer.into_bytes()));
        refused += usize::from(visit(front.address).await == 502);
    }
    format!("{refused} of {}", names.len())
}

async fn visit(address: SocketAddr) -> u16 {
    Client::new(&format!("http://{address}"), "svc").get("/").await.status
}

/// Of a slow form; then, of anything once the login is stopped.
async fn login(kind: ProxyKind) -> [String; 2] {
    let login = RawApplication::start().await;
    let application = Receiver::start().await;
    let front = Front::start(kind, &login.address.to_string(), &address_of(&application), &Edits::default()).await;
    let _slow = half_sent_form(front.address).await;
    let is_held = !login.seen().contains("content-length: 8");
    let address = login.address;
    drop(login);
    eventually("nothing listens there", async || TcpStream::connect(address).await.is_err().then_some(())).await;
    let status = visit(front.address).await;
    assert!(application.received().is_empty());
    [which(is_held, "gets it whole", "waits for it"), status.to_string()]
}
