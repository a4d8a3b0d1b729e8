//! Flattens `use` declarations.

use proc_macro2::Span;
use syn::{ItemUse, UseTree};

/// One name that a `use` declaration brings into scope.
#[derive(Clone, Debug)]
pub(crate) struct UseLeaf {
    /// The imported path; for a glob, the path in front of `::*`.
    pub path: Vec<String>,
    /// The name in scope; `None` for a glob.
    pub name: Option<String>,
    /// The line of the leaf.
    pub line: usize,
}

/// The names that a declaration brings into scope. Paths with a leading `::` name other crates and are skipped.
pub(crate) fn leaves(item: &ItemUse) -> Vec<UseLeaf> {
    let mut leaves = Vec::new();
    if item.leading_colon.is_none() {
        flatten(&item.tree, &mut Vec::new(), &mut leaves);
    }
    leaves
}

fn flatten(tree: &UseTree, prefix: &mut Vec<String>, leaves: &mut Vec<UseLeaf>) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, leaves);
            prefix.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, prefix, leaves)),
        UseTree::Name(name) => leaves.push(named(prefix, &name.ident.to_string(), None, name.ident.span())),
        UseTree::Rename(rename) => {
            leaves.push(named(prefix, &rename.ident.to_string(), Some(&rename.rename), rename.ident.span()));
        }
        UseTree::Glob(glob) => {
            leaves.push(UseLeaf { path: prefix.clone(), name: None, line: line(glob.star_token.spans[0]) });
        }
    }
}

fn named(prefix: &[String], last: &str, rename: Option<&syn::Ident>, span: Span) -> UseLeaf {
    let mut path = prefix.to_vec();
    if last != "self" || path.is_empty() {
        path.push(last.to_owned());
    }
    let name = rename.map(ToString::to_string).or_else(|| path.last().cloned());
    UseLeaf { path, name, line: line(span) }
}

fn line(span: Span) -> usize {
    span.start().line
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn every_form_is_flattened() {
        let leaves = leaves(&parse_quote!(
            use crate::store::{self, Conn, users::User as Row, words::*};
        ));
        let shown = leaves.iter().map(|leaf| (leaf.path.join("::"), leaf.name.as_deref())).collect::<Vec<_>>();
        let shown = shown.iter().map(|(path, name)| (path.as_str(), *name)).collect::<Vec<_>>();
        assert_eq!(
            shown,
            [
                ("crate::store", Some("store")),
                ("crate::store::Conn", Some("Conn")),
                ("crate::store::users::User", Some("Row")),
                ("crate::store::words", None),
            ]
        );
    }

    #[test]
    fn paths_with_leading_colons_are_skipped() {
        assert!(
            leaves(&parse_quote!(
                use ::store::Conn;
            ))
            .is_empty()
        );
    }
}
