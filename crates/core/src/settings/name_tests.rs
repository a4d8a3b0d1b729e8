#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn default_name_derives_documented_names() {
    let name = ServiceName::parse(ServiceName::DEFAULT).unwrap();
    assert_eq!(name.as_str(), "svc");
    assert_eq!(
        [name.access_cookie(), name.refresh_cookie(), name.csrf_cookie()],
        ["svc_access", "svc_refresh", "svc_csrf"]
    );
    let headers = [name.event_header(), name.delivery_header(), name.signature_header()];
    assert_eq!(headers.map(WireHeader::spelling), ["X-Svc-Event", "X-Svc-Delivery", "X-Svc-Signature"]);
    assert_eq!(headers.map(|header| header.name().as_str()), ["x-svc-event", "x-svc-delivery", "x-svc-signature"]);
    assert_eq!((name.env_prefix(), name.variable("LISTEN").as_str()), ("SVC_", "SVC_LISTEN"));
    assert_eq!(PlatformRole::ALL.map(|role| name.role(role)), ["svc:admin", "svc:auditor", "svc:monitor"]);
}

#[test]
fn other_name_changes_every_derived_name() {
    let name = ServiceName::parse("acme2").unwrap();
    assert_eq!(name.access_cookie(), "acme2_access");
    assert_eq!(name.signature_header().spelling(), "X-Acme2-Signature");
    assert_eq!(name.env_prefix(), "ACME2_");
    assert_eq!(name.role(PlatformRole::Admin), "acme2:admin");
}

#[test]
fn name_must_match_pattern() {
    for good in ["a", "svc", "a1", &"a".repeat(32)] {
        assert!(ServiceName::parse(good).is_ok(), "{good}");
    }
    for bad in ["", "1a", "Svc", "svC", "a-b", "a_b", "é", "aé", " svc", "svc\n", &"a".repeat(33)] {
        let message = ServiceName::parse(bad).unwrap_err().to_string();
        assert!(message.contains("lower-case letter"), "{bad}: {message}");
        assert_eq!(message.lines().count(), 1);
    }
}
