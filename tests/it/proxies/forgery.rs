//! Names that an application reads as the gate's, in all their mixtures of `-`, `_` and `.`.

use super::cgi::{Applications, Reader};
use super::edits::Edits;
use super::raw_client::RawClient;
use super::site::{Front, ProxyKind, Site};
use super::streams::HANDSHAKE;
use crate::doctor_application::{echo, examine_for};
use crate::harness::{Client, Need, report};
use crate::organizations::claims;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use tokio::task::JoinSet;

through_each_proxy![
    no_mixture_is_read_as_gate,
    doctor_finds_nothing_forged,
    connection_takes_no_header_away,
    original_request_is_not_forged,
];

const FORGED: &str = "root";

/// The sender of a request, by what the gate says: each name with its value.
#[derive(Clone, Debug)]
struct Sender {
    /// The header with the cookies, if there are any.
    cookie: String,
    values: BTreeMap<&'static str, String>,
}

impl Sender {
    fn known(client: &Client) -> Self {
        let id = claims(client)["sub"].as_str().unwrap().to_owned();
        let ada = || "ada".to_owned();
        let values = [("X-Svc-User-Id", id), ("Remote-User", ada()), ("X-Remote-User", ada())];
        let cookie = format!("Cookie: {}\r\n", client.jar().header().unwrap());
        Self { cookie, values: values.into() }
    }

    fn anonymous() -> Self {
        Self { cookie: String::new(), values: BTreeMap::new() }
    }
}

/// What became of the requests to a reader with a name in one mixture.
#[derive(Default)]
struct Cell {
    sent: usize,
    /// The reader took the visitor's word, alone or beside the gate's.
    believed: usize,
    /// It did not read what the gate said.
    lost: usize,
}

