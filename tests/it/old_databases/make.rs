//! Makes an old database: a released program runs, with a mail server and a receiver that fail as they are told, and
//! people, an application and an operator do everything that leaves a row.

mod administrators;
mod deliveries;
mod members;
mod operators;
mod people;
mod providers;
mod two_factor;

use super::facts::{BASE_URL, Browser, Facts};
use super::{check, stored};
use crate::harness::{
    Builder, Client, Engine, MailServer, PASSWORD, Process, Receiver, eventually, free_port, run_program,
};
use doorward::clock::Clock;
use serde_json::Value;
use std::collections::BTreeMap;

/// The secret key that is lost on the way, and the one after it.
const LOST_KEY: &str = "dGhlIGtleSB0aGF0IGlzIGxvc3Qgb24gdGhlIHdheSE=";
pub const KEY: &str = "dGhpcnR5LXR3byBieXRlcyBmb3IgdGhlIHRlc3RzISE=";
const LAPTOP: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
    Version/18.5 Mobile/15E148 Safari/604.1";

struct Maker {
    engine: Engine,
    builder: Builder,
    variables: BTreeMap<String, String>,
    process: Option<Process>,
    mails: MailServer,
    receiver: Receiver,
    facts: Facts,
}

/// Fills a database of the version that `DOORWARD_TEST_PROGRAM` is, and stores it with the facts about it.
pub async fn make(version: &str, engine: Engine) {
    let mut maker = Maker::new(engine).await;
    maker.run("SVC_SECRET_KEY", LOST_KEY).await;
    people::loses_factors(&maker).await;
    maker.stop().await;
    maker.set("SVC_SECRET_KEY", KEY);
    maker.command("secrets reset --yes").await;
    maker.run("SVC_JWT_ALG", "ES256").await;
    maker.run("SVC_JWT_ALG", "EdDSA").await;
    operators::act(&mut maker).await;
    people::act(&mut maker).await;
    two_factor::act(&mut maker).await;
    members::act(&mut maker).await;
    providers::act(&mut maker).await;
    administrators::act(&maker).await;
    deliveries::act(&mut maker).await;
    maker.facts.made_at = Clock::system().now().to_string();
    let database = maker.builder.database();
    check::covers_everything(database, engine).await;
    stored::store(database, version, engine).await;
    maker.facts.write(version, engine);
}

impl Maker {
    async fn new(engine: Engine) -> Self {
        let (mails, receiver) = (MailServer::start().await, Receiver::start().await);
        let builder = engine.prepare().await.on_empty_database().await.with_email_verification();
        let builder = builder.mails(&mails).webhooks(&receiver).set("SVC_BASE_URL", BASE_URL);
        let builder = builder.set("SVC_REFRESH_GRACE", "1s");
        let variables = builder.variables().clone();
        Self { engine, builder, variables, process: None, mails, receiver, facts: Facts::default() }
    }

    fn set(&mut self, variable: &str, value: &str) {
        self.variables.insert(variable.to_owned(), value.to_owned());
    }

    /// Starts the service, or starts it again, with a changed setting.
    async fn run(&mut self, variable: &str, value: &str) {
        self.stop().await;
        self.set(variable, value);
        self.set("SVC_LISTEN", &format!("127.0.0.1:{}", free_port()));
        self.process = Some(Process::start(&self.variables).await);
    }

    async fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.signal("TERM");
            assert!(process.wait().await.success(), "{}", process.stderr());
        }
    }

    fn kill(&mut self) {
        self.process.take().unwrap().kill();
    }

    fn browser(&self, user_agent: &str) -> Client {
        Client::new(&format!("http://{}", self.variables["SVC_LISTEN"]), "svc").naming_itself(user_agent)
    }

    /// Runs a command that succeeds, with its JSON.
    async fn command(&self, line: &str) -> Value {
        self.command_with(&line.split(' ').collect::<Vec<_>>()).await
    }

    async fn command_with(&self, arguments: &[&str]) -> Value {
        let output = run_program(&[&["--json"], arguments].concat(), &self.variables).await;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The text of the newest mail to an address with these words in its subject.
    async fn mail(&self, address: &str, subject: &str) -> String {
        let newest = async || {
            let mails = self.mails.received();
            let found = mails.iter().rfind(|mail| {
                mail.recipients.iter().any(|to| to.contains(address)) && mail.subject().contains(subject)
            });
            found.map(|mail| mail.part("text/plain"))
        };
        eventually(&format!("a mail to {address} about {subject:?}"), newest).await
    }

    /// Waits until a query finds something; it must work on both engines.
    async fn wait_for(&self, sql: &str) {
        let found = async || (self.builder.database().count(sql).await > 0).then_some(());
        eventually(sql, found).await;
    }

    /// A browser that has signed up and verified the address.
    async fn sign_up(&self, email: &str) -> Client {
        let browser = self.browser(LAPTOP);
        browser.sign_up(email).await.expect(303);
        let code = code(&self.mail(email, "Verify your").await);
        browser.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
        browser
    }

    /// Another browser that logs in with the password, as far as that goes.
    async fn log_in(&self, email: &str) -> Client {
        let browser = self.browser(PHONE);
        browser.log_in(email, PASSWORD).await.expect(303);
        browser
    }

    /// Keeps a browser that stays logged in.
    fn keep(&mut self, client: &Client, user: &str, methods: &str) {
        self.facts.browsers.push(Browser::of(client, user, methods));
    }
}

fn link(mail: &str) -> String {
    let found = mail.split_whitespace().find(|word| word.starts_with(BASE_URL) && word.contains("/auth/"));
    found.unwrap_or_else(|| panic!("no link in {mail}")).trim_start_matches(BASE_URL).to_owned()
}

fn code(mail: &str) -> String {
    let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    mail.split_whitespace().find(is_code).unwrap_or_else(|| panic!("no code in {mail}")).to_owned()
}
