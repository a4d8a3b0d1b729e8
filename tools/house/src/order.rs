//! Imports against the order of the top modules.

use crate::imports::Import;
use crate::source::{Crate, top_module};
use std::collections::BTreeSet;

/// How a crate agrees with an order of its top modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The imports from a module later in the order, by the importing file.
    pub upward: Vec<Import>,
    /// The top modules that the order does not name.
    pub unlisted: Vec<String>,
    /// The names in the order that are no top modules.
    pub absent: Vec<String>,
}

impl Order {
    /// The number of pairs of files between which there is an upward import.
    pub fn pairs(&self) -> usize {
        self.upward.iter().map(|import| (&import.at.file, &import.target)).collect::<BTreeSet<_>>().len()
    }
}

/// Compares a crate's imports with an order of its top modules, lowest first.
///
/// A module may import from itself and from the modules before it. `lib.rs` declares all modules and belongs to none.
/// Imports from or into a module that is not in the list are ignored.
pub fn order(krate: &Crate, imports: &[Import], order: &[impl AsRef<str>]) -> Order {
    let level = |path: &str| order.iter().position(|module| module.as_ref() == top_module(path));
    let is_upward = |import: &&Import| match (level(&import.at.file), level(&import.target)) {
        (Some(from), Some(to)) => from < to,
        _ => false,
    };
    let modules: BTreeSet<&str> = krate.sources.iter().filter_map(product_module).collect();
    let is_listed = |module: &str| order.iter().any(|listed| listed.as_ref() == module);
    let names = order.iter().map(AsRef::as_ref);
    Order {
        upward: imports.iter().filter(is_upward).cloned().collect(),
        unlisted: modules.iter().filter(|module| !is_listed(module)).map(ToString::to_string).collect(),
        absent: names.filter(|name| !modules.contains(name)).map(str::to_owned).collect(),
    }
}

/// The top module of a file, unless it is `lib.rs` or holds test code only.
fn product_module(source: &crate::Source) -> Option<&str> {
    let is_product = source.path != "src/lib.rs" && !source.is_test;
    is_product.then(|| source.top_module())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::{Repository, imports};

    fn of(names: &[&str]) -> Order {
        let repository = Repository::from_texts([
            ("src/lib.rs", "mod model; mod store; mod domain; use domain::act;"),
            ("src/model.rs", "pub struct Id;"),
            ("src/store/mod.rs", "mod users;"),
            ("src/store/users.rs", "use crate::model::Id;\nuse crate::domain::act;"),
            ("src/domain.rs", "use crate::model::Id;\npub fn act() {}"),
        ]);
        let krate = Crate::parse(&repository).unwrap();
        order(&krate, &imports(&krate), names)
    }

    #[test]
    fn upward_import_is_found() {
        let order = of(&["model", "store", "domain"]);
        assert_eq!((order.upward.len(), order.pairs()), (1, 1));
        let import = &order.upward[0];
        assert_eq!((import.at.to_string(), import.target.as_str()), ("src/store/users.rs:2".into(), "src/domain.rs"));
        assert_eq!(import.symbol, "act");
        assert_eq!(of(&["model", "domain", "store"]), Order::default());
    }

    #[test]
    fn unlisted_and_absent_modules_are_reported() {
        let order = of(&["model", "crypto", "store"]);
        assert_eq!((order.unlisted, order.absent), (vec!["domain".to_owned()], vec!["crypto".to_owned()]));
    }
}
