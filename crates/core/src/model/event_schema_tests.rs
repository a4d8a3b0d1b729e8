#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::path::Path;

#[test]
fn event_schemas_match_kinds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/events");
    for kind in EventKind::ALL {
        let file = folder.join(format!("{}.json", kind.as_str()));
        let expected = serde_json::to_string_pretty(&kind.schema()).unwrap() + "\n";
        if std::env::var_os("DOORWARD_BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &expected).unwrap();
        }
        assert!(
            std::fs::read_to_string(&file).unwrap_or_default() == expected,
            "docs/reference/events/{}.json is not what crates/core/src/model/event_schema.rs says; regenerate it: \
             DOORWARD_BLESS=1 \
             cargo test -p doorward-core event_schemas",
            kind.as_str()
        );
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), EventKind::ALL.len());
}
