//! Bounds the bodies that are under way, of all requests and of one network.

use super::head_limit;
use crate::context::App;
use crate::http::body_budget::{BodyAllowance, BodyBudget};
use crate::http::client;
use axum::extract::Request;
use axum::http::Method;
use std::sync::Arc;

/// Gives each request with a body its allowance, from which the reader of the body takes what it holds.
pub struct BodyLimit {
    app: Arc<App>,
    budget: BodyBudget,
}

impl BodyLimit {
    pub fn new(app: &Arc<App>) -> Self {
        Self { app: app.clone(), budget: BodyBudget::new(app.settings.server.rate_limit) }
    }

    pub fn allow(&self, request: &mut Request) {
        if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
            let client = client::of(&self.app.settings.server, request.headers(), request.extensions());
            let allowance = BodyAllowance::new(&self.budget, client.for_limits, head_limit::bytes(request));
            request.extensions_mut().insert(allowance);
        }
    }
}
