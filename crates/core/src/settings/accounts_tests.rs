use super::{OrgMode, Signup};
use crate::settings::testing::{refused, settings};

#[test]
fn account_defaults_are_as_documented() {
    let accounts = settings(&[]).accounts;
    assert_eq!((accounts.signup, accounts.org_mode, accounts.password_min_length), (Signup::Open, OrgMode::Multi, 8));
    assert_eq!(accounts.invitation_ttl.as_secs(), 168 * 3600);
}

#[test]
fn invalid_account_settings_are_refused() {
    assert_eq!(settings(&[("SIGNUP", "invite")]).accounts.signup, Signup::Invite);
    assert_eq!(settings(&[("ORG_MODE", "single")]).accounts.org_mode, OrgMode::Single);
    assert_eq!(settings(&[("PASSWORD_MIN_LENGTH", "256")]).accounts.password_min_length, 256);
    refused("SIGNUP", &["Open", "yes"], "open, invite, closed");
    refused("ORG_MODE", &["team"], "personal, single, multi");
    refused("PASSWORD_MIN_LENGTH", &["0", "257", "8x"], "from 1 to 256");
    refused("INVITATION_TTL", &["168"], "a duration");
}
