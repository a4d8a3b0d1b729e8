//! docs/start/go-live.md, followed by an operator: from a developer's accounts to a service behind Caddy with TLS.

use crate::harness::{
    Authenticator, Client, MailServer, Newcomer, PASSWORD, Receiver, Reply, Terminal, blocks, eventually, free_port,
};
use crate::proxies::site::{Program, address_of};
use doorward::clock::Clock;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

if_installed![Caddy: accounts_of_development_move_to_a_server_behind_caddy];

const PAGE: &str = include_str!("../../docs/start/go-live.md");
/// The folders of the page, which are below the operator's own here.
const FOLDERS: [&str; 4] = ["/etc/caddy", "/etc/doorward.env", "/var/lib/doorward", "/var/backups/doorward"];

/// The page's blocks that the operator types, in their order.
struct Blocks {
    copy: &'static str,
    restore: &'static str,
    caddy: &'static str,
    start: &'static str,
    mail: &'static str,
    administrator: &'static str,
}

impl Blocks {
    fn read() -> Self {
        let [copy, restore, caddy, start, mail, administrator] =
            blocks(PAGE, "sh").try_into().expect("a new block needs a place in this test");
        Self { copy, restore, caddy, start, mail, administrator }
    }
}

/// A server, whose commands of the system are played by scripts.
struct Server {
    newcomer: Newcomer,
    tls_port: u16,
    application: Receiver,
    mail: MailServer,
}

impl Server {
    async fn new() -> Self {
        let newcomer = Newcomer::new();
        let root = newcomer.folder.path().to_owned();
        for folder in ["bin", "etc/caddy", "var/lib/doorward", "var/backups/doorward", "nas"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        let path = format!("{}:{}", root.join("bin").display(), newcomer.variable("PATH"));
        let authority = root.join("caddy/pki/authorities/local/root.crt").display().to_string();
        let newcomer = newcomer.set("PATH", path).set("SSL_CERT_FILE", authority);
        let server = Self {
            newcomer,
            tls_port: free_port(),
            application: Receiver::start().await,
            mail: MailServer::start().await,
        };
        server.script("sudo", "exec \"$@\"");
        server.script("doorwardctl", &format!("exec doorward --env-file {}/etc/doorward.env \"$@\"", root.display()));
        // Its options are before the file, and the folder at the other machine after it.
        server.script("scp", &format!("cp \"$2\" {}/nas/", root.display()));
        // The service is a terminal of the test, which starts and stops it.
        server.script("systemctl", "true");
        server
    }

    fn script(&self, name: &str, lines: &str) {
        self.program(&format!("bin/{name}"), &format!("#!/bin/sh\n{lines}\n"));
    }

    fn program(&self, name: &str, text: &str) {
        self.newcomer.append(name, text);
        let path = self.newcomer.folder.path().join(name);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.newcomer.folder.path().join(name)
    }

    fn url(&self) -> String {
        format!("https://app.localhost:{}", self.tls_port)
    }

    /// Replaces the names, the folders, and what needs another user.
    fn adapt(&self, text: &str) -> String {
        let root = self.newcomer.folder.path().display().to_string();
        let text =
            FOLDERS.iter().fold(text.to_owned(), |text, folder| text.replace(folder, &format!("{root}{folder}")));
        let text = text.replace("https://app.example.org", &self.url()).replace("app.example.org", "app.localhost");
        let text = text.replace("http://127.0.0.1:3000", &format!("http://{}", address_of(&self.application)));
        text.replace("--owner=doorward ", "").replace("smtps://USER:PASSWORD@mail.example.org", &self.mail.url())
    }

    async fn run(&self, lines: &str) -> String {
        expect_success(&self.newcomer.run(&self.adapt(lines)).await)
    }

    async fn serve(&self) -> Terminal {
        self.newcomer.serve("exec doorwardctl serve").await
    }

    /// Starts Caddy with the page's file: at a free port, with certificates of an authority of its own, which is its way
    /// with names under `localhost`.
    async fn start_caddy(&self) -> Program {
        let here = format!(
            "{{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port {}\n}}\n",
            self.tls_port
        );
        let file = self.path("etc/caddy/Caddyfile");
        let printed = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, here + &printed).unwrap();
        let mut command = Command::new("caddy");
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(file);
        for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env(variable, self.newcomer.folder.path());
        }
        Program::start(command, ([127, 0, 0, 1], self.tls_port).into()).await
    }

    /// Asks through Caddy as a browser that opens a page: the status, and where it leads.
    async fn open(&self, path: &str, client: &Client) -> String {
        let cookies = client.jar().header().unwrap_or_default();
        self.run(&format!(
            "curl --silent --show-error --cacert \"$SSL_CERT_FILE\" --header 'Sec-Fetch-Mode: navigate' \
             --header 'Cookie: {cookies}' --output page --write-out '%{{http_code}} %{{redirect_url}}' '{}{path}'",
            self.url()
        ))
        .await
    }

    /// A browser whose requests Caddy would pass on unchanged.
    fn browser(&self) -> Client {
        Client::new(&format!("http://127.0.0.1:{}", self.newcomer.port), "svc")
    }
}

