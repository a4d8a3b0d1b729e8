use crate::messages::{Catalog, Locale};

fn in_words(user_agent: &str) -> String {
    super::in_words(Catalog::embedded().messages(Locale::En), user_agent)
}

#[test]
fn browsers_are_named_with_their_system() {
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    assert_eq!(in_words(firefox), "Firefox on Linux");
}

#[test]
fn what_says_nothing_is_unknown() {
    for nothing in ["", "x", "<script>alert(1)</script>"] {
        assert_eq!(in_words(nothing), "Unknown device");
    }
}
