#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use older::older;
use std::collections::BTreeSet;

#[path = "openapi_older.rs"]
mod older;

fn document() -> (String, Value) {
    let document = Document::new(&ServiceName::parse("svc").unwrap(), crate::http::api::v2::described());
    let text = String::from_utf8(document.0.to_vec()).unwrap();
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

/// Both renditions are kept, of one source.
#[test]
fn openapi_documents_match_operations() {
    let (newest, value) = document();
    let older = serde_json::to_string_pretty(&older(value)).unwrap() + "\n";
    for (file, expected) in [("openapi.json", newest), ("openapi-3.0.json", older)] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(file);
        if std::env::var_os("DOORWARD_BLESS").is_some() {
            std::fs::write(&path, &expected).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap_or_default() == expected,
            "docs/reference/{file} is not what src/http/api/v2 says; regenerate it with: DOORWARD_BLESS=1 \
             cargo test --lib openapi_document"
        );
    }
}

#[test]
fn every_operation_says_who_may_ask_and_what_it_answers() {
    let (_, document) = document();
    assert_eq!(document["openapi"], "3.1.0");
    let operations = document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap());
    let mut ids = BTreeSet::new();
    for (method, operation) in operations {
        let id = operation["operationId"].as_str().unwrap();
        assert!(ids.insert(id), "{id} is there twice");
        // Two are asked with a refresh token alone, too.
        let ways = if ["get_session", "delete_session"].contains(&id) { 2 } else { 1 };
        assert_eq!(operation["security"].as_array().unwrap().len(), ways, "{id}");
        for text in ["summary", "description"] {
            assert!(operation[text].as_str().is_some_and(|text| !text.is_empty()), "{id}: {text}");
        }
        let answers = operation["responses"].as_object().unwrap();
        assert!(answers.keys().any(|status| status.starts_with('2')), "{id}");
        let takes_body = operation.get("requestBody").is_some();
        assert_eq!(answers.contains_key("422"), takes_body, "{id}");
        assert_eq!(takes_body, matches!(method.as_str(), "patch" | "put") || answers.contains_key("422"), "{id}");
    }
    assert!(ids.contains("get_session"));
}

/// Every reference has its component, and every response among the components is referred to.
#[test]
fn references_and_components_match() {
    let (text, document) = document();
    let used: BTreeSet<&str> =
        text.split("\"#/components/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let kinds = ["schemas", "responses"].into_iter();
    let there =
        kinds.flat_map(|kind| document["components"][kind].as_object().unwrap().keys().map(move |name| (kind, name)));
    let there: BTreeSet<String> = there.map(|(kind, name)| format!("{kind}/{name}")).collect();
    let missing: Vec<&&str> = used.iter().filter(|name| !there.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let is_used = |name: &&String| used.contains(name.as_str()) || !name.starts_with("responses/");
    let unused: Vec<&String> = there.iter().filter(|name| !is_used(name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
