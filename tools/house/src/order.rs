//! Imports against the order of the modules.

use crate::imports::Import;
use crate::krate::Crate;
use std::collections::BTreeSet;

/// How a crate agrees with an order of its modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The imports from a module later in the order, by the importing file.
    pub upward: Vec<Import>,
    /// The modules that the order does not name.
    pub unlisted: Vec<String>,
    /// The names in the order that are no modules.
    pub absent: Vec<String>,
}

impl Order {
    /// The number of pairs of files between which there is an upward import.
    pub fn pairs(&self) -> usize {
        self.upward.iter().map(|import| (&import.at.file, &import.target)).collect::<BTreeSet<_>>().len()
    }
}

/// Compares a crate's imports with an order of its modules, lowest first.
///
/// The order names top modules, such as `store`; or the modules in one, such as `domain/login`, in place of it. A module
/// may import from itself and from the modules before it. `lib.rs` and the `mod.rs` of a module that the order divides
/// declare modules and belong to none. Imports from or into a module that is not in the list are ignored.
pub fn order(krate: &Crate, imports: &[Import], order: &[impl AsRef<str>]) -> Order {
    let order: Vec<&str> = order.iter().map(AsRef::as_ref).collect();
    let level = |path: &str| order.iter().position(|listed| is_in(module(path), listed));
    let is_upward = |import: &&Import| match (level(&import.at.file), level(&import.target)) {
        (Some(from), Some(to)) => from < to,
        _ => false,
    };
    let product = krate.sources.iter().filter(|source| source.path != "src/lib.rs" && !source.is_test);
    let paths: Vec<&str> = product.map(|source| module(&source.path)).collect();
    let unlisted: BTreeSet<&str> = paths.iter().filter_map(|path| unlisted(path, &order)).collect();
    let is_absent = |listed: &&&str| !paths.iter().any(|path| is_in(path, listed));
    Order {
        upward: imports.iter().filter(is_upward).cloned().collect(),
        unlisted: unlisted.into_iter().map(str::to_owned).collect(),
        absent: order.iter().filter(is_absent).map(|&listed| listed.to_owned()).collect(),
    }
}

/// The module in a file such as `src/store/users.rs` or `src/store/mod.rs`: `store/users`, `store`.
fn module(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    inside.strip_suffix("/mod.rs").or_else(|| inside.strip_suffix(".rs")).unwrap_or(inside)
}

/// Whether a module is `ancestor` or below it.
fn is_in(module: &str, ancestor: &str) -> bool {
    module.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The name that the order lacks for a module: that of the top module, or that below a module that the order divides.
fn unlisted<'a>(module: &'a str, order: &[&str]) -> Option<&'a str> {
    if order.iter().any(|listed| is_in(module, listed)) {
        return None;
    }
    let is_divided = |name: &str| order.iter().any(|listed| is_in(listed, name));
    let ends = module.match_indices('/').map(|(end, _)| end).chain([module.len()]);
    ends.map(|end| &module[..end]).find(|name| !is_divided(name))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::{Repository, imports};

    fn of(names: &[&str]) -> Order {
        let texts = [
            ("src/lib.rs", "mod model; mod store; mod domain; use domain::act;"),
            ("src/model.rs", "pub struct Id;"),
            ("src/store/mod.rs", "mod users; mod keys;"),
            ("src/store/users.rs", "use crate::model::Id;\nuse crate::domain::act;"),
            ("src/store/keys.rs", "use super::users;"),
            ("src/domain.rs", "use crate::model::Id;\npub fn act() {}"),
        ];
        let krate = Crate::parse(&Repository::from_texts(texts)).unwrap();
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

    #[test]
    fn modules_in_a_module_have_an_order() {
        assert_eq!(of(&["model", "domain", "store/users", "store/keys"]), Order::default());
        let order = of(&["model", "domain", "store/keys", "store/users"]);
        assert_eq!(
            order.upward.iter().map(|import| import.at.to_string()).collect::<Vec<_>>(),
            ["src/store/keys.rs:1"]
        );
        let order = of(&["model", "domain", "store/users", "store/secrets"]);
        assert_eq!((order.unlisted, order.absent), (vec!["store/keys".to_owned()], vec!["store/secrets".to_owned()]));
    }
}
