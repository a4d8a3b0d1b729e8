//! The operations on the invitations to an organization.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::change::step;
use super::error::{ErrorBody, OperationError};
use super::organization_body::{InvitationBody, NewInvitationBody};
use super::organizations::{ORGANIZATIONS, existing};
use super::page::{ListPosition, Page, PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, kept_created, kept_ok, no_content, ok, parse_id};
use crate::domain::ending::answering;
use crate::domain::idempotency::{Claim, KeptAnswer};
use crate::domain::organization::invite::{self, CreatedInvitation, NewInvitation};
use crate::domain::organization::refusal::OrganizationError;
use crate::messages::Locale;
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::organization::InvitationState;
use crate::model::principal::Operation;
use crate::store::InvitationRow;
use axum::extract::RawQuery;
use axum::response::Response;

fn path_of(org: OrganizationId) -> String {
    format!("{ORGANIZATIONS}/{org}/invitations")
}

/// The language of the mail to an address without an account.
fn language(backend: &Backend) -> Locale {
    backend.app.settings.pages.catalog().default_language()
}

/// The organization and the invitation of a path, which wait for an answer.
async fn pending(
    backend: &Backend,
    operation: Operation,
    (org, invitation): &(String, String),
) -> Result<(OrganizationId, InvitationId), OperationError> {
    let org = existing(backend, operation, org).await?;
    let id = InvitationId(parse_id(invitation, "invitation")?);
    let found = backend.read(operation).await?.invitation_find(id).await?;
    let is_pending = |row: &InvitationRow| row.organization_id == org && row.state == InvitationState::Pending;
    found.filter(is_pending).map(|row| (org, row.id)).ok_or_else(|| OperationError::no_such("pending invitation"))
}

/// List the invitations to an organization
///
/// In every state, the newest first. Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = "/auth/api/v2/organizations/{id}/invitations",
    operation_id = "list_invitations",
    tag = "organizations",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The organization's id."), PageParameters),
    responses((status = 200, description = "A page of the list.", body = Page<InvitationBody>))
)]
pub async fn list(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Operation::ReadOrganization)?;
    let org = existing(&backend, Operation::ReadOrganization, &id).await?;
    let app = &backend.app;
    let request = PageRequest::unfiltered(app, query.as_deref(), &path_of(org))?;
    let after = InvitationId(request.after.id);
    let rows = backend.read(Operation::ReadOrganization).await?.invitations_list(org, after, request.rows()).await?;
    let position = |row: &InvitationRow| ListPosition { at: row.created_at, id: row.id.0 };
    let now = app.clock.now();
    ok(&request.page(app, rows, position, |row| InvitationBody::of(row, now))?)
}

/// Invite a person
///
/// To a team. The mailed link verifies the address; the `link` of an answer does not. Scope: `organizations:write`.
#[utoipa::path(
    post,
    path = "/auth/api/v2/organizations/{id}/invitations",
    operation_id = "create_invitation",
    tag = "organizations",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The organization's id.")),
    request_body = NewInvitationBody,
    responses(
        (
            status = 201,
            description = "The invitation.",
            body = InvitationBody,
            headers(("Location" = String, description = "Its path."))
        ),
        (status = 409, description = "`already_member`, `not_in_this_mode`", body = ErrorBody),
    )
)]
pub async fn create(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    backend.require(Operation::Invite)?;
    let (org, change) = backend.change_of(existing(&backend, Operation::Invite, &id), query.as_deref(), body).await?;
    let new: NewInvitationBody = change.parse()?;
    change.once(|claim| step(invite(&backend, org, new, claim))).await
}

async fn invite(
    backend: &Backend,
    org: OrganizationId,
    new: NewInvitationBody,
    claim: Option<Claim>,
) -> Result<KeptAnswer, OperationError> {
    let app = &backend.app;
    let send_mail = new.send_mail.unwrap_or(true);
    let metadata = new.metadata.unwrap_or_default();
    let new = NewInvitation { email: &new.email, role: new.role, metadata, locale: language(backend), send_mail };
    let of_answer = app.clone();
    let ending = answering(claim, move |_, made: CreatedInvitation| {
        Box::pin(async move {
            let path = format!("{}/{}", path_of(org), made.invitation.id);
            let body = if send_mail {
                InvitationBody::of(made.invitation, of_answer.clock.now())
            } else {
                InvitationBody::with_link(&of_answer, made)
            };
            kept_created(path, &body)
        })
    });
    let made = invite::invite(app, &backend.principal, org, new, ending).await;
    made.map_err(|error| match error {
        OrganizationError::Field(message) => OperationError::field("email", message.english()),
        other => other.into(),
    })
}

/// Mail an invitation again
///
/// With a new link and a new end; the former link is void. Scope: `organizations:write`.
#[utoipa::path(
    post,
    path = "/auth/api/v2/organizations/{id}/invitations/{invitation}/resend",
    operation_id = "resend_invitation",
    tag = "organizations",
    security(("key" = [])),
    params(
        ("id" = String, Path, format = "uuid", description = "The organization's id."),
        ("invitation" = String, Path, format = "uuid", description = "The invitation's id."),
    ),
    responses(
        (status = 200, description = "The invitation.", body = InvitationBody),
        (status = 409, description = "`not_in_this_mode`", body = ErrorBody),
    )
)]
pub async fn resend(
    backend: Backend,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    backend.require(Operation::Invite)?;
    let ((org, id), change) =
        backend.bare_change_of(pending(&backend, Operation::Invite, &ids), query.as_deref(), body).await?;
    let app = &backend.app;
    let (principal, language) = (&backend.principal, language(&backend));
    let resent = |claim| {
        let now = app.clock.now();
        let ending = answering(claim, move |_, made: CreatedInvitation| {
            Box::pin(async move { kept_ok(&InvitationBody::of(made.invitation, now)) })
        });
        step(async move { Ok(invite::resend(app, principal, org, id, language, ending).await?) })
    };
    change.once(resent).await
}

/// Revoke an invitation
///
/// Scope: `organizations:write`.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/organizations/{id}/invitations/{invitation}",
    operation_id = "revoke_invitation",
    tag = "organizations",
    security(("key" = [])),
    params(
        ("id" = String, Path, format = "uuid", description = "The organization's id."),
        ("invitation" = String, Path, format = "uuid", description = "The invitation's id."),
    ),
    responses((status = 204, description = "Revoked."))
)]
pub async fn revoke(
    backend: Backend,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Operation::RevokeInvitation)?;
    let (org, id) = pending(&backend, Operation::RevokeInvitation, &ids).await?;
    Parameters::none(query.as_deref())?;
    invite::revoke(&backend.app, &backend.principal, org, id).await?;
    Ok(no_content())
}
