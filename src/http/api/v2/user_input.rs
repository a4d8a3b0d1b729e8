//! What the operations on users take.

use super::api_key::Backend;
use super::body::JsonBody;
use super::error::OperationError;
use crate::domain::account::create::NewUser;
use crate::domain::account::details::{AccountDetails, DetailsChange};
use crate::domain::account::identities::VouchedIdentity;
use crate::domain::account::update::{RolesUpdate, UserUpdate};
use crate::domain::identity::visible_name::DisplayName;
use crate::model::external_id::ExternalId;
use crate::model::metadata::Metadata;
use crate::model::principal::Operation;
use crate::model::roles::Roles;
use crate::settings::ServiceName;
use crate::store::MAX_IDENTITIES;
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A user to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CreateUser)]
pub struct NewUserBody {
    /// Email address.
    #[schema(example = "ada@example.com")]
    email: String,
    /// Username; without it, it is derived from the email address.
    #[schema(example = "ada", min_length = 1)]
    username: Option<String>,
    /// What the user is called, 1 to 100 characters.
    #[schema(example = "Ada Lovelace", min_length = 1, max_length = 100)]
    name: Option<String>,
    /// Whether the application vouches that the email address is verified; false without it. True needs the scope
    /// `users:security`.
    email_verified: Option<bool>,
    /// A password; it needs the scope `users:security`. Without it, the user sets one by a mailed link.
    password: Option<String>,
    /// The application's own id, 1 to 255 bytes.
    #[schema(min_length = 1, max_length = 255, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$")]
    external_id: Option<String>,
    /// The application's own object, at most 4,096 bytes, kept letter by letter.
    #[serde(default, deserialize_with = "metadata")]
    #[schema(value_type = Option<HashMap<String, Value>>, additional_properties)]
    metadata: Option<Metadata>,
    /// Platform roles; they need the scope `platform:write`.
    #[schema(example = json!(["svc:auditor"]))]
    roles: Option<Vec<String>>,
    /// Accounts at providers that log in to it, at most 20; they need the scope `users:security`. The application vouches
    /// that they are the user's.
    #[schema(max_items = 20)]
    identities: Option<Vec<NewIdentityBody>>,
    /// Whether to mail a link to set a password; false without it.
    send_mail: Option<bool>,
}

/// An account at a provider to connect.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VouchedIdentity)]
pub struct NewIdentityBody {
    /// Whose account it is there, letter by letter: the issuer of one of the service's providers. Microsoft's ends with
    /// the tenant's id and `/v2.0`.
    #[schema(example = "https://accounts.google.com")]
    issuer: String,
    /// What the issuer calls the person: `sub`; for Microsoft `oid`, for GitHub the number.
    #[schema(example = "110169484474386276334")]
    subject: String,
}

/// A field that needs a scope beyond the operation's, unless it has a value that says nothing.
struct ScopedField {
    name: &'static str,
    /// What it needs beyond the operation of its body.
    operation: Operation,
    /// The values, as JSON, that need no scope.
    harmless: &'static [&'static str],
}

impl ScopedField {
    /// One that needs the scope whatever stands in it; null is as if it was not there.
    const fn new(name: &'static str, operation: Operation) -> Self {
        Self { name, operation, harmless: &["null"] }
    }
}

/// A body with fields that need a scope beyond the operation's.
trait ScopedBody: DeserializeOwned {
    const SCOPED: &[ScopedField];

    /// Refuses fields that the key has no scope for; then reads all.
    fn permitted(backend: &Backend, body: &JsonBody) -> Result<Self, OperationError> {
        let members = body.members()?;
        for field in Self::SCOPED {
            if members.get(field.name).is_some_and(|value| !field.harmless.contains(&value.get())) {
                backend.require(field.operation)?;
            }
        }
        body.parse()
    }
}

impl ScopedBody for NewUserBody {
    const SCOPED: &[ScopedField] = &[
        ScopedField { name: "email_verified", operation: Operation::SetEmail, harmless: &["null", "false"] },
        ScopedField::new("password", Operation::SetPassword),
        ScopedField { name: "identities", operation: Operation::SetIdentities, harmless: &["null", "[]"] },
        ScopedField::new("roles", Operation::SetRoles),
    ];
}

/// A mailbox resets the password of its account: an address is as good as a password.
impl ScopedBody for UserUpdateBody {
    const SCOPED: &[ScopedField] = &[
        ScopedField::new("email", Operation::SetEmail),
        ScopedField::new("email_verified", Operation::SetEmail),
        ScopedField::new("roles", Operation::SetRoles),
    ];
}

impl NewUserBody {
    /// What the key may create.
    pub(super) fn read(backend: &Backend, body: &JsonBody) -> Result<NewUser, OperationError> {
        Self::permitted(backend, body)?.into_user(&backend.app.settings.name)
    }

