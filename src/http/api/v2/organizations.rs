//! The operations on organizations.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::organization_body::{NewOrganizationBody, OrganizationBody, OrganizationChangeBody, no_such_user, user_in};
use super::page::{ListPosition, Page, PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, created, no_content, ok, parse_id};
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::Principal;
use crate::domain::organization::{delete, manage};
use crate::model::api_key::Scope;
use crate::model::ids::OrganizationId;
use crate::store::{Conn, CountedOrganizationRow};
use axum::extract::RawQuery;
use axum::response::Response;

pub(super) const ORGANIZATIONS: &str = "/auth/api/v2/organizations";

/// The organization of a path, which exists.
pub(super) async fn existing(backend: &Backend, id: &str) -> Result<OrganizationId, OperationError> {
    let id = OrganizationId(parse_id(id, "organization")?);
    let found = backend.app.store.read().await?.organization_find(id).await?;
    found.map(|found| found.id).ok_or_else(|| OperationError::no_such("organization"))
}

async fn read(conn: &mut Conn, id: OrganizationId) -> Result<OrganizationBody, OperationError> {
    let found = conn.organization_counted(id).await?;
    found.map(OrganizationBody::from).ok_or_else(|| OperationError::no_such("organization"))
}

/// List organizations
///
/// Newest first. Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = "/auth/api/v2/organizations",
    operation_id = "list_organizations",
    tag = "organizations",
    security(("key" = [])),
    params(PageParameters),
    responses((status = 200, description = "A page of the list.", body = Page<OrganizationBody>))
)]
pub async fn list(backend: Backend, RawQuery(query): RawQuery) -> Result<Response, OperationError> {
    backend.require(Scope::OrganizationsRead)?;
    let app = &backend.app;
    let request = PageRequest::unfiltered(app, query.as_deref(), ORGANIZATIONS)?;
    let after = (request.after.at, OrganizationId(request.after.id));
    let rows = app.store.read().await?.organizations_list(after, request.rows()).await?;
    let position = |row: &CountedOrganizationRow| ListPosition { at: row.created_at, id: row.id.0 };
    ok(&request.page(app, rows, position, OrganizationBody::from)?)
}

/// Create an organization
///
/// A team, whose first member is its owner: a user with platform roles only with the scope `platform:write`. Scope:
/// `organizations:write`.
#[utoipa::path(
    post,
    path = "/auth/api/v2/organizations",
    operation_id = "create_organization",
    tag = "organizations",
    security(("key" = [])),
    request_body = NewOrganizationBody,
    responses(
        (
            status = 201,
            description = "The organization.",
            body = OrganizationBody,
            headers(("Location" = String, description = "Its path."))
        ),
        (status = 409, description = "`not_in_this_mode`", body = ErrorBody),
    )
)]
pub async fn create(backend: Backend, RawQuery(query): RawQuery, body: UnreadBody) -> Result<Response, OperationError> {
    backend.require(Scope::OrganizationsWrite)?;
    let change = backend.change(query.as_deref(), body).await?;
    let new: NewOrganizationBody = change.parse()?;
    let owner = user_in("owner_id", &new.owner_id)?;
    let made = async {
        let actor = backend.key.actor();
        let begun = manage::begin(&backend.app, Principal::Backend(&actor), owner, &new.name).await;
        let (mut tx, organization) = begun.map_err(|error| match error {
            OrganizationError::NotFound(_) => no_such_user("owner_id"),
            other => other.into(),
        })?;
        let body = read(&mut tx, organization.id).await?;
        Ok((tx, created(&format!("{ORGANIZATIONS}/{}", organization.id), &body)?))
    };
    change.once(made).await
}

/// Look an organization up
///
/// Scope: `organizations:read`.
#[utoipa::path(
    get,
    path = "/auth/api/v2/organizations/{id}",
    operation_id = "get_organization",
    tag = "organizations",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The organization's id.")),
    responses((status = 200, description = "The organization.", body = OrganizationBody))
)]
pub async fn show(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Scope::OrganizationsRead)?;
    let id = OrganizationId(parse_id(&id, "organization")?);
    let organization = read(&mut backend.app.store.read().await?, id).await?;
    Parameters::none(query.as_deref())?;
    ok(&organization)
}

/// Rename an organization
///
/// Scope: `organizations:write`.
#[utoipa::path(
    patch,
    path = "/auth/api/v2/organizations/{id}",
    operation_id = "update_organization",
    tag = "organizations",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The organization's id.")),
    request_body = OrganizationChangeBody,
    responses((status = 200, description = "The organization.", body = OrganizationBody))
)]
pub async fn update(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    backend.require(Scope::OrganizationsWrite)?;
    let (org, change) = backend.change_of(existing(&backend, &id), query.as_deref(), body).await?;
    let OrganizationChangeBody { name } = change.parse()?;
    let renamed = async {
        let actor = backend.key.actor();
        let mut tx = match &name {
            Some(name) => manage::begin_rename(&backend.app, Principal::Backend(&actor), org, name).await?.0,
            None => backend.app.store.begin().await?,
        };
        let body = read(&mut tx, org).await?;
        Ok((tx, ok(&body)?))
    };
    change.once(renamed).await
}

/// Delete an organization
///
/// A team, with its memberships and invitations. Scope: `organizations:write`.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/organizations/{id}",
    operation_id = "delete_organization",
    tag = "organizations",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The organization's id.")),
    responses(
        (status = 204, description = "Deleted."),
        (status = 409, description = "`not_in_this_mode`: it is personal", body = ErrorBody),
    )
)]
pub async fn remove(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Scope::OrganizationsWrite)?;
    let org = existing(&backend, &id).await?;
    Parameters::none(query.as_deref())?;
    delete::delete(&backend.app, Principal::Backend(&backend.key.actor()), org).await?;
    Ok(no_content())
}
