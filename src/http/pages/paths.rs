//! Paths that several pages link to.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

pub(super) const ACCOUNT: &str = "/auth/account";
/// The page that changes the email address.
pub(super) const ACCOUNT_EMAIL: &str = "/auth/account/email";
/// The page of the step-up.
pub(super) const CONFIRM: &str = "/auth/account/confirm";
pub(super) const CONNECTIONS: &str = "/auth/account/connections";
/// The page that asks for an email address during a login.
pub(super) const LOGIN_ADDRESS: &str = "/auth/login/address";
pub(super) const PASSKEYS: &str = "/auth/account/passkeys";
pub(super) const SECURITY: &str = "/auth/account/security";
pub(super) const TWO_FACTOR: &str = "/auth/account/two-factor";

/// The page that asks for the second factor of a login.
pub(super) fn second_factor(return_to: Option<&str>, with_recovery_code: bool) -> String {
    let mut path = "/auth/login/second-factor".to_owned();
    if with_recovery_code {
        path.push_str("?with=recovery-code");
    }
    if let Some(target) = return_to {
        path.push(if with_recovery_code { '&' } else { '?' });
        path.push_str("return_to=");
        path.extend(utf8_percent_encode(target, NON_ALPHANUMERIC));
    }
    path
}
