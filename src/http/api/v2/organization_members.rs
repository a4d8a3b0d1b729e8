//! The operations on the members of an organization.

use super::answer::{ApiAnswer, ApiResult, Done, Item, Listed, Made, written};
use super::api_key::{AddMember, ApiOperation, Caller, ReadOrganization, RemoveMember, SetMemberRole};
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::organization_body::{MemberChangeBody, NewMemberBody, no_such_user, user_in};
use super::organizations::existing;
use super::page::{PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, MemberPath, OrganizationPath, of_id, parse_id, v2_path};
use crate::domain::change;
use crate::domain::directory::member::{self, MemberRecord};
use crate::domain::organization::members;
use crate::model::ids::{OrganizationId, UserId};
use crate::refusal::{ChangeError, Refusal};
use axum::extract::RawQuery;

const MEMBERS: &str = v2_path!("organizations/{id}/members");
const MEMBER: &str = v2_path!("organizations/{id}/members/{user}");

/// The organization and the member of a path, whom the key may change.
async fn member_to_change<O: ApiOperation>(
    backend: &Caller<O>,
    (org, user): &(String, String),
) -> Result<(OrganizationId, UserId), OperationError> {
    let org = existing(backend, org).await?;
    let user = UserId(parse_id(user, "member")?);
    let no_such = || OperationError::no_such("member");
    let mut conn = backend.read().await?;
    member::find(&mut conn, org, user).await?.ok_or_else(no_such)?;
    let account = conn.user_find(user).await?.ok_or_else(no_such)?;
    backend.require_changeable(user, account.roles)?;
    Ok((org, user))
}

/// List the members of an organization
///
/// Who joined last is first. Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = MEMBERS,
    operation_id = "list_members",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath, PageParameters)
)]
pub async fn list(
    backend: Caller<ReadOrganization>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Listed<MemberRecord>> {
    let org = existing(&backend, &id).await?;
    let app = &backend.app;
    let request = PageRequest::unfiltered(&app.secret_keys, query.as_deref(), &of_id(MEMBERS, org))?;
    request.page(app, member::list(&mut backend.read().await?, org, None, request.range).await?)
}

/// Add a member
///
/// Without an invitation: the user is not asked. A user with platform roles is added only with the scope
/// `platform:write`. Scope: `organizations:write`.
#[utoipa::path(
    post,
    path = MEMBERS,
    operation_id = "add_member",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath),
    request_body = NewMemberBody,
    responses((status = 409, description = "`already_member`, `not_in_this_mode`", body = ErrorBody))
)]
pub async fn add(
    backend: Caller<AddMember>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Made<MemberRecord>> {
    let (org, change) = backend.change_of(existing(&backend, &id), query.as_deref(), body).await?;
    let NewMemberBody { user_id, role } = change.parse()?;
    let user = user_in("user_id", &user_id)?;
    let no_user = |error| match error {
        ChangeError::Refused(Refusal::NotFound("user")) => no_such_user("user_id"),
        other => other.into(),
    };
    change
        .run_or(
            members::AddMember { org, user, role },
            move |conn, ()| {
                Box::pin(async move {
                    let path = of_id(MEMBER, org).replace("{user}", &user.to_string());
                    ApiAnswer::made(path, &written(member::find(conn, org, user).await?)?)
                })
            },
            no_user,
        )
        .await
}

/// Change a member's role
///
/// Of a user with platform roles only with the scope `platform:write`. Scope: `organizations:write`.
#[utoipa::path(
    patch,
    path = MEMBER,
    operation_id = "update_member",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath, MemberPath),
    request_body = MemberChangeBody,
    responses((status = 409, description = "`last_owner`, `not_in_this_mode`", body = ErrorBody))
)]
pub async fn update(
    backend: Caller<SetMemberRole>,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Item<MemberRecord>> {
    let place = member_to_change(&backend, &ids);
    let ((org, user), change) = backend.change_of(place, query.as_deref(), body).await?;
    let MemberChangeBody { role } = change.parse()?;
    change
        .run(members::SetRole { org, user, role }, move |conn, _| {
            Box::pin(async move { ApiAnswer::shown(&written(member::find(conn, org, user).await?)?) })
        })
        .await
}

/// Remove a member
///
/// A user with platform roles only with the scope `platform:write`. Scope: `organizations:write`.
#[utoipa::path(
    delete,
    path = MEMBER,
    operation_id = "remove_member",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath, MemberPath),
    responses((status = 409, description = "`last_owner`, `not_in_this_mode`", body = ErrorBody))
)]
pub async fn remove(
    backend: Caller<RemoveMember>,
    Ids(ids): Ids<(String, String)>,
    RawQuery(query): RawQuery,
) -> ApiResult<Done> {
    let (org, user) = member_to_change(&backend, &ids).await?;
    Parameters::none(query.as_deref())?;
    change::run(&backend.app, &backend.principal, members::RemoveMember { org, user }).await?;
    Ok(ApiAnswer::done())
}
