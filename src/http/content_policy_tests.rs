use super::*;

#[test]
fn nothing_is_allowed_inline_or_from_elsewhere() {
    let policy = content_policy(&[]);
    assert!(policy.starts_with("default-src 'none';"));
    assert!(policy.ends_with("form-action 'self'"));
    for word in ["unsafe", "data:", "*", "http"] {
        assert!(!policy.contains(word), "{word}");
    }
}
