//! A mail server that takes every mail after a delay, and notes to whom and when.

use crate::outcome::Outcome;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// An end-entity certificate; the command's defaults would make a certificate authority.
const REQUEST: &str = "[req]\nprompt = no\ndistinguished_name = name\nx509_extensions = extensions\n\
    [name]\nCN = localhost\n[extensions]\nsubjectAltName = DNS:localhost\nbasicConstraints = critical, CA:FALSE\n";

/// A mail that was taken.
#[derive(Clone)]
pub struct Mail {
    /// The recipient.
    pub to: String,
    /// When it was complete.
    pub at: Instant,
    /// The six-digit code on a line of its own, if it has one.
    pub code: Option<String>,
}

/// The running server; its task ends with the runtime.
pub struct MailSink {
    port: u16,
    certificate: PathBuf,
    mails: Arc<Mutex<Vec<Mail>>>,
}

impl MailSink {
    /// Starts it; `delay` is the time that it takes for each mail.
    pub async fn start(directory: &Path, delay: Duration) -> Outcome<Self> {
        std::fs::create_dir_all(directory)?;
        let acceptor = acceptor(directory)?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let sink = Self {
            port: listener.local_addr()?.port(),
            certificate: directory.join("cert.pem"),
            mails: Arc::default(),
        };
        let mails = sink.mails.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, acceptor.clone(), mails.clone(), delay));
            }
        });
        Ok(sink)
    }

    /// The value of `SVC_SMTP_URL`.
    pub fn url(&self) -> String {
        format!("smtps://localhost:{}", self.port)
    }

    /// The value of `SVC_SMTP_CA_FILE`.
    pub fn certificate(&self) -> String {
        self.certificate.display().to_string()
    }

    /// The mails to an address so far.
    pub fn mails_to(&self, address: &str) -> Vec<Mail> {
        self.mails.lock().iter().filter(|mail| mail.to == address).cloned().collect()
    }

    /// Waits for the first mail to an address.
    pub async fn first_to(&self, address: &str, at_most: Duration) -> Outcome<Mail> {
        let end = Instant::now() + at_most;
        loop {
            match self.mails_to(address).into_iter().next() {
                Some(mail) => return Ok(mail),
                None if Instant::now() > end => return Err(format!("no mail within {} s", at_most.as_secs()).into()),
                None => sleep(Duration::from_millis(2)).await,
            }
        }
    }
}

fn acceptor(directory: &Path) -> Outcome<TlsAcceptor> {
    std::fs::write(directory.join("request.cnf"), REQUEST)?;
    let made = Command::new("openssl")
        .args(["req", "-x509", "-config", "request.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args(["-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "1"])
        .current_dir(directory)
        .output()
        .map_err(|error| format!("openssl did not start: {error}"))?;
    if !made.status.success() {
        return Err(format!("openssl made no certificate: {}", String::from_utf8_lossy(&made.stderr)).into());
    }
    let certificate = CertificateDer::from_pem_file(directory.join("cert.pem"))?;
    let key = PrivateKeyDer::from_pem_file(directory.join("key.pem"))?;
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Serves one connection; an error ends it.
async fn serve(stream: TcpStream, acceptor: TlsAcceptor, mails: Arc<Mutex<Vec<Mail>>>, delay: Duration) {
    let _ = converse(stream, acceptor, &mails, delay).await;
}

/// The dialog of RFC 5321, without a refusal.
async fn converse(
    stream: TcpStream,
    acceptor: TlsAcceptor,
    mails: &Mutex<Vec<Mail>>,
    delay: Duration,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(acceptor.accept(stream).await?);
    stream.write_all(b"220 sink\r\n").await?;
    let (mut to, mut line) = (String::new(), String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let verb = line.split([' ', ':', '\r']).next().unwrap_or_default().to_ascii_uppercase();
        let reply: &[u8] = match verb.as_str() {
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                b"250 ok\r\n"
            }
            "DATA" => {
                stream.write_all(b"354 go ahead\r\n").await?;
                let code = read_mail(&mut stream).await?;
                sleep(delay).await;
                mails.lock().push(Mail { to: to.clone(), at: Instant::now(), code });
                b"250 ok\r\n"
            }
            "QUIT" => return stream.write_all(b"221 bye\r\n").await,
            _ => b"250 ok\r\n",
        };
        stream.write_all(reply).await?;
    }
}

/// Reads a mail up to its final dot; returns its code.
async fn read_mail(stream: &mut (impl AsyncBufReadExt + Unpin)) -> std::io::Result<Option<String>> {
    let (mut code, mut line) = (None, String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        match line.trim_end() {
            "." => return Ok(code),
            text if text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit()) => code = Some(text.to_owned()),
            _ => {}
        }
    }
}
