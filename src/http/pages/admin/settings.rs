//! `/auth/admin/settings`: each setting with its value and where it comes from, to look at. Secrets are masked.

use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, AdminListPage, Cell, Cells, Table};
use crate::messages::{Key, Message};
use crate::model::principal::Operation;
use crate::settings::{DescribedSetting, ValueSource};
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/admin/settings";

/// Lists the settings, as `doorward config` does.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadSettings).await?;
    let (set, others): (Vec<_>, Vec<_>) =
        context.app.settings.described.iter().partition(|setting| setting.source != ValueSource::Default);
    let table = |columns: &[&'static str], rows| Table {
        caption: Key("admin-settings"),
        columns: columns.iter().copied().map(Key).collect(),
        rows,
        empty: Message::new("admin-settings-none"),
    };
    let defaults = Message::new("admin-settings-default").number("count", others.len());
    let view = AdminListPage {
        layout: &admin.shell(&context, PATH, None),
        title: Key("admin-settings"),
        path: PATH,
        notice: None,
        filters: &[],
        table: table(
            &["admin-setting", "admin-value", "admin-source", "admin-default"],
            set.into_iter().map(row).collect(),
        ),
        folded: Some((
            defaults,
            table(&["admin-setting", "admin-value"], others.into_iter().map(by_default).collect()),
        )),
        first: None,
        next: None,
        is_cut: false,
        acts: &[],
        command: "doorward config",
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn row(setting: &DescribedSetting) -> Vec<Cells> {
    let is_word = setting.file.is_none() && setting.derived_from.is_none();
    let source = if is_word {
        Cell::Words(Message::new("admin-source-of").text("source", setting.source.as_str()))
    } else {
        Cell::Code(setting.origin().to_owned())
    };
    let default = Cell::typed(Some(&setting.default));
    vec![vec![Cell::Code(setting.variable.clone())], Cell::typed(setting.value.as_deref()), vec![source], default]
}

fn by_default(setting: &DescribedSetting) -> Vec<Cells> {
    vec![vec![Cell::Code(setting.variable.clone())], Cell::typed(setting.value.as_deref())]
}
