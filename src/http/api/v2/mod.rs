//! Version 2 of the JSON API (docs/reference/api-v2.md 18). Handlers are thin over the use cases of the pages and
//! commands.

pub mod answer;
pub mod answer_body;
pub mod api_key;
pub mod body;
mod change;
pub mod error;
mod members;
pub mod openapi;
pub mod organization_body;
mod organization_invitations;
mod organization_members;
mod organizations;
pub mod page;
pub mod parameters;
pub mod path;
mod request_head;
mod session;
pub mod session_body;
pub mod session_caller;
mod user_changes;
pub mod user_input;
mod user_security;
mod user_sessions;
mod users;

use super::cors;
use crate::context::App;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, options};
use std::sync::Arc;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

type Operations = OpenApiRouter<Arc<App>>;

/// The routes of all operations, and of their description.
pub fn router(app: &Arc<App>) -> Router<Arc<App>> {
    let document = openapi::Document::new(&app.settings.name, described());
    let routes: Router<Arc<App>> = operations().merge(for_session(app)).into();
    routes.route(path::OPENAPI, get(async move || document.answer()))
}

fn described() -> OpenApi {
    operations().merge(session_operations()).into_openapi()
}

/// For API keys.
fn operations() -> Operations {
    OpenApiRouter::new()
        .routes(routes!(user_sessions::end_all, user_sessions::list))
        .routes(routes!(user_sessions::end))
        .routes(routes!(users::create, users::list))
        .routes(routes!(users::show, user_changes::delete, user_changes::update))
        .merge(user_security::routes())
        .merge(organization_operations())
}

fn organization_operations() -> Operations {
    use {organization_invitations as invitations, organization_members as members};
    OpenApiRouter::new()
        .routes(routes!(organizations::list, organizations::create))
        .routes(routes!(organizations::show, organizations::update, organizations::remove))
        .routes(routes!(members::list, members::add))
        .routes(routes!(members::update, members::remove))
        .routes(routes!(invitations::list, invitations::create))
        .routes(routes!(invitations::resend))
        .routes(routes!(invitations::revoke))
}

/// For the logged-in person, also from the pages of `SVC_ALLOWED_ORIGINS`.
fn for_session(app: &Arc<App>) -> Operations {
    let preflight = || options(cors::preflight_session);
    session_operations().layer(from_fn_with_state(app.clone(), cors::layer)).merge(
        OpenApiRouter::new()
            .route(path::SESSION, preflight())
            .route(path::SESSION_ORGANIZATION, preflight())
            .route(path::SESSION_ORGANIZATIONS, preflight()),
    )
}

fn session_operations() -> Operations {
    OpenApiRouter::new()
        .routes(routes!(session::show, session::log_out))
        .routes(routes!(session::set_organization))
        .routes(routes!(session::organizations))
}
