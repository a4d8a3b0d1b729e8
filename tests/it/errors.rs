//! docs/reference/errors.md: each error of commands and of a start, its cause, and what mends it. The messages are those of
//! the sources; `table` has the rest. `DOORWARD_BLESS=1` writes the page.

#[path = "errors/instances.rs"]
mod instances;
#[path = "errors/people.rs"]
mod people;
#[path = "errors/source.rs"]
mod source;
#[path = "errors/table.rs"]
mod table;

use std::collections::BTreeSet;
use std::path::Path;

single_run![every_error_has_its_cause_and_its_mend, page_of_errors_is_that_of_the_table];

async fn every_error_has_its_cause_and_its_mend() {
    let said = source::messages();
    let explained = table::SECTIONS.iter().flat_map(|(_, errors)| errors.iter().map(|error| error.says));
    let known: Vec<&str> = explained.chain(table::ENDINGS).collect();
    let unique: BTreeSet<&str> = known.iter().copied().collect();
    assert_eq!(unique.len(), known.len(), "a message stands twice");
    let missing: Vec<&String> = said.iter().filter(|message| !unique.contains(message.as_str())).collect();
    let gone: Vec<&&str> = unique.iter().filter(|message| !said.contains(**message)).collect();
    assert!(said.len() > 100, "too few were found");
    assert!(missing.is_empty() && gone.is_empty(), "not in tests/it/errors: {missing:#?}\nno longer said: {gone:#?}");
}

async fn page_of_errors_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/errors.md");
    let page = table::page();
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "DOORWARD_BLESS=1 cargo test --test it errors writes docs/reference/errors.md again");
}
