#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::oidc::testing::provider;

fn named(name: &str, issuer: &str) -> Provider {
    Provider { name: ProviderName::parse(name).unwrap(), ..provider(ProviderKind::Oidc, issuer) }
}

#[test]
fn changed_record_has_other_documents() {
    let shelf = ProviderDocuments::default();
    let first = shelf.of(&named("a", "https://one.example"));
    assert!(Arc::ptr_eq(&first, &shelf.of(&named("a", "https://one.example"))));
    let labelled = Provider { label: "Other".to_owned(), ..named("a", "https://one.example") };
    assert!(Arc::ptr_eq(&first, &shelf.of(&labelled)));
    assert!(!Arc::ptr_eq(&first, &shelf.of(&named("a", "https://two.example"))));
    assert!(!Arc::ptr_eq(&first, &shelf.of(&named("b", "https://one.example"))));
}

#[test]
fn documents_are_bounded_by_the_number_of_providers() {
    let shelf = ProviderDocuments::default();
    let first = shelf.of(&named("p0", "https://id.example"));
    for number in 1..100 {
        shelf.of(&named(&format!("p{number}"), "https://id.example"));
        assert!(Arc::ptr_eq(&first, &shelf.of(&named("p0", "https://id.example"))), "the one in use stays");
    }
    assert_eq!(format!("{shelf:?}"), "ProviderDocuments { providers: 20 }");
}
