use super::{OrgMode, Signup};
use crate::settings::testing::{refused, settings};

#[test]
fn defaults_are_those_of_the_contract() {
    let accounts = settings(&[]).accounts;
    assert_eq!((accounts.signup, accounts.org_mode, accounts.password_min_length), (Signup::Open, OrgMode::Multi, 8));
    assert_eq!(accounts.invitation_ttl.as_secs(), 168 * 3600);
}

#[test]
fn words_and_numbers_are_checked() {
    assert_eq!(settings(&[("SIGNUP", "invite")]).accounts.signup, Signup::Invite);
    assert_eq!(settings(&[("ORG_MODE", "single")]).accounts.org_mode, OrgMode::Single);
    assert_eq!(settings(&[("PASSWORD_MIN_LENGTH", "256")]).accounts.password_min_length, 256);
    refused("SIGNUP", &["Open", "yes"], "open, invite, closed");
    refused("ORG_MODE", &["team"], "personal, single, multi");
    refused("PASSWORD_MIN_LENGTH", &["0", "257", "8x"], "from 1 to 256");
    refused("INVITATION_TTL", &["168"], "a duration");
}