    /// The user, whose roles have the names of this service.
    pub fn into_user(self, service: &ServiceName) -> Result<NewUser, OperationError> {
        let username = self.username.map(given_username).transpose()?;
        let roles = self.roles.map(|names| roles(service, &names)).transpose()?;
        Ok(NewUser {
            email: self.email,
            username,
            name: self.name.as_deref().map(display_name).transpose()?,
            password: self.password.map(SecretString::from),
            roles: roles.unwrap_or_default(),
            verified: self.email_verified.unwrap_or_default(),
            identities: identities(self.identities.unwrap_or_default())?,
            details: AccountDetails {
                external_id: self.external_id.as_deref().map(external_id).transpose()?,
                metadata: self.metadata.unwrap_or_default(),
            },
            send_mail: self.send_mail.unwrap_or_default(),
        })
    }
}

/// What is to change of a user; what is not named stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UpdateUser)]
pub struct UserUpdateBody {
    /// Email address; it needs the scope `users:security`. A new one is unverified unless `email_verified` is true, and
    /// ends links that were mailed before.
    #[schema(example = "ada@example.com")]
    email: Option<String>,
    /// Whether the email address is verified; it needs the scope `users:security`.
    email_verified: Option<bool>,
    /// Username.
    #[schema(example = "ada")]
    username: Option<String>,
    /// What the user is called, 1 to 100 characters; null clears it.
    #[serde(default, deserialize_with = "named")]
    #[schema(value_type = Option<String>, example = "Ada Lovelace", min_length = 1, max_length = 100)]
    #[expect(clippy::option_option, reason = "not named, null, a value")]
    name: Option<Option<String>>,
    /// Whether the account is disabled, which ends its sessions.
    disabled: Option<bool>,
    /// The application's own id, 1 to 255 bytes; null clears it.
    #[serde(default, deserialize_with = "named")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$")]
    #[expect(clippy::option_option, reason = "not named, null, a value")]
    external_id: Option<Option<String>>,
    /// The application's own object, at most 4,096 bytes, kept letter by letter; null clears it.
    #[serde(default, deserialize_with = "named_metadata")]
    #[schema(value_type = Option<HashMap<String, Value>>, additional_properties)]
    metadata: Option<Metadata>,
    /// Platform roles, instead of those that the user has; they need the scope `platform:write`.
    #[schema(example = json!(["svc:auditor"]))]
    roles: Option<Vec<String>>,
}

impl UserUpdateBody {
    /// What the key may change.
    pub(super) fn read(backend: &Backend, body: &JsonBody) -> Result<UserUpdate, OperationError> {
        Self::permitted(backend, body)?.into_update(&backend.app.settings.name)
    }

    /// The change, whose roles have the names of this service.
    pub fn into_update(self, service: &ServiceName) -> Result<UserUpdate, OperationError> {
        let roles = self.roles.map(|names| roles(service, &names)).transpose()?;
        let id = self.external_id.map(|id| id.as_deref().map(external_id).transpose()).transpose()?;
        Ok(UserUpdate {
            email: self.email,
            email_verified: self.email_verified,
            username: self.username,
            name: self.name.map(|name| name.as_deref().map(display_name).transpose()).transpose()?,
            disabled: self.disabled,
            roles: roles.map(RolesUpdate::Set),
            details: DetailsChange { external_id: id, metadata: self.metadata },
        })
    }
}

/// Not the empty one that forms send for "derive it".
fn given_username(name: String) -> Result<String, OperationError> {
    if name.trim().is_empty() { Err(OperationError::field("username", "The username is empty.")) } else { Ok(name) }
}

fn display_name(text: &str) -> Result<DisplayName, OperationError> {
    DisplayName::parse(text).map_err(|why| OperationError::field("name", why.english()))
}

/// Each once.
fn identities(given: Vec<NewIdentityBody>) -> Result<Vec<VouchedIdentity>, OperationError> {
    if given.len() > usize::try_from(MAX_IDENTITIES).unwrap_or(usize::MAX) {
        return Err(OperationError::field("identities", "A user has 20 identities at most."));
    }
    let mut identities: Vec<VouchedIdentity> = Vec::new();
    for (index, NewIdentityBody { issuer, subject }) in given.into_iter().enumerate() {
        let identity = VouchedIdentity { issuer, subject };
        if identities.contains(&identity) {
            return Err(OperationError::field(&format!("identities.{index}"), "It is there twice."));
        }
        identities.push(identity);
    }
    Ok(identities)
}

fn external_id(text: &str) -> Result<ExternalId, OperationError> {
    ExternalId::parse(text).map_err(|why| OperationError::field("external_id", why))
}

/// The roles with these names on the wire.
fn roles(service: &ServiceName, names: &[String]) -> Result<Roles, OperationError> {
    let role = |(index, name): (usize, &String)| {
        let role = service.parse_role(name);
        role.ok_or_else(|| OperationError::field(&format!("roles.{index}"), "There is no such platform role."))
    };
    names.iter().enumerate().map(role).collect()
}

/// Null is a value of its own.
#[expect(clippy::option_option, reason = "not named, null, a value")]
fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Null is the empty object.
fn named_metadata<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Metadata>, D::Error> {
    metadata(deserializer).map(|found| Some(found.unwrap_or_default()))
}

/// Null as if it was not there. The text stays as it is.
pub(super) fn metadata<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Metadata>, D::Error> {
    let Some(text) = Option::<Box<RawValue>>::deserialize(deserializer)? else { return Ok(None) };
    Metadata::parse(text.get()).map(Some).map_err(|why| serde::de::Error::custom(why.trim_end_matches('.')))
}