fn expect_success(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
}

/// A developer's data: Ada has an account.
async fn develop(copy: &str, server: &Server) {
    let developer = Newcomer::new();
    let service = developer.serve("exec doorward serve").await;
    Client::new(&format!("http://127.0.0.1:{}", developer.port), "svc").sign_up("ada@example.com").await.expect(303);
    drop(service);
    expect_success(&developer.run(copy).await);
    for file in ["dev.db", "dev.db.key"] {
        std::fs::copy(developer.folder.path().join(file), server.path(file)).unwrap();
    }
}

/// Follows the link of `setup-link`, and sets up what the pages of administrators ask for.
async fn become_administrator(server: &Server, link: &str) -> Reply {
    let browser = server.browser();
    let link = link.lines().next().expect("a line");
    let path = link.strip_prefix(&server.url()).expect("a link of the service");
    browser.post_form(path, &[("email", "root@example.com"), ("password", PASSWORD)]).await.expect(303);
    let asked = browser.get("/auth/admin").await.expect(303).location().to_owned();
    assert!(asked.starts_with("/auth/account/two-factor"), "{asked}");
    browser.post_confirmed("/auth/account/two-factor", &[]).await.expect(303);
    let app = Authenticator::from_page(&browser.get("/auth/account/two-factor").await.expect(200).text());
    let code = app.code_at(Clock::system().now());
    browser.post_form("/auth/account/two-factor/confirm", &[("code", &code)]).await.expect(200);
    browser.get("/auth/admin").await
}

async fn accounts_of_development_move_to_a_server_behind_caddy() {
    let (page, server) = (Blocks::read(), Server::new().await);
    develop(page.copy, &server).await;

    let [settings] = blocks(PAGE, "ini").try_into().expect("one block");
    let port = format!("SVC_LISTEN=127.0.0.1:{}\n", server.newcomer.port);
    let authority = format!("SVC_SMTP_CA_FILE={}\n", server.mail.certificate().display());
    server.newcomer.append("etc/doorward.env", &(server.adapt(settings) + &port + &authority));
    // The package starts the service at once.
    drop(server.serve().await);
    server.run(page.restore).await;
    server.run(page.caddy).await;
    let caddy = server.start_caddy().await;
    let service = server.serve().await;
    let ready = async || server.newcomer.run(&server.adapt(page.start)).await.status.success().then_some(());
    eventually("the doctor finds no error", ready).await;

    let ada = server.browser();
    assert_eq!(
        server.open("/orders", &ada).await,
        format!("302 {}/auth/login?return_to=%2Forders", server.url()),
        "the gate asks for a login"
    );
    ada.log_in("ada@example.com", PASSWORD).await.expect(303);
    assert_eq!(server.open("/orders", &ada).await.trim(), "204", "the password of development, and the application");

    server.run(page.mail).await;
    server.mail.wait_for(1).await;
    let link = server.run(page.administrator).await;
    become_administrator(&server, &link).await.expect(200);

    let [backup] = blocks(PAGE, "bash").try_into().expect("one block");
    server.program("doorward-backup", &server.adapt(backup));
    server.run("./doorward-backup").await;
    let kept = files(&server.path("var/backups/doorward"));
    assert_eq!((kept.len(), &kept), (1, &files(&server.path("nas"))), "a copy is elsewhere");
    drop((service, caddy));
}
