#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::domain::identity::identifiers::EmailAddress;
use crate::model::device::Device;
use crate::model::ids::UserId;
use uuid::Uuid;

fn service(name: &str) -> ServiceName {
    ServiceName::parse(name).unwrap()
}

#[test]
fn reserved_names_are_withheld_from_people_however_they_are_written() {
    let person = Principal::user(UserId(Uuid::nil()), None, Device::new("", None));
    let anonymous = Principal::anonymous(Device::new("", None));
    for name in ["admin", "Root", "OPERATOR", "svc", "SVC-backup", "svcx", "..", "-_", "--"] {
        let name = Username::parse(name).unwrap();
        for principal in [&person, &anonymous] {
            assert!(name.is_withheld_from(principal, &service("svc")), "{name:?}");
        }
        assert!(!name.is_withheld_from(&Principal::operator(), &service("svc")), "{name:?}");
    }
    for name in ["admin2", "ada.admin", "roots", "sv", "my-svc", "-rf", ".a", "0."] {
        assert!(!Username::parse(name).unwrap().is_withheld_from(&person, &service("svc")), "{name}");
    }
}

#[test]
fn derived_names_are_never_reserved() {
    let names = ["svc", "u", "user", "usera", "useradmin", "member", "m", "ad", "admin2", "a1"].map(service);
    for service in &names {
        for local in ["admin", "ADMINISTRATOR", "svc.backup", "--", ".-", "a", "u", "user", "ad", "usera", "member"] {
            let derived = Username::derived(&EmailAddress::from_stored(&format!("{local}@example.com")));
            let name = derived.clone().unreserved(service);
            assert!(!name.is_reserved(service), "{name:?} for {service:?}");
            for number in [2, 5, 89_999_999] {
                let numbered = name.numbered(number).unreserved(service);
                assert!(!numbered.is_reserved(service) && numbered.as_str().len() <= 64, "{numbered:?}");
            }
        }
    }
    let long = Username::parse(&format!("svc{}", "x".repeat(61))).unwrap().unreserved(&service("svc"));
    assert_eq!(long.as_str(), format!("usersvc{}", "x".repeat(57)));
    let kept = Username::parse("ada").unwrap();
    assert_eq!(kept.clone().unreserved(&service("svc")), kept);
}
