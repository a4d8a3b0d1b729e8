//! Servers that are reached by IPv6.

use super::edits::Edits;
use super::site::{Front, ProxyKind, Site, address_of};
use crate::harness::{Proxy, report};
use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener};

through_each_proxy![servers_are_reached_by_ipv6];

const ANY_PORT: SocketAddr = SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0);

async fn servers_are_reached_by_ipv6(kind: ProxyKind) {
    if TcpListener::bind(ANY_PORT).is_err() {
        report("SKIPPED: proxies with IPv6, which this machine does not have.");
        return;
    }
    let site = Site::start(kind, "").await;
    let ada = site.sign_up("ada@example.com").await;
    let doorward = Proxy::start_at(ANY_PORT, &site.app.address().to_string()).await;
    let application = Proxy::start_at(ANY_PORT, &address_of(&site.application)).await;
    let [auth, app] = [&doorward, &application].map(|proxy| proxy.address().to_string());
    let front = Front::start(kind, &auth, &app, &Edits::default()).await;
    let ada = ada.at(&format!("http://{}", front.address));
    ada.get("/").await.expect(204);
    assert_eq!(site.arrived(0).header("x-svc-user-username"), Some("ada"));
    ada.get("/auth/health").await.expect(200);
}
