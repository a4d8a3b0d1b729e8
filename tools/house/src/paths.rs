//! Finds the paths of a module's code and resolves them.

mod visitor;

use crate::locals::Locals;
use crate::resolve::{Kind, Target, resolve, resolve_macro};
use crate::scope::ModuleId;
use crate::scope::Scope;
use crate::tokens::{self, Next, TokenPath};
use crate::tree::Tree;
use proc_macro2::TokenStream;
use syn::Item;
use syn::visit::Visit;

/// A path of the crate, resolved.
pub(crate) struct Found {
    pub target: Target,
    pub line: usize,
}

/// The visitor that collects the paths.
pub(crate) struct Paths<'a> {
    tree: &'a Tree,
    module: ModuleId,
    /// The names bound by the enclosing functions.
    locals: Vec<Locals>,
    /// The names declared by the enclosing blocks.
    blocks: Vec<Scope>,
    found: Vec<Found>,
}

impl<'a> Paths<'a> {
    /// The paths in the items of a module and its inline modules.
    pub fn in_module(tree: &'a Tree, module: ModuleId, items: &[Item]) -> Vec<Found> {
        let mut paths = Self { tree, module, locals: Vec::new(), blocks: Vec::new(), found: Vec::new() };
        for item in items {
            paths.visit_item(item);
        }
        paths.found
    }

    fn add(&mut self, target: Option<Target>, line: usize) {
        self.found.extend(target.map(|target| Found { target, line }));
    }

    /// Resolves a path, beginning with the innermost block.
    fn resolve(&self, path: &[String], kind: Kind) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        for scope in self.blocks.iter().rev() {
            if scope.types.contains(first) || scope.values.contains(first) {
                return None;
            }
            let named = scope.imports.get(first).into_iter().flatten().map(|import| [import, rest].concat());
            let globs = scope.globs.iter().map(|glob| [glob, path].concat());
            let mut targets = named.chain(globs).filter_map(|path| resolve(self.tree, self.module, &path, kind));
            if let Some(target) = targets.next() {
                return Some(target);
            }
        }
        resolve(self.tree, self.module, path, kind)
    }

    fn add_name(&mut self, name: &str, line: usize) {
        let is_keyword = matches!(name, "self" | "Self" | "super" | "crate");
        if !is_keyword && !self.locals.iter().any(|locals| locals.contains(name)) {
            self.add(self.resolve(&[name.to_owned()], Kind::Item), line);
        }
    }

    fn add_macro(&mut self, segments: &[String], line: usize) {
        let target = match segments {
            [name] => resolve_macro(self.tree, self.module, name),
            _ => self.resolve(segments, Kind::Macro),
        };
        self.add(target, line);
    }

    fn add_tokens(&mut self, tokens: &TokenStream) {
        for TokenPath { segments, line, next } in tokens::paths(tokens.clone()) {
            match segments.as_slice() {
                _ if next == Next::Macro => self.add_macro(&segments, line),
                // A lowercase name that is not called is a variable or a key.
                [name] if next == Next::Call || name.starts_with(char::is_uppercase) => self.add_name(name, line),
                [_] => {}
                _ => self.add(self.resolve(&segments, Kind::Item), line),
            }
        }
    }

    fn in_function(&mut self, locals: Locals, visit: impl FnOnce(&mut Self)) {
        self.locals.push(locals);
        visit(self);
        self.locals.pop();
    }

    /// Whether a target is defined in a descendant of this module.
    fn is_below(&self, target: &Target) -> bool {
        let (Target::Module(id) | Target::Item(id, _)) = target;
        self.tree.ancestors(*id).any(|ancestor| ancestor == self.module)
    }
}
