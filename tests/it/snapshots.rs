//! What snapshots have in common, and which of them must be there. The files stand in `tests/it/snapshots`; CONTRIBUTING
//! says how they are taken.

use crate::harness::{Engine, part};

single_run![parts_of_pages_are_unchanged];

/// The text from the first occurrence of `begin` up to that of `end`.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let start = text.find(begin).unwrap_or_else(|| panic!("no {begin} in {text}"));
    let length = text[start..].find(end).unwrap_or_else(|| panic!("no {end} after {begin} in {text}"));
    text[start..start + length].trim_end()
}

async fn parts_of_pages_are_unchanged() {
    let app = Engine::Sqlite.app().await;
    let page = app.anonymous().get("/auth/login").await.expect(200).to_string();
    part("security headers", between(&page, "x-content-type-options:", "x-request-id:"));
    part("head", between(&page, "<head>", "<title>"));
    part("assets", between(&page, "<link rel=\"icon\"", "</head>"));
    part("mark", between(&page, "<svg class=\"mark\"", "<span>Doorward"));
    part("eye", between(&page, "<svg viewBox", "</button>"));
    let json = app.anonymous().get("/auth/api/v1/user").await.expect(401).to_string();
    assert_eq!(
        between(&json, "x-content-type-options:", "x-request-id:"),
        between(&page, "x-content-type-options:", "x-request-id:")
    );
}
