//! The answers of the gate: headers for the proxy, and a page or JSON for a refused visitor.

use super::headers::{self, GateHeaders};
use super::look::GateLook;
use super::values::{ANONYMOUS, GateValues};
use crate::context::App;
use crate::error::Error;
use crate::http::accept::accepts_html;
use crate::http::api::error::{ApiError, ErrorCode};
use crate::http::error::{RETRY_INTERVAL, set_retry_after};
use crate::http::failure::RequestFailure;
use crate::http::language::Language;
use crate::http::request_id::RequestId;
use crate::http::views::{self, GatePage, Layout};
use crate::metrics::GateOutcome;
use crate::model::gate_value::GateValue;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_SECURITY_POLICY, LOCATION, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

// A longer address has no links to the other languages, each of which repeats it: HAProxy answers 500 for a page that does
// not fit, with all headers, into its buffer of 16 KiB.
const MAX_REPEATED: usize = 512;

pub struct Answer {
    pub outcome: GateOutcome,
    /// The page of ours that leads on.
    pub url: Option<HeaderValue>,
    /// Where a visitor leaves the account that may not pass, and comes back.
    pub other_account: Option<HeaderValue>,
    /// The address that was asked for, if our pages may lead back to it.
    pub back: Option<String>,
    /// Whether the browser is to be sent there.
    pub redirects: bool,
    /// Whether the proxy takes no redirect.
    pub is_nginx: bool,
    pub(super) values: Option<Arc<GateValues>>,
    pub(super) failure: Option<RequestFailure>,
}

impl Answer {
    /// A refusal that leads nowhere.
    pub const fn new(outcome: GateOutcome) -> Self {
        let (url, other_account, back) = (None, None, None);
        Self { outcome, url, other_account, back, redirects: false, is_nginx: false, values: None, failure: None }
    }

    pub fn passed(values: Arc<GateValues>) -> Self {
        Self { values: Some(values), ..Self::new(GateOutcome::Passed) }
    }

    pub fn anonymous() -> Self {
        Self::passed(Arc::new(ANONYMOUS))
    }

    pub fn failed(error: Error) -> Self {
        let failure = RequestFailure::from(error);
        let outcome = if failure.is_transient() { GateOutcome::Away } else { GateOutcome::Error };
        Self { failure: Some(failure), ..Self::new(outcome) }
    }

    const fn status(&self) -> StatusCode {
        match self.outcome {
            GateOutcome::Passed => StatusCode::OK,
            GateOutcome::Login | GateOutcome::Renewal | GateOutcome::StepUp if self.redirects => {
                if self.is_nginx {
                    StatusCode::UNAUTHORIZED
                } else {
                    StatusCode::FOUND
                }
            }
            GateOutcome::Login | GateOutcome::Renewal => StatusCode::UNAUTHORIZED,
            GateOutcome::StepUp | GateOutcome::Forbidden => StatusCode::FORBIDDEN,
            GateOutcome::Away => StatusCode::SERVICE_UNAVAILABLE,
            GateOutcome::Error => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

pub fn respond(app: &App, passed_on: &GateHeaders, look: &GateLook, request: &Parts, answer: Answer) -> Response {
    let status = answer.status();
    if let Some(values) = &answer.values {
        let mut response = status.into_response();
        passed_on.write(response.headers_mut(), values);
        // nginx treats an empty header as a missing one: by this header it tells an anonymous request from an answer
        // that lacks the identity headers.
        let is_anonymous = values[GateValue::Id as usize].is_empty();
        if let (true, Some(name)) = (is_anonymous, headers::own(&app.settings, "Nobody")) {
            response.headers_mut().insert(name, HeaderValue::from_static("true"));
        }
        return response;
    }
    let is_page = accepts_html(&request.headers);
    let mut response = if is_page { page(app, look, request, status, &answer) } else { json(status) };
    *response.status_mut() = status;
    lead(app, &mut response, &answer);
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().extend(challenge(app).map(|challenge| (WWW_AUTHENTICATE, challenge)));
    }
    if answer.outcome == GateOutcome::Away {
        set_retry_after(&mut response, RETRY_INTERVAL);
    }
    if let Some(failure) = answer.failure {
        response.extensions_mut().insert(failure);
    }
    response
}

fn lead(app: &App, response: &mut Response, answer: &Answer) {
    let headers = response.headers_mut();
    let redirect = answer.url.clone().filter(|_| answer.redirects);
    if let (Some(url), false) = (&redirect, answer.is_nginx) {
        headers.insert(LOCATION, url.clone());
    }
    if let (Some(name), Some(url)) = (headers::own(&app.settings, "Login-Url"), answer.url.clone()) {
        headers.insert(name, url);
    }
    if let Some(name) = headers::own(&app.settings, "Redirect") {
        headers.insert(name, redirect.unwrap_or(HeaderValue::from_static("")));
    }
}

/// What a 401 must have (RFC 9110, section 11.6.1). The scheme is no registered one: the gate reads no `Authorization`, so
/// `Basic` would have browsers ask for a password, and `Bearer` would have programs send a token, both in vain.
fn challenge(app: &App) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("Cookie realm=\"{}\"", app.settings.server.base_url.as_str())).ok()
}

fn json(status: StatusCode) -> Response {
    ApiError::new(match status {
        StatusCode::FORBIDDEN => ErrorCode::Forbidden,
        StatusCode::SERVICE_UNAVAILABLE => ErrorCode::Unavailable,
        StatusCode::INTERNAL_SERVER_ERROR => ErrorCode::InternalError,
        _ => ErrorCode::Unauthorized,
    })
    .into_response()
}

fn page(app: &App, look: &GateLook, request: &Parts, status: StatusCode, answer: &Answer) -> Response {
    let language = Language::of(&app.settings, &Request::from_parts(request.clone(), Body::empty()));
    let mut layout = Layout::new(app, &language);
    let back = answer.back.as_deref().filter(|back| back.len() <= MAX_REPEATED).unwrap_or("");
    (layout.origin, layout.return_path) = (app.settings.server.base_url.as_str(), back);
    let [url, other] = [&answer.url, &answer.other_account].map(|url| url.as_ref().and_then(|url| url.to_str().ok()));
    let id = RequestId::of(&request.extensions);
    let view = GatePage::new(layout, (&look.style, look.logo.as_ref()), answer.outcome, url, id).with_other(other);
    let mut page = views::page(status, &view);
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, look.policy.clone());
    page
}
