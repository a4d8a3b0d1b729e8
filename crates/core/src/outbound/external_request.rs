//! What an external server is asked.

use super::external::ExternalClient;
use super::{ExternalError, ExternalUrl, NamedBy, ServerAnswer};
use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use std::fmt;
use std::net::IpAddr;

/// A request for JSON, without its address.
pub struct ExternalRequest(Request<Full<Bytes>>);

impl ExternalRequest {
    pub fn get() -> Self {
        let mut request = Request::new(Full::default());
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        Self(request)
    }

    /// Sends a form, which is encoded already. It may hold secrets: it is never shown.
    pub fn form(form: &str) -> Self {
        let Self(mut request) = Self::get();
        *request.method_mut() = hyper::Method::POST;
        let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
        request.headers_mut().insert(CONTENT_TYPE, form_type);
        *request.body_mut() = Full::new(Bytes::copy_from_slice(form.as_bytes()));
        Self(request)
    }

    /// Adds `Authorization`; `None` if it would be no header.
    pub fn authorized(mut self, credentials: &str) -> Option<Self> {
        let mut value = HeaderValue::from_str(credentials).ok()?;
        value.set_sensitive(true);
        self.0.headers_mut().insert(AUTHORIZATION, value);
        Some(self)
    }
}

impl fmt::Debug for ExternalRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExternalRequest").field(self.0.method()).finish()
    }
}

/// The client, as far as the people of one site may use it.
#[derive(Clone, Copy, Debug)]
pub struct ExternalShare<'a> {
    external: &'a ExternalClient,
    from: Option<IpAddr>,
}

impl ExternalClient {
    /// For requests that a client at this address causes; `None`: for those of the service itself.
    pub const fn share_of(&self, from: Option<IpAddr>) -> ExternalShare<'_> {
        ExternalShare { external: self, from }
    }
}

impl ExternalShare<'_> {
    /// For requests of the service itself.
    #[must_use]
    pub const fn own(self) -> Self {
        Self { from: None, ..self }
    }

    /// Sends a request for JSON, and reads its answer, whatever its status.
    pub async fn ask(
        self,
        url: &ExternalUrl,
        named_by: NamedBy,
        request: ExternalRequest,
    ) -> Result<ServerAnswer, ExternalError> {
        self.external.send(url, named_by, self.from, request.0).await
    }
}
