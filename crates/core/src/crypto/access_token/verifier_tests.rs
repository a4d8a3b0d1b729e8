#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::access_token::RingKey;
use crate::crypto::access_token::test_tokens::{ISSUER, NOW, SESSION, audiences, claims, copy, ring_key};
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

fn ring(keys: &[&RingKey]) -> KeyRing {
    KeyRing::key_pairs(keys.iter().copied().map(copy).collect()).unwrap()
}

fn verifier(keys: &[&RingKey]) -> TokenVerifier {
    TokenVerifier::new(ring(keys), ISSUER, &audiences())
}

#[test]
fn cached_token_has_same_result_until_expiry() {
    let verifier = verifier(&[&ring_key(NOW, None)]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    let first = verifier.verify(&token, NOW);
    assert_eq!(first.unwrap().session, SESSION);
    assert_eq!(verifier.cache.len(), 1);
    assert_eq!(verifier.verify(&token, NOW), first);
    assert_eq!(verifier.verify(&token, NOW + 10 * MINUTE), None);
}

#[test]
fn rejected_tokens_are_not_cached() {
    let verifier = verifier(&[&ring_key(NOW, None)]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    assert_eq!(verifier.verify(&token[1..], NOW), None);
    assert_eq!(verifier.verify(&"x".repeat(5000), NOW), None);
    assert_eq!(verifier.verify("", NOW), None);
    assert!(verifier.cache.is_empty());
}

#[test]
fn request_costs_at_most_four_verifications() {
    let verifier = verifier(&[&ring_key(NOW, None)]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    let (message, signature) = token.rsplit_once('.').unwrap();
    let forged: Vec<String> = (0..150).map(|number| format!("{message}.{number:03}{}", &signature[3..])).collect();
    assert_eq!(verifier.verify_some(forged.iter().map(String::as_str), NOW).count(), 0);
    assert_eq!(verifier.verifications(), 4);
}

#[test]
fn copies_count_once_and_hide_nothing() {
    let verifier = verifier(&[&ring_key(NOW, None)]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    let (message, signature) = token.rsplit_once('.').unwrap();
    let forged = [0, 1, 2, 3].map(|number| format!("{message}.{number:03}{}", &signature[3..]));
    let copies = |number: usize| std::iter::repeat_n(forged[number].as_str(), 100);
    let four = || copies(0).chain(copies(1)).chain([token.as_str()]).chain(copies(2));
    assert_eq!(verifier.verify_some(four(), NOW).count(), 1);
    assert!(!verifier.leaves_some_out(four().chain(copies(0)).chain([token.as_str()]), NOW));
    assert!(verifier.leaves_some_out(four().chain(copies(3)), NOW));
}

#[test]
fn implausible_tokens_cost_no_verification_and_hide_nothing() {
    let verifier = verifier(&[&ring_key(NOW, None)]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    let (header, rest) = token.split_once('.').unwrap();
    let foreign = TokenVerifier::new(ring(&[&ring_key(NOW, None)]), ISSUER, &audiences());
    let foreign = foreign.sign(&claims(), NOW).unwrap();
    let garbage = ["", "x", "..", header, rest, &token[1..], &foreign, &format!("{token}.x"), &"x".repeat(5000)];
    let tokens = garbage.into_iter().cycle().take(100).chain([token.as_str()]);
    assert_eq!(verifier.verify_some(tokens, NOW).map(|verified| verified.session).collect::<Vec<_>>(), [SESSION]);
    assert_eq!(verifier.verifications(), 1);
}

#[test]
fn removed_key_invalidates_cached_tokens() {
    let (old, new) = (ring_key(NOW, None), ring_key(NOW + MINUTE, None));
    let verifier = verifier(&[&old]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    assert!(verifier.verify(&token, NOW).is_some());
    verifier.replace_ring(ring(&[&old, &new]));
    assert_eq!(verifier.cache.len(), 1, "nothing became less: the cache is kept");
    verifier.replace_ring(ring(&[&new]));
    assert_eq!(verifier.verify(&token, NOW), None);
}

#[test]
fn retired_key_invalidates_cached_tokens_when_due() {
    let key = ring_key(NOW, None);
    let verifier = verifier(&[&key]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    assert!(verifier.verify(&token, NOW).is_some());
    verifier.replace_ring(ring(&[&RingKey { published_until: Some(NOW + MINUTE), ..copy(&key) }]));
    assert!(verifier.verify(&token, NOW).is_some());
    assert_eq!(verifier.verify(&token, NOW + MINUTE), None);
    verifier.replace_ring(ring(&[&key]));
    assert!(verifier.verify(&token, NOW + MINUTE).is_some());
}

#[test]
fn replaced_ring_signs_at_once() {
    let verifier = verifier(&[]);
    assert!(verifier.sign(&claims(), NOW).is_err());
    verifier.replace_ring(ring(&[&ring_key(NOW, None)]));
    let token = verifier.sign(&claims(), NOW).unwrap();
    assert!(verifier.verify(&token, NOW).is_some());
    assert_eq!(verifier.ring().jwks(NOW)["keys"].as_array().unwrap().len(), 1);
}

#[test]
fn verification_is_consistent_while_rings_are_replaced() {
    let key = ring_key(NOW, None);
    let verifier = verifier(&[&key]);
    let token = verifier.sign(&claims(), NOW).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..200).for_each(|_| assert!(verifier.verify(&token, NOW).is_some())));
        }
        for _ in 0..20 {
            verifier.replace_ring(ring(&[&key]));
        }
    });
}
