//! An application behind a real proxy, with the files that `doorward proxy-config` prints.

use super::balanced::with_processes;
use super::edits::Edits;
use super::hosts::with_further;
use crate::harness::{
    Client, Engine, Received, Receiver, TempDir, TestApp, envoy, eventually, free_port, newest_caddy, raw_http,
    run_program, traefik,
};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tokio::net::TcpStream;

/// The files of `deploy/proxies/` that run here, and the arguments that print each.
pub const FILES: [(&str, &[&str]); 6] = [
    ("nginx.conf", &["nginx"]),
    ("Caddyfile", &["caddy"]),
    ("haproxy.cfg", &["haproxy"]),
    ("gate.lua", &["haproxy", "--lua"]),
    ("traefik.yml", &["traefik"]),
    ("envoy.yaml", &["envoy"]),
];

/// Between what a proxy stands.
struct Places<'a> {
    port: u16,
    doorward: &'a str,
    application: &'a str,
    edits: &'a Edits,
}

impl Places<'_> {
    /// A file as it is printed, with the edits.
    async fn file(&self, name: &str) -> String {
        let host = self.edits.hosts.map_or("127.0.0.1", |[application, _]| application);
        let mut file = self.print(name, host, self.application).await;
        if let Some((host, application)) = &self.edits.further {
            file = with_further(name, &file, &self.print(name, host, application).await);
        }
        if let Some(processes) = &self.edits.processes {
            file = with_processes(name, &file, processes);
        }
        self.edits.apply(&file)
    }

    async fn print(&self, name: &str, host: &str, application: &str) -> String {
        let (_, which) = FILES.iter().find(|(file, _)| *file == name).expect("a file that runs here");
        let [auth, app] = [self.doorward, application].map(|address| format!("http://{address}"));
        let addresses = ["--host", host, "--auth", &auth, "--app", &app];
        let login = self.edits.hosts.map(|[_, login]| ["--login-host", login]);
        let login = login.as_ref().map_or(&[][..], |arguments| arguments);
        let output = run_program(&[&["proxy-config"], *which, &addresses, login].concat(), &BTreeMap::new()).await;
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// A proxy that there is a file for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    Nginx,
    Caddy,
    NewestCaddy,
    HaProxy,
    Traefik,
    Envoy,
}

impl ProxyKind {
    /// The program, with its file in a folder.
    async fn command(self, folder: &Path, places: &Places<'_>) -> Command {
        match self {
            Self::Nginx => nginx(folder, places).await,
            Self::Caddy => caddy("caddy", folder, places).await,
            Self::NewestCaddy => caddy(&newest_caddy().expect("the newest Caddy"), folder, places).await,
            Self::HaProxy => haproxy(folder, places).await,
            Self::Traefik => traefik_command(folder, places).await,
            Self::Envoy => envoy_command(folder, places).await,
        }
    }

    /// Waits for a proxy that listens before it has read its file: until then Traefik answers with a 404 of its own.
    async fn wait_for_file(self, address: SocketAddr, edits: &Edits) {
        if self != Self::Traefik {
            return;
        }
        let login = edits.hosts.map_or("127.0.0.1", |[_, login]| login);
        let request = format!("GET /auth/gate HTTP/1.1\r\nHost: {login}\r\nConnection: close\r\n\r\n");
        let is_read = async || (!raw_http(address, request.as_bytes()).await.contains("page not found")).then_some(());
        eventually("Traefik has read its file", is_read).await;
    }
}

