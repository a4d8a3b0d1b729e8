//! The README, followed line by line as by a newcomer, twice in the same folder.

use crate::harness::{Engine, Need, TempDir, eventually, free_port};
use doorward::clock::Clock;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

single_run![readme_works_twice];
once_on_postgres![postgres_line_works_twice];

const README: &str = include_str!("../../README.md");
const PROGRAM: &str = env!("CARGO_BIN_EXE_doorward");

/// The README's shell blocks, in their order.
struct Blocks {
    start: &'static str,
    tour: &'static str,
    proxy: &'static str,
    behind_proxy: &'static str,
    receiver: &'static str,
    webhooks: &'static str,
    operator: &'static str,
    postgres: &'static str,
}

impl Blocks {
    fn read() -> Self {
        let [start, checks, tour, proxy, behind_proxy, receiver, webhooks, operator, postgres] =
            blocks("sh").try_into().expect("a new block needs a place in this test");
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(checks.trim()).exists(), "{checks}");
        Self { start, tour, proxy, behind_proxy, receiver, webhooks, operator, postgres }
    }
}

/// The README's code blocks in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    README.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().expect("its end")).collect()
}

/// A newcomer's folder and environment.
struct Newcomer {
    folder: TempDir,
    port: u16,
    receiver_port: u16,
    variables: BTreeMap<&'static str, String>,
}

impl Newcomer {
    fn new() -> Self {
        let (port, receiver_port) = (free_port(), free_port());
        let programs = Path::new(PROGRAM).parent().expect("a folder").display();
        let variables = BTreeMap::from([
            ("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap())),
            ("SVC_LISTEN", format!("127.0.0.1:{port}")),
            ("SVC_BASE_URL", format!("http://localhost:{port}")),
        ]);
        Self { folder: TempDir::new("tour"), port, receiver_port, variables }
    }

    /// Replaces what must differ here: each part of the page must be in the text.
    fn adapt(&self, text: &str, parts: &[&str]) -> String {
        let table = [
            // Built already, and not for release.
            ("cargo run --release -- ", "doorward ".to_owned()),
            // These ports may be taken.
            ("http://localhost:8080/", format!("http://localhost:{}/", self.port)),
            ("127.0.0.1:8080", format!("127.0.0.1:{}", self.port)),
            ("http://127.0.0.1:9000/", format!("http://127.0.0.1:{}/", self.receiver_port)),
            ("(\"127.0.0.1\", 9000)", format!("(\"127.0.0.1\", {})", self.receiver_port)),
        ];
        let mut text = text.to_owned();
        for part in parts {
            assert!(text.contains(part), "the page has no {part} any more: {text}");
            let (_, instead) = table.iter().find(|(printed, _)| printed == part).expect("a row of the table");
            text = text.replace(part, instead);
        }
        assert!(!["cargo", "8080", "9000"].iter().any(|printed| text.contains(printed)), "not replaced: {text}");
        text
    }

    fn shell(&self, lines: &str) -> Command {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", lines])
            .current_dir(self.folder.path())
            .env_clear()
            .envs(&self.variables)
            .stdin(Stdio::null());
        shell
    }

    /// Runs lines to their end.
    async fn run(&self, lines: &str) -> Output {
        let mut shell = self.shell(lines);
        tokio::task::spawn_blocking(move || shell.output().unwrap()).await.unwrap()
    }

    /// Starts the service in a terminal of its own.
    async fn serve(&self, lines: &str) -> Terminal {
        self.open("service", lines, self.port).await
    }

    /// Starts lines in a terminal of their own, and waits until they listen.
    async fn open(&self, name: &str, lines: &str, port: u16) -> Terminal {
        let output = self.folder.path().join(name);
        let file = File::create(&output).unwrap();
        let errors = file.try_clone().unwrap();
        let shell = self.shell(lines).process_group(0).stdout(file).stderr(errors).spawn().unwrap();
        let terminal = Terminal { shell: RefCell::new(shell), port, output };
        eventually("it listens", async || terminal.is_listening().then_some(())).await;
        terminal
    }

    /// Takes the tour with an address that no earlier run used; returns the user's id.
    async fn take_tour(&self, tour: &str) -> String {
        let second = || Clock::system().now().as_seconds();
        let earlier = second();
        eventually("the next second", async || (second() > earlier).then_some(())).await;
        let output = self.run(&self.adapt(tour, &["http://localhost:8080/"])).await;
        let text = String::from_utf8(output.stdout).unwrap();
        let [signed_up, user, refreshed] = text.lines().collect::<Vec<_>>().try_into().expect("three lines");
        assert_eq!(signed_up, format!("303 http://localhost:{}/auth/account", self.port));
        assert_eq!(refreshed, "200");
        let user: serde_json::Value = serde_json::from_str(user).unwrap();
        assert!(user["email"].as_str().unwrap().starts_with("ada"), "{user}");
        user["id"].as_str().unwrap().to_owned()
    }

    /// A file that the page's lines made for a secret; only its owner may read it.
    fn secret(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        std::fs::read_to_string(path).unwrap()
    }
}

/// A shell and all that it started, ended when this is dropped: by SIGTERM, as a test run in the background ignores
/// SIGINT, and its children with it.
struct Terminal {
    shell: RefCell<Child>,
    port: u16,
    output: PathBuf,
}

impl Terminal {
    fn is_listening(&self) -> bool {
        let ended = self.shell.borrow_mut().try_wait().unwrap();
        assert!(ended.is_none(), "it ended with {ended:?}: {}", self.output());
        TcpStream::connect(("127.0.0.1", self.port)).is_ok()
    }

