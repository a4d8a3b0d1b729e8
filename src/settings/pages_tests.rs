use super::super::testing::{problem, settings};
use super::*;

#[test]
fn pages_say_what_is_built_in() {
    assert_eq!(settings(&[]).pages.messages(Locale::En).t("log-in-title").to_string(), "Log in");
}

#[test]
fn a_folder_that_cannot_be_used_is_a_problem_of_its_variable() {
    let line = problem(&[("MESSAGES", "no/such/folder")]);
    assert!(line.starts_with("SVC_MESSAGES: the folder cannot be read: "), "{line}");
}