async fn nginx(folder: &Path, places: &Places<'_>) -> Command {
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {}/{name};", folder.display()))
        .join(" ");
    let file = places.edits.add_rules(&places.file("nginx.conf").await, "/auth/gate", ";");
    let file = file.replace("listen 80;", &format!("listen 127.0.0.1:{};", places.port));
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

async fn caddy(program: &str, folder: &Path, places: &Places<'_>) -> Command {
    let file = places.edits.add_rules(&places.file("Caddyfile").await, "uri /auth/gate?", "\n");
    let hosts = format!("http://127.0.0.1:{0}, http://localhost:{0} {{", places.port);
    let file = file.replace("{$APP_ORIGIN:http://127.0.0.1} {", &hosts);
    let file = file.replace(".example.test {", &format!(".example.test:{} {{", places.port));
    std::fs::write(folder.join("Caddyfile"), format!("{{\n\tadmin off\n}}\n{file}")).unwrap();
    let mut command = Command::new(program);
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
    command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
    command
}

async fn haproxy(folder: &Path, places: &Places<'_>) -> Command {
    let lua = folder.join("gate.lua");
    std::fs::write(&lua, places.edits.add_rules(&places.file("gate.lua").await, "/auth/gate", "\"\n")).unwrap();
    let tls = places.edits.certificate.as_ref().map(|path| format!(" ssl crt {}", path.display()));
    let bind = format!("bind 127.0.0.1:{}{}", places.port, tls.unwrap_or_default());
    let config = places.file("haproxy.cfg").await.replace("    bind :80\n", &format!("    {bind}\n"));
    let config = config.replace("/etc/haproxy/gate.lua", &lua.display().to_string());
    std::fs::write(folder.join("haproxy.cfg"), config).unwrap();
    let mut command = Command::new("haproxy");
    command.arg("-f").arg(folder.join("haproxy.cfg"));
    command
}

async fn traefik_command(folder: &Path, places: &Places<'_>) -> Command {
    let path = folder.join("traefik.yml");
    let text = places.edits.add_rules(&places.file("traefik.yml").await, "/auth/gate", "\"\n");
    std::fs::write(&path, text.replace("Host(`127.0.0.1`)", "(Host(`127.0.0.1`) || Host(`localhost`))")).unwrap();
    let mut command = Command::new(traefik().expect("Traefik"));
    command.arg(format!("--providers.file.filename={}", path.display()));
    command.arg(format!("--entryPoints.web.address=127.0.0.1:{}", places.port));
    // What the file asks for.
    command.arg("--entryPoints.web.http.aliasHeadersStrategy=delete");
    command.args(["--global.checkNewVersion=false", "--global.sendAnonymousUsage=false"]);
    command
}

async fn envoy_command(folder: &Path, places: &Places<'_>) -> Command {
    let path = folder.join("envoy.yaml");
    let text = places.edits.add_rules(&places.file("envoy.yaml").await, "path_override: \"/auth/gate", "\"\n");
    let text = text.replace("domains: [\"127.0.0.1\"]", "domains: [\"127.0.0.1\", localhost]");
    let listener = format!("address: \"127.0.0.1\", port_value: {}", places.port);
    std::fs::write(&path, text.replace("address: \"0.0.0.0\", port_value: 80", &listener)).unwrap();
    let mut command = Command::new(envoy().expect("Envoy"));
    command.arg("--config-path").arg(path).args(["--concurrency", "1", "--disable-hot-restart"]);
    command
}

/// A program that ends with the test.
pub struct Program(Child);

impl Program {
    /// Starts it, and waits until it listens.
    pub async fn start(mut command: Command, address: SocketAddr) -> Self {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let program = Self(child);
        eventually("the program listens", async || TcpStream::connect(address).await.ok()).await;
        program
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub struct Front {
    pub address: SocketAddr,
    _program: Program,
    _folder: TempDir,
}

impl Front {
    /// Starts it between visitors and an application.
    pub async fn start(kind: ProxyKind, doorward: &str, application: &str, edits: &Edits) -> Self {
        Self::start_at(free_port(), kind, doorward, application, edits).await
    }

    pub async fn start_at(port: u16, kind: ProxyKind, doorward: &str, application: &str, edits: &Edits) -> Self {
        let places = Places { port, doorward, application, edits };
        let folder = TempDir::new("proxy");
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let program = Program::start(kind.command(folder.path(), &places).await, address).await;
        kind.wait_for_file(address, edits).await;
        Self { address, _program: program, _folder: folder }
    }
}

/// Doorward and an application behind a proxy.
pub struct Site {
    pub app: TestApp,
    pub application: Receiver,
    pub url: String,
    pub address: SocketAddr,
    _front: Front,
}

pub fn address_of(receiver: &Receiver) -> String {
    receiver.url().replace("http://", "").replace("/hooks", "")
}

impl Site {
    /// Starts it, with rules in the gate's address.
    pub async fn start(kind: ProxyKind, rules: &'static str) -> Self {
        Self::start_with(kind, &Edits { rules, ..Edits::default() }).await
    }

    pub async fn start_with(kind: ProxyKind, edits: &Edits) -> Self {
        let port = free_port();
        let scheme = if edits.certificate.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://127.0.0.1:{port}");
        let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").set("SVC_ACCESS_TTL", "1m");
        let builder = builder.set("SVC_TRUSTED_PROXIES", "127.0.0.1").set("SVC_BASE_URL", &url);
        let app = builder.set("SVC_GATE_HEADERS", "Remote-User=username,X-Remote-User=username").start().await;
        let application = Receiver::start().await;
        let behind = edits.application.clone().unwrap_or_else(|| address_of(&application));
        let front = Front::start_at(port, kind, &app.address().to_string(), &behind, edits).await;
        Self { app, application, url, address: front.address, _front: front }
    }

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
