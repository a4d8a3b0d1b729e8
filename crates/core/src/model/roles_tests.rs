use super::*;

#[test]
fn role_is_in_set_after_with_and_not_after_except() {
    let roles = Roles::NONE.with(PlatformRole::Admin).with(PlatformRole::Monitor);
    assert!(roles.contains(PlatformRole::Admin));
    assert!(!roles.contains(PlatformRole::Auditor));
    let admin = Roles::NONE.with(PlatformRole::Admin);
    assert!(!roles.except(admin).contains(PlatformRole::Admin));
    assert!(roles.except(admin).except(Roles::NONE.with(PlatformRole::Monitor)).is_empty());
}

#[test]
fn every_set_round_trips_through_its_text() {
    for bits in 0..8 {
        let roles = Roles(bits);
        assert_eq!(Roles::parse_text(&roles.to_text()), Some(roles));
    }
    assert_eq!(Roles::NONE.with(PlatformRole::Auditor).with(PlatformRole::Admin).to_text(), "admin,auditor");
}

#[test]
fn unknown_role_is_not_parsed() {
    assert_eq!(Roles::parse_text("admin,root"), None);
    assert_eq!(Roles::parse_text("admin,"), None);
    assert_eq!(PlatformRole::parse("Admin"), None);
}
