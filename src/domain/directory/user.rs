//! Users.

use super::identity::{self, IdentityRecord};
use super::list::{ListRange, Listing};
use super::search::Search;
use crate::crypto::password::fingerprint;
use crate::messages::Locale;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::mail_domain;
use crate::model::metadata::Metadata;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::roles::PlatformRole;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use crate::settings::{ServiceName, Settings};
use crate::store::{Conn, MembershipRow, Result, UserDetailsRow, UserFilter, UserState};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A user.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub struct UserRecord {
    /// The user's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: UserId,
    /// Email address.
    #[schema(example = "ada@example.com")]
    pub email: String,
    /// Username.
    #[schema(example = "ada")]
    pub username: String,
    /// What the user is called, as people write it.
    #[schema(required = true, example = "Ada Lovelace")]
    pub name: Option<String>,
    /// Platform roles.
    #[schema(example = json!(["svc:auditor"]))]
    pub roles: Vec<String>,
    /// Whether the account is disabled.
    pub disabled: bool,
    /// When the account was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    /// Whether the email address is verified.
    pub email_verified: bool,
    /// When it was verified.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    pub email_verified_at: Option<Time>,
    /// The language of the user's pages and emails, once it is known.
    #[schema(required = true, example = "en")]
    pub language: Option<String>,
    /// When the latest login was of which a session is stored.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    pub last_login_at: Option<Time>,
    /// Whether there is an authenticator app or a passkey.
    pub two_factor: bool,
    /// The application's own id.
    #[schema(required = true)]
    pub external_id: Option<String>,
    /// The application's own object, letter by letter.
    #[schema(value_type = HashMap<String, Value>, additional_properties)]
    pub metadata: Metadata,
    /// The accounts at providers that log in to it, the oldest first; at most 20.
    pub identities: Vec<IdentityRecord>,
    /// The organizations of the user, in the order of joining; only where one user is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub organizations: Option<Vec<UserOrganization>>,
    /// The address of the latest login of which a session is stored, if there is one. An API key needs `users:security`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "192.0.2.1")]
    pub last_login_address: Option<String>,
    /// How many live sessions there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sessions: Option<i64>,
    /// How many passkeys there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub passkeys: Option<i64>,
    /// Since when there is an authenticator app, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    pub two_factor_since: Option<Time>,
    /// How many recovery codes were not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub recovery_codes_left: Option<i64>,
    /// How many trusted devices need no code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub remembered_devices: Option<i64>,
    /// Since when the account is disabled, for the lines of commands.
    #[serde(skip)]
    pub disabled_at: Option<Time>,
}

/// An organization of a user.
#[derive(Serialize, ToSchema)]
pub struct UserOrganization {
    /// The organization's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: OrganizationId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: OrganizationKind,
    /// The user's role.
    pub role: MemberRole,
}

impl UserRecord {
    pub fn label(&self) -> UserLabel<'_> {
        UserLabel::new(self.name.as_deref(), &self.email, &self.username)
    }

    pub(super) fn of(name: &ServiceName, row: UserDetailsRow) -> Self {
        Self {
            id: row.id,
            email: row.email,
            username: row.username,
            name: row.name,
            roles: row.roles.iter().map(|role| name.role(role).to_owned()).collect(),
            disabled: row.disabled_at.is_some(),
            created_at: row.created_at,
            email_verified: row.email_verified_at.is_some(),
            email_verified_at: row.email_verified_at,
            language: row.language.as_ref().map(|language| Locale::tag(language).to_owned()),
            last_login_at: row.last_login_at,
            two_factor: row.two_factor,
            external_id: row.external_id,
            metadata: row.metadata,
            identities: Vec::new(),
            organizations: None,
            last_login_address: None,
            sessions: None,
            passkeys: None,
            two_factor_since: None,
            recovery_codes_left: None,
            remembered_devices: None,
            disabled_at: row.disabled_at,
        }
    }
}

/// The user with this id, with all that is shown of one.
pub async fn find(conn: &mut Conn, settings: &Settings, now: Time, id: UserId) -> Result<Option<UserRecord>> {
    let Some(row) = conn.user_whole(id, (now, now - settings.sessions.refresh_ttl)).await? else { return Ok(None) };
    let organizations = conn.memberships_of_user(id).await?;
    let identities = identity::of_user(conn, id).await?;
    let devices = match row.two_factor_since {
        Some(_) => remembered_devices(conn, id, row.password_hash.as_deref()).await?,
        None => 0,
    };
    Ok(Some(UserRecord {
        identities,
        organizations: Some(organizations.into_iter().map(UserOrganization::from).collect()),
        // Of a session that no browser opened there is none.
        last_login_address: row.last_login_address.filter(|address| !address.is_empty()),
        sessions: Some(row.sessions),
        passkeys: Some(row.passkeys),
        two_factor_since: row.two_factor_since,
        recovery_codes_left: Some(row.recovery_codes_left),
        remembered_devices: Some(devices),
        ..UserRecord::of(&settings.name, row.user)
    }))
}

/// How many devices a user trusts. They are bound to the password: a new one voids them.
pub async fn remembered_devices(conn: &mut Conn, user: UserId, password_hash: Option<&str>) -> Result<i64> {
    match password_hash {
        Some(hash) => conn.trusted_devices_count(user, &fingerprint(hash)).await,
        None => Ok(0),
    }
}

