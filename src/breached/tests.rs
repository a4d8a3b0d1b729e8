#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{Filter, FilterError, ImportError, Imported, file};
use crate::breached::import;
use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// A folder that goes with the test.
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

fn import_text(text: &str, folder: &Folder) -> Result<Imported, ImportError> {
    import(text.as_bytes(), text.len() as u64, &folder.0, |_| ())
}

fn open(folder: &Folder) -> Filter {
    Filter::open(&file(&folder.0)).unwrap().unwrap()
}

#[test]
fn what_is_on_the_list_is_found_and_nothing_else() {
    let folder = Folder::new("found");
    let passwords = |from: u32| (from..from + 50_000).map(|number| format!("password {number}"));
    let imported = import_text(&list(passwords(0)), &folder).unwrap();
    assert_eq!((imported.lines, imported.entries), (50_000, 50_000));
    assert_eq!(imported.bytes, fs::metadata(file(&folder.0)).unwrap().len());
    let filter = open(&folder);
    for password in passwords(0) {
        assert!(filter.contains(&password).unwrap(), "{password}");
    }
    // 0.2 are expected at the rate that is stated.
    let wrong = passwords(50_000).filter(|password| filter.contains(password).unwrap()).count();
    assert!(wrong <= 3, "{wrong}");
    assert!(filter.false_positive_rate() < 1.0 / 100_000.0, "{}", filter.false_positive_rate());
    assert_eq!(filter.lines(), 50_000);
}

#[test]
fn counts_line_ends_and_repetitions_do_not_matter() {
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
fn the_lowest_and_the_highest_hash_have_a_place() {
    let folder = Folder::new("edges");
    let imported = import_text(&format!("{}\n{}\n", "0".repeat(40), "F".repeat(40)), &folder).unwrap();
    assert_eq!(imported.entries, 2);
    assert!(!open(&folder).contains("anything").unwrap());
}

#[test]
fn a_list_that_cannot_be_used_changes_nothing() {
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
fn a_newer_list_takes_the_place_of_the_one_before() {
    let folder = Folder::new("newer");
    import_text(&list(["old".to_owned()].into_iter()), &folder).unwrap();
    let before = open(&folder);
    import_text(&list(["new".to_owned()].into_iter()), &folder).unwrap();
    assert!(before.contains("old").unwrap(), "whoever has it open reads on");
    assert!(open(&folder).contains("new").unwrap() && !open(&folder).contains("old").unwrap());
}

#[test]
fn a_damaged_filter_is_told_from_one_that_is_not_there() {
    let folder = Folder::new("damaged");
    assert!(Filter::open(&file(&folder.0)).unwrap().is_none());
    import_text(&list(["some".to_owned()].into_iter()), &folder).unwrap();
    let whole = fs::read(file(&folder.0)).unwrap();
    for broken in [&whole[..whole.len() - 1], &whole[..20], b"", &[b"x", whole.as_slice()].concat()] {
        fs::write(file(&folder.0), broken).unwrap();
        assert!(matches!(Filter::open(&file(&folder.0)), Err(FilterError::Damaged)));
    }
}
