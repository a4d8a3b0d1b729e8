#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

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

fn refusal(files: &[(&str, &str)]) -> String {
    Catalog::with_folder(&Folder::with(files).0).unwrap_err()
}

#[test]
fn operator_message_overrides_embedded_one() {
    let folder =
        Folder::with(&[("de.ftl", "log-in-title = Hereinspaziert\npassword-too-short =\n    Mehr als { $min }!\n")]);
    let catalog = Catalog::with_folder(&folder.0).unwrap();
    let german = catalog.messages(Locale::GERMAN);
    assert_eq!(german.t("log-in-title").to_string(), "Hereinspaziert");
    assert_eq!(german.t("password-too-short").with("min", 8_usize).to_string(), "Mehr als 8!");
    assert_eq!(german.t("log-in-button").to_string(), "Anmelden");
    assert_eq!(catalog.messages(Locale::ENGLISH).t("log-in-button").to_string(), "Log in");
}

#[test]
fn unusable_file_is_refused_with_its_reason() {
    assert!(
        refusal(&[("en.ftl", "log-in-titel = Enter\n")])
            .contains("en.ftl: log-in-titel is no message of ours; did you mean log-in-title?")
    );
    assert!(
        refusal(&[("en.ftl", "log-in-button = Enter { $name }\n")])
            .contains("log-in-button: has no value $name; allowed: none")
    );
    assert!(refusal(&[("en.ftl", "password-too-short = { $max }\n")]).contains("allowed: $min"));
    assert!(refusal(&[("en.ftl", "log-in-title = A\n\nlog-in-button = { $\n")]).contains("en.ftl: line 3"));
    assert!(refusal(&[("en.ftl", "log-in-title = { log-in-nothing }\n")]).contains("log-in-title: "));
    assert!(refusal(&[("en.ftl", "log-in-title = { log-in-title }\n")]).contains("log-in-title: "));
    assert!(refusal(&[("it.ftl", "log-in-title = Entra\n")]).contains("it.ftl: language-name is missing"));
    assert!(refusal(&[("pt-br.ftl", "language-name = Português\n")]).contains("must be called pt-BR.ftl"));
    assert!(refusal(&[("en copy.ftl", "")]).contains("is not named after a language"));
    assert!(refusal(&[("notes.txt", "")]).contains("has no message file"));
    assert!(Catalog::with_folder(Path::new("no/such/folder")).unwrap_err().contains("cannot be read"));
}

#[test]
fn file_over_size_limit_is_refused() {
    let text = format!("# {}\n", "x".repeat(1024 * 1024));
    assert!(refusal(&[("en.ftl", &text)]).contains("allowed: at most 1048576"));
}

#[test]
fn operators_language_falls_back_to_english() {
    let latvian = "language-name = Latviešu\nlog-in-title = Pieslēgties\nminutes =\n    { $count ->\n        [zero] { $count } minūšu\n        [one] { $count } minūte\n       *[other] { $count } minūtes\n    }\n";
    let folder = Folder::with(&[
        ("lv.ftl", latvian),
        ("de-AT.ftl", "language-name = Deutsch (Österreich)\nlog-in-title = Servus\n"),
    ]);
    let mut catalog = Catalog::with_folder(&folder.0).unwrap();
    let tags = |catalog: &Catalog| catalog.languages().iter().map(Locale::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(tags(&catalog), "en de es fr de-AT lv");
    let locale = |tag| Locale::parse(tag).unwrap();
    let latvian = catalog.messages(locale("lv-LV"));
    assert_eq!((latvian.locale(), latvian.t("log-in-title").to_string()), (locale("lv"), "Pieslēgties".to_owned()));
    assert_eq!(latvian.t("log-in-button").to_string(), "Log in");
    // Eleven has the form of zero in Latvian.
    assert_eq!(latvian.t("minutes").with("count", 11_usize).to_string(), "11 minūšu");
    let austrian = catalog.messages(locale("de-AT"));
    assert_eq!(
        (austrian.t("log-in-title").to_string(), austrian.t("log-in-button").to_string()),
        ("Servus".into(), "Anmelden".into())
    );
    assert!(catalog.missing(locale("lv")).contains(&"log-in-button") && catalog.missing(Locale::GERMAN).is_empty());
    assert_eq!(catalog.offer(vec![locale("it")]), Err(locale("it")));
    assert_eq!(catalog.offer(vec![locale("lv"), Locale::GERMAN]), Ok(()));
    assert_eq!((tags(&catalog), catalog.messages(Locale::ENGLISH).locale()), ("lv de".to_owned(), locale("lv")));
}
