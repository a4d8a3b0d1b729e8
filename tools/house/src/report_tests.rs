#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::fs;

/// A folder that is removed at the end.
struct Folder(std::path::PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn folder(texts: &[(&str, &str)]) -> Folder {
    let root = std::env::temp_dir().join(format!("house-report-{}", std::process::id()));
    for (path, text) in texts {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Folder(root)
}

#[test]
fn report_lists_every_fact() {
    let folder = folder(&[
        ("Cargo.toml", "[package]\nname = \"sample\"\n"),
        ("src/lib.rs", "mod a;\nmod b;\n"),
        ("src/a.rs", "use crate::b::Thing;\npub fn act((x, y): (u8, u8)) {}\nstruct Wrong;\n"),
        ("src/b.rs", "use crate::a::act;\npub struct Thing;\nstruct Wrong;\n"),
        ("tests/it.rs", "// As the contract says.\nfn waits() {\n    sleep(SECOND);\n}\n"),
    ]);
    let report = report(&folder.0, &["a", "b", "c"]).unwrap();
    let expected = "\
1 upward imports between 1 pairs of files
    src/a.rs:1 <- src/b.rs Thing
0 modules missing from the order
1 names in the order without a module
    c
1 circles of files
    2: src/a.rs src/b.rs
0 public homonyms, 0 definitions
1 homonyms with the private ones, 2 definitions
    Wrong x2: src/a.rs:3 src/b.rs:3
1 citations of absent documents
    tests/it.rs:1 the contract
1 private words, 2 uses
    Wrong x2, say FormErrors: src/a.rs:3 src/b.rs:3
1 functions
    1 lines: act at src/a.rs:2
3 files in src, median 3 lines; beside these 0 files of tests
    3 lines: src/a.rs
    3 lines: src/b.rs
    2 lines: src/lib.rs
1 fixed sleeps in tests
    tests/it.rs:3
1 parameters that are tuples
    src/a.rs:2
";
    assert_eq!(format!("{report:#}"), expected);
}

#[test]
fn ten_places_are_shown_unless_alternate() {
    struct Section;
    impl fmt::Display for Section {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            section(f, "title", (0..12).map(|number| number.to_string()))
        }
    }
    assert!(Section.to_string().ends_with("    9\n    and 2 more\n"));
    assert!(format!("{Section:#}").ends_with("    10\n    11\n"));
}
