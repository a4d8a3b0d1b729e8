//! The request of one attempt (interface.md 4.4, contract.md 6).

use crate::crypto::webhook_signature::{InvalidSecret, StandardSigner, hex_sha256};
use crate::model::time::Time;
use crate::settings::{ServiceName, Webhooks};
use crate::store::Claimed;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue, USER_AGENT};
use hyper::{Method, Request, Uri};
use secrecy::{ExposeSecret, SecretString};

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");
const PRODUCT: &str = concat!("doorward/", env!("CARGO_PKG_VERSION"));

/// Makes requests of deliveries.
pub(super) struct Requests {
    url: Uri,
    /// The headers that are the same in every request.
    constant: HeaderMap,
    event: HeaderName,
    delivery: HeaderName,
    signature: HeaderName,
    secret: SecretString,
    standard: StandardSigner,
}

impl Requests {
    pub(super) fn new(name: &ServiceName, settings: &Webhooks) -> Result<Self, DelivererError> {
        let mut constant = HeaderMap::new();
        constant.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        constant.insert(USER_AGENT, HeaderValue::from_static(PRODUCT));
        if let Some(authorization) = &settings.authorization {
            let mut value =
                HeaderValue::from_str(authorization.expose_secret()).map_err(|_| DelivererError::Authorization)?;
            value.set_sensitive(true);
            constant.insert(AUTHORIZATION, value);
        }
        Ok(Self {
            url: settings.url.clone(),
            constant,
            event: name.event_header().name().clone(),
            delivery: name.delivery_header().name().clone(),
            signature: name.signature_header().name().clone(),
            secret: settings.secret.clone(),
            standard: StandardSigner::new([&settings.secret].into_iter().chain(&settings.secret_previous))?,
        })
    }

    /// The request of an attempt at `now`.
    pub(super) fn of(&self, delivery: &Claimed, now: Time) -> Result<Request<Full<Bytes>>, InvalidHeaderValue> {
        let id = delivery.id.wire();
        let body = delivery.payload.as_slice();
        let timestamp = now.as_seconds();
        let mut request = Request::new(Full::new(Bytes::copy_from_slice(body)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.clone();
        let headers = request.headers_mut();
        headers.clone_from(&self.constant);
        headers.insert(&self.event, HeaderValue::from_str(&delivery.kind)?);
        headers.insert(&self.delivery, HeaderValue::from_str(&id)?);
        headers
            .insert(&self.signature, HeaderValue::from_str(&hex_sha256(self.secret.expose_secret().as_bytes(), body))?);
        headers.insert(WEBHOOK_ID, HeaderValue::from_str(&id)?);
        headers.insert(WEBHOOK_TIMESTAMP, HeaderValue::from(timestamp));
        headers.insert(WEBHOOK_SIGNATURE, HeaderValue::from_str(&self.standard.sign(&id, timestamp, body))?);
        Ok(request)
    }
}

/// The delivery cannot begin with these settings on this machine.
#[derive(Debug, thiserror::Error)]
pub enum DelivererError {
    /// The machine has no store of trusted certificates, which an `https` receiver needs.
    #[error("no trusted certificates were found on this machine: {0}")]
    Certificates(std::io::Error),
    /// The user name and password of the receiver's URL cannot be sent.
    #[error("the user name and password of the webhook URL cannot be sent as a header")]
    Authorization,
    /// A secret cannot be used as the Standard Webhooks specification says.
    #[error(transparent)]
    Secret(#[from] InvalidSecret),
}
