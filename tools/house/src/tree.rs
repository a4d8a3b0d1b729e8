//! The module tree: which file holds which module.

use crate::module_files::Folders;
use crate::scope::{ModuleId, Scope};
use crate::source::Source;
use std::collections::{HashMap, HashSet};
use syn::{Item, ItemMod};

/// A module, in a file of its own or inline.
#[derive(Debug)]
pub(crate) struct Module {
    /// The file that holds it, as an index of the sources.
    pub file: usize,
    /// Its name; empty for a root.
    pub name: String,
    pub parent: Option<ModuleId>,
    pub scope: Scope,
}

/// All modules below `src/lib.rs` and `src/main.rs`, test code left out.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub modules: Vec<Module>,
    /// The modules that have a file of their own, with that file.
    pub files: Vec<(ModuleId, usize)>,
    /// The name by which `main.rs` imports the library, and the library's root.
    pub library: Option<(String, ModuleId)>,
    tests: HashSet<usize>,
}

impl Tree {
    /// Follows the `mod` declarations of the sources.
    pub fn build(crate_name: &str, sources: &[Source]) -> Self {
        let by_path = sources.iter().enumerate().map(|(index, source)| (source.path.as_str(), index)).collect();
        let mut builder = Builder { tree: Self::default(), sources, by_path };
        if let Some(root) = builder.add_root("src/lib.rs") {
            builder.tree.library = Some((crate_name.to_owned(), root));
        }
        builder.add_root("src/main.rs");
        builder.tree
    }

    /// Whether a file is only compiled for tests.
    pub fn is_test_file(&self, file: usize) -> bool {
        self.tests.contains(&file)
    }

    /// A module and its ancestors, up to the root.
    pub fn ancestors(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        std::iter::successors(Some(module), |&module| self.modules[module].parent)
    }
}

struct Builder<'a> {
    tree: Tree,
    sources: &'a [Source],
    by_path: HashMap<&'a str, usize>,
}

impl<'a> Builder<'a> {
    fn add_root(&mut self, path: &str) -> Option<ModuleId> {
        let file = *self.by_path.get(path)?;
        Some(self.add_file(file, String::new(), None))
    }

    fn add_file(&mut self, file: usize, name: String, parent: Option<ModuleId>) -> ModuleId {
        let source: &'a Source = &self.sources[file];
        let id = self.add_module(Module { file, name, parent, scope: Scope::of(&source.code) });
        self.tree.files.push((id, file));
        let folders = Folders::of_file(&source.path);
        self.add_children(id, &source.code, &folders);
        self.mark_tests(&source.tests, &folders);
        id
    }

    fn add_module(&mut self, module: Module) -> ModuleId {
        self.tree.modules.push(module);
        self.tree.modules.len() - 1
    }

    fn add_children(&mut self, parent: ModuleId, items: &[Item], folders: &Folders) {
        for item in items {
            if let Item::Mod(child) = item {
                self.add_child(parent, child, folders);
            }
        }
    }

    fn add_child(&mut self, parent: ModuleId, child: &ItemMod, folders: &Folders) {
        let Some(id) = self.child(parent, child, folders) else { return };
        let scope = &mut self.tree.modules[parent].scope;
        scope.modules.insert(child.ident.to_string(), id);
        if child.attrs.iter().any(|attribute| attribute.path().is_ident("macro_use")) {
            scope.macro_modules.push(id);
        }
    }

    fn child(&mut self, parent: ModuleId, child: &ItemMod, folders: &Folders) -> Option<ModuleId> {
        let name = child.ident.to_string();
        let Some((_, items)) = &child.content else {
            let file = self.file_of(child, folders)?;
            let is_new = self.tree.files.iter().all(|&(_, known)| known != file);
            return is_new.then(|| self.add_file(file, name, Some(parent)));
        };
        let folders = folders.of_inline(&name);
        let file = self.tree.modules[parent].file;
        let id = self.add_module(Module { file, name, parent: Some(parent), scope: Scope::of(items) });
        self.add_children(id, items, &folders);
        Some(id)
    }

    fn mark_tests(&mut self, items: &[Item], folders: &Folders) {
        for item in items {
            let Item::Mod(module) = item else { continue };
            match &module.content {
                Some((_, items)) => self.mark_tests(items, &folders.of_inline(&module.ident.to_string())),
                None => self.file_of(module, folders).into_iter().for_each(|file| self.mark_test_file(file)),
            }
        }
    }

    fn mark_test_file(&mut self, file: usize) {
        if self.tree.tests.insert(file) {
            let source: &'a Source = &self.sources[file];
            let folders = Folders::of_file(&source.path);
            self.mark_tests(&source.code, &folders);
            self.mark_tests(&source.tests, &folders);
        }
    }

    fn file_of(&self, module: &ItemMod, folders: &Folders) -> Option<usize> {
        folders.candidates(module).iter().find_map(|path| self.by_path.get(path.as_str()).copied())
    }
}
