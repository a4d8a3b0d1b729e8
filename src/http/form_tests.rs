#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

async fn read_as(content_type: &str, body: impl Into<Body>) -> Result<Fields, FormError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, content_type.parse().unwrap());
    read(&headers, body.into()).await
}

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn fields_are_decoded() {
    let fields =
        read_as("application/x-www-form-urlencoded; charset=UTF-8", "email=a%40b&x=1+2&email=c").await.unwrap();
    assert_eq!(fields.text("email"), "a@b");
    assert_eq!(fields.text("x"), "1 2");
    assert_eq!(fields.single("email"), None);
    assert_eq!(fields.single("x"), Some("1 2"));
    assert_eq!(fields.get("none"), None);
}

#[tokio::test]
async fn invalid_bodies_return_distinct_errors() {
    assert_eq!(read_as("application/json", "{}").await.err(), Some(FormError::WrongType));
    assert_eq!(read_as(FORM, "email=%ff%fe").await.err(), Some(FormError::NotText));
    assert_eq!(read_as(FORM, "email=a%00b").await.err(), Some(FormError::NotText));
    assert_eq!(read_as(FORM, vec![0xff, 0xfe, b'=']).await.err(), Some(FormError::NotText));
    assert_eq!(read_as(FORM, "a".repeat(MAX_BYTES + 1)).await.err(), Some(FormError::TooLarge));
    assert!(read_as("text/plain", "").await.is_ok(), "nothing is a form without fields");
}

#[test]
fn query_that_is_not_text_has_no_fields() {
    assert_eq!(query(Some("audience=%ff")).get("audience"), None);
    assert_eq!(query(None).get("audience"), None);
    assert_eq!(query(Some("audience=app&audience=app")).single("audience"), None);
}
