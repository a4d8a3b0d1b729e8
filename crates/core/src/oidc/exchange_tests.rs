use super::*;

#[test]
fn credentials_are_encoded_as_in_a_form_first() {
    let decoded = |id: &str, secret: &str| {
        let credentials = basic(id, secret);
        STANDARD
            .decode(credentials.strip_prefix("Basic ").unwrap_or_default())
            .ok()
            .and_then(|pair| String::from_utf8(pair).ok())
    };
    // RFC 6749, appendix B has the characters, apart from the space, which may be %20 as well.
    assert_eq!(decoded("a:b", " %&+£€").as_deref(), Some("a%3Ab:%20%25%26%2B%C2%A3%E2%82%AC"));
    assert_eq!(decoded("plain-id_1.example~x", "s").as_deref(), Some("plain-id_1.example~x:s"));
}
