//! The files of `deploy/proxies/` with real proxies, between a browser and an application (docs/proxies.md).

use crate::harness::{Client, Engine, PASSWORD, Received, Receiver, TempDir, TestApp, eventually, free_port};
use reqwest::Method;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

if_installed![
    Nginx: nginx_protects_application,
    Caddy: caddy_protects_application,
    HaProxy: haproxy_protects_application,
];

const NGINX: &str = include_str!("../../deploy/proxies/nginx.conf");
const CADDY: &str = include_str!("../../deploy/proxies/Caddyfile");
const HAPROXY: &str = include_str!("../../deploy/proxies/haproxy.cfg");
const LUA: &str = include_str!("../../deploy/proxies/gate.lua");

async fn nginx_protects_application() {
    protects_application(|folder, port, file| {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {}/{name};", folder.display()))
            .join(" ");
        let file = file(NGINX).replace("listen 80;", &format!("listen 127.0.0.1:{port};"));
        let main = format!(
            "user root; daemon off; pid {0}/pid; error_log {0}/error.log; events {{}} \
             http {{ access_log off; {paths} {file} }}",
            folder.display()
        );
        std::fs::write(folder.join("nginx.conf"), main).unwrap();
        let mut command = Command::new("nginx");
        command.arg("-e").arg(folder.join("error.log")).arg("-c").arg(folder.join("nginx.conf"));
        command
    })
    .await;
}

async fn caddy_protects_application() {
    protects_application(|folder, port, file| {
        let file = file(CADDY).replace("http://127.0.0.1 {", &format!("http://127.0.0.1:{port} {{"));
        std::fs::write(folder.join("Caddyfile"), format!("{{\n\tadmin off\n}}\n{file}")).unwrap();
        let mut command = Command::new("caddy");
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
        command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
        command
    })
    .await;
}

async fn haproxy_protects_application() {
    protects_application(|folder, port, file| {
        let lua = folder.join("gate.lua");
        std::fs::write(&lua, file(LUA)).unwrap();
        let config = file(HAPROXY).replace("bind :80", &format!("bind 127.0.0.1:{port}"));
        let config = config.replace("/etc/haproxy/gate.lua", &lua.display().to_string());
        std::fs::write(folder.join("haproxy.cfg"), config).unwrap();
        let mut command = Command::new("haproxy");
        command.arg("-f").arg(folder.join("haproxy.cfg"));
        command
    })
    .await;
}

/// A proxy that ends with the test.
struct ProxyProcess(Child);

impl Drop for ProxyProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An application behind a proxy.
struct Site {
    app: TestApp,
    application: Receiver,
    url: String,
    _proxy: ProxyProcess,
    _folder: TempDir,
}

