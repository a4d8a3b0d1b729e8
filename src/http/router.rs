//! Every route on one screen.

use super::{api, assets, envelope, error, pages, probes};
use crate::app::App;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Router, response::Redirect};
use std::sync::Arc;

/// The service.
pub fn router(app: &Arc<App>) -> Router {
    let json = Router::new()
        .route("/auth/api/v1/user", get(api::user::show).options(api::cors::preflight))
        .route("/auth/api/v1/sessions/refresh", post(api::refresh::submit).options(api::cors::preflight))
        .route("/auth/sessions/refresh", post(api::refresh::submit).options(api::cors::preflight))
        .route("/auth/.well-known/jwks.json", get(api::jwks::show));
    let html = Router::new()
        .route("/", get(async || Redirect::to("/auth/")))
        .route("/auth", get(pages::home::show))
        .route("/auth/", get(pages::home::show))
        .route("/auth/signup", get(pages::signup::show).post(pages::signup::submit))
        .route("/auth/login", get(pages::login::show).post(pages::login::submit))
        .route("/auth/sessions/logout", post(pages::logout::submit).options(api::cors::preflight))
        .route("/auth/account", get(pages::account::show));
    let operations = Router::new()
        .route("/auth/assets/{file}", get(assets::serve))
        .route("/auth/health", get(probes::health))
        .route("/auth/ready", get(probes::ready));
    json.merge(html)
        .merge(operations)
        .method_not_allowed_fallback(error::method_not_allowed)
        .fallback(error::not_found)
        .layer(from_fn_with_state(app.clone(), envelope::wrap))
        .with_state(app.clone())
}
