//! Types that share a name.

use crate::krate::Crate;
use crate::location::Location;
use crate::scope::type_name;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Item, Visibility};

/// A name with more than one definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homonym {
    /// The name.
    pub name: String,
    /// Where it is defined, by file and line.
    pub definitions: Vec<Definition>,
}

/// The definition of a type or trait.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// The line of the name.
    pub at: Location,
    /// Whether it has any `pub`, also a restricted one.
    pub public: bool,
}

/// The names of structs, enums, unions, traits and type aliases that are defined more than once outside test code.
pub fn homonyms(krate: &Crate) -> Vec<Homonym> {
    repeated(definitions(krate))
}

/// As [`homonyms`], among the public definitions only.
pub fn public_homonyms(krate: &Crate) -> Vec<Homonym> {
    let mut definitions = definitions(krate);
    for places in definitions.values_mut() {
        places.retain(|definition| definition.public);
    }
    repeated(definitions)
}

type Definitions = BTreeMap<String, Vec<Definition>>;

fn repeated(definitions: Definitions) -> Vec<Homonym> {
    let repeated = definitions.into_iter().filter(|(_, places)| places.len() > 1);
    repeated.map(|(name, definitions)| Homonym { name, definitions }).collect()
}

fn definitions(krate: &Crate) -> Definitions {
    let mut definitions = Definitions::new();
    for source in &krate.sources {
        let mut collector = Collector { file: &source.path, definitions: &mut definitions };
        for item in &source.code {
            collector.visit_item(item);
        }
    }
    definitions
}

struct Collector<'a> {
    file: &'a str,
    definitions: &'a mut Definitions,
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Some(name) = type_name(item) {
            let at = Location::new(self.file, name.span().start().line);
            let definition = Definition { at, public: is_public(item) };
            self.definitions.entry(name.to_string()).or_default().push(definition);
        }
        visit::visit_item(self, item);
    }
}

fn is_public(item: &Item) -> bool {
    let visibility = match item {
        Item::Enum(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        _ => return false,
    };
    !matches!(visibility, Visibility::Inherited)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::Repository;

    #[test]
    fn names_with_two_definitions_are_found() {
        let repository = Repository::from_texts([
            ("src/lib.rs", "mod a;\npub struct Place;\npub(crate) enum Kind {}\nstruct Once;"),
            ("src/a.rs", "pub(super) type Place = u8;\nfn f() { trait Kind {} }\n#[cfg(test)]\nstruct Once;"),
        ]);
        let krate = Crate::parse(&repository).unwrap();
        let names = |homonyms: Vec<Homonym>| homonyms.into_iter().map(|homonym| homonym.name).collect::<Vec<_>>();
        assert_eq!(names(homonyms(&krate)), ["Kind", "Place"]);
        assert_eq!(names(public_homonyms(&krate)), ["Place"]);
    }
}
