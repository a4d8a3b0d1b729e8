//! Breached passwords, imported on the command line while the service runs.

use crate::harness::{Client, Engine, Reply, TestApp, run_program, snapshot_of_command};
use doorward::domain::account::operator::{self, SetPassword};
use doorward::model::principal::Principal;
use std::fmt::Write as _;
use std::process::Output;

single_run![imported_passwords_are_refused_without_restart, invalid_list_is_refused];

const BREACHED: &str = "a very long password that was stolen";
const NEW: &str = "a lighthouse in the fog";

/// A line of the published list: the SHA-1 hash in upper case and a count.
fn line(password: &str, count: usize) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes());
    let mut hash = digest.as_ref().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").unwrap();
        text
    });
    write!(hash, ":{count}\r\n").unwrap();
    hash
}

fn list(passwords: &[&str]) -> String {
    let mut lines: Vec<String> = passwords.iter().zip(1..).map(|(password, count)| line(password, count)).collect();
    lines.sort();
    lines.concat()
}

async fn import(app: &TestApp, text: &str) -> Output {
    let folder = &app.app.settings.database.data_dir;
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join("hashes.txt");
    std::fs::write(&file, text).unwrap();
    run_program(&["passwords", "import-hibp", file.to_str().unwrap()], app.variables()).await
}

async fn sign_up(client: &Client, password: &str) -> Reply {
    client.post_form("/auth/signup", &[("email", "ada@example.com"), ("password", password)]).await
}

async fn imported_passwords_are_refused_without_restart() {
    let app = Engine::Sqlite.app().await;
    let imported = import(&app, &list(&[BREACHED, "another one", "and a third"])).await;
    assert!(imported.status.success(), "{imported:?}");
    let ada = app.anonymous();
    let page = sign_up(&ada, BREACHED).await.expect(422).text();
    assert!(page.contains("data breach"), "{page}");
    sign_up(&ada, NEW).await.expect(303);
    let fields = [("current", NEW), ("password", BREACHED)];
    let page = ada.post_form("/auth/account/password", &fields).await.expect(422).text();
    assert!(page.contains("data breach"), "{page}");
    let user = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap();
    let refused = SetPassword::prepare(&app.app, &Principal::operator(), &user, BREACHED.into()).await.err().unwrap();
    assert!(refused.to_string().contains("data breach"), "{refused}");
}

async fn invalid_list_is_refused() {
    let app = Engine::Sqlite.app().await;
    let mut unordered: Vec<String> = ["one", "two", "three"].iter().map(|password| line(password, 1)).collect();
    unordered.sort();
    unordered.reverse();
    for (name, text) in [("unordered", unordered.concat().as_str()), ("empty", "")] {
        let refused = import(&app, text).await;
        snapshot_of_command(&format!("commands/passwords_import_{name}"), &["passwords", "import-hibp"], &refused);
    }
}
