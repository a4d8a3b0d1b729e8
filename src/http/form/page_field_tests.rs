#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const ACTION: &str = "/auth/account/email";
const NOW: Time = Time::from_micros(1_763_729_220_000_000);

fn session(id: u128) -> ShownTo {
    ShownTo::Session(SessionId(Uuid::from_u128(id)))
}

#[test]
fn field_is_valid_for_its_viewer_its_form_and_fifteen_minutes() {
    let (keys, _) = SecretKeys::generate().unwrap();
    let value = PageSeal::new(&keys).shown_to(session(1)).value(ACTION, NOW);
    let open = |action: &str, later: Duration| SourcePage::open(&keys, action, Some(&value), NOW + later);
    let fresh = open(ACTION, Duration::from_secs(899));
    assert!(fresh.is_of_page(session(1)) && !fresh.is_old());
    let old = open(ACTION, Duration::from_mins(15));
    assert!(old.is_of_page(session(1)) && old.is_old());
    for other in [session(2), ShownTo::Anyone, ShownTo::PendingLogin(UserId(Uuid::from_u128(1)))] {
        assert!(!fresh.is_of_page(other), "{other:?}");
    }
    assert_eq!(open("/auth/account/password", Duration::ZERO), SourcePage::None);
}

#[test]
fn what_no_page_has_shown_is_of_no_page() {
    let (keys, _) = SecretKeys::generate().unwrap();
    let (others, _) = SecretKeys::generate().unwrap();
    let foreign = PageSeal::new(&others).value(ACTION, NOW);
    for field in [None, Some(""), Some("%"), Some("AAAA"), Some(foreign.as_str())] {
        let source = SourcePage::open(&keys, ACTION, field, NOW);
        assert!(!source.is_of_page(ShownTo::Anyone) && !source.is_old(), "{field:?}");
    }
    assert!(SourcePage::NotAsked.is_of_page(session(1)) && !SourcePage::NotAsked.is_old());
}
