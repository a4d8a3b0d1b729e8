//! The operations on organizations.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::change::step;
use super::error::{ErrorBody, OperationError};
use super::organization_body::{NewOrganizationBody, OrganizationBody, OrganizationChangeBody, no_such_user, user_in};
use super::page::{ListPosition, Page, PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, kept_created, kept_ok, no_content, ok, parse_id, written};
use crate::domain::ending::answering;
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::{delete, manage};
use crate::model::ids::OrganizationId;
use crate::model::principal::Operation;
use crate::store::{Conn, CountedOrganizationRow, OrganizationRow, StoreError};
use axum::extract::RawQuery;
use axum::response::Response;

pub(super) const ORGANIZATIONS: &str = "/auth/api/v2/organizations";

/// The organization of a path, which exists.
pub(super) async fn existing(
    backend: &Backend,
    operation: Operation,
    id: &str,
) -> Result<OrganizationId, OperationError> {
    let id = OrganizationId(parse_id(id, "organization")?);
    let mut conn = backend.read(operation).await?;
    let found = conn.organization_find(id).await?;
    found.map(|found| found.id).ok_or_else(|| OperationError::no_such("organization"))
}

async fn read(conn: &mut Conn, id: OrganizationId) -> Result<Option<OrganizationBody>, StoreError> {
    Ok(conn.organization_counted(id).await?.map(OrganizationBody::from))
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
    backend.require(Operation::ListOrganizations)?;
    let app = &backend.app;
    let request = PageRequest::unfiltered(app, query.as_deref(), ORGANIZATIONS)?;
    let after = (request.after.at, OrganizationId(request.after.id));
    let rows = backend.read(Operation::ListOrganizations).await?.organizations_list(after, request.rows()).await?;
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
    backend.require(Operation::CreateOrganization)?;
    let change = backend.change(query.as_deref(), body).await?;
    let new: NewOrganizationBody = change.parse()?;
    let owner = user_in("owner_id", &new.owner_id)?;
    let (app, principal) = (&backend.app, &backend.principal);
    let made = |claim| {
        let ending = answering(claim, |conn, made: OrganizationRow| {
            Box::pin(async move {
                kept_created(format!("{ORGANIZATIONS}/{}", made.id), &written(read(conn, made.id).await?)?)
            })
        });
        step(async move {
            let made = manage::create(app, principal, owner, &new.name, ending).await;
            made.map_err(|error| match error {
                OrganizationError::NotFound(_) => no_such_user("owner_id"),
                other => other.into(),
            })
        })
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
    backend.require(Operation::ReadOrganization)?;
    let id = OrganizationId(parse_id(&id, "organization")?);
    let found = read(&mut backend.read(Operation::ReadOrganization).await?, id).await?;
    let organization = found.ok_or_else(|| OperationError::no_such("organization"))?;
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
    backend.require(Operation::RenameOrganization)?;
    let place = existing(&backend, Operation::RenameOrganization, &id);
    let (org, change) = backend.change_of(place, query.as_deref(), body).await?;
    let OrganizationChangeBody { name } = change.parse()?;
    let (app, principal) = (&backend.app, &backend.principal);
    let renamed = |claim| {
        let ending =
            answering(claim, move |conn, _: bool| Box::pin(async move { kept_ok(&written(read(conn, org).await?)?) }));
        step(async move { Ok(manage::rename(app, principal, org, name.as_deref(), ending).await?) })
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
    backend.require(Operation::DeleteOrganization)?;
    let org = existing(&backend, Operation::DeleteOrganization, &id).await?;
    Parameters::none(query.as_deref())?;
    delete::delete(&backend.app, &backend.principal, org).await?;
    Ok(no_content())
}
