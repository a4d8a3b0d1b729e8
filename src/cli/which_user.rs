//! The account that a person names: by id, email address or username.

use super::failure::Failure;
use super::runner::as_operator;
use crate::context::App;
use crate::domain::account::operator;
use crate::domain::account::update::{UpdateUser, UserUpdate};
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::mail_domain::{self, in_letters};
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Store, UserDetailsRow, UserFilter, UserRow};

/// How many characters at their beginning two names have in common that are compared; fewer where these find none.
const BEGINNINGS: [usize; 2] = [3, 1];
/// The newest accounts with the same beginning are compared.
const MAX_COMPARED: i64 = 500;
const MAX_SUGGESTED: usize = 3;
/// Names that differ by a letter or two, or in their end, are more similar.
const MIN_SIMILARITY: f64 = 0.8;

/// Finds the account; the error of a name that none has suggests the nearest ones.
pub(super) async fn find(store: &Store, who: &str) -> Result<UserRow, Failure> {
    match operator::find(store, &Principal::operator(), who).await {
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Err(no_such_user(store, who).await?),
        found => Ok(found?),
    }
}

/// Updates the account; returns it as it was, and whether something changed.
pub(super) async fn update(app: &App, who: &str, update: UserUpdate) -> Result<(UserRow, bool), Failure> {
    let user = find(&app.store, who).await?;
    let changed = as_operator(app, UpdateUser::new(user.id, update)?).await?;
    Ok((user, changed))
}

/// The error of a name that no account has, with the accounts whose names are nearest.
pub(super) async fn no_such_user(store: &Store, who: &str) -> Result<Failure, Failure> {
    let who = who.trim();
    let similar = similar(store, &mail_domain::key(who)).await?;
    let names: Vec<_> = similar.iter().take(MAX_SUGGESTED).map(|user| in_letters(&user.email)).collect();
    let error = Failure::Refused(format!("there is no user \"{who}\""));
    if names.is_empty() {
        return Ok(error);
    }
    Ok(Failure::Refused(format!("{error}; did you mean {}?", names.join(" or "))))
}

/// Accounts with similar names, the most similar first.
async fn similar(store: &Store, key: &str) -> Result<Vec<UserDetailsRow>, Failure> {
    let mut conn = store.read(&Principal::operator(), Operation::FindUsers).await?;
    let start = (ListPlace::START.at, UserId(ListPlace::START.id));
    for length in BEGINNINGS.into_iter().filter(|length| *length <= key.chars().count()) {
        let filter = UserFilter { prefix: Some(key.chars().take(length).collect()), ..UserFilter::default() };
        let found = conn.users_list(&filter, start, MAX_COMPARED).await?;
        let mut similar: Vec<_> = found.into_iter().map(|user| (similarity(key, &user), user)).collect();
        similar.retain(|(similarity, _)| *similarity >= MIN_SIMILARITY);
        similar.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        if !similar.is_empty() {
            return Ok(similar.into_iter().map(|(_, user)| user).collect());
        }
    }
    Ok(Vec::new())
}

fn similarity(key: &str, user: &UserDetailsRow) -> f64 {
    let local = user.email.split('@').next().unwrap_or_default();
    let names = [user.username.as_str(), &user.email, local];
    names.map(|name| strsim::jaro_winkler(key, &mail_domain::key(name))).into_iter().fold(0.0, f64::max)
}
