//! `/auth/account/connections`: the accounts at providers that log in to one's own.

use super::change_form::{ChangeForm, ChangeResult, FormTarget, LoggedIn, PageResult, StepUp, WithId};
use super::page_context::PageContext;
use super::paths;
use super::provider_start;
use crate::domain::change;
use crate::domain::provider::working::logs_in;
use crate::domain::provider_login::connect::lacks_factor;
use crate::domain::provider_login::connections;
use crate::http::form::{Form, FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, ConnectChoice, ConnectionLine, ConnectionsPage};
use crate::model::ids::IdentityId;
use crate::model::provider::ProviderKind;
use crate::rate_limit::ChangeKind;
use crate::store::{ConnectTarget, ProviderRow};
use std::sync::Arc;

const PATH: &str = paths::CONNECTIONS;

/// Anyone who is logged in sees them; only what changes them asks who they are.
pub async fn show(context: PageContext) -> PageResult {
    let live = context.require_login(PATH).await?;
    page(LoggedIn { context: &context, live: &live }, &FormErrors::default()).await
}

impl FormTarget for Arc<ProviderRow> {
    type Ids = String;

    async fn find(by: LoggedIn<'_>, name: String) -> Result<Self, PageError> {
        provider_start::find(by.context, &name).await
    }
}

/// Begins to connect an account at a provider.
pub struct Connect;

impl ChangeForm for Connect {
    type Target = Arc<ProviderRow>;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::Recent;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &Arc<ProviderRow>, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, provider: &Arc<ProviderRow>, _: &Form<NoFields>) -> ChangeResult {
        if lacks_factor(&provider.provider, &by.live.view) {
            return Ok(by.redirect_to_factor(PATH));
        }
        let connect = ConnectTarget { session: by.live.id, user: by.user() };
        Ok(provider_start::begin_connection(by.context, provider, connect).await?)
    }
}

pub struct RemoveConnection;

impl ChangeForm for RemoveConnection {
    type Target = WithId<IdentityId>;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::Recent;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &WithId<IdentityId>, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, WithId(id): &WithId<IdentityId>, _: &Form<NoFields>) -> ChangeResult {
        let providers = by.app.store.providers().await?;
        change::run(&by.app, &by.principal(), connections::Disconnect { id: *id, providers }).await?;
        Ok(by.redirect(Some("/auth/account/connections?done=removed")))
    }
}

async fn page(by: LoggedIn<'_>, errors: &FormErrors) -> PageResult {
    let rows = connections::list(&by.app, &by.principal(), by.user()).await?;
    let providers = by.app.store.providers().await?;
    let labels: Vec<String> = rows.iter().map(|row| providers.label(&row.provider)).collect();
    let lines: Vec<_> = rows
        .iter()
        .zip(&labels)
        .map(|(row, provider)| ConnectionLine {
            id: row.id,
            kind: providers.find(&row.provider).map_or(ProviderKind::Oidc, |known| known.provider.kind),
            provider,
            email: row.email.as_deref(),
            exists: logs_in(&providers, row),
            created_at: row.created_at,
            last_used_at: row.last_used_at,
        })
        .collect();
    let offered = providers.iter().filter(|row| row.secret.is_some());
    let choices: Vec<_> = offered
        .map(|row| ConnectChoice {
            action: format!("{PATH}/{}", row.provider.name),
            kind: row.provider.kind,
            label: &row.provider.label,
            is_another: rows.iter().any(|connected| connected.provider == row.provider.name),
        })
        .collect();
    let notice = by.done_message(&[("connected", "connections-connected"), ("removed", "connections-removed")]);
    let view = ConnectionsPage {
        layout: &by.shell(paths::SECURITY, errors.form())?,
        notice: notice.as_ref().filter(|_| errors.form().is_none()),
        connections: &lines,
        choices: &choices,
        account: by.live.view.label().account(),
    };
    Ok(views::page(errors.status(), &view))
}
