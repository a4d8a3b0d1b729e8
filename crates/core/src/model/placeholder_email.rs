//! The address of an account that has none. Another person verified the one it had, and said that the account is not
//! theirs (docs/concepts/decisions/0007-whose-account-holds-an-address.md).

use super::ids::UserId;
use super::mail_domain::to_a_labels;

/// RFC 2606, 2: no mail server is ever found under `.invalid`.
const DOMAIN: &str = "unverified.invalid";

/// The placeholder of an account: unique, and its own folded form.
pub fn placeholder_of(user: UserId) -> String {
    format!("{user}@{DOMAIN}")
}

/// Whether an address is a placeholder, however its domain is spelled: it is never mailed, and refused as input.
pub fn is_placeholder(email: &str) -> bool {
    let domain = email.trim().rsplit_once('@').and_then(|(_, domain)| to_a_labels(domain));
    domain.is_some_and(|domain| domain.eq_ignore_ascii_case(DOMAIN))
}
