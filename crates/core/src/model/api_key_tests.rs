use super::*;

#[test]
fn scopes_are_read_back_and_unknown_ones_permit_nothing() {
    let all: Scopes = Scope::ALL.into_iter().collect();
    let text = "users:read,users:write,users:security,organizations:read,organizations:write,platform:write";
    assert_eq!(all.to_text(), text);
    assert_eq!(Scopes::parse_text(text), all);
    let some = Scopes::parse_text("users:read,users:everything");
    assert!(some.contains(Scope::UsersRead) && some.names() == ["users:read"]);
    assert_eq!(Scopes::parse_text(""), Scopes::default());
}

#[test]
fn networks_permit_what_they_contain() {
    let everywhere = KeyNetworks::default();
    assert!(everywhere.permit(None) && everywhere.permit(Some([192, 0, 2, 1].into())));
    let networks = KeyNetworks::parse_text("192.0.2.0/24,2001:db8::/32").unwrap_or_default();
    assert_eq!(networks.to_text(), "192.0.2.0/24,2001:db8::/32");
    assert!(networks.permit(Some([192, 0, 2, 9].into())));
    assert!(!networks.permit(Some([192, 0, 3, 9].into())) && !networks.permit(None));
    assert_eq!(KeyNetworks::parse_text("192.0.2.0/24,nowhere"), None);
}

#[test]
fn names_are_short_and_plain() {
    for name in ["a", "billing-backend_2.eu", &"x".repeat(64)] {
        assert!(ApiKeyName::parse(name).is_ok(), "{name}");
    }
    for name in ["", "two words", "key:x", "ä", "line\n", &"x".repeat(65)] {
        assert!(ApiKeyName::parse(name).is_err(), "{name:?}");
    }
}
