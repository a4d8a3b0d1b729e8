//! The operations on the invitations to an organization.

use super::answer::{ApiAnswer, ApiResult, Done, Item, Listed, Made};
use super::api_key::{ApiOperation, Backend, Caller, Invite, ReadOrganization, RevokeInvitation};
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::organization_body::NewInvitationBody;
use super::organizations::existing;
use super::page::{PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, InvitationPath, OrganizationPath, of_id, parse_id, v2_path};
use crate::domain::change;
use crate::domain::directory::invitation::{self, InvitationFilter, InvitationRecord};
use crate::domain::organization::invite;
use crate::messages::Locale;
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::organization::InvitationState;
use axum::extract::RawQuery;

const INVITATIONS: &str = v2_path!("organizations/{id}/invitations");
const INVITATION: &str = v2_path!("organizations/{id}/invitations/{invitation}");

/// The language of the mail to an address without an account.
fn language(backend: &Backend) -> Locale {
    backend.app.settings.pages.catalog().default_language()
}

/// The organization and the invitation of a path, which wait for an answer.
async fn pending<O: ApiOperation>(
    backend: &Caller<O>,
    (org, invitation): &(String, String),
) -> Result<(OrganizationId, InvitationId), OperationError> {
    let org = existing(backend, org).await?;
    let id = InvitationId(parse_id(invitation, "invitation")?);
    let found = backend.read().await?.invitation_find(id).await?;
    let pending = found.filter(|row| row.organization_id == org && row.state == InvitationState::Pending);
    pending.map(|row| (org, row.id)).ok_or_else(|| OperationError::no_such("pending invitation"))
}

/// List the invitations to an organization
///
/// In every state, the newest first. Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = INVITATIONS,
    operation_id = "list_invitations",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath, PageParameters)
)]
pub async fn list(
    backend: Caller<ReadOrganization>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Listed<InvitationRecord>> {
    let org = existing(&backend, &id).await?;
    let app = &backend.app;
    let request = PageRequest::unfiltered(&app.secret_keys, query.as_deref(), &of_id(INVITATIONS, org))?;
    let (mut conn, now) = (backend.read().await?, app.clock.now());
    request.page(app, invitation::list(&mut conn, org, InvitationFilter::All, now, request.range).await?)
}

/// Invite a person
///
/// To a team. The mailed link verifies the address; the `link` of an answer does not. Scope: `organizations:write`.
#[utoipa::path(
    post,
    path = INVITATIONS,
    operation_id = "create_invitation",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath),
    request_body = NewInvitationBody,
    responses((status = 409, description = "`already_member`, `not_in_this_mode`", body = ErrorBody))
)]
pub async fn create(
    backend: Caller<Invite>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Made<InvitationRecord>> {
    let (org, change) = backend.change_of(existing(&backend, &id), query.as_deref(), body).await?;
    let NewInvitationBody { email, role, metadata, send_mail } = change.parse()?;
    let (send_mail, metadata) = (send_mail.unwrap_or(true), metadata.unwrap_or_default());
    let app = backend.app.clone();
    let invite = invite::Invite { org, email: &email, role, metadata, send_mail, locale: language(&backend) };
    change
        .run(invite, move |_, made| {
            Box::pin(async move {
                let path = of_id(INVITATION, org).replace("{invitation}", &made.invitation.id.to_string());
                // A link that was mailed is not shown.
                let link = (!send_mail).then(|| made.link(&app));
                let record = InvitationRecord::of(made.invitation, app.clock.now());
                ApiAnswer::made(path, &InvitationRecord { link, ..record })
            })
        })
        .await
}

/// Mail an invitation again
///
/// With a new link and a new end; the former link is void. Scope: `organizations:write`.
#[utoipa::path(
    post,
    path = v2_path!("organizations/{id}/invitations/{invitation}/resend"),
    operation_id = "resend_invitation",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath, InvitationPath),
    responses((status = 409, description = "`not_in_this_mode`", body = ErrorBody))
)]
pub async fn resend(
    backend: Caller<Invite>,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Item<InvitationRecord>> {
    let ((org, id), change) = backend.bare_change_of(pending(&backend, &ids), query.as_deref(), body).await?;
    let now = backend.app.clock.now();
    change
        .run(invite::Resend { org, id, locale: language(&backend) }, move |_, made| {
            Box::pin(async move { ApiAnswer::shown(&InvitationRecord::of(made.invitation, now)) })
        })
        .await
}

/// Revoke an invitation
///
/// Scope: `organizations:write`.
#[utoipa::path(
    delete,
    path = INVITATION,
    operation_id = "revoke_invitation",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath, InvitationPath)
)]
pub async fn revoke(
    backend: Caller<RevokeInvitation>,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
) -> ApiResult<Done> {
    let (org, id) = pending(&backend, &ids).await?;
    Parameters::none(query.as_deref())?;
    change::run(&backend.app, &backend.principal, invite::Revoke { org, id }).await?;
    Ok(ApiAnswer::done())
}
