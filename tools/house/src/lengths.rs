//! The lengths of functions and files.

use crate::krate::Crate;
use crate::location::Location;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Signature};

/// A function or a file and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// Where it begins.
    pub at: Location,
    /// The name of the function, or the path of the file.
    pub name: String,
    /// The number of lines.
    pub lines: usize,
}

/// The functions outside test code, longest first: lines from the signature to the closing brace, both included.
pub fn function_lengths(krate: &Crate) -> Vec<Length> {
    let mut lengths = Vec::new();
    for source in &krate.sources {
        let mut collector = Collector { file: &source.path, lengths: &mut lengths };
        for item in &source.code {
            collector.visit_item(item);
        }
    }
    longest_first(lengths)
}

/// The files of `src` without those of test code only, longest first: all lines of a file.
pub fn file_lengths(krate: &Crate) -> Vec<Length> {
    let length = |source: &crate::Source| Length {
        at: Location::new(&source.path, 1),
        name: source.path.clone(),
        lines: source.lines,
    };
    longest_first(krate.sources.iter().filter(|source| !source.is_test).map(length).collect())
}

/// The median of lengths that are sorted; of an even number, the greater of the two in the middle.
pub fn median(lengths: &[Length]) -> usize {
    lengths.get(lengths.len().saturating_sub(1) / 2).map_or(0, |length| length.lines)
}

fn longest_first(mut lengths: Vec<Length>) -> Vec<Length> {
    lengths.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.at.cmp(&b.at)));
    lengths
}

struct Collector<'a> {
    file: &'a str,
    lengths: &'a mut Vec<Length>,
}

impl Collector<'_> {
    fn add(&mut self, signature: &Signature, body: &Block) {
        let start = signature.span().start().line;
        let end = body.brace_token.span.close().end().line;
        let at = Location::new(self.file, start);
        self.lengths.push(Length { at, name: signature.ident.to_string(), lines: end - start + 1 });
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::Repository;

    #[test]
    fn function_length_runs_from_signature_to_closing_brace() {
        let text =
            "/// Doc.\n#[inline]\npub fn long(\n    a: u8,\n) -> u8 {\n    a\n}\nimpl A {\n    fn short() {}\n}\n";
        let repository = Repository::from_texts([("src/lib.rs", text), ("src/main.rs", "fn main() {}")]);
        let krate = Crate::parse(&repository).unwrap();
        let functions = function_lengths(&krate);
        assert_eq!((functions[0].name.as_str(), functions[0].lines, functions[0].at.line), ("long", 5, 3));
        assert_eq!(functions.iter().map(|length| length.lines).collect::<Vec<_>>(), [5, 1, 1]);
        let files = file_lengths(&krate);
        assert_eq!((files[0].name.as_str(), files[0].lines), ("src/lib.rs", 10));
        assert_eq!((median(&functions), median(&files), median(&[])), (1, 10, 0));
    }
}
