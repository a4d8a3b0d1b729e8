//! `doorward dev`: the service for this machine, with what those need who build an application.

use crate::backup::doorward;
use crate::harness::{
    Browser, Client, Engine, Look, PASSWORD, Process, TempDir, eventually, free_port, run_process, run_program,
    run_to_snapshot,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

both_engines![database_of_another_machines_service_is_refused_unchanged];
single_run![
    application_is_known_and_the_banner_says_what_comes_next,
    every_email_is_printed_once_whoever_queued_it,
    other_machines_are_refused_before_anything_is_written,
    nothing_is_started_without_a_command,
];
browser![person_signs_up_with_the_printed_code];

const EMAIL: &str = "ada@example.com";
const APPLICATION: &str = "http://localhost:3000";

type Variables = BTreeMap<String, String>;

struct Developer {
    folder: TempDir,
    process: Process,
    url: String,
}

fn variables(folder: &TempDir) -> Variables {
    [("SVC_DATA_DIR".to_owned(), folder.path().join("data").display().to_string())].into()
}

impl Developer {
    async fn start() -> Self {
        let (folder, port) = (TempDir::new("dev"), free_port());
        let (own, port) = (variables(&folder), port.to_string());
        let mut process = Process::spawn_command(&["dev", "--app", APPLICATION, "--port", &port], &own);
        process.wait_until_ready(&format!("127.0.0.1:{port}")).await;
        Self { folder, process, url: format!("http://localhost:{port}") }
    }

    /// What follows a word at the beginning of a line, once it is printed.
    async fn printed(&self, word: &str) -> String {
        let find = async || {
            let output = self.process.stdout();
            let line = output.lines().find_map(|line| line.trim().strip_prefix(word)?.strip_prefix(' '));
            line.map(|rest| rest.trim().to_owned())
        };
        eventually(&format!("{word} is printed"), find).await
    }

    fn mails(&self, kind: &str) -> usize {
        let output = self.process.stdout();
        output.lines().filter(|line| *line == format!("Mail {kind} to {EMAIL}")).count()
    }

    fn client(&self) -> Client {
        Client::new(&self.url, "svc")
    }
}

async fn application_is_known_and_the_banner_says_what_comes_next() {
    let developer = Developer::start().await;
    assert_eq!(developer.printed("Open").await, format!("{}/auth/signup", developer.url));
    assert_eq!(developer.printed("App").await, format!("DOORWARD_URL={}", developer.url));
    assert_eq!(developer.printed("Data").await, variables(&developer.folder)["SVC_DATA_DIR"]);
    let setup = developer.printed("Setup").await;
    let path = setup.strip_prefix(&developer.url).expect("a path").to_owned();
    let admin = developer.client();
    admin.post_form(&path, &[("email", "root@example.com"), ("password", PASSWORD)]).await.expect(303);
    let shown = doorward(&["user", "show", "root@example.com"], &own_variables(&developer)).await;
    assert_eq!(shown["roles"], json!(["svc:admin"]), "{shown}");
    let ada = developer.client();
    let form = [("email", EMAIL), ("password", PASSWORD)];
    let signed_up = ada.post_form("/auth/signup", &form).await;
    assert_eq!(signed_up.departure().unwrap_or_else(|| signed_up.location().to_owned()), APPLICATION);
    let asked = ada.api_user().header("origin", APPLICATION).await.expect(200);
    assert_eq!(asked.header("access-control-allow-origin"), Some(APPLICATION));
    let session = doorward(&["dev", "session", "dev@example.com"], &own_variables(&developer)).await;
    assert_eq!(session["created"], true);
    let port = developer.url.rsplit(':').next().unwrap();
    let second = run_process(&["dev", "--port", port], &own_variables(&developer), "").await;
    let text = String::from_utf8(second.stderr).unwrap();
    assert!(
        second.status.code() == Some(2) && text.contains(&format!("--port: could not listen on 127.0.0.1:{port}")),
        "{text}"
    );
}

/// Those of a command beside it.
fn own_variables(developer: &Developer) -> Variables {
    let mut variables = variables(&developer.folder);
    variables.insert("SVC_BASE_URL".to_owned(), developer.url.clone());
    variables
}

async fn every_email_is_printed_once_whoever_queued_it() {
    let developer = Developer::start().await;
    let ada = developer.client();
    ada.sign_up(EMAIL).await;
    assert_eq!(developer.printed("Mail email-verification to").await, EMAIL);
    let code = developer.printed("Code").await;
    let link = developer.printed("Link").await;
    assert!(link.starts_with(&format!("{}/auth/email/verify/", developer.url)), "{link}");
    ada.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
    run_program(&["user", "send-password-reset", EMAIL], &own_variables(&developer)).await;
    developer.printed("Mail password-reset to").await;
    let listed = async || {
        let mails = doorward(&["mail", "list"], &own_variables(&developer)).await["data"].as_array().unwrap().clone();
        mails.iter().all(|mail| mail["state"] == "delivered").then_some(mails)
    };
    let listed: Vec<Value> = eventually("all are delivered", listed).await;
    assert_eq!(listed.len(), 2, "{listed:?}");
    for kind in ["email-verification", "password-reset"] {
        assert_eq!(developer.mails(kind), 1, "{}", developer.process.stdout());
    }
    let reset = developer.process.stdout().lines().filter(|line| line.starts_with("Link ")).count();
    assert_eq!(reset, 2);
}

async fn other_machines_are_refused_before_anything_is_written() {
    let folder = TempDir::new("dev");
    for (name, arguments, changes) in [
        ("app", ["dev", "--app", "https://app.example.com"].as_slice(), [].as_slice()),
        (
            "app_on_another_host",
            &["dev", "--app", "http://app.localhost:3000"],
            &[("SVC_BASE_URL", "http://localhost:8080")],
        ),
        ("base_url", &["dev"], &[("SVC_BASE_URL", "https://auth.example.com")]),
        (
            "database",
            &["dev"],
            &[
                ("SVC_DATABASE_URL", "postgres://u:s3cret@db.example.com/app"),
                ("SVC_SECRET_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            ],
        ),
        (
            "database_by_environment",
            &["dev"],
            &[
                ("SVC_DATABASE_URL", "postgres:///app?user=u"),
                ("PGHOST", "db.example.com"),
                ("SVC_SECRET_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            ],
        ),
        (
            "database_by_query",
            &["dev"],
            &[
                ("SVC_DATABASE_URL", "postgres://u:p@localhost/app?h%6fst=db.example.com"),
                ("SVC_SECRET_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            ],
        ),
        ("metrics", &["dev"], &[("SVC_METRICS_LISTEN", "0.0.0.0:9090")]),
        ("smtp", &["dev"], &[("SVC_SMTP_URL", "smtp://mail.example.com"), ("SVC_MAIL_FROM", "a@example.com")]),
        ("webhooks", &["dev"], &[("SVC_WEBHOOK_URL", "https://app.example.com/"), ("SVC_WEBHOOK_SECRET", "x")]),
    ] {
        let mut variables = variables(&folder);
        variables.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        run_to_snapshot(&format!("dev/{name}"), arguments, &variables).await;
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

/// Whatever its schema: another version made it.
async fn database_of_another_machines_service_is_refused_unchanged(engine: Engine) {
    let mut app = engine.prepare().await.set("SVC_BASE_URL", "https://auth.example.com").start().await;
    app.anonymous().get("/auth/health").await.expect(200);
    app.stop().await;
    app.database().execute("DELETE FROM _sqlx_migrations WHERE version = 1230").await;
    let mut variables = app.variables().clone();
    variables.insert("SVC_BASE_URL".to_owned(), "http://localhost:8080".to_owned());
    run_to_snapshot("dev/noted", &["dev"], &variables).await;
    assert_eq!(app.database().count("SELECT count(*) FROM _sqlx_migrations WHERE version = 1230").await, 0);
}

async fn nothing_is_started_without_a_command() {
    let output = run_to_snapshot("dev/alone", &[], &Variables::new()).await;
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && output.stdout.is_empty() && text.lines().count() <= 12, "{text}");
    assert!(["doorward dev", "doorward serve", "doorward docs", "--help"].iter().all(|named| text.contains(named)));
}

async fn person_signs_up_with_the_printed_code() {
    let developer = Developer::start().await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&format!("{}/auth/signup?return_to=%2Fauth%2Femail%2Fverify", developer.url)).await;
    browser.type_into("email", EMAIL).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/email/verify").await;
    // The sixth digit sends the form, which leads to the application.
    browser.type_into("code", &developer.printed("Code").await).await;
    let is_verified = async || {
        let shown = doorward(&["user", "show", EMAIL], &own_variables(&developer)).await;
        (shown["email_verified"] == true).then_some(())
    };
    eventually("the address is verified", is_verified).await;
    browser.go(&format!("{}/auth/account", developer.url)).await;
    browser.wait_for_text(EMAIL).await;
}
