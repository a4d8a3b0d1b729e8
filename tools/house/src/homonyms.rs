//! Types that share a name.

use crate::location::Location;
use crate::source::Source;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Ident, Item, Visibility};

/// A name with more than one definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homonym {
    /// The name.
    pub name: String,
    /// The lines that define it, by file.
    pub definitions: Vec<Location>,
}

/// The names of structs, enums, unions, traits and type aliases that have more than one definition with any `pub`, also a
/// restricted one, outside test code.
pub fn public_homonyms(sources: &[Source]) -> Vec<Homonym> {
    let mut definitions = BTreeMap::new();
    for source in sources {
        let mut collector = Collector { file: &source.path, definitions: &mut definitions };
        for item in &source.code {
            collector.visit_item(item);
        }
    }
    let repeated = definitions.into_iter().filter(|(_, places)| places.len() > 1);
    repeated.map(|(name, definitions)| Homonym { name, definitions }).collect()
}

struct Collector<'a> {
    file: &'a str,
    definitions: &'a mut BTreeMap<String, Vec<Location>>,
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Some((name, Visibility::Public(_) | Visibility::Restricted(_))) = definition(item) {
            let at = Location::new(self.file, name.span().start().line);
            self.definitions.entry(name.to_string()).or_default().push(at);
        }
        visit::visit_item(self, item);
    }
}

/// The name and the visibility of the type or trait that an item defines.
fn definition(item: &Item) -> Option<(&Ident, &Visibility)> {
    match item {
        Item::Enum(item) => Some((&item.ident, &item.vis)),
        Item::Struct(item) => Some((&item.ident, &item.vis)),
        Item::Trait(item) => Some((&item.ident, &item.vis)),
        Item::Type(item) => Some((&item.ident, &item.vis)),
        Item::Union(item) => Some((&item.ident, &item.vis)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::{Repository, parse};

    #[test]
    fn names_with_two_definitions_are_found() {
        let repository = Repository::from_texts([
            ("src/lib.rs", "mod a;\npub struct Place;\nenum Kind {}\nstruct Once;"),
            ("src/a.rs", "pub(super) type Place = u8;\nfn f() { trait Kind {} }\n#[cfg(test)]\nstruct Once;"),
        ]);
        let sources = parse(&repository, &["src/"]).unwrap();
        let names: Vec<String> = public_homonyms(&sources).into_iter().map(|homonym| homonym.name).collect();
        assert_eq!(names, ["Place"]);
    }
}
