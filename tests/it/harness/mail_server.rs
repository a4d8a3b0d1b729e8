//! A mail server: speaks SMTP with TLS, keeps what it gets, and treats each mail as the story wants.

mod mime;
mod talk;
mod tls;

pub use mime::ReceivedMail;
pub use talk::{Step, Treatment};

use super::story::PATIENCE;
use super::temp::TempDir;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

/// The server; it stops when this is dropped.
#[derive(Debug)]
pub struct MailServer {
    port: u16,
    scheme: &'static str,
    host: &'static str,
    credentials: Option<(String, String)>,
    folder: TempDir,
    shared: Arc<Shared>,
    task: Option<JoinHandle<()>>,
}

/// What its conversations share.
pub(super) struct Shared {
    implicit: bool,
    offers_starttls: Mutex<bool>,
    credentials: Mutex<Option<(String, String)>>,
    acceptor: TlsAcceptor,
    received: watch::Sender<Vec<ReceivedMail>>,
    /// How the mails to come are treated; then all are taken.
    script: Mutex<VecDeque<Treatment>>,
    /// What was said in the clear.
    clear: Mutex<Vec<String>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("received", &self.received.borrow().len()).finish_non_exhaustive()
    }
}

impl MailServer {
    /// Offers STARTTLS, and takes everything.
    pub async fn start() -> Self {
        Self::start_with(false).await
    }

    /// Begins with TLS, and takes everything.
    pub async fn start_with_tls() -> Self {
        Self::start_with(true).await
    }

    async fn start_with(implicit: bool) -> Self {
        let folder = TempDir::new("mail");
        let acceptor = tls::acceptor(folder.path());
        let shared = Arc::new(Shared {
            implicit,
            offers_starttls: Mutex::new(true),
            credentials: Mutex::default(),
            acceptor,
            received: watch::Sender::new(Vec::new()),
            script: Mutex::default(),
            clear: Mutex::default(),
        });
        let scheme = if implicit { "smtps" } else { "smtp" };
        let mut server = Self { port: 0, scheme, host: "localhost", credentials: None, folder, shared, task: None };
        server.come_up().await;
        server
    }

    /// Asks for a user name and a password; the URL has them.
    pub fn with_log_in(mut self, user: &str, password: &str) -> Self {
        self.credentials = Some((user.to_owned(), password.to_owned()));
        *self.shared.credentials.lock().unwrap() = Some((user.to_owned(), password.to_owned()));
        self
    }

    /// Is called by a name that its certificate does not have.
    pub fn by_another_name(mut self) -> Self {
        self.host = "127.0.0.1";
        self
    }

    /// Does not offer STARTTLS any more.
    pub fn without_starttls(self) -> Self {
        *self.shared.offers_starttls.lock().unwrap() = false;
        self
    }

    /// Changes the password.
    pub fn change_password(&self, password: &str) {
        if let Some(credentials) = &mut *self.shared.credentials.lock().unwrap() {
            password.clone_into(&mut credentials.1);
        }
    }

    /// As `SVC_SMTP_URL` wants it.
    pub fn url(&self) -> String {
        let (scheme, host, port) = (self.scheme, self.host, self.port);
        match &self.credentials {
            Some((user, password)) => format!("{scheme}://{user}:{password}@{host}:{port}"),
            None => format!("{scheme}://{host}:{port}"),
        }
    }

    /// As `SVC_SMTP_CA_FILE` wants it.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// Breaks every connection, and listens no more.
    pub async fn go_down(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            // The port is free when the task is gone.
            let _ = task.await;
        }
    }

    /// Listens again, where it did before.
    pub async fn come_up(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await.unwrap();
        self.port = listener.local_addr().unwrap().port();
        self.task = Some(tokio::spawn(serve(listener, self.shared.clone())));
    }

    /// The mails to come are treated so, in this order.
    pub fn treat_next(&self, treatments: impl IntoIterator<Item = Treatment>) {
        self.shared.script.lock().unwrap().extend(treatments);
    }

    /// What it has read to the end until now, whatever it said to it.
    pub fn received(&self) -> Vec<ReceivedMail> {
        self.shared.received.borrow().clone()
    }

    /// What was said to it in the clear.
    pub fn said_in_the_clear(&self) -> Vec<String> {
        self.shared.clear.lock().unwrap().clone()
    }

    /// Waits until it has read at least `count` mails, and gives all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<ReceivedMail> {
        let mut received = self.shared.received.subscribe();
        let enough = received.wait_for(|all| all.len() >= count);
        let Ok(all) = tokio::time::timeout(PATIENCE, enough).await else {
            panic!("{count} mails did not come within {PATIENCE:?}, only {:#?}", self.received());
        };
        all.unwrap().clone()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(talk::talk(stream, shared.clone()));
    }
}
