//! The operations on the members of an organization.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::change::step;
use super::error::{ErrorBody, OperationError};
use super::organization_body::{MemberBody, MemberChangeBody, NewMemberBody, no_such_user, user_in};
use super::organizations::{ORGANIZATIONS, existing};
use super::page::{ListPosition, Page, PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, kept_created, kept_ok, no_content, ok, parse_id, written};
use crate::domain::ending::answering;
use crate::domain::organization::members;
use crate::domain::organization::refusal::OrganizationError;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::principal::Operation;
use crate::store::{Conn, MemberRow, StoreError};
use axum::extract::RawQuery;
use axum::response::Response;

fn path_of(org: OrganizationId) -> String {
    format!("{ORGANIZATIONS}/{org}/members")
}

async fn read(conn: &mut Conn, org: OrganizationId, user: UserId) -> Result<Option<MemberBody>, StoreError> {
    Ok(conn.member_find(org, user).await?.map(MemberBody::from))
}

/// The organization and the member of a path, whom the key may change.
async fn member_to_change(
    backend: &Backend,
    operation: Operation,
    (org, user): &(String, String),
) -> Result<(OrganizationId, UserId), OperationError> {
    let org = existing(backend, operation, org).await?;
    let user = UserId(parse_id(user, "member")?);
    let no_such = || OperationError::no_such("member");
    let mut conn = backend.read(operation).await?;
    read(&mut conn, org, user).await?.ok_or_else(no_such)?;
    let account = conn.user_find(user).await?.ok_or_else(no_such)?;
    backend.require_changeable(operation, &account)?;
    Ok((org, user))
}

/// List the members of an organization
///
/// Who joined last is first. Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = "/auth/api/v2/organizations/{id}/members",
    operation_id = "list_members",
    tag = "organizations",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The organization's id."), PageParameters),
    responses((status = 200, description = "A page of the list.", body = Page<MemberBody>))
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
    let after = (request.after.at, UserId(request.after.id));
    let rows = backend.read(Operation::ReadOrganization).await?.members_list(org, after, request.rows()).await?;
    let position = |row: &MemberRow| ListPosition { at: row.created_at, id: row.user_id.0 };
    ok(&request.page(app, rows, position, MemberBody::from)?)
}

/// Add a member
///
/// Without an invitation: the user is not asked. A user with platform roles is added only with the scope
/// `platform:write`. Scope: `organizations:write`.
#[utoipa::path(
    post,
    path = "/auth/api/v2/organizations/{id}/members",
    operation_id = "add_member",
    tag = "organizations",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The organization's id.")),
    request_body = NewMemberBody,
    responses(
        (
            status = 201,
            description = "The member.",
            body = MemberBody,
            headers(("Location" = String, description = "Its path."))
        ),
        (status = 409, description = "`already_member`, `not_in_this_mode`", body = ErrorBody),
    )
)]
pub async fn add(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    backend.require(Operation::AddMember)?;
    let (org, change) =
        backend.change_of(existing(&backend, Operation::AddMember, &id), query.as_deref(), body).await?;
    let NewMemberBody { user_id, role } = change.parse()?;
    let user = user_in("user_id", &user_id)?;
    let (app, principal) = (&backend.app, &backend.principal);
    let added = |claim| {
        let ending = answering(claim, move |conn, ()| {
            Box::pin(async move {
                kept_created(format!("{}/{user}", path_of(org)), &written(read(conn, org, user).await?)?)
            })
        });
        step(async move {
            let added = members::add(app, principal, org, user, role, ending).await;
            added.map_err(|error| match error {
                OrganizationError::NotFound("user") => no_such_user("user_id"),
                other => other.into(),
            })
        })
    };
    change.once(added).await
}

/// Change a member's role
///
/// Of a user with platform roles only with the scope `platform:write`. Scope: `organizations:write`.
#[utoipa::path(
    patch,
    path = "/auth/api/v2/organizations/{id}/members/{user}",
    operation_id = "update_member",
    tag = "organizations",
    security(("key" = [])),
    params(
        ("id" = String, Path, format = "uuid", description = "The organization's id."),
        ("user" = String, Path, format = "uuid", description = "The member's user id."),
    ),
    request_body = MemberChangeBody,
    responses(
        (status = 200, description = "The member.", body = MemberBody),
        (status = 409, description = "`last_owner`, `not_in_this_mode`", body = ErrorBody),
    )
)]
pub async fn update(
    backend: Backend,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    let operation = Operation::SetMemberRole;
    backend.require(operation)?;
    let place = member_to_change(&backend, operation, &ids);
    let ((org, user), change) = backend.change_of(place, query.as_deref(), body).await?;
    let MemberChangeBody { role } = change.parse()?;
    let (app, principal) = (&backend.app, &backend.principal);
    let changed = |claim| {
        let ending = answering(claim, move |conn, _: bool| {
            Box::pin(async move { kept_ok(&written(read(conn, org, user).await?)?) })
        });
        step(async move { Ok(members::set_role(app, principal, org, user, role, ending).await?) })
    };
    change.once(changed).await
}

/// Remove a member
///
/// A user with platform roles only with the scope `platform:write`. Scope: `organizations:write`.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/organizations/{id}/members/{user}",
    operation_id = "remove_member",
    tag = "organizations",
    security(("key" = [])),
    params(
        ("id" = String, Path, format = "uuid", description = "The organization's id."),
        ("user" = String, Path, format = "uuid", description = "The member's user id."),
    ),
    responses(
        (status = 204, description = "Removed."),
        (status = 409, description = "`last_owner`, `not_in_this_mode`", body = ErrorBody),
    )
)]
pub async fn remove(
    backend: Backend,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    let operation = Operation::RemoveMember;
    backend.require(operation)?;
    let (org, user) = member_to_change(&backend, operation, &ids).await?;
    Parameters::none(query.as_deref())?;
    members::remove(&backend.app, &backend.principal, org, user).await?;
    Ok(no_content())
}
