#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::http::form::parse;

fn typed(form: &str) -> Typed {
    Typed::new(Arc::new(parse(form.as_bytes()).unwrap()), &["email"])
}

#[test]
fn values_are_shown_again_only_where_the_form_says_so() {
    let typed = typed("email=a%40b&password=secret&return_to=%2Fbooks&csrf_token=x");
    assert_eq!((typed.get("email"), typed.return_to()), (Some("a@b"), Some("/books")));
    assert_eq!((typed.get("password"), typed.get("csrf_token")), (None, None));
    assert!(typed.has("password"));
    let fields: Vec<_> = typed.fields().collect();
    assert_eq!(fields, [("email", "a@b"), ("password", ""), ("return_to", "/books")]);
}

#[test]
fn form_is_complete_without_secrets_only() {
    assert!(typed("email=a&csrf_token=x").is_complete());
    assert!(typed("csrf_token=x").is_complete());
    assert!(!typed("email=a&password=secret").is_complete());
    assert!(!typed("email=a&password=&fill_in=yes").is_complete(), "the password is still missing");
}

#[test]
fn checkbox_is_as_sent_or_as_before() {
    assert!(Typed::default().is_checked("end_others", true));
    assert!(!typed("email=a").is_checked("end_others", true));
    assert!(typed("end_others=yes").is_checked("end_others", false));
}
