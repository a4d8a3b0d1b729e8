use super::*;

#[test]
fn a_set_remembers_what_was_put_in_and_forgets_what_was_taken_out() {
    let roles = Roles::NONE.with(PlatformRole::Admin).with(PlatformRole::Monitor);
    assert!(roles.contains(PlatformRole::Admin));
    assert!(!roles.contains(PlatformRole::Auditor));
    assert!(!roles.without(PlatformRole::Admin).contains(PlatformRole::Admin));
    assert!(roles.without(PlatformRole::Admin).without(PlatformRole::Monitor).is_empty());
}

#[test]
fn every_set_survives_the_database() {
    for bits in 0..8 {
        let roles = Roles(bits);
        assert_eq!(Roles::parse_text(&roles.to_text()), Some(roles));
    }
    assert_eq!(Roles::NONE.with(PlatformRole::Auditor).with(PlatformRole::Admin).to_text(), "admin,auditor");
}

#[test]
fn an_unknown_role_is_no_set() {
    assert_eq!(Roles::parse_text("admin,root"), None);
    assert_eq!(Roles::parse_text("admin,"), None);
    assert_eq!(PlatformRole::parse("Admin"), None);
}
