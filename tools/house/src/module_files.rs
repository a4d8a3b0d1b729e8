//! Where the files of child modules are, as the Rust reference defines it.

use syn::{Expr, ExprLit, ItemMod, Lit, Meta};

/// The folders in which the child modules of one module are looked for.
pub(crate) struct Folders {
    /// For `mod name;`.
    children: String,
    /// For `#[path = "…"] mod name;`.
    attributes: String,
}

impl Folders {
    /// The folders for the modules that a file declares.
    pub fn of_file(path: &str) -> Self {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let children = match file {
            "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
            _ => format!("{folder}/{}", file.trim_end_matches(".rs")),
        };
        Self { children, attributes: folder.to_owned() }
    }

    /// The folders for the modules that an inline module declares.
    pub fn of_inline(&self, name: &str) -> Self {
        let children = format!("{}/{name}", self.children);
        Self { attributes: children.clone(), children }
    }

    /// The paths at which the file of `mod name;` may be.
    pub fn candidates(&self, module: &ItemMod) -> Vec<String> {
        let name = &module.ident;
        match path_attribute(module) {
            Some(path) => vec![normalized(&format!("{}/{path}", self.attributes))],
            None => vec![format!("{}/{name}.rs", self.children), format!("{}/{name}/mod.rs", self.children)],
        }
    }
}

fn path_attribute(module: &ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

/// The path without `.` and `..`.
pub(crate) fn normalized(path: &str) -> String {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." | "" => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn children_of_mod_rs_are_siblings() {
        let folders = Folders::of_file("src/store/mod.rs");
        assert_eq!(
            folders.candidates(&parse_quote!(
                mod users;
            )),
            ["src/store/users.rs", "src/store/users/mod.rs"]
        );
    }

    #[test]
    fn children_of_named_file_are_in_its_folder() {
        let folders = Folders::of_file("src/store.rs");
        assert_eq!(
            folders.candidates(&parse_quote!(
                mod users;
            ))[0],
            "src/store/users.rs"
        );
        let folders = folders.of_inline("inner");
        assert_eq!(
            folders.candidates(&parse_quote!(
                mod users;
            ))[0],
            "src/store/inner/users.rs"
        );
    }

    #[test]
    fn path_attribute_is_relative_to_folder_of_file() {
        let module = parse_quote!(
            #[path = "../users_tests.rs"]
            mod tests;
        );
        assert_eq!(Folders::of_file("src/store/users.rs").candidates(&module), ["src/users_tests.rs"]);
    }
}
