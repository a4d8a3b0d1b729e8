//! The README, followed line by line as by a newcomer, twice in the same folder.

use crate::harness::{Engine, Need, Newcomer, blocks, eventually, free_port};
use doorward::clock::Clock;
use std::path::Path;

single_run![readme_works_twice, service_behind_a_proxy_starts_with_its_settings];
once_on_postgres![postgres_line_works_twice];

const README: &str = include_str!("../../README.md");
const RECEIVER_PORT: &str = "9000";

/// The README's shell blocks, in their order.
struct Blocks {
    start: &'static str,
    tour: &'static str,
    proxy: &'static str,
    serve: &'static str,
    receiver: &'static str,
    operator: &'static str,
    postgres: &'static str,
}

impl Blocks {
    fn read() -> Self {
        let [start, checks, tour, proxy, serve, receiver, operator, postgres] =
            blocks(README, "sh").try_into().expect("a new block needs a place in this test");
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(checks.trim()).exists(), "{checks}");
        Self { start, tour, proxy, serve, receiver, operator, postgres }
    }
}

/// The page's only block in a language.
fn block(language: &str) -> &'static str {
    let [block] = blocks(README, language).try_into().expect("one block");
    block
}

/// Replaces what must differ here: each part of the page must be in the text.
fn adapt(newcomer: &Newcomer, text: &str, parts: &[&str]) -> String {
    let port = newcomer.port.to_string();
    let mut text = text.to_owned();
    for part in parts {
        assert!(text.contains(part), "the page has no {part} any more: {text}");
        // Built already, and not for release; the port may be taken.
        let instead = if part.starts_with("cargo") {
            format!("exec doorward dev --port {port}")
        } else {
            part.replace("8080", &port)
        };
        text = text.replace(part, &instead);
    }
    assert!(!["cargo", ":8080"].iter().any(|printed| text.contains(printed)), "not replaced: {text}");
    text
}

fn start(newcomer: &Newcomer) -> String {
    adapt(newcomer, Blocks::read().start, &["cargo run --release -- dev"])
}

/// Takes the tour with an address that no earlier run used; returns the user's id.
async fn take_tour(newcomer: &Newcomer) -> String {
    let second = || Clock::system().now().as_seconds();
    let earlier = second();
    eventually("the next second", async || (second() > earlier).then_some(())).await;
    let output = newcomer.run(&adapt(newcomer, Blocks::read().tour, &["http://localhost:8080/"])).await;
    let text = String::from_utf8(output.stdout).unwrap();
    let [signed_up, user, refreshed] = text.lines().collect::<Vec<_>>().try_into().expect("three lines");
    assert_eq!(signed_up, format!("303 http://localhost:{}/auth/account", newcomer.port));
    assert_eq!(refreshed, "200");
    let user: serde_json::Value = serde_json::from_str(user).unwrap();
    assert!(user["email"].as_str().unwrap().starts_with("ada"), "{user}");
    user["id"].as_str().unwrap().to_owned()
}

async fn readme_works_twice() {
    if !Newcomer::has(&[Need::Python, Need::OpenSsl]) {
        return;
    }
    let newcomer = Newcomer::new();
    let receiver_port = free_port();
    let service = newcomer.serve(&start(&newcomer)).await;
    let greeting = adapt(&newcomer, blocks(README, "text")[0], &["127.0.0.1:8080", "http://localhost:8080/"]);
    eventually("the page's lines", async || service.output().contains(&greeting).then_some(())).await;
    drop(service);
    follow(&newcomer, receiver_port).await;
    let settings = newcomer.secret("doorward.env");
    follow(&newcomer, receiver_port).await;
    assert_eq!(newcomer.secret("doorward.env"), settings, "a second run keeps the secret");
}

/// Follows the page from its top to the section on PostgreSQL, but for the one that is for a server.
async fn follow(newcomer: &Newcomer, receiver_port: u16) {
    let page = Blocks::read();
    let service = newcomer.serve(&start(newcomer)).await;
    take_tour(newcomer).await;
    drop(service);

    let output = newcomer.run(page.proxy).await;
    assert!(output.status.success(), "{output:?}");
    let file = std::fs::read_to_string(newcomer.folder.path().join("app.conf")).unwrap();
    for line in ["server_name example.com;", &format!("proxy_pass http://127.0.0.1:{}/auth/gate;", newcomer.port)] {
        assert!(file.contains(line), "{file}");
    }

    let on_free_port = |text: &str| {
        assert!(text.contains(RECEIVER_PORT), "{text}");
        text.replace(RECEIVER_PORT, &receiver_port.to_string())
    };
    std::fs::write(newcomer.folder.path().join("receiver.py"), on_free_port(block("python"))).unwrap();
    let receiver = newcomer.open("receiver", &on_free_port(page.receiver), receiver_port).await;
    let service = newcomer.serve(page.serve).await;
    let user = take_tour(newcomer).await;
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

async fn service_behind_a_proxy_starts_with_its_settings() {
    let newcomer = Newcomer::new();
    newcomer.append("doorward.env", block("ini"));
    // Else the test's own would count, as the environment comes before the file.
    let service = newcomer.serve(&format!("unset SVC_BASE_URL; {}", Blocks::read().serve)).await;
    let greeting = "Open      http://example.com/auth/signup";
    eventually("the public URL", async || service.output().contains(greeting).then_some(())).await;
}

async fn postgres_line_works_twice() {
    if !Newcomer::has(&[Need::OpenSsl]) {
        return;
    }
    let newcomer = Newcomer::new();
    let builder = Engine::Postgres.prepare().await.on_empty_database().await;
    let page = Blocks::read();
    let placeholder = "postgres://USER:PASSWORD@HOST/DATABASE";
    assert!(page.postgres.contains(placeholder), "{}", page.postgres);
    let line = page.postgres.replace(placeholder, builder.database().url());
    let first = newcomer.serve(&line).await;
    take_tour(&newcomer).await;
    let settings = newcomer.secret("doorward.env");
    drop(first);
    let _second = newcomer.serve(&line).await;
    take_tour(&newcomer).await;
    assert_eq!(newcomer.secret("doorward.env"), settings, "a second run keeps the key");
}
