//! The operations on organizations.

use super::answer::{ApiAnswer, ApiResult, Done, Item, Listed, Made, written};
use super::api_key::{
    ApiOperation, Caller, CreateOrganization, DeleteOrganization, ListOrganizations, ReadOrganization,
    RenameOrganization,
};
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::organization_body::{NewOrganizationBody, OrganizationChangeBody, no_such_user, user_in};
use super::page::{PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, OrganizationPath, of_id, parse_id, v2_path};
use crate::domain::change;
use crate::domain::directory::organization::{self, OrganizationRecord};
use crate::domain::organization::{delete, manage};
use crate::model::ids::OrganizationId;
use crate::refusal::{ChangeError, Refusal};
use axum::extract::RawQuery;

const ORGANIZATIONS: &str = v2_path!("organizations");
const ORGANIZATION: &str = v2_path!("organizations/{id}");

/// The organization of a path, which exists.
pub(super) async fn existing<O: ApiOperation>(backend: &Caller<O>, id: &str) -> Result<OrganizationId, OperationError> {
    let id = OrganizationId(parse_id(id, "organization")?);
    let mut conn = backend.read().await?;
    let found = conn.organization_find(id).await?;
    found.map(|found| found.id).ok_or_else(|| OperationError::no_such("organization"))
}

/// List organizations
///
/// Newest first. Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = ORGANIZATIONS,
    operation_id = "list_organizations",
    tag = "organizations",
    security(("key" = [])),
    params(PageParameters)
)]
pub async fn list(
    backend: Caller<ListOrganizations>,
    RawQuery(query): RawQuery,
) -> ApiResult<Listed<OrganizationRecord>> {
    let app = &backend.app;
    let request = PageRequest::unfiltered(&app.secret_keys, query.as_deref(), ORGANIZATIONS)?;
    request.page(app, organization::list(&mut backend.read().await?, request.range).await?)
}

/// Create an organization
///
/// A team, whose first member is its owner: a user with platform roles only with the scope `platform:write`. Scope:
/// `organizations:write`.
#[utoipa::path(
    post,
    path = ORGANIZATIONS,
    operation_id = "create_organization",
    tag = "organizations",
    security(("key" = [])),
    request_body = NewOrganizationBody,
    responses((status = 409, description = "`not_in_this_mode`", body = ErrorBody))
)]
pub async fn create(
    backend: Caller<CreateOrganization>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Made<OrganizationRecord>> {
    let change = backend.change(query.as_deref(), body).await?;
    let new: NewOrganizationBody = change.parse()?;
    let owner = user_in("owner_id", &new.owner_id)?;
    let no_owner = |error| match error {
        ChangeError::Refused(Refusal::NotFound(_)) => no_such_user("owner_id"),
        other => other.into(),
    };
    change
        .run_or(
            manage::CreateTeam { owner, name: &new.name },
            |conn, made| {
                Box::pin(async move {
                    ApiAnswer::made(of_id(ORGANIZATION, made.id), &written(organization::find(conn, made.id).await?)?)
                })
            },
            no_owner,
        )
        .await
}

/// Look an organization up
///
/// Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = ORGANIZATION,
    operation_id = "get_organization",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath)
)]
pub async fn show(
    backend: Caller<ReadOrganization>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Item<OrganizationRecord>> {
    let id = OrganizationId(parse_id(&id, "organization")?);
    let found = organization::find(&mut backend.read().await?, id).await?;
    let organization = found.ok_or_else(|| OperationError::no_such("organization"))?;
    Parameters::none(query.as_deref())?;
    Ok(ApiAnswer::shown(&organization)?)
}

/// Rename an organization
///
/// Scope: `organizations:write`.
#[utoipa::path(
    patch,
    path = ORGANIZATION,
    operation_id = "update_organization",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath),
    request_body = OrganizationChangeBody
)]
pub async fn update(
    backend: Caller<RenameOrganization>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Item<OrganizationRecord>> {
    let place = existing(&backend, &id);
    let (org, change) = backend.change_of(place, query.as_deref(), body).await?;
    let OrganizationChangeBody { name } = change.parse()?;
    change
        .run(manage::Rename { org, name: name.as_deref() }, move |conn, _| {
            Box::pin(async move { ApiAnswer::shown(&written(organization::find(conn, org).await?)?) })
        })
        .await
}

/// Delete an organization
///
/// A team, with its memberships and invitations. Scope: `organizations:write`.
#[utoipa::path(
    delete,
    path = ORGANIZATION,
    operation_id = "delete_organization",
    tag = "organizations",
    security(("key" = [])),
    params(OrganizationPath),
    responses((status = 409, description = "`not_in_this_mode`: it is personal", body = ErrorBody))
)]
pub async fn remove(
    backend: Caller<DeleteOrganization>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Done> {
    let org = existing(&backend, &id).await?;
    Parameters::none(query.as_deref())?;
    change::run(&backend.app, &backend.principal, delete::Delete { org }).await?;
    Ok(ApiAnswer::done())
}
