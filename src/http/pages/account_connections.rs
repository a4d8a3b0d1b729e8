//! `/auth/account/connections`: the accounts at providers that log in to one's own.

use super::page_context::PageContext;
use super::paths;
use super::provider_start::{self, find};
use super::required::parse_id;
use crate::domain::provider::working::logs_in;
use crate::domain::provider_login::connect::lacks_factor;
use crate::domain::provider_login::connections;
use crate::http::form::{FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, ConnectChoice, ConnectionLine, ConnectionsPage, account_sections};
use crate::model::ids::IdentityId;
use crate::model::provider::ProviderKind;
use crate::rate_limit::ChangeKind;
use crate::store::ConnectTarget;
use axum::extract::Path;
use axum::response::Response;

const PATH: &str = paths::CONNECTIONS;

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    page(&context, &live, &FormErrors::default()).await
}

/// Begins to connect an account at a provider.
pub async fn connect(
    context: PageContext,
    Path(name): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let live = context.require_reauthentication(PATH).await?;
    let provider = find(&context, &name).await?;
    if lacks_factor(&provider.provider, &live.view) {
        return Ok(context.redirect_to_factor(PATH));
    }
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let connect = ConnectTarget { session: live.id, user: live.view.user_id };
    provider_start::begin_connection(&context, &provider, connect).await
}

pub async fn remove(
    context: PageContext,
    Path(id): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let id = IdentityId(parse_id(&id)?);
    let live = context.require_reauthentication(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    match connections::remove(&context.app, &context.person(&live), live.view.user_id, id).await {
        Ok(()) => Ok(context.redirect(Some(&format!("{PATH}?done=removed")))),
        Err(error) => page(&context, &live, &form.again().refused(error)?).await,
    }
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let rows = connections::list(&context.app, &context.person(live), live.view.user_id).await?;
    let providers = context.app.store.providers().await?;
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
    let csrf = context.csrf()?;
    let notice = context.done_message(&[("connected", "connections-connected"), ("removed", "connections-removed")]);
    let view = ConnectionsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        notice: notice.as_ref().filter(|_| errors.form().is_none()),
        connections: &lines,
        choices: &choices,
        account: live.view.person().account(),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
