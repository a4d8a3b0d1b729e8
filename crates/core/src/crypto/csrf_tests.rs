#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn generated_tokens_are_usable_and_unique() {
    let (a, b) = (generate().unwrap(), generate().unwrap());
    assert!(is_usable(&a) && is_usable(&b));
    assert!(equal(&a, &a.clone()));
    assert!(!equal(&a, &b));
    assert!(!equal(&a, &a[1..]));
    assert!(!equal(&a, ""));
}

#[test]
fn malformed_tokens_are_unusable() {
    let a43 = "a".repeat(43);
    assert!(is_usable(&a43));
    assert!(is_usable(&"a".repeat(128)));
    for bad in [
        "",
        &a43[1..],
        &"a".repeat(129),
        &format!("{a43} "),
        &format!("{a43}\""),
        &format!("{a43}é"),
        &format!("{a43}="),
    ] {
        assert!(!is_usable(bad), "{bad}");
    }
}
