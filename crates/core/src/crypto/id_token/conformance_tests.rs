//! The cases for client libraries (`clients/conformance`): what they must accept, the service's own verification of the
//! tokens of others accepts, and what they must refuse for its key or signature, it refuses.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::path::Path;

fn cases(kind: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../clients/conformance/{kind}.json"));
    let mut text: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    serde_json::from_value(text["cases"].take()).unwrap()
}

#[test]
fn cases_for_libraries_are_judged_alike() {
    let mut judged = [0; 3];
    for case in ["verify", "gate"].into_iter().flat_map(cases) {
        // Where a set is fetched again, it depends on the library which one it has.
        let [set] = &case["jwks"].as_array().unwrap()[..] else { continue };
        let Ok(keys) = IdTokenKeys::parse(&serde_json::to_vec(set).unwrap()) else { continue };
        let verified = verify(case["token"].as_str().unwrap(), &keys);
        let expected = &case["expect"];
        match expected["error"].as_str().unwrap_or("ok") {
            "ok" => {
                assert_eq!(verified.unwrap().claims["sub"], expected["sub"], "{case}");
                judged[0] += 1;
            }
            "typ" | "issuer" | "audience" | "expired" | "not_yet" => {
                assert!(verified.is_ok(), "{verified:?}: {case}");
                judged[1] += 1;
            }
            "signature" | "algorithm" | "key" if !is_of_others(&case) => {
                verified.unwrap_err();
                judged[2] += 1;
            }
            _ => {}
        }
    }
    assert!(judged.iter().all(|judged| *judged > 20), "{judged:?}");
}

/// Whether the service takes this algorithm from a provider, while libraries take it from nobody.
fn is_of_others(case: &Value) -> bool {
    let header = case["token"].as_str().unwrap().split('.').next().unwrap_or_default();
    let header = object(header).ok().and_then(|header| serde_json::from_str::<Value>(&header).ok()).unwrap_or_default();
    case["expect"]["error"] == "algorithm"
        && IdTokenAlgorithm::parse(header["alg"].as_str().unwrap_or_default()).is_some()
}
