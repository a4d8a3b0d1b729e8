//! A mail server: SMTP with TLS that records mails and treats each one as scripted.

mod mime;
mod smtp;
pub mod tls;

pub use mime::ReceivedMail;
pub use smtp::{Step, Treatment};

use super::runner::WAIT_TIMEOUT;
use super::temp::TempDir;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpSocket};
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
    /// Keeps the port from others while the server is down. It does not listen, so connections are refused.
    held: Option<TcpSocket>,
}

pub(super) struct Shared {
    implicit: bool,
    offers_starttls: Mutex<bool>,
    /// The AUTH mechanisms that it offers where it has credentials.
    mechanisms: Mutex<&'static str>,
    credentials: Mutex<Option<(String, String)>>,
    acceptor: TlsAcceptor,
    received: watch::Sender<Vec<ReceivedMail>>,
    /// How the next mails are treated; after that, all are accepted.
    script: Mutex<VecDeque<Treatment>>,
    /// The lines received without TLS.
    plaintext: Mutex<Vec<String>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("received", &self.received.borrow().len()).finish_non_exhaustive()
    }
}

impl MailServer {
    /// Offers STARTTLS and accepts every mail.
    pub async fn start() -> Self {
        Self::start_with(false).await
    }

    /// Uses implicit TLS and accepts every mail.
    pub async fn start_with_tls() -> Self {
        Self::start_with(true).await
    }

    async fn start_with(implicit: bool) -> Self {
        let folder = TempDir::new("mail");
        let acceptor = tls::acceptor(folder.path(), 1);
        let shared = Arc::new(Shared {
            implicit,
            offers_starttls: Mutex::new(true),
            mechanisms: Mutex::new("PLAIN LOGIN"),
            credentials: Mutex::default(),
            acceptor,
            received: watch::Sender::new(Vec::new()),
            script: Mutex::default(),
            plaintext: Mutex::default(),
        });
        let scheme = if implicit { "smtps" } else { "smtp" };
        let mut server =
            Self { port: 0, scheme, host: "localhost", credentials: None, folder, shared, task: None, held: None };
        server.come_up().await;
        server
    }

    /// Requires a username and a password; the URL contains them.
    pub fn with_credentials(mut self, user: &str, password: &str) -> Self {
        self.credentials = Some((user.to_owned(), password.to_owned()));
        *self.shared.credentials.lock().unwrap() = Some((user.to_owned(), password.to_owned()));
        self
    }

    /// Uses a host name in the URL that the certificate does not cover.
    pub fn with_other_host_name(mut self) -> Self {
        self.host = "127.0.0.1";
        self
    }

    pub fn with_mechanisms(self, mechanisms: &'static str) -> Self {
        *self.shared.mechanisms.lock().unwrap() = mechanisms;
        self
    }

    /// Uses an address in the URL that reaches this machine but is not one of its loopback addresses.
    pub fn with_address_elsewhere(mut self) -> Self {
        self.host = "0.0.0.0";
        self
    }

    pub fn without_starttls(self) -> Self {
        *self.shared.offers_starttls.lock().unwrap() = false;
        self
    }

    pub fn change_password(&self, password: &str) {
        if let Some(credentials) = &mut *self.shared.credentials.lock().unwrap() {
            password.clone_into(&mut credentials.1);
        }
    }

    /// The value for `SVC_SMTP_URL`.
    pub fn url(&self) -> String {
        let (scheme, host, port) = (self.scheme, self.host, self.port);
        match &self.credentials {
            Some((user, password)) => format!("{scheme}://{user}:{password}@{host}:{port}"),
            None => format!("{scheme}://{host}:{port}"),
        }
    }

    /// The value for `SVC_SMTP_CA_FILE`.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// Breaks every connection and stops listening.
    pub async fn go_down(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            // The port is free once the task has ended.
            let _ = task.await;
        }
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(([127, 0, 0, 1], self.port).into()).unwrap();
        self.held = Some(socket);
    }

    /// Listens again, on the same port.
    pub async fn come_up(&mut self) {
        drop(self.held.take());
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await.unwrap();
        self.port = listener.local_addr().unwrap().port();
        self.task = Some(tokio::spawn(serve(listener, self.shared.clone())));
    }

    /// Scripts the treatment of the next mails, in this order.
    pub fn treat_next(&self, treatments: impl IntoIterator<Item = Treatment>) {
        self.shared.script.lock().unwrap().extend(treatments);
    }

    /// The mails read completely so far, whatever the reply was.
    pub fn received(&self) -> Vec<ReceivedMail> {
        self.shared.received.borrow().clone()
    }

    pub fn plaintext_lines(&self) -> Vec<String> {
        self.shared.plaintext.lock().unwrap().clone()
    }

    /// Waits until it has read at least `count` mails and returns all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<ReceivedMail> {
        let mut received = self.shared.received.subscribe();
        let enough = received.wait_for(|all| all.len() >= count);
        let Ok(all) = tokio::time::timeout(WAIT_TIMEOUT, enough).await else {
            panic!("{count} mails did not come within {WAIT_TIMEOUT:?}, only {:#?}", self.received());
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
    // Dropped with this task, which ends every connection.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(smtp::serve_connection(stream, shared.clone()));
    }
}
