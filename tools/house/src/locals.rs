//! The names that a function binds itself.

use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{ConstParam, PatIdent, TypeParam};

/// The variables and the generic parameters of a function. They may shadow an import; scopes
/// within the function are not considered.
#[derive(Debug, Default)]
pub(crate) struct Locals(HashSet<String>);

impl Locals {
    /// Collects the names by one call of a visitor's method.
    pub fn collect(visit: impl FnOnce(&mut Self)) -> Self {
        let mut locals = Self::default();
        visit(&mut locals);
        locals
    }

    /// Whether the function binds the name.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Whether a pattern of one name compares with a constant, by the convention for names.
pub(crate) fn is_constant(pattern: &PatIdent) -> bool {
    pattern.ident.to_string().starts_with(char::is_uppercase)
}

impl<'ast> Visit<'ast> for Locals {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        if !is_constant(pattern) {
            self.0.insert(pattern.ident.to_string());
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_type_param(&mut self, parameter: &'ast TypeParam) {
        self.0.insert(parameter.ident.to_string());
        visit::visit_type_param(self, parameter);
    }

    fn visit_const_param(&mut self, parameter: &'ast ConstParam) {
        self.0.insert(parameter.ident.to_string());
        visit::visit_const_param(self, parameter);
    }
}
