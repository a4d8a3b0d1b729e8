//! Whether a password may be set: the one rule for sign-up, change, reset and operators.

use crate::breached;
use crate::context::App;
use crate::crypto::password_policy::{self, PasswordProblem};
use secrecy::{ExposeSecret, SecretString};

/// What is wrong with a new password; `personal` are the user's e-mail address and names.
///
/// A list of breached passwords that cannot be read is the operator's business, not the user's: it is logged, and the
/// other rules decide.
pub async fn password_problem(app: &App, password: &SecretString, personal: &[&str]) -> Option<PasswordProblem> {
    let min_length = app.settings.accounts.password_min_length;
    if let Err(problem) = password_policy::check(password.expose_secret(), min_length, personal) {
        return Some(problem);
    }
    match breached::contains(&app.settings.database.data_dir, password).await {
        Ok(found) => found.then_some(PasswordProblem::Breached),
        Err(error) => {
            tracing::error!("{error}");
            None
        }
    }
}
