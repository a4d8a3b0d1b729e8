//! Finding users, as applications' backends do.

use crate::domain::identity::identifiers::fold;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{Store, UserDetailsRow, UserFilter};
use uuid::Uuid;

/// Which users are looked for: those that fit everything that is given.
#[derive(Debug, Default)]
pub struct UserQuery {
    /// The email address, compared as login does.
    pub email: Option<String>,
    /// The username, compared as login does.
    pub username: Option<String>,
    /// The beginning of either, or a whole id.
    pub query: Option<String>,
    /// Created after this time.
    pub created_after: Option<Time>,
    /// One of these ids, if there are any.
    pub ids: Vec<UserId>,
}

/// At most `limit` users, the newest first, after the one with this time and id.
pub async fn list(
    store: &Store,
    principal: &Principal,
    query: &UserQuery,
    after: (Time, UserId),
    limit: i64,
) -> Result<Vec<UserDetailsRow>, Error> {
    let wanted = Wanted::of(query);
    let mut conn = store.read(principal, Operation::FindUsers).await?;
    let mut few = Vec::new();
    match (&wanted.email_key, &wanted.username_key, wanted.id) {
        (Some(key), ..) => few.extend(conn.user_details_by_email(key).await?),
        (_, Some(key), _) => few.extend(conn.user_details_by_username(key).await?),
        (.., Some(id)) => few.extend(conn.user_details(id).await?),
        _ if !query.ids.is_empty() => {
            let mut ids = query.ids.clone();
            ids.sort_unstable();
            ids.dedup();
            for id in ids {
                few.extend(conn.user_details(id).await?);
            }
        }
        _ => {
            let filter = UserFilter { created_after: query.created_after, prefix: wanted.prefix };
            return Ok(conn.users_list(&filter, after, limit).await?);
        }
    }
    few.retain(|row| wanted.fits(query, row) && (row.created_at, row.id) < after);
    few.sort_unstable_by_key(|row| std::cmp::Reverse((row.created_at, row.id)));
    few.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(few)
}

/// What is compared with the stored keys.
struct Wanted {
    email_key: Option<String>,
    username_key: Option<String>,
    id: Option<UserId>,
    prefix: Option<String>,
}

impl Wanted {
    fn of(query: &UserQuery) -> Self {
        let id = query.query.as_deref().and_then(|text| Uuid::try_parse(text).ok()).map(UserId);
        Self {
            email_key: query.email.as_deref().map(mail_domain::key),
            username_key: query.username.as_deref().map(fold),
            id,
            prefix: query.query.as_deref().filter(|_| id.is_none()).map(fold),
        }
    }

    fn fits(&self, query: &UserQuery, row: &UserDetailsRow) -> bool {
        let begins = |prefix: &String| row.email_key.starts_with(prefix) || row.username_key.starts_with(prefix);
        self.email_key.as_ref().is_none_or(|key| *key == row.email_key)
            && self.username_key.as_ref().is_none_or(|key| *key == row.username_key)
            && self.id.is_none_or(|id| id == row.id)
            && self.prefix.as_ref().is_none_or(begins)
            && query.created_after.is_none_or(|time| row.created_at > time)
            && (query.ids.is_empty() || query.ids.contains(&row.id))
    }
}
