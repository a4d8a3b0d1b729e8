//! A running service: a migrated database of its own, real HTTP on a real port, a clock that the story moves.

use super::client::Client;
use super::database::{Engine, TestDatabase};
use super::mail_server::MailServer;
use super::ports::free_port;
use super::receiver::Receiver;
use super::temp::TempDir;
use doorward::boot;
use doorward::clock::Clock;
use doorward::context::App;
use doorward::crypto::password::Params;
use doorward::http::Server;
use doorward::service;
use doorward::settings::{Environment, ServiceName, Settings};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// What the receiver of [`Builder::webhooks`] shares with the service.
pub const WEBHOOK_SECRET: &str = "a shared secret of the tests";
const SECRET_KEY: &str = "dGhpcnR5LXR3byBieXRlcyBmb3IgdGhlIHRlc3RzISE=";

/// What a story wants of its service.
#[derive(Debug)]
pub struct Builder {
    place: Place,
    variables: BTreeMap<String, String>,
}

/// What the processes of one service share.
#[derive(Clone, Debug)]
struct Place {
    engine: Engine,
    database: Arc<TestDatabase>,
    clock: Clock,
    folder: Arc<TempDir>,
    /// Whether they do anything but answer requests.
    background: bool,
}

impl Engine {
    /// A service with nothing set that need not be.
    pub async fn app(self) -> TestApp {
        self.prepare().await.start().await
    }

    /// A service to be set up.
    pub async fn prepare(self) -> Builder {
        let folder = Arc::new(TempDir::new("app"));
        let database = Arc::new(TestDatabase::migrated(self, folder.path()).await);
        let place = Place { engine: self, database, clock: Clock::system(), folder, background: true };
        let port = free_port();
        let data_dir = place.folder.path().join("data");
        let variables = [
            ("SVC_LISTEN", format!("127.0.0.1:{port}")),
            ("SVC_BASE_URL", format!("http://127.0.0.1:{port}")),
            ("SVC_DATABASE_URL", place.database.url().to_owned()),
            ("SVC_DATA_DIR", data_dir.display().to_string()),
            ("SVC_SECRET_KEY", SECRET_KEY.to_owned()),
            // Most stories are not about addresses; those that are say so.
            ("SVC_EMAIL_VERIFICATION", "off".to_owned()),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value)).into();
        Builder { place, variables }
    }
}

impl Builder {
    /// Sets a variable.
    pub fn set(mut self, variable: &str, value: impl Into<String>) -> Self {
        self.variables.insert(variable.to_owned(), value.into());
        self
    }

    /// Asks everybody for the proof of their address, as the service does by itself.
    pub fn asking_for_proof(self) -> Self {
        self.set("SVC_EMAIL_VERIFICATION", "optional")
    }

    /// Sends webhooks to the receiver, signed with [`WEBHOOK_SECRET`].
    pub fn webhooks(self, receiver: &Receiver) -> Self {
        self.set("SVC_WEBHOOK_URL", receiver.url()).set("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)
    }

    /// Sends mails by the server, which it trusts.
    pub fn mails(self, server: &MailServer) -> Self {
        self.set("SVC_SMTP_URL", server.url())
            .set("SVC_MAIL_FROM", "Accounts <accounts@mail.example>")
            .set("SVC_SMTP_CA_FILE", server.certificate().display().to_string())
    }

    /// Answers requests and does nothing beside them: for stories that compare what requests cost. What they leave for
    /// later such a story does itself.
    pub fn without_background(mut self) -> Self {
        self.place.background = false;
        self
    }

    /// Starts so much later.
    pub fn later(self, by: Duration) -> Self {
        self.place.clock.advance(by);
        self
    }

    /// Starts on no schema, and on SQLite on no file.
    pub async fn on_empty_database(mut self) -> Self {
        let empty = TestDatabase::empty(self.place.engine, self.place.folder.path()).await;
        self.place.database = Arc::new(empty);
        let url = self.place.database.url().to_owned();
        self.set("SVC_DATABASE_URL", url)
    }

    /// The same with another port: for a second process. Also the base URL stays.
    pub fn on_another_port(&self) -> BTreeMap<String, String> {
        let mut variables = self.variables.clone();
        variables.insert("SVC_LISTEN".to_owned(), format!("127.0.0.1:{}", free_port()));
        variables
    }

    /// The variables, for a process that the story starts itself.
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// Its database.
    pub fn database(&self) -> &TestDatabase {
        &self.place.database
    }

    /// Somebody without a cookie, for a process that the story starts itself.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.variables["SVC_BASE_URL"], "svc")
    }

    /// Starts it.
    pub async fn start(self) -> TestApp {
        TestApp::start(self.place, self.variables).await
    }
}

/// A running service; it stops when this is dropped.
pub struct TestApp {
    /// What its requests share.
    pub app: Arc<App>,
    place: Place,
    variables: BTreeMap<String, String>,
    address: SocketAddr,
    server: Option<Running>,
}

struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl TestApp {
    async fn start(place: Place, variables: BTreeMap<String, String>) -> Self {
        let environment: Environment = variables.iter().collect();
        let name = ServiceName::parse("svc").unwrap();
        let settings = Settings::load(&name, &environment).unwrap_or_else(|problems| panic!("{problems}")).settings;
        let app = boot::app(settings, place.clock.clone(), Params::CHEAPEST).await.unwrap();
        let server = Server::bind(&app).await.unwrap();
        let address = server.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let (shared, background) = (app.clone(), place.background);
        let task = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            if background {
                service::run(shared, server, stopped).await.unwrap();
            } else {
                server.run(stopped).await;
            }
        });
        Self { app, place, variables, address, server: Some(Running { stop, task }) }
    }

    /// Stops it in an orderly way and starts it again: same database, same clock, same port.
    pub async fn restart(self) -> Self {
        self.restart_with(&[]).await
    }

    /// As [`TestApp::restart`], with other values for some variables.
    pub async fn restart_with(mut self, changes: &[(&str, &str)]) -> Self {
        self.stop().await;
        let (place, mut variables) = (self.place.clone(), self.variables.clone());
        variables.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        drop(self);
        Self::start(place, variables).await
    }

    /// Another process of the same service: same database, clock and base URL, a port of its own.
    pub async fn second(&self) -> Self {
        let mut variables = self.variables.clone();
        variables.insert("SVC_LISTEN".to_owned(), format!("127.0.0.1:{}", free_port()));
        Self::start(self.place.clone(), variables).await
    }

    /// Lets the requests under way finish, then ends it.
    pub async fn stop(&mut self) {
        if let Some(running) = self.server.take() {
            let _ = running.stop.send(());
            running.task.await.unwrap();
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens, as the start of a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was started with.
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// Its database.
    pub fn database(&self) -> &TestDatabase {
        &self.place.database
    }

    /// The kind of its database.
    pub fn engine(&self) -> Engine {
        self.place.engine
    }

    /// Its clock.
    pub fn clock(&self) -> &Clock {
        &self.place.clock
    }

    /// Somebody without a cookie.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.url(), "svc")
    }

    /// Somebody who has just signed up.
    pub async fn sign_up(&self, email: &str) -> Client {
        let client = self.anonymous();
        client.sign_up(email).await.expect(303);
        client
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        if let Some(running) = self.server.take() {
            running.task.abort();
        }
    }
}
