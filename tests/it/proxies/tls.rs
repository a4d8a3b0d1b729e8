//! `HAProxy` with TLS: only `bind` changes. (Caddy and nginx write the scheme by themselves.)

use super::edits::Edits;
use super::site::{ProxyKind, Site};
use crate::harness::{Need, TempDir, certificate};
use std::process::Command;

if_installed![HaProxy: haproxy_takes_tls];

async fn haproxy_takes_tls() {
    if !Need::OpenSsl.is_met() {
        return;
    }
    let folder = TempDir::new("tls");
    certificate(folder.path());
    let [certificate, key] = ["cert.pem", "key.pem"].map(|file| std::fs::read(folder.path().join(file)).unwrap());
    std::fs::write(folder.path().join("both.pem"), [certificate, key].concat()).unwrap();
    let edits = Edits { certificate: Some(folder.path().join("both.pem")), ..Edits::default() };
    let site = Site::start_with(ProxyKind::HaProxy, &edits).await;
    let page = format!("{}/page", site.url);
    let stranger = curl(&["-H", "Sec-Fetch-Mode: navigate", "-w", "%{http_code} %{redirect_url}", &page]).await;
    assert_eq!(stranger, format!("302 {}/auth/login?return_to=%2Fpage", site.url));
    let ada = site.app.sign_up("ada@example.com").await;
    let cookie = format!("Cookie: {}", ada.jar().header().unwrap());
    assert_eq!(curl(&["-H", &cookie, "-w", "%{http_code}", &page]).await, "204");
    let request = site.arrived(0);
    assert_eq!(
        (request.header("x-forwarded-proto"), request.header("x-svc-user-username")),
        (Some("https"), Some("ada"))
    );
    assert!(
        request.header("x-svc-assertion").is_some_and(|value| !value.is_empty()),
        "the origin is known: {request:#?}"
    );
}

async fn curl(arguments: &[&str]) -> String {
    let mut command = Command::new("curl");
    command.args(["--silent", "--insecure", "--output", "/dev/null"]).args(arguments);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    String::from_utf8(output.stdout).unwrap()
}
