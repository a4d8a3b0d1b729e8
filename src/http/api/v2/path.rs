//! Paths, and the ids in them.

use super::error::OperationError;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use utoipa::IntoParams;
use uuid::Uuid;

/// The path of an operation. It stands beside the handlers, or here if several files name it.
macro_rules! v2_path {
    ($($rest:literal)?) => {
        concat!("/auth/api/v2/", $($rest)?)
    };
}
pub(super) use v2_path;

/// What the paths of all operations begin with. Each counts its parameters itself, before it reads them: a caller who may
/// not call it, or names what is not there, is told that first.
pub const OPERATIONS: &str = v2_path!();
pub(super) const USER: &str = v2_path!("users/{id}");
pub(super) const SESSION: &str = v2_path!("session");
pub(super) const SESSION_ORGANIZATION: &str = v2_path!("session/organization");
pub(super) const SESSION_ORGANIZATIONS: &str = v2_path!("session/organizations");
pub(super) const OPENAPI: &str = v2_path!("openapi.json");

/// Declares the ids in paths, for their description; [`Ids`] reads them.
macro_rules! described_ids {
    ($($name:ident { $id:ident: $description:literal })+) => {
        $(
            #[derive(IntoParams)]
            #[into_params(parameter_in = Path)]
            #[expect(dead_code, reason = "it only describes")]
            pub struct $name {
                #[doc = $description]
                #[param(format = "uuid")]
                $id: String,
            }
        )+
    };
}

described_ids! {
    UserPath { id: "The user's id." }
    SessionPath { session: "The session's id." }
    OrganizationPath { id: "The organization's id." }
    MemberPath { user: "The member's user id." }
    InvitationPath { invitation: "The invitation's id." }
}

/// The path of the thing with this id, of which `path` is a template.
pub(super) fn of_id(path: &str, id: impl std::fmt::Display) -> String {
    path.replace("{id}", &id.to_string())
}

/// The ids of a path as they were sent: empty, which names nothing, where they are not UTF-8.
pub struct Ids<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Default + Send> FromRequestParts<S> for Ids<T> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let ids = Path::<T>::from_request_parts(parts, state).await;
        Ok(Self(ids.map(|Path(ids)| ids).unwrap_or_default()))
    }
}

/// The id of a `thing`, such as "organization". What is no UUID names nothing.
pub fn parse_id(text: &str, thing: &str) -> Result<Uuid, OperationError> {
    // The form with hyphens alone, so that each thing has one path.
    let id = Uuid::try_parse(text).ok().filter(|_| text.len() == uuid::fmt::Hyphenated::LENGTH);
    id.ok_or_else(|| OperationError::no_such(thing))
}
