#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::{Crate, Repository, imports};

/// The imports as `file:line -> file symbol`, each `src/` left out.
fn shown(texts: &[(&str, &str)]) -> Vec<String> {
    let texts = texts.iter().copied().chain([("Cargo.toml", "name = \"house-test\"")]);
    let krate = Crate::parse(&Repository::from_texts(texts)).unwrap();
    let shown = |import: &crate::Import| format!("{} -> {} {}", import.at, import.target, import.symbol);
    imports(&krate).iter().map(|import| shown(import).replace("src/", "")).collect()
}

#[test]
fn re_export_is_followed_and_is_not_an_import() {
    let imports = shown(&[
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "use crate::b::Thing;\nfn f() { crate::b::act() }"),
        ("src/b/mod.rs", "mod c; pub use c::{Thing, act};"),
        ("src/b/c.rs", "pub struct Thing;\npub fn act() {}"),
    ]);
    assert_eq!(imports, ["a.rs:1 -> b/c.rs Thing", "a.rs:2 -> b/c.rs act"]);
}

#[test]
fn module_using_its_own_re_export_imports_it() {
    let imports = shown(&[
        ("src/lib.rs", "mod b;"),
        ("src/b/mod.rs", "mod c;\npub use c::{Thing, act};\nuse c::Own;\nfn f(act: u8) -> Thing { g(act) }"),
        ("src/b/c.rs", "pub struct Thing;\npub fn act() {}\npub struct Own;"),
    ]);
    assert_eq!(imports, ["b/mod.rs:3 -> b/c.rs Own", "b/mod.rs:4 -> b/c.rs Thing"]);
}

#[test]
fn re_export_from_other_folder_is_an_import() {
    let imports = shown(&[
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "pub use crate::b::Thing;"),
        ("src/b.rs", "pub struct Thing;"),
    ]);
    assert_eq!(imports, ["a.rs:1 -> b.rs Thing"]);
}

#[test]
fn paths_go_through_imported_modules() {
    let imports = shown(&[
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "use crate::b;\nfn f() { b::c::act(); match x { b::LIMIT => {} } }"),
        ("src/b/mod.rs", "pub mod c;\npub const LIMIT: u8 = 1;"),
        ("src/b/c.rs", "pub fn act() {}"),
    ]);
    assert_eq!(imports, ["a.rs:1 -> b/mod.rs b", "a.rs:2 -> b/mod.rs LIMIT", "a.rs:2 -> b/c.rs act"]);
}

#[test]
fn child_imports_from_parent() {
    let imports = shown(&[
        ("src/lib.rs", "mod b;"),
        ("src/b/mod.rs", "mod c;\nstruct Thing;"),
        ("src/b/c.rs", "impl super::Thing {}\npub(super) fn f() { use super::*; let _: Option<Thing>; }"),
    ]);
    assert_eq!(imports, ["b/c.rs:1 -> b/mod.rs Thing", "b/c.rs:2 -> b/mod.rs b"]);
}

#[test]
fn macro_arguments_are_searched() {
    let imports = shown(&[
        ("src/lib.rs", "#[macro_use] mod m; mod a; mod b;"),
        ("src/m.rs", "macro_rules! on { ($x:expr) => { $crate::b::act($x) } }"),
        ("src/a.rs", "fn f() { on!(crate::b::LIMIT) }\nfn g() { json!({ \"a\": super::b::act() }) }"),
        ("src/b.rs", "pub fn act() {}\npub const LIMIT: u8 = 1;"),
    ]);
    assert_eq!(imports, ["a.rs:1 -> b.rs LIMIT", "a.rs:1 -> m.rs on", "a.rs:2 -> b.rs act", "m.rs:1 -> b.rs act"]);
}

#[test]
fn test_code_and_visibilities_are_not_imports() {
    let imports = shown(&[
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "pub(in crate::b) struct A;\n#[cfg(test)]\nuse crate::b::act;\n#[cfg(test)]\nmod tests;"),
        ("src/a/tests.rs", "use crate::b::act;"),
        ("src/b.rs", "pub fn act() {}"),
    ]);
    assert_eq!(imports, [""; 0]);
}

#[test]
fn main_imports_library_by_name() {
    let imports = shown(&[
        ("src/lib.rs", "pub mod a;"),
        ("src/main.rs", "fn main() { house_test::a::run() }"),
        ("src/a.rs", "pub fn run() {}"),
    ]);
    assert_eq!(imports, ["main.rs:1 -> a.rs run"]);
}

#[test]
fn function_declarations_shadow_imports() {
    let imports = shown(&[
        ("src/lib.rs", "mod a; mod b; mod c;"),
        (
            "src/a.rs",
            "use crate::c::*;\n\
             fn f() { use crate::b::Kind as Local; Local::New; }\n\
             fn g() { struct Kind; Kind; }\n\
             fn h(act: u8, other: Kind) { act; }\n\
             fn i() { act() }",
        ),
        ("src/b.rs", "pub enum Kind { New }"),
        ("src/c.rs", "pub enum Kind {}\npub fn act() {}"),
    ]);
    assert_eq!(imports, ["a.rs:1 -> c.rs c", "a.rs:2 -> b.rs Kind", "a.rs:4 -> c.rs Kind", "a.rs:5 -> c.rs act"]);
}
