#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{Filter, FilterError, ImportError, ImportSummary, filter_path};
use crate::breached::import;
use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("doorward-breached-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn hash(password: &str) -> String {
    digest(&SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes()).as_ref().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").unwrap();
        text
    })
}

fn list(passwords: impl Iterator<Item = String>) -> String {
    let hashes: BTreeSet<String> = passwords.map(|password| hash(&password)).collect();
    let lines: Vec<String> = hashes.iter().enumerate().map(|(number, hash)| format!("{hash}:{number}\r\n")).collect();
    lines.concat()
}

fn import_text(text: &str, folder: &Folder) -> Result<ImportSummary, ImportError> {
    import(text.as_bytes(), text.len() as u64, &folder.0, |_| ())
}

fn open(folder: &Folder) -> Filter {
    Filter::open(&filter_path(&folder.0)).unwrap().unwrap()
}

#[test]
fn listed_passwords_are_found_and_others_are_not() {
    let folder = Folder::new("found");
    let passwords = |from: u32| (from..from + 50_000).map(|number| format!("password {number}"));
    let imported = import_text(&list(passwords(0)), &folder).unwrap();
    assert_eq!((imported.lines, imported.entries), (50_000, 50_000));
    assert_eq!(imported.bytes, fs::metadata(filter_path(&folder.0)).unwrap().len());
    let filter = open(&folder);
    for password in passwords(0) {
        assert!(filter.contains(&password).unwrap(), "{password}");
    }
    // The stated rate predicts 0.2.
    let wrong = passwords(50_000).filter(|password| filter.contains(password).unwrap()).count();
    assert!(wrong <= 3, "{wrong}");
    assert!(filter.false_positive_rate() < 1.0 / 100_000.0, "{}", filter.false_positive_rate());
    assert_eq!(filter.lines(), 50_000);
}

#[test]
fn import_ignores_counts_line_endings_and_duplicates() {
    let folder = Folder::new("forms");
    let [first, second] = ["hunter2", "hunter3"].map(hash);
    let (low, high) = if first < second { (first, second) } else { (second, first) };
    let text = format!("\u{feff}{low}\n{low}:17\r\n\r\n{}", high.to_lowercase());
    let imported = import_text(&text, &folder).unwrap();
    assert_eq!((imported.lines, imported.entries), (3, 2));
    let filter = open(&folder);
    assert!(filter.contains("hunter2").unwrap() && filter.contains("hunter3").unwrap());
    assert!(!filter.contains("hunter4").unwrap() && !filter.contains("").unwrap());
}

#[test]
fn import_accepts_lowest_and_highest_hash() {
    let folder = Folder::new("edges");
    let imported = import_text(&format!("{}\n{}\n", "0".repeat(40), "F".repeat(40)), &folder).unwrap();
    assert_eq!(imported.entries, 2);
    assert!(!open(&folder).contains("anything").unwrap());
}

#[test]
fn invalid_list_keeps_previous_filter() {
    let folder = Folder::new("refused");
    import_text(&list(["kept".to_owned()].into_iter()), &folder).unwrap();
    let (low, high) = ("0".repeat(40), "1".repeat(40));
    let not_a_hash = ["password\n", &format!("{low}x\n"), &format!("{low}:many\n"), &format!("{}\n", &low[1..])];
    for text in not_a_hash {
        assert!(matches!(import_text(text, &folder), Err(ImportError::NotAHash(1))), "{text}");
    }
    assert!(matches!(import_text(&format!("{high}\n{low}\n"), &folder), Err(ImportError::NotOrdered(2))));
    assert!(matches!(import_text("\n\n", &folder), Err(ImportError::Empty)));
    assert!(open(&folder).contains("kept").unwrap());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing unfinished is left");
}

#[test]
fn new_import_replaces_filter() {
    let folder = Folder::new("newer");
    import_text(&list(["old".to_owned()].into_iter()), &folder).unwrap();
    let before = open(&folder);
    import_text(&list(["new".to_owned()].into_iter()), &folder).unwrap();
    assert!(before.contains("old").unwrap(), "an open filter stays readable");
    assert!(open(&folder).contains("new").unwrap() && !open(&folder).contains("old").unwrap());
}

#[test]
fn damaged_filter_is_error_and_missing_filter_is_none() {
    let folder = Folder::new("damaged");
    assert!(Filter::open(&filter_path(&folder.0)).unwrap().is_none());
    import_text(&list(["some".to_owned()].into_iter()), &folder).unwrap();
    let whole = fs::read(filter_path(&folder.0)).unwrap();
    for broken in [&whole[..whole.len() - 1], &whole[..20], b"", &[b"x", whole.as_slice()].concat()] {
        fs::write(filter_path(&folder.0), broken).unwrap();
        assert!(matches!(Filter::open(&filter_path(&folder.0)), Err(FilterError::Damaged)));
    }
}
