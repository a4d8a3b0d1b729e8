#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::outbound::places::{PLACES, PLACES_OF_SITE, Place};
use parking_lot::Mutex;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// Answers each connection's first request with these bytes, after `gate` if there is one; counts requests.
struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(answer: Vec<u8>, gate: Option<Arc<Notify>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, requests) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<String>>>::default());
        let seen = requests.clone();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (answer, gate, seen) = (answer.clone(), gate.clone(), seen.clone());
                tokio::spawn(async move {
                    let mut request = vec![0; 4096];
                    let length = stream.read(&mut request).await.unwrap_or_default();
                    seen.lock().push(String::from_utf8_lossy(&request[..length]).into_owned());
                    if let Some(gate) = gate {
                        gate.notified().await;
                    }
                    // The client may be gone.
                    let _ = stream.write_all(&answer).await;
                });
            }
        });
        Self { address, requests }
    }

    fn url(&self) -> ExternalUrl {
        ExternalUrl::parse(&format!("http://{}/keys?a=b", self.address)).unwrap()
    }

    fn count(&self) -> usize {
        self.requests.lock().len()
    }
}

fn answer(head: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).into_bytes()
}

fn get() -> Request<Full<Bytes>> {
    Request::new(Full::default())
}

fn client() -> ExternalClient {
    ExternalClient::new(Vec::new()).unwrap()
}

async fn ask(server: &Server) -> Result<ServerAnswer, ExternalError> {
    client().send(&server.url(), NamedBy::Operator, None, get()).await
}

#[tokio::test]
async fn answer_is_given_as_it_came() {
    let server = Server::start(answer("302 Found\r\nLocation: http://127.0.0.1:1/", "elsewhere"), None).await;
    let answer = ask(&server).await.unwrap();
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (302, &b"elsewhere"[..]), "no redirect is followed");
    let request = server.requests.lock()[0].to_ascii_lowercase();
    assert!(request.starts_with("get /keys?a=b http/1.1\r\n"), "{request}");
    assert!(request.contains(concat!("user-agent: doorward/", env!("CARGO_PKG_VERSION"))), "{request}");
    assert!(!request.contains("accept-encoding"), "{request}");
}

