//! The bodies of answers, as the description names them.

use super::session_body::SessionBody;
use crate::domain::directory::invitation::InvitationRecord;
use crate::domain::directory::member::MemberRecord;
use crate::domain::directory::organization::OrganizationRecord;
use crate::domain::directory::session::SessionRecord;
use crate::domain::directory::user::{UserOrganization, UserRecord};
use serde::Serialize;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A body, as the description names it.
pub trait AnswerBody: Serialize {
    fn schema_name() -> String;
}

#[derive(Debug, Serialize)]
pub struct Page<T> {
    /// The things, newest first.
    pub data: Vec<T>,
    /// Gives the next page as `after`; null on the last one.
    pub next: Option<String>,
}

/// Names its things by reference, so that generated clients have one type for each.
impl<T: ToSchema> Page<T> {
    pub fn described() -> Schema {
        let next = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null]));
        let things = ArrayBuilder::new().items(Ref::from_schema_name(T::name()));
        ObjectBuilder::new()
            .description(Some("A page of a list."))
            .property("data", things.description(Some("The things, newest first.")))
            .required("data")
            .property("next", next.description(Some("Gives the next page as `after`; null on the last one.")))
            .required("next")
            .into()
    }
}

/// The bodies that are no pages, and the pages of these.
macro_rules! answer_bodies {
    ($($body:ty),* ; $($listed:ty),* $(,)?) => {
        $(impl AnswerBody for $body {
            fn schema_name() -> String {
                <$body as ToSchema>::name().into_owned()
            }
        })*

        /// The schemas of all of them, and of what they hold.
        pub fn schemas() -> Vec<(String, RefOr<Schema>)> {
            let mut schemas = Vec::new();
            $(
                schemas.push((<$body>::schema_name(), <$body>::schema()));
                <$body>::schemas(&mut schemas);
            )*
            $(
                schemas.push((Page::<$listed>::schema_name(), Page::<$listed>::described().into()));
                schemas.push((<$listed as ToSchema>::name().into_owned(), <$listed>::schema()));
                <$listed>::schemas(&mut schemas);
            )*
            schemas
        }
    };
}

answer_bodies!(
    UserRecord, OrganizationRecord, MemberRecord, InvitationRecord, SessionBody;
    UserRecord, OrganizationRecord, MemberRecord, InvitationRecord, SessionRecord, UserOrganization
);

impl<T: Serialize + ToSchema> AnswerBody for Page<T> {
    fn schema_name() -> String {
        format!("Page_{}", T::name())
    }
}
