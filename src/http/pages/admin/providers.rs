//! `/auth/admin/providers`: the providers that people log in with, to look at. The command line makes them, as it takes
//! their secrets from files.

use crate::domain::directory::provider::ProviderRecord;
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, AdminListPage, Cell, Cells, Table};
use crate::messages::{Key, Message};
use crate::model::principal::Operation;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/admin/providers";

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadProviders).await?;
    let mut conn = context.app.store.read(&admin.principal, Operation::ReadProviders).await?;
    let rows = conn.providers_list().await?;
    drop(conn);
    let base_url = &context.app.settings.server.base_url;
    let view = AdminListPage {
        layout: &admin.shell(&context, PATH, None),
        title: Key("admin-providers"),
        path: PATH,
        notice: None,
        filters: &[],
        table: table(rows.iter().map(|provider| row(&ProviderRecord::of(provider, base_url))).collect()),
        folded: None,
        first: None,
        next: None,
        is_cut: false,
        acts: &[],
        command: "doorward provider list",
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn table(rows: Vec<Vec<Cells>>) -> Table {
    Table {
        caption: Key("admin-providers"),
        columns: [
            "admin-provider",
            "admin-provider-kind",
            "admin-issuer",
            "admin-client-id",
            "admin-signups",
            "admin-provider-secret",
            "admin-redirect-uri",
        ]
        .map(Key)
        .to_vec(),
        rows,
        empty: Message::new("admin-providers-none"),
    }
}

fn row(provider: &ProviderRecord<'_>) -> Vec<Cells> {
    let secret = if provider.has_secret {
        Cell::words("admin-secret-set")
    } else {
        Cell::Alarm(Message::new("admin-secret-missing"))
    };
    let signup = if provider.signup == "on" { "admin-on" } else { "admin-off" };
    vec![
        vec![Cell::Code(provider.name.to_owned()), Cell::Typed(provider.label.to_owned())],
        vec![Cell::Code(provider.kind.to_owned())],
        Cell::typed(Some(provider.issuer)),
        Cell::typed(Some(provider.client_id)),
        vec![Cell::words(signup)],
        vec![secret],
        vec![Cell::Code(provider.redirect_uri.clone())],
    ]
}
