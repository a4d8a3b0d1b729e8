//! Function parameters that are tuples.

use crate::krate::Crate;
use crate::location::Location;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{FnArg, Pat, Type};

/// The parameters outside test code that destructure a tuple of two or more elements, as `(a, b): (A, B)`.
pub fn tuple_parameters(krate: &Crate) -> Vec<Location> {
    let mut places = Vec::new();
    for source in &krate.sources {
        let mut collector = Collector { file: &source.path, places: &mut places };
        for item in &source.code {
            collector.visit_item(item);
        }
    }
    places
}

struct Collector<'a> {
    file: &'a str,
    places: &'a mut Vec<Location>,
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_fn_arg(&mut self, argument: &'ast FnArg) {
        if let FnArg::Typed(parameter) = argument
            && let (Pat::Tuple(_), Type::Tuple(tuple)) = (&*parameter.pat, &*parameter.ty)
            && tuple.elems.len() > 1
        {
            self.places.push(Location::new(self.file, parameter.span().start().line));
        }
        visit::visit_fn_arg(self, argument);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::Repository;

    #[test]
    fn only_destructured_tuples_count() {
        let text = "fn f(pair: (A, B)) {}\nfn g(\n    (a, b): (A, B),\n    c: C) {}\nfn h(Pair(a, b): Pair) {}";
        let krate = Crate::parse(&Repository::from_texts([("src/lib.rs", text)])).unwrap();
        assert_eq!(tuple_parameters(&krate), [Location::new("src/lib.rs", 3)]);
    }
}
