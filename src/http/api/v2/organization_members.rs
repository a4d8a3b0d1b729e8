//! The operations on the members of an organization.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::organization_body::{MemberBody, MemberChangeBody, NewMemberBody, no_such_user, user_in};
use super::organizations::{ORGANIZATIONS, existing};
use super::page::{ListPosition, Page, PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, created, no_content, ok, parse_id};
use crate::domain::organization::members;
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::Principal;
use crate::model::api_key::Scope;
use crate::model::ids::{OrganizationId, UserId};
use crate::store::{Conn, MemberRow};
use axum::extract::RawQuery;
use axum::response::Response;

fn path_of(org: OrganizationId) -> String {
    format!("{ORGANIZATIONS}/{org}/members")
}

async fn read(conn: &mut Conn, org: OrganizationId, user: UserId) -> Result<MemberBody, OperationError> {
    let found = conn.member_find(org, user).await?;
    found.map(MemberBody::from).ok_or_else(|| OperationError::no_such("member"))
}

/// The organization and the member of a path, whom the key may change.
async fn member_to_change(
    backend: &Backend,
    (org, user): &(String, String),
) -> Result<(OrganizationId, UserId), OperationError> {
    let org = existing(backend, org).await?;
    let user = UserId(parse_id(user, "member")?);
    let mut conn = backend.app.store.read().await?;
    read(&mut conn, org, user).await?;
    let account = conn.user_find(user).await?.ok_or_else(|| OperationError::no_such("member"))?;
    backend.require_changeable(&account)?;
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
    backend.require(Scope::OrganizationsRead)?;
    let org = existing(&backend, &id).await?;
    let app = &backend.app;
    let request = PageRequest::unfiltered(app, query.as_deref(), &path_of(org))?;
    let after = (request.after.at, UserId(request.after.id));
    let rows = app.store.read().await?.members_list(org, after, request.rows()).await?;
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
    backend.require(Scope::OrganizationsWrite)?;
    let (org, change) = backend.change_of(existing(&backend, &id), query.as_deref(), body).await?;
    let NewMemberBody { user_id, role } = change.parse()?;
    let user = user_in("user_id", &user_id)?;
    let added = async {
        let begun = members::begin_add(&backend.app, &backend.key.actor(), org, user, role).await;
        let mut tx = begun.map_err(|error| match error {
            OrganizationError::NotFound("user") => no_such_user("user_id"),
            other => other.into(),
        })?;
        let body = read(&mut tx, org, user).await?;
        Ok((tx, created(&format!("{}/{user}", path_of(org)), &body)?))
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
    backend.require(Scope::OrganizationsWrite)?;
    let ((org, user), change) = backend.change_of(member_to_change(&backend, &ids), query.as_deref(), body).await?;
    let MemberChangeBody { role } = change.parse()?;
    let changed = async {
        let actor = backend.key.actor();
        let mut tx = match role {
            Some(role) => members::begin_set_role(&backend.app, Principal::Backend(&actor), org, user, role).await?.0,
            None => backend.app.store.begin().await?,
        };
        let body = read(&mut tx, org, user).await?;
        Ok((tx, ok(&body)?))
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
    backend.require(Scope::OrganizationsWrite)?;
    let (org, user) = member_to_change(&backend, &ids).await?;
    Parameters::none(query.as_deref())?;
    members::remove(&backend.app, Principal::Backend(&backend.key.actor()), org, user).await?;
    Ok(no_content())
}
