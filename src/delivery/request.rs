//! The request of a webhook attempt (docs/reference/webhooks.md 13).

use crate::crypto::webhook_signature::{StandardSigner, hex_sha256};
use crate::model::time::Time;
use crate::settings::{ServiceName, WebhookSecret, WebhookSettings};
use crate::store::Claimed;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue, USER_AGENT};
use hyper::{Method, Request, Uri};
use secrecy::ExposeSecret;

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");
/// W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const PRODUCT: &str = concat!("doorward/", env!("CARGO_PKG_VERSION"));

pub(super) struct Requests {
    url: Uri,
    /// The headers that are the same in every request.
    common: HeaderMap,
    event_header: HeaderName,
    delivery_header: HeaderName,
    signature_header: HeaderName,
    secret: WebhookSecret,
    standard_signer: StandardSigner,
}

impl Requests {
    pub(super) fn new(name: &ServiceName, settings: &WebhookSettings) -> Result<Self, DelivererError> {
        let mut common = HeaderMap::new();
        common.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        common.insert(USER_AGENT, HeaderValue::from_static(PRODUCT));
        if let Some(authorization) = &settings.authorization {
            let mut value =
                HeaderValue::from_str(authorization.expose_secret()).map_err(|_| DelivererError::Authorization)?;
            value.set_sensitive(true);
            common.insert(AUTHORIZATION, value);
        }
        Ok(Self {
            url: settings.url.clone(),
            common,
            event_header: name.event_header().name().clone(),
            delivery_header: name.delivery_header().name().clone(),
            signature_header: name.signature_header().name().clone(),
            secret: settings.secret.clone(),
            standard_signer: StandardSigner::new([&settings.secret].into_iter().chain(&settings.secret_previous)),
        })
    }

    /// The request of an attempt at `now`.
    pub(super) fn build(&self, delivery: &Claimed, now: Time) -> Result<Request<Full<Bytes>>, InvalidHeaderValue> {
        let id = delivery.id.event().wire();
        let body = delivery.payload.as_slice();
        let timestamp = now.as_seconds();
        let mut request = Request::new(Full::new(Bytes::copy_from_slice(body)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.clone();
        let headers = request.headers_mut();
        headers.clone_from(&self.common);
        headers.insert(&self.event_header, HeaderValue::from_str(&delivery.kind)?);
        headers.insert(&self.delivery_header, HeaderValue::from_str(&id)?);
        headers.insert(&self.signature_header, HeaderValue::from_str(&hex_sha256(self.secret.as_bytes(), body))?);
        headers.insert(WEBHOOK_ID, HeaderValue::from_str(&id)?);
        headers.insert(WEBHOOK_TIMESTAMP, HeaderValue::from(timestamp));
        headers.insert(WEBHOOK_SIGNATURE, HeaderValue::from_str(&self.standard_signer.sign(&id, timestamp, body))?);
        if let Some(traceparent) = &delivery.traceparent {
            headers.insert(TRACEPARENT, HeaderValue::from_str(traceparent)?);
        }
        Ok(request)
    }
}

/// Webhooks cannot be sent with these settings on this machine.
#[derive(Debug, thiserror::Error)]
pub enum DelivererError {
    /// The machine has no trusted root certificates, which an `https` receiver needs.
    #[error("no trusted certificates were found on this machine: {0}")]
    Certificates(std::io::Error),
    /// The username and password of the receiver's URL cannot be sent.
    #[error("the username and password of the webhook URL cannot be sent as a header")]
    Authorization,
}
