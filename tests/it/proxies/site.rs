//! An application behind a real proxy, with the files of `deploy/proxies/`.

use crate::harness::{Client, Engine, Received, Receiver, TempDir, TestApp, eventually, free_port, newest_caddy};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const NGINX: &str = include_str!("../../../deploy/proxies/nginx.conf");
const CADDY: &str = include_str!("../../../deploy/proxies/Caddyfile");
const HAPROXY: &str = include_str!("../../../deploy/proxies/haproxy.cfg");
const LUA: &str = include_str!("../../../deploy/proxies/gate.lua");

/// A proxy that there is a file for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    Nginx,
    Caddy,
    NewestCaddy,
    HaProxy,
}

/// What stands in a file in the place of its examples.
struct Places {
    port: u16,
    doorward: String,
    application: String,
    /// The rules in the gate's address.
    rules: &'static str,
}

impl Places {
    /// A file that has the gate's address, which stands there as `before` and `after`.
    fn fill(&self, file: &str, before: &str, after: &str) -> String {
        assert_eq!(file.matches(&format!("{before}{after}")).count(), 1, "{before}{after}");
        let mark = if self.rules.is_empty() || before.ends_with('?') { "" } else { "?" };
        self.place(&file.replace(&format!("{before}{after}"), &format!("{before}{mark}{}{after}", self.rules)))
    }

    fn place(&self, file: &str) -> String {
        let file = file.replace("127.0.0.1:8080", &self.doorward).replace("127.0.0.1:3000", &self.application);
        file.replace("app.example.org", "127.0.0.1")
    }
}

impl ProxyKind {
    /// The program, with its file in a folder.
    fn command(self, folder: &Path, places: &Places) -> Command {
        match self {
            Self::Nginx => nginx(folder, places),
            Self::Caddy => caddy("caddy", folder, places),
            Self::NewestCaddy => caddy(&newest_caddy().expect("the newest Caddy"), folder, places),
            Self::HaProxy => haproxy(folder, places),
        }
    }
}

fn nginx(folder: &Path, places: &Places) -> Command {
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {}/{name};", folder.display()))
        .join(" ");
    let file =
        places.fill(NGINX, "8080/auth/gate", ";").replace("listen 80;", &format!("listen 127.0.0.1:{};", places.port));
    let main = format!(
        "user root; daemon off; master_process off; pid {0}/pid; error_log {0}/error.log; \
         events {{ worker_connections 8192; }} http {{ access_log off; {paths} {file} }}",
        folder.display()
    );
    std::fs::write(folder.join("nginx.conf"), main).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-e").arg(folder.join("error.log")).arg("-c").arg(folder.join("nginx.conf"));
    command
}

fn caddy(program: &str, folder: &Path, places: &Places) -> Command {
    let file = places.fill(CADDY, "uri /auth/gate?", "\n");
    let hosts = format!("http://127.0.0.1:{0}, http://localhost:{0} {{", places.port);
    let file = file.replace("{$APP_ORIGIN:http://127.0.0.1} {", &hosts);
    std::fs::write(folder.join("Caddyfile"), format!("{{\n\tadmin off\n}}\n{file}")).unwrap();
    let mut command = Command::new(program);
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
    command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
    command
}

fn haproxy(folder: &Path, places: &Places) -> Command {
    let lua = folder.join("gate.lua");
    std::fs::write(&lua, places.fill(LUA, "8080/auth/gate", "\"")).unwrap();
    let config = places.place(HAPROXY).replace("bind :80", &format!("bind 127.0.0.1:{}", places.port));
    let config = config.replace("/etc/haproxy/gate.lua", &lua.display().to_string());
    std::fs::write(folder.join("haproxy.cfg"), config).unwrap();
    let mut command = Command::new("haproxy");
    command.arg("-f").arg(folder.join("haproxy.cfg"));
    command
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
pub struct Site {
    pub app: TestApp,
    pub application: Receiver,
    pub url: String,
    pub address: SocketAddr,
    _proxy: ProxyProcess,
    _folder: TempDir,
}

impl Site {
    /// Starts it, with rules in the gate's address.
    pub async fn start(kind: ProxyKind, rules: &'static str) -> Self {
        let port = free_port();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let url = format!("http://{address}");
        let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").set("SVC_ACCESS_TTL", "1m");
        let app = builder.set("SVC_TRUSTED_PROXIES", "127.0.0.1").set("SVC_BASE_URL", &url).start().await;
        let application = Receiver::start().await;
        let behind = application.url().replace("http://", "").replace("/hooks", "");
        let folder = TempDir::new("proxy");
        let places = Places { port, doorward: app.address().to_string(), application: behind, rules };
        let mut command = kind.command(folder.path(), &places);
        let proxy = ProxyProcess(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let site = Self { app, application, url, address, _proxy: proxy, _folder: folder };
        let answers = async || site.visitor().get("/auth/health").try_send().await.ok();
        eventually("the proxy answers", answers).await;
        site
    }

    /// A browser without cookies.
    pub fn visitor(&self) -> Client {
        Client::new(&self.url, "svc")
    }

    /// A browser that has just signed up.
    pub async fn sign_up(&self, email: &str) -> Client {
        self.app.sign_up(email).await.at(&self.url)
    }

    /// The one request that reached the application since `before`.
    pub fn arrived(&self, before: usize) -> Received {
        let received = self.application.received();
        assert_eq!(received.len(), before + 1, "{received:#?}");
        received.into_iter().next_back().unwrap()
    }

    /// How many requests have reached the application.
    pub fn count(&self) -> usize {
        self.application.received().len()
    }
}
