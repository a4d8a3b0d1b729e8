//! The files of an example, and those that its quick start shows.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// Each quick start, and its example.
pub fn pages() -> [(&'static str, &'static str); 6] {
    [
        (include_str!("../../../docs/start/express.md"), "express"),
        (include_str!("../../../docs/start/nextjs.md"), "next"),
        (include_str!("../../../docs/start/single-page.md"), "spa"),
        (include_str!("../../../docs/start/fastapi.md"), "fastapi"),
        (include_str!("../../../docs/start/django.md"), "django"),
        (include_str!("../../../docs/start/go.md"), "go"),
    ]
}

/// Whether the commands of a quick start make the file.
pub fn is_of_commands(name: &str) -> bool {
    ["package.json", "go.mod"].contains(&name)
}

/// The files of a folder by their names in it.
pub struct Files(BTreeMap<String, String>);

impl Files {
    /// Those of `examples/FOLDER` that git knows: applications that were started there have more.
    pub fn of(folder: &str) -> Self {
        let folder = Path::new(EXAMPLES).join(folder);
        let output = Command::new("git").args(["ls-files", "-z"]).current_dir(&folder).output().unwrap();
        let names = String::from_utf8(output.stdout).unwrap();
        let read = |name: &str| (name.to_owned(), std::fs::read_to_string(folder.join(name)).unwrap());
        let files: BTreeMap<_, _> = names.split_terminator('\0').map(read).collect();
        assert!(!files.is_empty(), "no file in {}", folder.display());
        Self(files)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

/// A file as a page shows it.
pub struct Block {
    pub text: &'static str,
    /// Whether it is the end of a file that the framework has made.
    pub is_end: bool,
}

/// The files of a page by their names: the line before each ends with it. Settings of Doorward are no part of an example.
pub fn blocks(page: &'static str) -> Vec<(&'static str, Block)> {
    let parts: Vec<&str> = page.split("```").collect();
    let blocks = parts.chunks_exact(2).filter_map(|pair| {
        let (language, text) = pair[1].split_once('\n')?;
        let line = pair[0].trim_end().lines().last()?.strip_suffix("`:")?;
        let (what, name) = line.rsplit_once('`')?;
        let is_end = what.starts_with("At the end of");
        (language != "sh" && language != "ini").then_some((name, Block { text, is_end }))
    });
    blocks.collect()
}
