#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder with these files, gone with the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("doorward-messages-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        for (name, text) in files {
            std::fs::write(path.join(name), text).unwrap();
        }
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn refused(files: &[(&str, &str)]) -> String {
    Catalog::with_folder(&Folder::with(files).0).unwrap_err()
}

#[test]
fn an_operators_sentence_stands_in_the_place_of_ours() {
    let folder =
        Folder::with(&[("de.ftl", "log-in-title = Hereinspaziert\npassword-too-short =\n    Mehr als { $min }!\n")]);
    let catalog = Catalog::with_folder(&folder.0).unwrap();
    let german = catalog.messages(Locale::De);
    assert_eq!(german.t("log-in-title").to_string(), "Hereinspaziert");
    assert_eq!(german.t("password-too-short").with("min", 8_usize).to_string(), "Mehr als 8!");
    assert_eq!(german.t("log-in-button").to_string(), "Anmelden");
    assert_eq!(catalog.messages(Locale::En).t("log-in-title").to_string(), "Log in");
}

#[test]
fn what_cannot_be_used_is_named() {
    assert!(
        refused(&[("en.ftl", "log-in-titel = Enter\n")])
            .contains("en.ftl: log-in-titel is no message of ours; did you mean log-in-title?")
    );
    assert!(
        refused(&[("en.ftl", "log-in-title = Enter { $name }\n")])
            .contains("log-in-title: has no value $name; allowed: none")
    );
    assert!(refused(&[("en.ftl", "password-too-short = { $max }\n")]).contains("allowed: $min"));
    assert!(refused(&[("en.ftl", "log-in-title = A\n\nlog-in-button = { $\n")]).contains("en.ftl: line 3"));
    assert!(refused(&[("en.ftl", "log-in-title = { log-in-nothing }\n")]).contains("log-in-title: "));
    assert!(refused(&[("en.ftl", "log-in-title = { log-in-title }\n")]).contains("log-in-title: "));
    assert!(refused(&[("fr.ftl", "log-in-title = Entrez\n")]).contains("allowed: en.ftl, de.ftl"));
    assert!(refused(&[("notes.txt", "")]).contains("has no message file"));
    assert!(Catalog::with_folder(Path::new("no/such/folder")).unwrap_err().contains("cannot be read"));
}

#[test]
fn a_file_larger_than_any_wording_is_refused() {
    let text = format!("# {}\n", "x".repeat(1024 * 1024));
    assert!(refused(&[("en.ftl", &text)]).contains("allowed: at most 1048576"));
}
