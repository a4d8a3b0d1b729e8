//! A connection of its own.

use super::resolver::NameResolver;
use super::unanswered::Unanswered;
use hyper::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use std::time::Duration;
use tower_service::Service;

/// A connection, with TLS or without.
pub type Stream = <HttpsConnector<HttpConnector> as Service<Uri>>::Response;

/// Connects to a server that the operator named, with TLS for https, and sends nothing.
pub async fn connect(uri: &Uri, time: Duration) -> Result<Stream, Unanswered> {
    let mut tcp = HttpConnector::new_with_resolver(NameResolver);
    tcp.enforce_http(false);
    tcp.set_connect_timeout(Some(time));
    if uri.scheme_str() != Some("https") {
        let connected = tcp.call(uri.clone()).await;
        return connected.map(MaybeHttpsStream::Http).map_err(|error| Unanswered::connecting(&error, false));
    }
    let builder = HttpsConnectorBuilder::new().with_native_roots();
    let builder = builder.map_err(|error| Unanswered::Tls(format!("no certificates to trust: {error}")))?;
    let mut connector = builder.https_only().enable_http1().wrap_connector(tcp);
    connector.call(uri.clone()).await.map_err(|error| Unanswered::connecting(&*error, true))
}
