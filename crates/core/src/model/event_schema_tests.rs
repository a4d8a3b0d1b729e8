#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::path::Path;

#[test]
fn event_schemas_match_kinds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/events");
    let kinds = EventKind::ALL.map(|kind| (kind.as_str(), kind.schema())).into_iter();
    for (kind, schema) in kinds.chain([(PING, ping_schema())]) {
        let file = folder.join(format!("{kind}.json"));
        let expected = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("DOORWARD_BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &expected).unwrap();
        }
        assert!(
            std::fs::read_to_string(&file).unwrap_or_default() == expected,
            "docs/reference/events/{kind}.json is not what crates/core/src/model/event_schema.rs says; regenerate it: \
             DOORWARD_BLESS=1 \
             cargo test -p doorward-core event_schemas"
        );
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), EventKind::ALL.len() + 1);
}
