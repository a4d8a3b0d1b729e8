//! `/auth/admin/api-keys`: the keys of applications' backends. The command line makes them, as it shows each once.

use super::Administrator;
use super::act::{self, Act, ActTarget, ActWords, ReasonFields};
use crate::context::App;
use crate::domain::api_key::manage;
use crate::domain::change;
use crate::domain::directory::api_key::ApiKeyRecord;
use crate::http::form::Form;
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::not_found;
use crate::http::views::{self, ActParent, AdminListPage, Cell, Cells, Table};
use crate::messages::{Key, Message};
use crate::model::api_key::ApiKeyId;
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::ApiKeyRow;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/admin/api-keys";
/// Ended keys are removed after a while, so few are left out.
const MAX_LISTED: i64 = 500;

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadApiKeys).await?;
    let now = context.app.clock.now();
    let mut conn = context.app.store.read(&admin.principal, Operation::ReadApiKeys).await?;
    let rows = conn.api_keys_list(MAX_LISTED).await?;
    drop(conn);
    let notice = act::notice(&context);
    let view = AdminListPage {
        layout: &admin.shell(&context, PATH, None),
        title: Key("admin-api-keys"),
        path: PATH,
        notice: notice.as_ref(),
        filters: &[],
        table: table(rows.iter().map(|key| row(&admin, key, &ApiKeyRecord::of(key, now))).collect())
            .with_acts(admin.may(Operation::RevokeApiKey)),
        folded: None,
        first: None,
        next: None,
        is_cut: false,
        acts: &[],
        command: "doorward api-key list",
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn table(rows: Vec<Vec<Cells>>) -> Table {
    Table {
        caption: Key("admin-api-keys"),
        columns: [
            "name",
            "admin-id",
            "admin-state",
            "admin-scopes",
            "admin-networks",
            "admin-ends",
            "admin-used",
            "admin-act",
        ]
        .map(Key)
        .to_vec(),
        rows,
        empty: Message::new("admin-api-keys-none"),
    }
}

fn row(admin: &Administrator, key: &ApiKeyRow, record: &ApiKeyRecord<'_>) -> Vec<Cells> {
    let is_live = record.state == "live";
    let state = Message::new("admin-api-key-state").text("state", record.state);
    let may_revoke = is_live && admin.may(Operation::RevokeApiKey);
    let revoke = may_revoke
        .then(|| Cell::Page { href: format!("{PATH}/{}/revoke", key.id), words: Message::new("admin-revoke") });
    let used = record.last_used_on.iter().cloned();
    vec![
        Cell::typed(Some(&key.name)),
        vec![Cell::Code(key.id.to_string())],
        vec![if is_live { Cell::Words(state) } else { Cell::Tag(state) }],
        key.scopes.names().into_iter().map(|scope| Cell::Code(scope.to_owned())).collect(),
        key.networks.0.iter().map(|network| Cell::Code(network.to_string())).collect(),
        key.expires_at.map(Cell::Moment).into_iter().collect(),
        used.map(Cell::Code).chain(Cell::code(&key.last_used_network)).collect(),
        revoke.into_iter().collect(),
    ]
}

impl FormTarget for ApiKeyRow {
    type Ids = String;

    async fn find(by: LoggedIn<'_>, id: String) -> Result<Self, PageError> {
        // PostgreSQL has no text with U+0000.
        if !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(not_found());
        }
        let mut conn = by.app.store.read(&by.administrator(), Operation::ReadApiKeys).await?;
        conn.api_key_find(&ApiKeyId(id)).await?.ok_or_else(not_found)
    }
}

impl ActTarget for ApiKeyRow {
    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn page(&self) -> String {
        PATH.to_owned()
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Page(Key("admin-api-keys"))
    }
}

pub struct RevokeApiKey;

impl Act for RevokeApiKey {
    type Target = ApiKeyRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::RevokeApiKey;
    const WORDS: ActWords =
        ActWords::new("admin-api-key-revoke", "admin-api-key-revoke-what", "admin-api-key-revoke").dangerous();

    fn command(key: &ApiKeyRow) -> String {
        format!("doorward api-key revoke {}", key.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        key: &ApiKeyRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, manage::Revoke { id: &key.id }).await?;
        Ok(act::done(&key.page()))
    }
}
