use super::*;

#[test]
fn policy_allows_no_inline_or_foreign_sources() {
    let policy = content_policy(&[]);
    assert!(policy.starts_with("default-src 'none';"));
    assert!(policy.ends_with("form-action 'self'"));
    for word in ["unsafe", "data:", "*", "http"] {
        assert!(!policy.contains(word), "{word}");
    }
}
