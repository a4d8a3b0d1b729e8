//! Until when a server's certificate is valid.

use super::connect::Stream;
use crate::model::time::Time;
use hyper_rustls::MaybeHttpsStream;
use x509_parser::prelude::{FromDer, X509Certificate};

/// The end of the certificate that a server has shown; `None` without TLS.
pub fn certificate_end(stream: &Stream) -> Option<Time> {
    let MaybeHttpsStream::Https(tls) = stream else { return None };
    let (_, connection) = tls.inner().get_ref();
    end_of(connection.peer_certificates()?.first()?)
}

/// The end of a certificate (RFC 5280, 4.1.2.5); `None` if it is none.
pub fn end_of(certificate: &[u8]) -> Option<Time> {
    let (_, certificate) = X509Certificate::from_der(certificate).ok()?;
    Some(Time::from_micros(certificate.validity().not_after.timestamp().saturating_mul(1_000_000)))
}
