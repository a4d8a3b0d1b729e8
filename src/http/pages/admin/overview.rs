//! `/auth/admin`: the state of the service.

use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, AdminThingPage};
use crate::messages::Key;
use crate::model::principal::Operation;
use axum::http::StatusCode;
use axum::response::Response;

/// The overview.
pub(in crate::http::pages) const PATH: &str = "/auth/admin";

/// Shows it.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadOverview).await?;
    let view = AdminThingPage {
        layout: admin.layout(&context),
        sections: &admin.sections(PATH),
        list: ("/auth/account", Key("account-section")),
        title: &context.layout().t("admin-overview").to_string(),
        tags: &[],
        parts: &[],
        command: "doorward doctor",
        renews: false,
    };
    Ok(views::page(StatusCode::OK, &view))
}
