//! Finds the module that defines what a path names.

use crate::scope::ModuleId;
use crate::tree::Tree;
use std::collections::HashSet;

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Module(ModuleId),
    /// An item by its own name, and the module that defines it.
    Item(ModuleId, String),
}

/// What the last segment of a path may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A type, function or constant.
    Item,
    /// A module, or a type in front of an associated item.
    Parent,
    Macro,
    /// Anything a `use` declaration may import.
    Any,
}

struct Resolver<'a> {
    tree: &'a Tree,
    /// The names that are being looked up: imports may refer to each other.
    pending: HashSet<(ModuleId, String, Kind)>,
}

/// What `path` names, as code in `module` writes it; `None` for what other crates define.
pub(crate) fn resolve(tree: &Tree, module: ModuleId, path: &[String], kind: Kind) -> Option<Target> {
    Resolver { tree, pending: HashSet::new() }.path(module, path, kind)
}

/// What a macro by a plain name is, given that `macro_rules!` also works on the text that follows it.
pub(crate) fn resolve_macro(tree: &Tree, module: ModuleId, name: &str) -> Option<Target> {
    resolve(tree, module, &[name.to_owned()], Kind::Macro).or_else(|| {
        let scopes = tree.ancestors(module).map(|id| (id, &tree.modules[id].scope));
        let mut sources = scopes.flat_map(|(id, scope)| scope.macro_modules.iter().copied().chain([id]));
        let source = sources.find(|&id| tree.modules[id].scope.macros.contains(name));
        source.map(|id| Target::Item(id, name.to_owned()))
    })
}

impl Resolver<'_> {
    fn path(&mut self, module: ModuleId, path: &[String], kind: Kind) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let mut target = self.first(module, first, if rest.is_empty() { kind } else { Kind::Parent })?;
        while let (Target::Module(id), Some((next, after))) = (&target, rest.split_first()) {
            let id = *id;
            target = match next.as_str() {
                "super" => Target::Module(self.tree.modules[id].parent?),
                "self" => target,
                _ => self.name(id, next, if after.is_empty() { kind } else { Kind::Parent })?,
            };
            rest = after;
        }
        Some(target)
    }

    fn first(&mut self, module: ModuleId, name: &str, kind: Kind) -> Option<Target> {
        match name {
            "crate" => self.tree.ancestors(module).last().map(Target::Module),
            "self" => Some(Target::Module(module)),
            "super" => self.tree.modules[module].parent.map(Target::Module),
            _ => self.name(module, name, kind).or_else(|| self.library(name)),
        }
    }

    fn library(&self, name: &str) -> Option<Target> {
        let (library, root) = self.tree.library.as_ref()?;
        (library == name).then_some(Target::Module(*root))
    }

    /// What a name means in the scope of a module.
    fn name(&mut self, module: ModuleId, name: &str, kind: Kind) -> Option<Target> {
        let key = (module, name.to_owned(), kind);
        if !self.pending.insert(key.clone()) {
            return None;
        }
        let target = match kind {
            Kind::Any => [Kind::Item, Kind::Parent, Kind::Macro].iter().find_map(|&kind| self.name(module, name, kind)),
            _ => self
                .declared(module, name, kind)
                .or_else(|| self.imported(module, name, kind))
                .or_else(|| self.generated(module, name)),
        };
        self.pending.remove(&key);
        target
    }

    fn declared(&self, module: ModuleId, name: &str, kind: Kind) -> Option<Target> {
        let scope = &self.tree.modules[module].scope;
        let is_item = match kind {
            Kind::Item => scope.types.contains(name) || scope.values.contains(name),
            Kind::Macro => scope.macros.contains(name),
            Kind::Parent if scope.modules.contains_key(name) => return Some(Target::Module(scope.modules[name])),
            Kind::Parent => scope.types.contains(name),
            Kind::Any => false,
        };
        is_item.then(|| Target::Item(module, name.to_owned()))
    }

    /// What a macro among the items may define, if nothing else has the name.
    fn generated(&self, module: ModuleId, name: &str) -> Option<Target> {
        let scope = &self.tree.modules[module].scope;
        scope.generated.contains(name).then(|| Target::Item(module, name.to_owned()))
    }

    fn imported(&mut self, module: ModuleId, name: &str, kind: Kind) -> Option<Target> {
        let scope = &self.tree.modules[module].scope;
        let mut named = scope.imports.get(name).into_iter().flatten();
        named.find_map(|path| self.path(module, path, kind)).or_else(|| {
            scope.globs.iter().find_map(|path| match self.path(module, path, Kind::Parent)? {
                Target::Module(source) => self.name(source, name, kind),
                Target::Item(..) => None,
            })
        })
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
