#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::{Crate, Repository};

/// The file that defines what a path in `src/a.rs` names.
fn file_of(texts: &[(&str, &str)], path: &str, kind: Kind) -> Option<String> {
    let krate = Crate::parse(&Repository::from_texts(texts.iter().copied())).unwrap();
    let file = krate.sources.iter().position(|source| source.path == "src/a.rs").unwrap();
    let (module, _) = krate.tree.files.iter().find(|(_, other)| *other == file).unwrap();
    let path: Vec<String> = path.split("::").map(str::to_owned).collect();
    let (Target::Module(id) | Target::Item(id, _)) = resolve(&krate.tree, *module, &path, kind)?;
    Some(krate.sources[krate.tree.modules[id].file].path.clone())
}

#[test]
fn re_exports_are_followed() {
    let texts = [
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "use super::b::Named;"),
        ("src/b/mod.rs", "mod c; mod d; pub use c::Thing as Named; pub use d::*;"),
        ("src/b/c.rs", "pub struct Thing;"),
        ("src/b/d.rs", "pub fn act() {}"),
    ];
    assert_eq!(file_of(&texts, "Named::new", Kind::Item).unwrap(), "src/b/c.rs");
    assert_eq!(file_of(&texts, "crate::b::act", Kind::Item).unwrap(), "src/b/d.rs");
}

#[test]
fn path_goes_through_imported_module() {
    let texts = [
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "use crate::b::c; fn c() {}"),
        ("src/b.rs", "pub mod c;"),
        ("src/b/c.rs", "pub fn act() {}"),
    ];
    assert_eq!(file_of(&texts, "c::act", Kind::Item).unwrap(), "src/b/c.rs");
    assert_eq!(file_of(&texts, "c", Kind::Item).unwrap(), "src/a.rs");
}

#[test]
fn mutual_imports_terminate() {
    let texts =
        [("src/lib.rs", "mod a; mod b;"), ("src/a.rs", "pub use crate::b::*;"), ("src/b.rs", "pub use crate::a::*;")];
    assert_eq!(file_of(&texts, "Thing", Kind::Item), None);
    let texts = [("src/lib.rs", "mod a;"), ("src/a.rs", "use tracing::{self, info};")];
    assert_eq!(file_of(&texts, "tracing::Level", Kind::Item), None);
}

#[test]
fn macro_is_found_by_text_or_re_export() {
    let texts = [
        ("src/lib.rs", "#[macro_use] mod m; mod a;"),
        ("src/m.rs", "macro_rules! plain { () => {} } macro_rules! named { () => {} } pub(crate) use named;"),
        ("src/a.rs", ""),
    ];
    assert_eq!(file_of(&texts, "crate::m::named", Kind::Macro).unwrap(), "src/m.rs");
    assert_eq!(file_of(&texts, "plain", Kind::Macro), None);
    let krate = Crate::parse(&Repository::from_texts(texts)).unwrap();
    assert_eq!(resolve_macro(&krate.tree, 2, "plain"), Some(Target::Item(1, "plain".into())));
}

#[test]
fn macro_generated_item_is_found_at_call() {
    let texts = [
        ("src/lib.rs", "mod a; mod ids; mod rows;"),
        ("src/ids.rs", "id!(/** A user. */ UserId);"),
        ("src/rows.rs", "use crate::ids::UserId; row!(UserId);"),
        ("src/a.rs", "use crate::rows::*;"),
    ];
    assert_eq!(file_of(&texts, "UserId", Kind::Item).unwrap(), "src/ids.rs");
}
