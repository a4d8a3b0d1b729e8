#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn settings_doc_matches_table() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/settings.md");
    let expected = document().unwrap();
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &expected).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == expected,
        "docs/reference/settings.md is not what crates/core/src/settings says; regenerate it with: DOORWARD_BLESS=1 \
         cargo test -p doorward-core settings_doc"
    );
}

#[test]
fn every_setting_has_one_row() {
    let text = document().unwrap();
    for spec in table::all() {
        let rows = text.lines().filter(|line| line.starts_with(&format!("| `SVC_{}` |", spec.suffix))).count();
        assert_eq!(rows, 1, "{}", spec.suffix);
    }
}
