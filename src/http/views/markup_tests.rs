use super::*;
use crate::messages::{Catalog, Locale};

#[test]
fn markup_arguments_are_escaped() {
    let messages = Catalog::embedded().messages(Locale::ENGLISH);
    let html = Markup::new(messages, "invitation-other-why".into()).strong("email", "<i>\u{e001}").with("own", "a&b");
    assert!(html.to_string().contains(
        "It’s for <span class=\"ended\"><strong>&lt;i&gt;\u{e001}</strong>,</span> but you’re logged in as a&amp;b."
    ));
}
