use super::*;

#[test]
fn every_replaced_sentence_exists() {
    for (id, _) in INSTEAD {
        let catalog = include_str!("../../crates/core/messages/en.ftl");
        assert!(catalog.lines().any(|line| line.starts_with(&format!("{id} ="))), "{id}");
    }
}

#[test]
fn other_sentences_are_those_of_the_pages() {
    let message = Message::new("password-too-short").number("min", 8);
    assert_eq!(sentence(&message), message.english());
    assert_eq!(sentence(&Message::new("username-taken")), "this username is taken");
}
