//! Files that import each other, in a ring of any length: each can only be understood with all the others.

use super::Source;
use super::order::module;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// The modules of all files, with the modules that each imports from.
struct Imports {
    modules: BTreeSet<String>,
    /// The names that a module re-exports, with their paths.
    exported: BTreeMap<String, BTreeMap<String, String>>,
    edges: BTreeMap<String, BTreeSet<String>>,
}

/// Each ring of modules, as a line.
pub fn rings(sources: &[Source]) -> Vec<String> {
    let imports = Imports::of(sources);
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.edges.keys().map(|module| (module.as_str(), imports.reached_from(module))).collect();
    let mut rings = BTreeSet::new();
    for (module, others) in &reached {
        let ring: Vec<&str> = others.iter().copied().filter(|other| reached[other].contains(module)).collect();
        if !ring.is_empty() {
            rings.insert(ring.join(" "));
        }
    }
    rings.into_iter().collect()
}

impl Imports {
    fn of(sources: &[Source]) -> Self {
        let code = |source: &Source| source.code().flat_map(|(_, line)| [line, "\n"]).collect::<String>();
        let texts: Vec<(String, String)> =
            sources.iter().map(|source| (module(source.place()).to_owned(), code(source))).collect();
        let modules = texts.iter().map(|(module, _)| module.clone()).collect();
        let mut imports = Self { modules, exported: BTreeMap::new(), edges: BTreeMap::new() };
        let public = Regex::new(r"pub(?:\([^)]*\))? use ([^;]+);").unwrap();
        for (module, text) in &texts {
            let names = public.captures_iter(text).flat_map(|found| expanded(&found[1]));
            let names = names.map(|path| (path.rsplit("::").next().unwrap().to_owned(), path));
            imports.exported.insert(module.clone(), names.collect());
        }
        let own = Regex::new(r"(?m)^use ([^;]+);").unwrap();
        let inline = Regex::new(r"\b(?:crate|super)(?:::\w+)+").unwrap();
        for (module, text) in &texts {
            let used = own.captures_iter(text).flat_map(|found| expanded(&found[1]));
            let paths = used.chain(inline.find_iter(text).map(|found| found.as_str().to_owned()));
            let found = paths.filter(|path| path.starts_with("crate::") || path.starts_with("super::"));
            let targets = found.filter_map(|path| imports.target(&path, module, 0));
            // A module may use what it consists of, and its parts what it declares for them.
            let others = targets.filter(|target| target != module && !module.starts_with(&format!("{target}/")));
            let others = others.collect();
            imports.edges.insert(module.clone(), others);
        }
        imports
    }

    /// The module of a path, through re-exports.
    fn target(&self, path: &str, from: &str, depth: usize) -> Option<String> {
        let mut place: Vec<&str> = from.split('/').collect();
        let mut parts = path.split("::").peekable();
        if parts.next_if_eq(&"crate").is_some() {
            place.clear();
        }
        while parts.next_if_eq(&"super").is_some() {
            place.pop();
        }
        parts.next_if_eq(&"self");
        for part in parts {
            let here = place.join("/");
            let below = if here.is_empty() { part.to_owned() } else { format!("{here}/{part}") };
            let is_module = self.modules.iter().any(|known| {
                known.strip_prefix(below.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            if is_module {
                place.push(part);
            } else if let Some(exported) = self.exported.get(&here).and_then(|names| names.get(part))
                && depth < 4
            {
                return self.target(exported, &here, depth + 1);
            } else {
                break;
            }
        }
        self.modules.get(&place.join("/")).cloned()
    }

    fn reached_from<'a>(&'a self, module: &str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&str> = self.edges[module].iter().map(String::as_str).collect();
        while let Some(module) = next.pop() {
            if reached.insert(module) {
                next.extend(self.edges.get(module).into_iter().flatten().map(String::as_str));
            }
        }
        reached
    }
}

/// The paths of an import with braces, without what they are called here.
fn expanded(import: &str) -> Vec<String> {
    let import = import.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((start, list)) = import.split_once("::{").filter(|_| import.ends_with('}')) else {
        return vec![import.split(" as ").next().unwrap().trim().to_owned()];
    };
    let mut items = vec![String::new()];
    let mut depth = 0;
    for letter in list[..list.len() - 1].chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(String::new());
                continue;
            }
            _ => {}
        }
        items.last_mut().unwrap().push(letter);
    }
    let items = items.iter().map(|item| item.trim()).filter(|item| !item.is_empty());
    items
        .flat_map(|item| if item == "self" { vec![start.to_owned()] } else { expanded(&format!("{start}::{item}")) })
        .collect()
}
