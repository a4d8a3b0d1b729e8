#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{Environment, ServiceName, Settings};

fn parse(query: &str) -> Result<Rules, UnreadableRule> {
    let environment: Environment =
        [("SVC_BASE_URL".to_owned(), "https://auth.example.org".to_owned())].into_iter().collect();
    let loaded = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap();
    Rules::parse(Some(query), &ProtectedOrigins::of(&loaded.settings))
}

#[test]
fn every_rule_is_read() {
    let query = "origin=https%3A%2F%2Fauth.example.org&organization=019aa5d6-7f33-7c41-9b1e-52d8e1c077aa&role=admin\
                 &platform=auditor&verified&mfa=&fresh=15m&same-origin&optional&preflight";
    let rules = parse(query).unwrap();
    assert_eq!(rules.origin, Some(PinnedOrigin::Protected(0)));
    assert!(rules.organization.is_some());
    assert_eq!((rules.role, rules.platform), (Some(MemberRole::Admin), Some(PlatformRole::Auditor)));
    assert_eq!(rules.fresh, Some(Duration::from_mins(15)));
    assert!(rules.verified && rules.mfa && rules.same_origin && rules.optional && rules.preflight);
    assert!(parse("").is_ok());
    assert_eq!(parse("origin=https://other.example").unwrap().origin, Some(PinnedOrigin::Unlisted));
}

#[test]
fn unknown_repeated_and_unreadable_rules_are_refused() {
    for query in [
        "admin",
        "Role=admin",
        "role=",
        "role=Admin",
        "role=admin&role=member",
        "verified&verified",
        "verified=false",
        "mfa=1",
        "mfa=0",
        "optional=no",
        "preflight=x",
        "same-origin=none",
        "fresh=15",
        "fresh=0s",
        "fresh",
        "organization=crew",
        "platform=owner",
        "origin=auth.example.org",
        "origin=https://auth.example.org/path",
        "verified&a=1",
        "r%6Fle=boss",
        "=x",
    ] {
        assert_eq!(parse(query).unwrap_err(), UnreadableRule, "{query}");
    }
}
