#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::http::form::parse;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Outer {
    email: String,
    password: SecretString,
    remember: Option<String>,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Inner {
    account: Option<String>,
}

fn outer(form: &str) -> Outer {
    parse(form.as_bytes()).unwrap().deserialize().unwrap()
}

#[test]
fn fields_become_texts_secrets_and_options() {
    let form = outer("email=a%40b&password=s+e&remember=&account=keep&unknown=1");
    assert_eq!((form.email.as_str(), form.password.expose_secret()), ("a@b", "s e"));
    assert_eq!((form.remember.as_deref(), form.inner.account.as_deref()), (Some(""), Some("keep")));
}

#[test]
fn missing_fields_are_empty_and_the_first_of_a_name_counts() {
    let form = outer("email=a&email=b");
    assert_eq!((form.email.as_str(), form.password.expose_secret()), ("a", ""));
    assert_eq!((form.remember, form.inner.account), (None, None));
}
