#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn service() -> ServiceName {
    ServiceName::parse("svc").unwrap()
}

#[test]
fn generated_key_has_the_documented_form_and_is_read_back() {
    let key = GeneratedApiKey::generate(&service()).unwrap();
    let (id, rest) = key.text.strip_prefix("svckey_").unwrap().split_once('_').unwrap();
    assert_eq!((id, id.len(), rest.len()), (key.id.0.as_str(), 16, 49));
    assert!(id.bytes().all(|byte| ID_ALPHABET.contains(&byte)) && rest.bytes().all(|byte| ALPHABET.contains(&byte)));
    let presented = PresentedApiKey::parse(&service(), &key.text).unwrap();
    assert!(presented.id == key.id && presented.hash.is(key.hash.as_bytes()));
    assert!(!format!("{key:?}").contains(&rest[..43]));
    assert_ne!(GeneratedApiKey::generate(&service()).unwrap().text, key.text);
}

#[test]
fn every_changed_character_is_noticed() {
    let key = GeneratedApiKey::generate(&service()).unwrap();
    for place in 0..key.text.len() {
        let mut changed = key.text.as_bytes().to_vec();
        changed[place] = if changed[place] == b'x' { b'y' } else { b'x' };
        let changed = String::from_utf8(changed).unwrap();
        assert!(PresentedApiKey::parse(&service(), &changed).is_none(), "{place}");
    }
    for text in ["", "svckey_", "svckey__", &key.text[1..], &key.text[..72], &format!("{}0", *key.text)] {
        assert!(PresentedApiKey::parse(&service(), text).is_none(), "{text}");
    }
    assert!(PresentedApiKey::parse(&service(), "svckey_0123456789abcde\u{e4}_\u{e4}").is_none());
    assert!(PresentedApiKey::parse(&ServiceName::parse("other").unwrap(), &key.text).is_none());
}

/// The values are those of zlib's crc32.
#[test]
fn checksum_is_crc_32_to_the_base_62() {
    assert_eq!(checksum("123456789"), "3jZRME");
    assert_eq!(checksum(&format!("svckey_0123456789abcdef_{}", "A".repeat(43))), "43T7ce");
}
