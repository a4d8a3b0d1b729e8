#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const TIMESTAMP: i64 = 1_614_265_330;
const BODY: &[u8] = br#"{"test": 2432232314}"#;

fn sign(secrets: &[&str]) -> String {
    let secrets: Vec<WebhookSecret> = secrets.iter().map(|secret| WebhookSecret::parse(secret).unwrap()).collect();
    StandardSigner::new(&secrets).sign(ID, TIMESTAMP, BODY)
}

/// RFC 4231, 4.2, 4.3 and 4.7.
#[test]
fn hex_signatures_match_rfc_4231_vectors() {
    let cases: [(&[u8], &[u8], &str); 3] = [
        (&[0x0b; 20], b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            &[0xaa; 131],
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
    ];
    for (secret, body, expected) in cases {
        assert_eq!(hex_sha256(secret, body), format!("sha256={expected}"));
    }
}

/// The example of the Standard Webhooks specification and its reference libraries.
#[test]
fn standard_signature_matches_published_example() {
    let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    assert_eq!(sign(&["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]), signature);
}

#[test]
fn each_secret_signs_during_rotation() {
    let (new, old) = (sign(&["new secret"]), sign(&["old secret"]));
    assert_ne!(new, old);
    assert_eq!(sign(&["new secret", "old secret"]), format!("{new} {old}"));
}

#[test]
fn secret_without_prefix_is_used_as_bytes() {
    // "c2VjcmV0" is base64 of "secret"; padding may be left out.
    assert_eq!(sign(&["secret"]), sign(&["whsec_c2VjcmV0"]));
    assert_ne!(sign(&["secret"]), sign(&["c2VjcmV0"]));
    assert_eq!(sign(&["whsec_c2VjcmV0cw=="]), sign(&["whsec_c2VjcmV0cw"]));
}

#[test]
fn debug_omits_secret() {
    assert_eq!(
        format!("{:?}", StandardSigner::new(&[WebhookSecret::parse("x").unwrap()])),
        "StandardSigner { secrets: 1 }"
    );
}

#[test]
fn both_signature_schemes_verify() {
    let value = hex_sha256(b"right", BODY);
    assert!(is_hex_sha256(b"right", BODY, &value));
    assert!(!is_hex_sha256(b"wrong", BODY, &value) && !is_hex_sha256(b"right", b"{}", &value));
    assert!(!is_hex_sha256(b"right", BODY, "") && !is_hex_sha256(b"right", BODY, &value[7..]));

    let secrets = ["new secret", "old secret"].map(|secret| WebhookSecret::parse(secret).unwrap());
    let signer = StandardSigner::new(&secrets);
    let foreign = sign(&["another secret"]);
    for secret in ["new secret", "old secret"] {
        let value = format!("{foreign} {}", sign(&[secret]));
        assert!(signer.verify(ID, TIMESTAMP, BODY, &value), "{secret}");
        assert!(
            !signer.verify(ID, TIMESTAMP + 1, BODY, &value) && !signer.verify("msg_other", TIMESTAMP, BODY, &value)
        );
        assert!(!signer.verify(ID, TIMESTAMP, b"{}", &value));
    }
    assert!(!signer.verify(ID, TIMESTAMP, BODY, &foreign) && !signer.verify(ID, TIMESTAMP, BODY, ""));
}

/// The requests that `scripts/interop/run` has libraries verify, signed with secrets that everyone knows.
fn fixtures() -> serde_json::Value {
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwIPCLrUrP3wQ=";
    const OLD: &str = "whsec_dGhpcnR5LXR3byBieXRlcyBmb3IgdGhlIHRlc3RzISE=";
    let request = |case: &str, secrets: &[&str], receiver: &str, age: i64, body: &str, signed_body: &str| {
        let all: Vec<_> = secrets.iter().map(|secret| WebhookSecret::parse(secret).unwrap()).collect();
        let timestamp = TIMESTAMP - age;
        let signed = signed_body.as_bytes();
        serde_json::json!({
            "case": case, "secret": receiver, "now": TIMESTAMP, "body": body,
            "headers": {
                "X-Svc-Signature": hex_sha256(all[0].as_bytes(), signed),
                "webhook-id": ID,
                "webhook-timestamp": timestamp.to_string(),
                "webhook-signature": StandardSigner::new(&all).sign(ID, timestamp, signed),
            },
        })
    };
    let body = r#"{"id":"evt_1","type":"user.created","data":{"name":"Gr\u00fc\u00dfe, Ä"}}"#;
    serde_json::json!([
        request("right", &[SECRET], SECRET, 0, body, body),
        request("new one of two secrets", &[SECRET, OLD], SECRET, 0, body, body),
        request("old one of two secrets", &[SECRET, OLD], OLD, 0, body, body),
        request("another secret", &[SECRET], OLD, 0, body, body),
        request("changed body", &[SECRET], SECRET, 0, "{}", body),
        request("too old", &[SECRET], SECRET, 400, body, body),
    ])
}

#[test]
fn fixtures_are_requests_of_this_code() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/webhooks.json");
    let expected = serde_json::to_string_pretty(&fixtures()).unwrap() + "\n";
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written == expected, "write it again with: DOORWARD_BLESS=1 cargo test -p doorward-core fixtures");
}