impl From<MembershipRow> for UserOrganization {
    fn from(row: MembershipRow) -> Self {
        Self { id: row.organization_id, name: row.name, kind: row.kind, role: row.role }
    }
}

/// Lists the organizations of a user, the newest membership first.
pub async fn organizations(conn: &mut Conn, user: UserId, range: ListRange) -> Result<Listing<UserOrganization>> {
    let ListPlace { at, id } = range.after;
    let rows = conn.memberships_of_user_page(user, at, OrganizationId(id), range.rows()).await?;
    let place = |row: &MembershipRow| ListPlace { at: row.created_at, id: row.organization_id.0 };
    Ok(range.listing(rows, place, UserOrganization::from))
}

/// Which users are looked for: those that fit everything that is given.
#[derive(Debug, Default)]
pub struct UserQuery {
    /// The email address, compared as login does.
    pub email: Option<String>,
    /// The username, compared as login does.
    pub username: Option<String>,
    pub search: Option<Search>,
    pub created_after: Option<Time>,
    /// One of these ids, if there are any.
    pub ids: Vec<UserId>,
    /// One of these ids of the application's own, if there are any.
    pub external_ids: Vec<String>,
    pub state: Option<UserState>,
    pub role: Option<PlatformRole>,
}

pub async fn list(
    conn: &mut Conn,
    name: &ServiceName,
    query: UserQuery,
    range: ListRange,
) -> Result<Listing<UserRecord>> {
    let after = (range.after.at, UserId(range.after.id));
    let wanted = Wanted::of(query);
    let rows = match wanted.few(conn).await? {
        Some(mut few) => {
            few.retain(|row| wanted.fits(row) && (row.created_at, row.id) < after);
            few.sort_unstable_by_key(|row| std::cmp::Reverse((row.created_at, row.id)));
            few
        }
        None => conn.users_list(&wanted.filter, after, range.rows()).await?,
    };
    let mut found = range.listing(rows, UserDetailsRow::place, |row| UserRecord::of(name, row));
    add_identities(conn, &mut found.data).await?;
    Ok(found)
}

/// Adds the identities, by one query for all of them.
pub(super) async fn add_identities(conn: &mut Conn, users: &mut [UserRecord]) -> Result<()> {
    let ids: Vec<UserId> = users.iter().map(|user| user.id).collect();
    let mut identities: HashMap<UserId, Vec<IdentityRecord>> = HashMap::new();
    for row in conn.identities_of_users(&ids).await? {
        identities.entry(row.user_id).or_default().push(row.into());
    }
    for user in users {
        user.identities = identities.remove(&user.id).unwrap_or_default();
    }
    Ok(())
}

/// What is compared with the stored keys.
struct Wanted {
    email_key: Option<String>,
    username_key: Option<String>,
    search: Option<Search>,
    ids: Vec<UserId>,
    external_ids: Vec<String>,
    filter: UserFilter,
}

impl Wanted {
    fn of(query: UserQuery) -> Self {
        let UserQuery { email, username, search, created_after, mut ids, external_ids, state, role } = query;
        ids.sort_unstable();
        ids.dedup();
        let prefix = match &search {
            Some(Search::Prefix(prefix)) => Some(prefix.clone()),
            Some(Search::Id(_)) | None => None,
        };
        Self {
            email_key: email.as_deref().map(mail_domain::key),
            username_key: username.as_deref().map(mail_domain::fold),
            search,
            ids,
            external_ids,
            // Without those of that time.
            filter: UserFilter { oldest: created_after.map(|at| (at, UserId(Uuid::max()))), prefix, state, role },
        }
    }

    /// The users that an id, an address or a username names; `None` if none is given.
    async fn few(&self, conn: &mut Conn) -> Result<Option<Vec<UserDetailsRow>>> {
        let found = match (&self.email_key, &self.username_key, &self.search) {
            (Some(key), ..) => conn.user_details_by_email(key).await?.into_iter().collect(),
            (_, Some(key), _) => conn.user_details_by_username(key).await?.into_iter().collect(),
            (.., Some(Search::Id(id))) => conn.user_details(*id).await?.into_iter().collect(),
            _ if self.ids.is_empty() && self.external_ids.is_empty() => return Ok(None),
            _ if self.ids.is_empty() => conn.user_details_with_external_ids(&self.external_ids).await?,
            _ => {
                let mut found = Vec::new();
                for id in &self.ids {
                    found.extend(conn.user_details(*id).await?);
                }
                found
            }
        };
        Ok(Some(found))
    }

    fn fits(&self, row: &UserDetailsRow) -> bool {
        let given = |id: &String| self.external_ids.contains(id);
        let search = |search: &Search| search.finds(row.id, &row.email_key, &row.username_key);
        self.email_key.as_ref().is_none_or(|key| *key == row.email_key)
            && self.username_key.as_ref().is_none_or(|key| *key == row.username_key)
            && self.search.as_ref().is_none_or(search)
            && (self.ids.is_empty() || self.ids.contains(&row.id))
            && (self.external_ids.is_empty() || row.external_id.as_ref().is_some_and(given))
            && self.filter.fits(row)
    }
}