#[tokio::test]
async fn inner_addresses_are_refused_unless_operator_permits_them() {
    let server = Server::start(answer("200 OK", "{}"), None).await;
    let port = server.address.port();
    for host in ["127.0.0.1", "localhost", "id.localhost"] {
        let url = ExternalUrl::parse(&format!("http://{host}:{port}/")).unwrap();
        let refused = client().send(&url, NamedBy::Others, None, get()).await;
        assert_eq!(refused.err(), Some(ExternalError::Inner(host.to_owned())));
        assert_eq!(server.count(), 0, "nothing was sent");
    }
    for block in ["127.0.0.0/8", "::1/128"] {
        // A name may have both addresses; the server listens on one.
        let allowed = ExternalClient::new(vec!["127.0.0.0/8".parse().unwrap(), block.parse().unwrap()]).unwrap();
        let url = ExternalUrl::parse(&format!("http://id.localhost:{port}/")).unwrap();
        assert_eq!(allowed.send(&url, NamedBy::Others, None, get()).await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn answers_that_are_too_large_or_compressed_are_refused() {
    let fits = Server::start(answer("200 OK", &"x".repeat(MAX_BODY_BYTES)), None).await;
    assert_eq!(ask(&fits).await.unwrap().body.len(), MAX_BODY_BYTES);
    let large = Server::start(answer("200 OK", &"x".repeat(MAX_BODY_BYTES + 1)), None).await;
    assert_eq!(ask(&large).await.err(), Some(ExternalError::Large));
    let endless = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".iter().copied();
    let endless = Server::start(endless.chain(std::iter::repeat_n(b'x', 2 * MAX_BODY_BYTES)).collect(), None).await;
    assert_eq!(ask(&endless).await.err(), Some(ExternalError::Large));
    let encoded = Server::start(answer("200 OK\r\nContent-Encoding: gzip", "x"), None).await;
    assert_eq!(ask(&encoded).await.err(), Some(ExternalError::Encoded));
}

#[tokio::test]
async fn sixteen_requests_at_once_go_to_one_host() {
    let gate = Arc::new(Notify::new());
    let server = Arc::new(Server::start(answer("200 OK", "{}"), Some(gate.clone())).await);
    let (client, done) = (Arc::new(client()), Arc::new(AtomicUsize::new(0)));
    for _ in 0..=PLACES {
        let (client, server, done) = (client.clone(), server.clone(), done.clone());
        tokio::spawn(async move {
            client.send(&server.url(), NamedBy::Operator, None, get()).await.unwrap();
            done.fetch_add(1, Ordering::SeqCst);
        });
    }
    until(|| server.count() == PLACES).await;
    gate.notify_one();
    until(|| server.count() == PLACES + 1).await;
    assert_eq!(done.load(Ordering::SeqCst), 1, "the last one waited for a place");
}

/// Asks for a place at one host from an address, and says when it has one.
fn ask_for_place(places: &Arc<Places>, from: &'static str, granted: &Arc<Mutex<Vec<(&'static str, Place)>>>) {
    let (places, granted) = (places.clone(), granted.clone());
    tokio::spawn(async move {
        let place = places.take("id.example", Some(from.parse().unwrap())).await;
        granted.lock().push((from, place));
    });
}

async fn settle() {
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn one_site_has_a_quarter_of_the_places() {
    let (places, granted) = (Arc::<Places>::default(), Arc::default());
    for from in ["2001:db8:1::1", "2001:db8:1:1::1", "2001:db8:1:2::1"].into_iter().cycle().take(PLACES) {
        ask_for_place(&places, from, &granted);
    }
    settle().await;
    assert_eq!(granted.lock().len(), PLACES_OF_SITE, "three networks of one site");
    ask_for_place(&places, "2001:db8:2::1", &granted);
    until(|| granted.lock().len() == PLACES_OF_SITE + 1).await;
    // The service itself waits for all places only.
    let own = tokio::time::timeout(Duration::from_mins(1), places.take("id.example", None)).await;
    assert!(own.is_ok());
    granted.lock().remove(0);
    until(|| granted.lock().len() == PLACES_OF_SITE + 1).await;
}

#[tokio::test]
async fn sites_that_wait_take_turns() {
    let (places, granted) = (Arc::<Places>::default(), Arc::default());
    for from in ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"] {
        (0..PLACES_OF_SITE).for_each(|_| ask_for_place(&places, from, &granted));
    }
    until(|| granted.lock().len() == PLACES).await;
    for from in ["192.0.2.5", "192.0.2.5", "192.0.2.5", "192.0.2.6"] {
        ask_for_place(&places, from, &granted);
    }
    settle().await;
    for _ in 0..2 {
        granted.lock().remove(0);
        settle().await;
    }
    let last: Vec<&str> = granted.lock().iter().map(|(from, _)| *from).skip(PLACES - 2).collect();
    assert_eq!(last, ["192.0.2.5", "192.0.2.6"], "a site with one request does not wait behind all of another's");
}

#[tokio::test]
async fn whole_exchange_has_a_time() {
    let server = Server::start(Vec::new(), Some(Arc::new(Notify::new()))).await;
    let client = ExternalClient { total: Duration::from_millis(50), ..client() };
    let late = client.send(&server.url(), NamedBy::Operator, None, get()).await;
    assert!(matches!(late, Err(ExternalError::Unanswered(Unanswered::Timeout(_)))), "{late:?}");
    let hosts = client.places.hosts.lock();
    assert_eq!(hosts["127.0.0.1"].available_permits(), PLACES, "its place is free again");
}

/// A server with TLS at every address of this machine, whose certificate is for 127.0.0.1 and localhost; counts requests.
async fn tls_server() -> (u16, Arc<AtomicUsize>) {
    let fixture =
        |name: &str| std::fs::read(format!("{}/../../tests/fixtures/tls/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let key = PrivateKeyDer::from_pem_slice(&fixture("test-only-key.pem")).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate()], key).unwrap();
    let (acceptor, listener) = (TlsAcceptor::from(Arc::new(config)), TcpListener::bind("0.0.0.0:0").await.unwrap());
    let (port, requests) = (listener.local_addr().unwrap().port(), Arc::<AtomicUsize>::default());
    let seen = requests.clone();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (acceptor, seen) = (acceptor.clone(), seen.clone());
            tokio::spawn(async move {
                // A client that refuses the certificate ends the handshake.
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                if stream.read(&mut [0; 4096]).await.is_ok_and(|length| length > 0) {
                    seen.fetch_add(1, Ordering::SeqCst);
                    // The client may be gone.
                    let _ = stream.write_all(&answer("200 OK", "{}")).await;
                }
            });
        }
    });
    (port, requests)
}

fn certificate() -> CertificateDer<'static> {
    CertificateDer::from_pem_file(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/tls/test-only-cert.pem"))
        .unwrap()
}

/// A client that trusts the server, and may connect to it by either name.
fn trusting_client() -> ExternalClient {
    let mut roots = RootCertStore::empty();
    roots.add(certificate()).unwrap();
    let tls = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    ExternalClient::with_tls(vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()], tls)
}

#[tokio::test]
async fn https_server_with_trusted_certificate_is_reached() {
    let (port, requests) = tls_server().await;
    for (number, named_by) in [NamedBy::Operator, NamedBy::Others].into_iter().enumerate() {
        for (index, host) in ["127.0.0.1", "localhost"].into_iter().enumerate() {
            let url = ExternalUrl::parse(&format!("https://{host}:{port}/keys")).unwrap();
            let answer = trusting_client().send(&url, named_by, None, get()).await.unwrap();
            assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, &b"{}"[..]), "{host}");
            assert_eq!(requests.load(Ordering::SeqCst), 2 * number + index + 1);
        }
    }
}

#[tokio::test]
async fn https_server_without_right_certificate_gets_no_request() {
    let (port, requests) = tls_server().await;
    let is_refused = |answered| matches!(answered, Err(ExternalError::Unanswered(Unanswered::Tls(_))));
    let url = |host: &str| ExternalUrl::parse(&format!("https://{host}:{port}/")).unwrap();
    assert!(
        is_refused(client().send(&url("localhost"), NamedBy::Operator, None, get()).await),
        "signed by no trusted root"
    );
    // Another address of the same machine, which the certificate does not name.
    assert!(is_refused(trusting_client().send(&url("127.0.0.2"), NamedBy::Operator, None, get()).await));
    let inner = client().send(&url("127.0.0.1"), NamedBy::Others, None, get()).await;
    assert_eq!(inner.err(), Some(ExternalError::Inner("127.0.0.1".to_owned())));
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

async fn until(is_true: impl Fn() -> bool) {
    while !is_true() {
        tokio::task::yield_now().await;
    }
}
