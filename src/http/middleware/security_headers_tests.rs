#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn policy_allows_no_inline_or_foreign_sources() {
    let own = [Origin::parse("https://auth.example.com").unwrap()];
    let policy = content_policy(&own);
    assert!(policy.starts_with("default-src 'none';"));
    assert!(policy.ends_with("form-action 'self'"));
    for word in ["unsafe", "data:", "*", "http"] {
        assert!(!policy.contains(word), "{word}");
    }
}