impl Site {
    async fn start(command: impl FnOnce(&Path, u16, &dyn Fn(&str) -> String) -> Command) -> Self {
        let port = free_port();
        let url = format!("http://127.0.0.1:{port}");
        let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").set("SVC_ACCESS_TTL", "1m");
        let builder = builder.set("SVC_TRUSTED_PROXIES", "127.0.0.1").set("SVC_BASE_URL", &url);
        let app = builder.start().await;
        let application = Receiver::start().await;
        let folder = TempDir::new("proxy");
        let (doorward, behind) = (app.address().to_string(), application.url().replace("/hooks", ""));
        let file = |text: &str| {
            let text = text.replace("127.0.0.1:8080", &doorward).replace("app.example.org", "127.0.0.1");
            text.replace("127.0.0.1:3000", behind.trim_start_matches("http://"))
        };
        let mut command = command(folder.path(), port, &file);
        let proxy = ProxyProcess(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let site = Self { app, application, url, _proxy: proxy, _folder: folder };
        let answers = async || site.visitor().get("/").try_send().await.ok();
        eventually("the proxy answers", answers).await;
        site
    }

    fn visitor(&self) -> Client {
        Client::new(&self.url, "svc")
    }

    /// The one request that reached the application since `before`.
    fn arrived(&self, before: usize) -> Received {
        let received = self.application.received();
        assert_eq!(received.len(), before + 1, "{received:#?}");
        received.into_iter().next_back().unwrap()
    }

    fn count(&self) -> usize {
        self.application.received().len()
    }
}

async fn protects_application(command: impl FnOnce(&Path, u16, &dyn Fn(&str) -> String) -> Command) {
    let mut site = Site::start(command).await;
    assert_eq!(site.count(), 0, "nobody passes");
    let ada = site.app.sign_up("ada@example.com").await.at(&site.url);
    form_arrives_whole_after_access_token_expired(&site, &ada).await;
    query_survives_login(&site).await;
    script_is_told_where_to_log_in(&site).await;
    forged_headers_and_cookies_never_arrive(&site, &ada).await;
    gate_is_refused_from_outside(&site).await;
    let before = site.count();
    let tab = ada.copy();
    tab.get("/").await.expect(204);
    ada.log_out().await.expect(204);
    tab.get("/").await.expect(401);
    assert_eq!(site.count(), before + 1, "a logout counts at the next request");
    let bob = site.app.sign_up("bob@example.com").await.at(&site.url);
    site.app.stop().await;
    for client in [bob, site.visitor()] {
        let status = client.get("/").await.status;
        assert!(status >= 500, "{status}");
    }
    assert_eq!(site.count(), before + 1, "nothing passes without the gate");
}

async fn form_arrives_whole_after_access_token_expired(site: &Site, ada: &Client) {
    site.app.clock().advance(Duration::from_mins(2));
    let before = site.count();
    let body = "x".repeat(100_000);
    let call = ada.call(Method::POST, "/form?a=1&b=2").form_body(body.clone()).header("accept", "text/html");
    call.await.expect(204);
    let request = site.arrived(before);
    assert!(request.request_line.starts_with("POST /form?a=1&b=2 "), "{}", request.request_line);
    assert_eq!(String::from_utf8(request.body.clone()).unwrap(), body);
    assert_eq!(request.header("x-svc-user-username"), Some("ada"));
    assert_eq!(request.header("x-svc-assertion").unwrap().split('.').count(), 3);
}

async fn query_survives_login(site: &Site) {
    let visitor = site.visitor();
    let call = visitor.get("/page?a=1&b=2").header("sec-fetch-mode", "navigate").header("accept", "text/html");
    let reply = call.await.expect(302);
    let login = reply.location().strip_prefix(&site.url).expect("the login").to_owned();
    assert_eq!(login, "/auth/login?return_to=%2Fpage%3Fa%3D1%26b%3D2");
    let form = visitor.get(&login).await.expect(200).text();
    assert!(form.contains("name=\"return_to\" value=\"/page?a=1"), "{form}");
    let target = "/page?a=1&b=2";
    let fields = [("email", "ada"), ("password", PASSWORD), ("return_to", target)];
    assert_eq!(visitor.post_form("/auth/login", &fields).await.expect(303).location(), target);
    let before = site.count();
    visitor.get("/page?a=1&b=2").header("sec-fetch-mode", "navigate").await.expect(204);
    assert!(site.arrived(before).request_line.starts_with("GET /page?a=1&b=2 "));
}

async fn script_is_told_where_to_log_in(site: &Site) {
    let before = site.count();
    for query in ["", "?optional", "?preflight&optional"] {
        let call = site.visitor().get(&format!("/api{query}")).header("sec-fetch-mode", "cors");
        let reply = call.header("accept", "application/json").await.expect_error(401, "unauthorized");
        assert!(reply.header("x-svc-login-url").unwrap().starts_with(&format!("{}/auth/login?", site.url)));
    }
    assert_eq!(site.count(), before, "a visitor's query is no rule");
}

async fn forged_headers_and_cookies_never_arrive(site: &Site, ada: &Client) {
    let before = site.count();
    ada.jar().set("theme", "dark");
    ada.jar().set("last", "1");
    let call = ada.get("/").header("x-svc-user-username", "root").also_header("x-svc-user-username", "admin");
    let call = call.header("x-svc-user-roles", "svc:admin").header("x_svc_user_roles", "svc:admin");
    call.header("x-svc-assertion", "forged").header("X-Forwarded-Host", "elsewhere.example").await.expect(204);
    let request = site.arrived(before);
    let values = |name: &str| -> Vec<String> {
        let same = |given: &str| given.to_ascii_lowercase().replace('_', "-") == name;
        request.headers.iter().filter(|(given, _)| same(given)).map(|(_, value)| value.clone()).collect()
    };
    assert_eq!(values("x-svc-user-username"), ["ada"]);
    assert!(values("x-svc-user-roles").iter().all(String::is_empty), "{request:#?}");
    assert_ne!(values("x-svc-assertion"), ["forged"]);
    let cookies = request.header("cookie").unwrap();
    assert!(cookies.contains("theme=dark") && cookies.contains("last=1") && !cookies.contains("svc_"), "{cookies}");
    let call = ada.get("/").header("cookie", &format!("svc_access=x; {0}; {0}", ada.jar().header().unwrap()));
    call.await.expect(204);
    let received = site.application.received();
    let cookies = received.last().unwrap().header("cookie").unwrap_or_default();
    assert!(!cookies.contains("svc_"), "{cookies}");
}

async fn gate_is_refused_from_outside(site: &Site) {
    for path in ["/auth/gate", "/auth/gate?optional", "/auth//gate", "/auth/%67ate", "/auth/gate/", "/auth%2Fgate"] {
        let reply = site.visitor().get(path).await;
        assert!([401, 404].contains(&reply.status), "{path}: {}", reply.status);
        assert!(reply.header("x-svc-user-id").is_none(), "{path}");
    }
    site.visitor().get("/auth/gate?optional").await.expect(404);
}
