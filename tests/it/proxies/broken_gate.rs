//! Answers of a gate that lack something: what the gate did not say, no proxy makes up (docs/guides/proxies.md).

use super::edits::Edits;
use super::raw_client::RawClient;
use super::site::{Front, ProxyKind, Site, address_of};
use crate::harness::{Answer, Client, Receiver};

through_each_proxy![half_an_identity_never_arrives, identity_is_whole_in_a_request_of_any_size];
if_installed![
    HaProxy: haproxy_passes_nothing_after_an_error_in_its_script,
    Envoy: envoy_passes_nothing_after_an_error_in_its_script,
];

/// What the gate says of a person. The first five are never empty of one.
pub const SAID: [(&str, &str); 11] = [
    ("X-Svc-User-Id", "00000000-0000-7000-8000-000000000001"),
    ("X-Svc-User-Email", "{ada}@example.com"),
    ("X-Svc-User-Username", "{ada}"),
    ("X-Svc-Email-Verified", "true"),
    ("X-Svc-Session-Id", "00000000-0000-7000-8000-000000000002"),
    ("X-Svc-User-Roles", ""),
    ("X-Svc-Organization-Id", "00000000-0000-7000-8000-000000000003"),
    ("X-Svc-Organization-Role", "owner"),
    ("X-Svc-Assertion", ""),
    ("Remote-User", "{ada}"),
    ("X-Remote-User", "{ada}"),
];
const NEVER_EMPTY: usize = 5;
/// nginx takes a missing one of these for an empty one, and passes on nothing.
const UNSEEN_BY_NGINX: [&str; 4] =
    ["X-Svc-User-Roles", "X-Svc-Organization-Id", "X-Svc-Organization-Role", "X-Svc-Assertion"];

struct BrokenSite {
    kind: ProxyKind,
    gate: Receiver,
    application: Receiver,
    front: Front,
}

async fn half_an_identity_never_arrives(kind: ProxyKind) {
    let (gate, application) = (Receiver::start().await, Receiver::start().await);
    let edits = Edits { has_added: true, ..Edits::default() };
    let front = Front::start(kind, &address_of(&gate), &address_of(&application), &edits).await;
    let site = BrokenSite { kind, gate, application, front };
    let whole = SAID.to_vec();
    site.expect(&whole, 204, "whole").await;
    let received = site.application.received();
    for (name, value) in SAID {
        assert_eq!(received[0].header(name).unwrap_or_default(), value, "{kind:?} {name}");
    }
    for (name, _) in SAID {
        let without: Vec<_> = whole.iter().copied().filter(|(other, _)| *other != name).collect();
        // The second name of SVC_GATE_HEADERS is not in nginx's map here.
        let is_unseen = kind == ProxyKind::Nginx && (UNSEEN_BY_NGINX.contains(&name) || name == "X-Remote-User");
        site.expect(&without, if is_unseen { 204 } else { 502 }, &format!("without {name}")).await;
        assert_eq!(site.application.received().last().unwrap().header(name).filter(|_| is_unseen), None, "{name}");
    }
    for (name, _) in &SAID[..NEVER_EMPTY] {
        let emptied: Vec<_> =
            whole.iter().map(|(other, value)| (*other, if other == name { "" } else { value })).collect();
        site.expect(&emptied, 502, &format!("empty {name}")).await;
    }
    let headless =
        SAID.iter().enumerate().map(|(at, (name, value))| (*name, if at < NEVER_EMPTY { "" } else { value }));
    site.expect(&headless.collect::<Vec<_>>(), 502, "without the five").await;
    site.expect(&[], 502, "without all").await;
    let mut nobody: Vec<_> = whole.iter().map(|(name, _)| (*name, "")).collect();
    nobody.push(("X-Svc-Nobody", "true"));
    site.expect(&nobody, 204, "nobody").await;
    let last = site.application.received().pop().unwrap();
    assert!(SAID.iter().all(|(name, _)| last.header(name).unwrap_or_default().is_empty()), "{last:#?}");
    assert!(last.header("x-svc-nobody").is_none() && last.header("x-svc-said").is_none(), "{last:#?}");
}

/// A proxy may have no room for what it adds.
async fn identity_is_whole_in_a_request_of_any_size(kind: ProxyKind) {
    let site = Site::start_with(kind, &Edits { has_added: true, ..Edits::default() }).await;
    let long = ["a", "b", "c"].map(|letter| letter.repeat(58)).join(".");
    let ada = site.sign_up(&format!("{}@{long}.example", "a".repeat(60))).await;
    // The cookies are removed, and would make room.
    let cookie = format!("Cookie: svc_refresh={}\r\n", ada.token("refresh").unwrap());
    let mut client = RawClient::new(site.address);
    let mut passed = 0;
    for bytes in (13_600..15_400).step_by(20) {
        let padding: Vec<_> = (0..85).map(|at| format!("a{at}: {}\r\n", "x".repeat(bytes / 85 - 8))).collect();
        let padding = format!("{}b: {}\r\n", padding.concat(), "x".repeat(bytes % 85));
        let status = client.send("GET /", &format!("{cookie}{padding}"), "").await.status;
        assert!(status == 204 || status >= 400, "{kind:?}, {bytes}: {status}");
        passed += usize::from(status == 204);
    }
    let received = site.application.received();
    assert!(passed > 5 && received.len() == passed, "{kind:?}: {passed}, {}", received.len());
    for request in received {
        for name in ["x-svc-user-id", "x-svc-user-email", "x-svc-organization-id", "x-svc-assertion", "remote-user"] {
            assert!(request.header(name).is_some_and(|value| !value.is_empty()), "{kind:?}, {name}: {request:#?}");
        }
    }
}

async fn haproxy_passes_nothing_after_an_error_in_its_script() {
    passes_nothing_after_an_error_in_its_script(ProxyKind::HaProxy, 503).await;
}

async fn envoy_passes_nothing_after_an_error_in_its_script() {
    // Its script runs after the gate's answer.
    passes_nothing_after_an_error_in_its_script(ProxyKind::Envoy, 401).await;
}

async fn passes_nothing_after_an_error_in_its_script(kind: ProxyKind, status_of_nobody: u16) {
    let edits = Edits { has_failing_script: true, ..Edits::default() };
    let site = Site::start_with(kind, &edits).await;
    let ada = site.sign_up("ada@example.com").await;
    assert_eq!(ada.get("/").await.status, 503);
    assert_eq!(site.visitor().get("/").await.status, status_of_nobody);
    assert_eq!(site.count(), 0);
}

impl BrokenSite {
    /// The gate says this with 200, and the visitor gets a status.
    async fn expect(&self, said: &[(&str, &str)], status: u16, what: &str) {
        let lines: Vec<_> = said.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let lines = lines.concat();
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n{lines}\r\n");
        self.gate.answer_always(Answer::Raw(answer.into_bytes()));
        let before = (self.gate.received().len(), self.application.received().len());
        let reply = Client::new(&format!("http://{}", self.front.address), "svc").get("/").await;
        assert_eq!(reply.status, status, "{:?}, {what}: {:?}", self.kind, self.application.received().last());
        let after = (self.gate.received().len(), self.application.received().len());
        assert_eq!(after, (before.0 + 1, before.1 + usize::from(status == 204)), "{:?}, {what}", self.kind);
    }
}
