//! Which file takes what from which file.

use crate::krate::Crate;
use crate::location::Location;
use crate::paths::{Found, Paths};
use crate::resolve::Target;
use crate::tree::Tree;
use std::collections::BTreeMap;

/// A file takes a symbol from another file. Re-exports have been followed to the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The first line that names the symbol.
    pub at: Location,
    /// The file that defines it.
    pub target: String,
    /// The name in the defining file; for an import of a whole module, the module's name.
    pub symbol: String,
}

/// All imports between the files of a crate, one for each file and symbol, sorted by the importing file.
///
/// An import is any path outside test code that names a symbol of another file: in a `use` declaration, in code, or in
/// the arguments of a macro. These are no imports:
///
/// - `mod child;`
/// - a re-export of what a module's own descendants define, as it only forwards,
/// - a method call or a field, as types are not inferred.
pub fn imports(krate: &Crate) -> Vec<Import> {
    let mut imports = Vec::new();
    for &(module, file) in &krate.tree.files {
        let source = &krate.sources[file];
        let found = Paths::in_module(&krate.tree, module, &source.code);
        imports.extend(first_lines(&krate.tree, file, found).into_iter().map(|((target, symbol), line)| Import {
            at: Location::new(&source.path, line),
            target: krate.sources[target].path.clone(),
            symbol,
        }));
    }
    imports.sort_by(|a, b| (&a.at, &a.symbol).cmp(&(&b.at, &b.symbol)));
    imports
}

/// The first line of each symbol, by the index of its file and its name.
fn first_lines(tree: &Tree, file: usize, found: Vec<Found>) -> BTreeMap<(usize, String), usize> {
    let mut lines = BTreeMap::new();
    for Found { target, line } in found {
        let (id, symbol) = match target {
            Target::Module(id) => (id, tree.modules[id].name.clone()),
            Target::Item(id, name) => (id, name),
        };
        let target = tree.modules[id].file;
        if target != file {
            let first = lines.entry((target, symbol)).or_insert(line);
            *first = line.min(*first);
        }
    }
    lines
}

#[cfg(test)]
#[path = "imports_tests.rs"]
mod tests;