/// By reader, name and the joins of the mixture.
type Table = BTreeMap<(Reader, &'static str, String), Cell>;

/// Every mixture of the three, in the place of each `-`.
pub fn mixtures(name: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for letter in name.chars() {
        let joins: &[char] = if letter == '-' { &['-', '_', '.'] } else { &[letter] };
        all = all.iter().flat_map(|start| joins.iter().map(move |join| format!("{start}{join}"))).collect();
    }
    all
}

/// The joins alone: `-_.`.
fn joins(mixture: &str) -> String {
    mixture.chars().filter(|letter| !letter.is_ascii_alphabetic()).collect()
}

async fn no_mixture_is_read_as_gate(kind: ProxyKind) {
    if ![Need::Python, Need::Php].into_iter().all(Need::is_met) {
        return;
    }
    let applications = Applications::start().await;
    let edits = |rules| Edits { rules, has_added: true, ..Edits::default() };
    let site = Site::start_with(kind, &edits("")).await;
    let ada = Sender::known(&site.sign_up("ada@example.com").await);
    let doorward = site.app.address().to_string();
    let python: &[Reader] = if applications.has_radicale { &[Reader::Wsgi, Reader::Radicale] } else { &[Reader::Wsgi] };
    let (mut fronts, mut attacks) = (Vec::new(), JoinSet::new());
    for rules in ["", "optional"] {
        for (application, readers) in [(applications.python, python), (applications.php, &[Reader::Php])] {
            let front = Front::start(kind, &doorward, &application.to_string(), &edits(rules)).await;
            for reader in readers {
                attacks.spawn(attack(front.address, *reader, ada.clone()));
                if rules == "optional" {
                    attacks.spawn(attack(front.address, *reader, Sender::anonymous()));
                }
            }
            fronts.push(front);
        }
    }
    let mut table = Table::new();
    while let Some(part) = attacks.join_next().await {
        for (key, part) in part.unwrap() {
            let cell = table.entry(key).or_default();
            cell.sent += part.sent;
            cell.believed += part.believed;
            cell.lost += part.lost;
        }
    }
    show(kind, &table);
    // Each with and without `Connection`, by ada with both rules, by an anonymous visitor with one.
    let expected = if applications.has_radicale { (66 + 66 + 9) * 2 * 3 } else { (66 + 66) * 2 * 3 };
    let sum = |part: fn(&Cell) -> usize| table.values().map(part).sum::<usize>();
    let sums = (sum(|cell| cell.sent), sum(|cell| cell.believed), sum(|cell| cell.lost));
    assert_eq!(sums, (expected, 0, 0), "{kind:?}: the table says which");
}

/// As an operator tries it, with the echo in the place of the application.
async fn doctor_finds_nothing_forged(kind: ProxyKind) {
    let (_echo, port) = echo().await;
    let application = Some(format!("127.0.0.1:{port}"));
    let site =
        Site::start_with(kind, &Edits { rules: "optional", has_added: true, application, ..Edits::default() }).await;
    let (_, [state, _, message]) = examine_for(&site.app, &site.url).await;
    assert!(state == "ok" && message.contains("spellings of 11 names"), "{message}");
}

/// Sends all mixtures of the names that a reader reads.
async fn attack(address: SocketAddr, reader: Reader, sender: Sender) -> Table {
    let (mut table, mut client) = (Table::new(), RawClient::new(address));
    for name in reader.names() {
        for mixture in mixtures(name) {
            for connection in [String::new(), format!("Connection: {name}\r\n")] {
                let lines = format!("{}{mixture}: {FORGED}\r\n{connection}", sender.cookie);
                let read = reader.ask(&mut client, &lines).await;
                let own = |name: &str| sender.values.get(name).map_or("", String::as_str);
                let cell = table.entry((reader, name, joins(&mixture))).or_default();
                cell.sent += 1;
                cell.believed += usize::from(read.iter().any(|(_, value)| value.contains(FORGED)));
                cell.lost += usize::from(!read.iter().all(|(name, value)| own(name) == value));
            }
        }
    }
    table
}

/// A line for each application and name.
fn show(kind: ProxyKind, table: &Table) {
    let mut lines: BTreeMap<(Reader, &str), Vec<String>> = BTreeMap::new();
    for ((reader, name, joins), Cell { sent, believed, lost }) in table {
        lines.entry((*reader, name)).or_default().push(format!("{joins} {believed}+{lost}/{sent}"));
    }
    let lines = lines.iter().map(|((reader, name), cells)| format!("{kind:?} {reader:?} {name}: {}", cells.join("  ")));
    report(&format!(
        "forged headers that were believed + own ones that were lost / sent\n{}",
        lines.collect::<Vec<_>>().join("\n")
    ));
}

/// A proxy removes what `Connection` names, which is the visitor's to write.
async fn connection_takes_no_header_away(kind: ProxyKind) {
    let site = Site::start(kind, "").await;
    let ada = site.sign_up("ada@example.com").await;
    let sender = Sender::known(&ada);
    for (number, lines) in [
        "Connection: X-Svc-User-Id",
        "Connection: keep-alive, X-Svc-User-Id, X-Svc-Assertion",
        "Connection: close, x-svc-user-id",
        "Connection: keep-alive\r\nConnection: X-Svc-User-Id",
        "Connection: X-Svc-User-Id\r\nConnection: X-Svc-User-Username, X-Svc-Assertion",
        "Connection: Upgrade, X-Svc-User-Id",
        "Connection: Upgrade, X-Svc-User-Id\r\nUpgrade: websocket",
        "Connection: X-Svc-User-Id\r\nConnection: upgrade\r\nUpgrade: WebSocket",
        "Connection: Upgrade, X-Svc-User-Id, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
        "Connection: Upgrade, X-Svc-User-Id\r\nUpgrade: h2c\r\nUpgrade: websocket",
    ]
    .into_iter()
    .enumerate()
    {
        let lines = format!("{}{lines}\r\n{HANDSHAKE}", sender.cookie);
        let status = RawClient::new(site.address).send("GET /", &lines, "").await.status;
        if kind == ProxyKind::Envoy && lines.contains("h2c\r\nUpgrade: websocket") {
            // It takes one protocol alone; this one is the last here.
            assert_eq!((status, site.count()), (403, number), "{lines}");
            continue;
        }
        assert_eq!(status, 204, "{lines}");
        let request = site.arrived(number);
        for name in ["x-svc-user-id", "x-svc-user-username", "x-svc-assertion"] {
            assert!(request.header(name).is_some_and(|value| !value.is_empty()), "{name}, {lines}: {request:#?}");
        }
        for value in ["connection", "upgrade"].into_iter().filter_map(|name| request.header(name)) {
            assert!(
                ["upgrade", "close", "keep-alive", "websocket"].contains(&value.to_lowercase().as_str()),
                "{request:#?}"
            );
        }
    }
}

/// What proxies say of the original request, and names of the gate that no application gets.
async fn original_request_is_not_forged(kind: ProxyKind) {
    let site = Site::start(kind, "").await;
    let ada = Sender::known(&site.sign_up("ada@example.com").await);
    let names = [
        "X-Forwarded-Uri",
        "X-Forwarded-Method",
        "X-Forwarded_For",
        "X_Forwarded-Host",
        "X.Forwarded.Proto",
        "X-Original-URL",
        "X_Original-Method",
        "Forwarded",
        "X-Svc-Login-Url",
        "X-Svc-Redirect",
        "X-Svc-Nobody",
    ];
    let lines = ada.cookie + &names.map(|name| format!("{name}: {FORGED}\r\n")).concat();
    assert_eq!(RawClient::new(site.address).send("GET /", &lines, "").await.status, 204);
    let request = site.arrived(0);
    assert!(request.headers.iter().all(|(_, value)| value != FORGED), "{request:#?}");
}
