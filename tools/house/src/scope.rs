//! The names that are declared in one module.

use crate::{tokens, use_tree};
use std::collections::{HashMap, HashSet};
use syn::{Ident, Item, ItemMacro};

/// The index of a module in its tree.
pub(crate) type ModuleId = usize;

/// The names that are declared in one module.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Child modules.
    pub modules: HashMap<String, ModuleId>,
    /// Child modules with `#[macro_use]`.
    pub macro_modules: Vec<ModuleId>,
    /// Types and traits.
    pub types: HashSet<String>,
    /// Functions, constants and statics.
    pub values: HashSet<String>,
    /// Macros by `macro_rules!`.
    pub macros: HashSet<String>,
    /// Names in the arguments of item-level macros: the macro may define any of them.
    pub generated: HashSet<String>,
    /// The paths behind the names of `use` declarations.
    pub imports: HashMap<String, Vec<Vec<String>>>,
    /// The paths of glob imports.
    pub globs: Vec<Vec<String>>,
}

impl Scope {
    /// Collects everything but the child modules, which the tree adds.
    pub fn of<'a>(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let mut scope = Self::default();
        for item in items {
            scope.add(item);
        }
        scope
    }

    fn add(&mut self, item: &Item) {
        match item {
            Item::Use(declaration) => self.add_use(declaration),
            Item::Macro(item) => self.add_macro(item),
            Item::Const(item) => self.add_value(&item.ident),
            Item::Fn(item) => self.add_value(&item.sig.ident),
            Item::Static(item) => self.add_value(&item.ident),
            _ => self.types.extend(type_name(item).map(ToString::to_string)),
        }
    }

    fn add_value(&mut self, name: &Ident) {
        self.values.insert(name.to_string());
    }

    fn add_macro(&mut self, item: &ItemMacro) {
        if let Some(name) = &item.ident {
            self.macros.insert(name.to_string());
            return;
        }
        let paths = tokens::paths(item.mac.tokens.clone());
        self.generated.extend(paths.into_iter().filter(|path| path.segments.len() == 1).flat_map(|path| path.segments));
    }

    fn add_use(&mut self, declaration: &syn::ItemUse) {
        for leaf in use_tree::leaves(declaration) {
            match leaf.name {
                Some(name) => self.imports.entry(name).or_default().push(leaf.path),
                None => self.globs.push(leaf.path),
            }
        }
    }
}

/// The name of the type or trait that an item defines.
pub(crate) fn type_name(item: &Item) -> Option<&Ident> {
    match item {
        Item::Enum(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn declarations_are_sorted_by_kind() {
        let file: syn::File = parse_quote! {
            use crate::a::{B, c::*};
            struct Thing;
            fn act() {}
            macro_rules! twice { () => {} }
            twice!(Made);
            impl Thing {}
        };
        let scope = Scope::of(&file.items);
        assert_eq!(scope.imports["B"], [["crate", "a", "B"]]);
        assert_eq!(scope.globs, [["crate", "a", "c"]]);
        assert_eq!(scope.types, ["Thing"].map(String::from).into());
        assert_eq!(scope.values, ["act"].map(String::from).into());
        assert_eq!(scope.macros, ["twice"].map(String::from).into());
        assert_eq!(scope.generated, ["Made"].map(String::from).into());
    }
}
