#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

/// RFC 6238, appendix B, SHA-1: time in seconds, and the last six of the eight digits printed there.
const VECTORS: [(i64, &str); 6] = [
    (59, "287082"),
    (1_111_111_109, "081804"),
    (1_111_111_111, "050471"),
    (1_234_567_890, "005924"),
    (2_000_000_000, "279037"),
    (20_000_000_000, "353130"),
];

fn secret() -> TotpSecret {
    TotpSecret::from_bytes(Zeroizing::new(b"12345678901234567890".to_vec())).unwrap()
}

fn at(seconds: i64) -> Time {
    Time::from_micros(seconds * 1_000_000)
}

#[test]
fn rfc_6238_vectors_match() {
    for (seconds, code) in VECTORS {
        assert_eq!(secret().check(code, at(seconds), 0), CodeMatch::Unused(seconds / 30), "{seconds}");
        assert_eq!(secret().code_at(at(seconds)), code);
    }
}

#[test]
fn code_is_accepted_within_one_step_of_skew() {
    // The step of 1_111_111_110 to 1_111_111_139.
    let code = "050471";
    let step = 1_111_111_111 / 30;
    for seconds in [1_111_111_080, 1_111_111_110, 1_111_111_139, 1_111_111_169] {
        assert_eq!(secret().check(code, at(seconds), 0), CodeMatch::Unused(step), "{seconds}");
    }
    for seconds in [1_111_111_079, 1_111_111_170] {
        assert_eq!(secret().check(code, at(seconds), 0), CodeMatch::Wrong, "{seconds}");
    }
}

#[test]
fn replayed_code_is_told_from_a_wrong_one() {
    let step = 1_111_111_111 / 30;
    assert_eq!(secret().check("050471", at(1_111_111_111), step - 1), CodeMatch::Unused(step));
    assert_eq!(secret().check("050471", at(1_111_111_111), step), CodeMatch::Used);
    assert_eq!(secret().check("050471", at(1_111_111_111), step + 1), CodeMatch::Used);
    assert_eq!(secret().check("050472", at(1_111_111_111), step), CodeMatch::Wrong);
    assert_eq!(secret().check("050471", at(1_111_111_170), step), CodeMatch::Wrong);
}

#[test]
fn malformed_code_is_rejected() {
    for code in ["", "5924", "05924", "0005924", "+05924", "00592４", "00592x", "\u{0660}05924"] {
        assert_eq!(secret().check(code, at(1_234_567_890), 0), CodeMatch::Wrong, "{code:?}");
    }
}

#[test]
fn manual_key_and_uri_have_app_format() {
    let key = secret().manual_key();
    assert_eq!(key.as_str(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
    let uri = secret().uri("Acme: Login", "ada@example.com").unwrap();
    assert!(uri.starts_with("otpauth://totp/Acme%20%20Login:ada%40example.com?"), "{}", uri.as_str());
    assert!(uri.contains("secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), "{}", uri.as_str());
    assert!(uri.contains("issuer=Acme%20%20Login"), "{}", uri.as_str());
}

#[test]
fn secrets_are_random_and_omitted_from_debug() {
    let (one, other) = (TotpSecret::generate().unwrap(), TotpSecret::generate().unwrap());
    assert_eq!(one.as_bytes().len(), 20);
    assert_ne!(one.as_bytes(), other.as_bytes());
    assert_eq!(format!("{one:?}"), "TotpSecret");
    assert_eq!(TotpSecret::from_bytes(Zeroizing::new(vec![0; 10])).unwrap_err(), InvalidTotpSecret);
}
