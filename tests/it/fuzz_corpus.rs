//! Replays the inputs of `fuzz/corpus` through the functions that `scripts/fuzz` feeds with random ones.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

single_run![corpus_breaks_no_parser];

/// A parser of untrusted input, by the name of its folder.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 8] = [
    ("accept_language", targets::accept_language),
    ("access_token", targets::access_token),
    ("cookies", targets::cookies),
    ("form", targets::form),
    ("forwarded", targets::forwarded),
    ("query", targets::query),
    ("refresh_token", targets::refresh_token),
    ("return_to", targets::return_to),
];

async fn corpus_breaks_no_parser() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut folders: Vec<_> = std::fs::read_dir(&corpus).unwrap().map(|folder| folder.unwrap().file_name()).collect();
    folders.sort();
    assert_eq!(folders, TARGETS.map(|(name, _)| name), "every folder has its target");
    for (name, target) in TARGETS {
        let files = std::fs::read_dir(corpus.join(name)).unwrap();
        let mut replayed = 0;
        for file in files {
            target(&std::fs::read(file.unwrap().path()).unwrap());
            replayed += 1;
        }
        assert!(replayed >= 4, "{name}");
    }
}