    fn output(&self) -> String {
        std::fs::read_to_string(&self.output).unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let group = format!("-{}", self.shell.get_mut().id());
        let _ = Command::new("kill").args(["-s", "TERM", "--", &group]).status();
        let _ = self.shell.get_mut().wait();
    }
}

async fn readme_works_twice() {
    if !(Need::Python.is_met() && Need::OpenSsl.is_met()) {
        return;
    }
    let newcomer = Newcomer::new();
    follow(&newcomer).await;
    let settings = newcomer.secret("doorward.env");
    follow(&newcomer).await;
    assert_eq!(newcomer.secret("doorward.env"), settings, "a second run keeps the secret");
}

/// Follows the page from its top to the section on PostgreSQL.
async fn follow(newcomer: &Newcomer) {
    let page = Blocks::read();
    let service = newcomer.serve(&newcomer.adapt(page.start, &["cargo run --release -- "])).await;
    let greeting = newcomer.adapt(blocks("text")[0], &["127.0.0.1:8080", "http://localhost:8080/"]);
    eventually("the page's lines", async || service.output().contains(&greeting).then_some(())).await;
    newcomer.take_tour(page.tour).await;
    drop(service);

    let output = newcomer.run(page.proxy).await;
    assert!(output.status.success(), "{output:?}");
    let file = std::fs::read_to_string(newcomer.folder.path().join("app.conf")).unwrap();
    for line in ["server_name example.com;", &format!("proxy_pass http://127.0.0.1:{}/auth/gate;", newcomer.port)] {
        assert!(file.contains(line), "{file}");
    }
    drop(newcomer.serve(page.behind_proxy).await);

    let receiver = newcomer.adapt(blocks("python")[0], &["(\"127.0.0.1\", 9000)"]);
    std::fs::write(newcomer.folder.path().join("receiver.py"), receiver).unwrap();
    let lines = newcomer.adapt(page.receiver, &["http://127.0.0.1:9000/"]);
    let receiver = newcomer.open("receiver", &lines, newcomer.receiver_port).await;
    let service = newcomer.serve(&newcomer.adapt(page.webhooks, &["cargo run --release -- "])).await;
    let user = newcomer.take_tour(page.tour).await;
    for kind in ["user.created", "organization.created", "organization.membership.created"] {
        let is_it = |line: &str| line.contains(&format!("'{kind}'")) && line.contains(&user);
        let printed = async || receiver.output().lines().any(is_it).then_some(());
        eventually(kind, printed).await;
    }
    let output = newcomer.run(page.operator).await;
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && printed.contains("/auth/setup/"), "{printed}");
    drop(service);
}

async fn postgres_line_works_twice() {
    if !Need::OpenSsl.is_met() {
        return;
    }
    let newcomer = Newcomer::new();
    let builder = Engine::Postgres.prepare().await.on_empty_database().await;
    let page = Blocks::read();
    let placeholder = "postgres://USER:PASSWORD@HOST/DATABASE";
    assert!(page.postgres.contains(placeholder), "{}", page.postgres);
    let line = page.postgres.replace(placeholder, builder.database().url());
    let first = newcomer.serve(&line).await;
    newcomer.take_tour(page.tour).await;
    let settings = newcomer.secret("doorward.env");
    drop(first);
    let _second = newcomer.serve(&line).await;
    newcomer.take_tour(page.tour).await;
    assert_eq!(newcomer.secret("doorward.env"), settings, "a second run keeps the key");
}
