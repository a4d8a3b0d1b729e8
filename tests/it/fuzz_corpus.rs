//! Replays the inputs of `fuzz/corpus` through the functions that `scripts/fuzz` feeds with random ones.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::fs::{read, read_dir, read_to_string};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

single_run![corpus_breaks_no_parser, every_target_is_built_and_has_a_small_corpus];

/// A parser of untrusted input, by the name of its folder.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 17] = [
    ("accept_language", targets::accept_language),
    ("access_token", targets::access_token),
    ("api_body", targets::api_body),
    ("api_cursor", targets::api_cursor),
    ("cookies", targets::cookies),
    ("env_file", targets::env_file),
    ("form", targets::form),
    ("forwarded", targets::forwarded),
    ("gate_rules", targets::gate_rules),
    ("logo", targets::logo),
    ("messages", targets::messages),
    ("original_url", targets::original_url),
    ("query", targets::query),
    ("refresh_token", targets::refresh_token),
    ("return_to", targets::return_to),
    ("settings", targets::settings),
    ("webhook_answer", targets::webhook_answer),
];

/// The bytes of a corpus, so that it stays one that people read.
const MAX_CORPUS: usize = 4096;

async fn corpus_breaks_no_parser() {
    // On a thread that may wait: a target has a runtime of its own.
    let replayed = tokio::task::spawn_blocking(|| {
        for (name, target) in TARGETS {
            for input in corpus(name) {
                let bytes = read(&input).unwrap();
                assert!(catch_unwind(|| target(&bytes)).is_ok(), "{}", input.display());
            }
        }
    });
    replayed.await.unwrap();
}

async fn every_target_is_built_and_has_a_small_corpus() {
    let names = TARGETS.map(|(name, _)| name);
    assert_eq!(files(&fuzz().join("corpus")), names.map(|name| fuzz().join("corpus").join(name)));
    let sources = names.map(|name| fuzz().join("fuzz_targets").join(name).with_extension("rs"));
    assert_eq!(files(&fuzz().join("fuzz_targets")), sources);
    let manifest = read_to_string(fuzz().join("Cargo.toml")).unwrap();
    let mut built: Vec<&str> =
        manifest.split("[[bin]]\nname = \"").skip(1).filter_map(|bin| bin.split('"').next()).collect();
    built.sort_unstable();
    assert_eq!(built, names);
    for name in names {
        let size: usize = corpus(name).iter().map(|input| read(input).unwrap().len()).sum();
        assert!(corpus(name).len() >= 4 && size < MAX_CORPUS, "{name}: {size} bytes");
    }
}

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

fn corpus(target: &str) -> Vec<PathBuf> {
    files(&fuzz().join("corpus").join(target))
}

/// What is in a folder, in alphabetical order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
