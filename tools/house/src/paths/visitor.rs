//! Visits the code of a module.

use super::Paths;
use crate::locals::{Locals, is_constant};
use crate::resolve::{Kind, resolve};
use crate::scope::Scope;
use crate::{tokens, use_tree};
use syn::visit::{self, Visit};
use syn::{Attribute, Block, ItemMod, ItemUse, Macro, Meta, PatIdent, Path, Stmt, Visibility};

fn segments(path: &Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

fn line(path: &Path) -> usize {
    path.segments.first().map_or(0, |segment| segment.ident.span().start().line)
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        let names = segments(path);
        match names.as_slice() {
            _ if path.leading_colon.is_some() => {}
            [name] => self.add_name(name, line(path)),
            _ => self.add(self.resolve(&names, Kind::Item), line(path)),
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        if is_constant(pattern) {
            self.add_name(&pattern.ident.to_string(), pattern.ident.span().start().line);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_private = matches!(item.vis, Visibility::Inherited);
        for leaf in use_tree::leaves(item) {
            let kind = if leaf.name.is_some() { Kind::Any } else { Kind::Parent };
            let target = resolve(self.tree, self.module, &leaf.path, kind);
            self.add(target.filter(|target| is_private || !self.is_below(target)), leaf.line);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let child = self.tree.modules[self.module].scope.modules.get(&item.ident.to_string());
        if let (Some((_, items)), Some(&child)) = (&item.content, child) {
            let parent = std::mem::replace(&mut self.module, child);
            for item in items {
                self.visit_item(item);
            }
            self.module = parent;
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let locals = Locals::collect(|locals| locals.visit_item_fn(item));
        self.in_function(locals, |paths| visit::visit_item_fn(paths, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let locals = Locals::collect(|locals| locals.visit_impl_item_fn(item));
        self.in_function(locals, |paths| visit::visit_impl_item_fn(paths, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        let locals = Locals::collect(|locals| locals.visit_trait_item_fn(item));
        self.in_function(locals, |paths| visit::visit_trait_item_fn(paths, item));
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let items = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        });
        self.blocks.push(Scope::of(items));
        visit::visit_block(self, block);
        self.blocks.pop();
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.add_macro(&segments(&item.path), line(&item.path));
        self.add_tokens(&item.tokens);
    }

    /// Of an attribute, only qualified paths in its arguments count: plain names are the attribute's own.
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            let paths = tokens::paths(list.tokens.clone()).into_iter().filter(|path| path.segments.len() > 1);
            paths.for_each(|path| self.add(self.resolve(&path.segments, Kind::Item), path.line));
        }
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}
