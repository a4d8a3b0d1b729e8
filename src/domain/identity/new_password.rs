//! The password policy, shared by signup, password change, reset and operators.

use crate::breached;
use crate::context::App;
use crate::crypto::password::normalized;
use crate::crypto::password_policy::{self, PasswordProblem};
use secrecy::{ExposeSecret, SecretString};

/// Returns the reason to reject a new password. `personal` are the user's email address and names.
///
/// If the list of breached passwords cannot be read, the error is logged for the operator, and the other rules decide.
pub async fn password_problem(app: &App, password: &SecretString, personal: &[&str]) -> Option<PasswordProblem> {
    let min_length = app.settings.accounts.password_min_length;
    let password = SecretString::from(normalized(password.expose_secret()).as_str());
    if let Err(problem) = password_policy::check(password.expose_secret(), min_length, personal) {
        return Some(problem);
    }
    match breached::contains(&app.settings.database.data_dir, &password).await {
        Ok(found) => found.then_some(PasswordProblem::Breached),
        Err(error) => {
            tracing::error!("{error}");
            None
        }
    }
}
