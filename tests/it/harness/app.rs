//! A running service: its own migrated database, real HTTP on a real port, a clock that the test moves.

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
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The secret shared by the service and the receiver of [`Builder::webhooks`].
pub const WEBHOOK_SECRET: &str = "a shared secret of the tests";
const SECRET_KEY: &str = "dGhpcnR5LXR3byBieXRlcyBmb3IgdGhlIHRlc3RzISE=";

#[derive(Debug)]
pub struct Builder {
    state: ServiceState,
    variables: BTreeMap<String, String>,
}

/// State shared by the processes of one service.
#[derive(Clone, Debug)]
struct ServiceState {
    engine: Engine,
    database: Arc<TestDatabase>,
    clock: Clock,
    folder: Arc<TempDir>,
    background: bool,
}

impl Engine {
    pub async fn app(self) -> TestApp {
        self.prepare().await.start().await
    }

    pub async fn prepare(self) -> Builder {
        let folder = Arc::new(TempDir::new("app"));
        let database = Arc::new(TestDatabase::migrated(self, folder.path()).await);
        let state = ServiceState { engine: self, database, clock: Clock::system(), folder, background: true };
        let port = free_port();
        let data_dir = state.folder.path().join("data");
        let variables = [
            ("SVC_LISTEN", format!("127.0.0.1:{port}")),
            ("SVC_BASE_URL", format!("http://127.0.0.1:{port}")),
            ("SVC_DATABASE_URL", state.database.url().to_owned()),
            ("SVC_DATA_DIR", data_dir.display().to_string()),
            ("SVC_SECRET_KEY", SECRET_KEY.to_owned()),
            // Most tests do not cover email verification; those that do turn it on.
            ("SVC_EMAIL_VERIFICATION", "off".to_owned()),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value)).into();
        Builder { state, variables }
    }
}

impl Builder {
    pub fn set(mut self, variable: &str, value: impl Into<String>) -> Self {
        self.variables.insert(variable.to_owned(), value.into());
        self
    }

    /// Turns email verification on, as it is by default.
    pub fn with_email_verification(self) -> Self {
        self.set("SVC_EMAIL_VERIFICATION", "optional")
    }

    /// Sends webhooks to the receiver, signed with [`WEBHOOK_SECRET`].
    pub fn webhooks(self, receiver: &Receiver) -> Self {
        self.set("SVC_WEBHOOK_URL", receiver.url()).set("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)
    }

    /// Sends mail through the server and trusts its certificate.
    pub fn mails(self, server: &MailServer) -> Self {
        self.set("SVC_SMTP_URL", server.url())
            .set("SVC_MAIL_FROM", "Accounts <accounts@mail.example>")
            .set("SVC_SMTP_CA_FILE", server.certificate().display().to_string())
    }

    /// Runs no background tasks: for tests that compare the cost of requests. Such a test runs deferred work itself.
    pub fn without_background(mut self) -> Self {
        self.state.background = false;
        self
    }

    /// Moves the clock forward before the start.
    pub fn advance_clock(self, by: Duration) -> Self {
        self.state.clock.advance(by);
        self
    }

    /// Uses a database without a schema; on SQLite, a path without a file.
    pub async fn on_empty_database(mut self) -> Self {
        let empty = TestDatabase::empty(self.state.engine, self.state.folder.path()).await;
        self.state.database = Arc::new(empty);
        let url = self.state.database.url().to_owned();
        self.set("SVC_DATABASE_URL", url)
    }

    pub fn on_database(mut self, database: TestDatabase) -> Self {
        self.state.database = Arc::new(database);
        let url = self.state.database.url().to_owned();
        self.set("SVC_DATABASE_URL", url)
    }

    /// The variables with another port, for a second process. The base URL stays the same.
    pub fn with_another_port(&self) -> BTreeMap<String, String> {
        let mut variables = self.variables.clone();
        variables.insert("SVC_LISTEN".to_owned(), format!("127.0.0.1:{}", free_port()));
        variables
    }

    /// The variables, for a process that the test starts itself.
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    pub fn database(&self) -> &TestDatabase {
        &self.state.database
    }

    pub fn folder(&self) -> &Path {
        self.state.folder.path()
    }

    /// A client without cookies, for a process that the test starts itself.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.variables["SVC_BASE_URL"], "svc")
    }

    pub async fn start(self) -> TestApp {
        TestApp::start(self.state, self.variables).await
    }
}

/// A running service; it stops when this is dropped.
pub struct TestApp {
    pub app: Arc<App>,
    state: ServiceState,
    variables: BTreeMap<String, String>,
    address: SocketAddr,
    server: Option<Running>,
}

struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl TestApp {
    async fn start(state: ServiceState, variables: BTreeMap<String, String>) -> Self {
        let environment: Environment = variables.iter().collect();
        let name = ServiceName::parse("svc").unwrap();
        let settings = Settings::load(&name, &environment).unwrap_or_else(|problems| panic!("{problems}")).settings;
        let app = boot::app(settings, state.clock.clone(), Params::CHEAPEST).await.unwrap();
        let server = Server::bind(&app).await.unwrap();
        let address = server.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let (shared, background) = (app.clone(), state.background);
        let task = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            if background {
                service::run(shared, server, stopped).await.unwrap();
            } else {
                server.run(stopped).await;
            }
        });
        Self { app, state, variables, address, server: Some(Running { stop, task }) }
    }

    /// Shuts it down gracefully and starts it again: same database, same clock, same port.
    pub async fn restart(self) -> Self {
        self.restart_with(&[]).await
    }

    pub async fn restart_with(mut self, changes: &[(&str, &str)]) -> Self {
        self.stop().await;
        let (state, mut variables) = (self.state.clone(), self.variables.clone());
        variables.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        drop(self);
        Self::start(state, variables).await
    }

    /// Another process of the same service: same database, clock and base URL, another port.
    pub async fn second_process(&self) -> Self {
        self.second_process_with(&[]).await
    }

    pub async fn second_process_with(&self, changes: &[(&str, &str)]) -> Self {
        let mut variables = self.variables.clone();
        variables.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        variables.insert("SVC_LISTEN".to_owned(), format!("127.0.0.1:{}", free_port()));
        Self::start(self.state.clone(), variables).await
    }

    /// Lets requests in progress finish, then stops it.
    pub async fn stop(&mut self) {
        if let Some(running) = self.server.take() {
            let _ = running.stop.send(());
            running.task.await.unwrap();
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The listening address as the start of a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    pub fn database(&self) -> &TestDatabase {
        &self.state.database
    }

    pub fn engine(&self) -> Engine {
        self.state.engine
    }

    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    pub fn anonymous(&self) -> Client {
        Client::new(&self.url(), "svc")
    }

    /// A client that has just signed up.
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
