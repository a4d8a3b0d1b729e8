//! The pages of the documentation, as a reader finds them.

use std::path::{Path, PathBuf};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub struct Page {
    /// From the root, with `/`.
    pub path: String,
    pub text: String,
}

impl Page {
    /// The file that a link of this page leads to.
    pub fn file(&self, link: &str) -> PathBuf {
        let own = root().join(&self.path);
        if link.is_empty() { own } else { own.with_file_name(link) }
    }

    /// The targets of the page's links within the repository.
    pub fn links(&self) -> impl Iterator<Item = &str> {
        let targets = self.text.split("](").skip(1).filter_map(|rest| rest.split([')', '\n']).next());
        targets.filter(|target| !target.contains("://"))
    }

    /// Whether the page is one of the documentation, below `docs`.
    pub fn is_documentation(&self) -> bool {
        self.path.starts_with("docs/")
    }
}

/// The pages of the root, and of these folders with every folder below them.
pub fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    read("", false, &mut pages);
    for folder in ["clients/", "docs/", "examples/", "skills/"] {
        read(folder, true, &mut pages);
    }
    pages.sort_by(|one, other| one.path.cmp(&other.path));
    pages
}

fn read(folder: &str, with_those_below: bool, pages: &mut Vec<Page>) {
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{folder}{name}");
        // What tools leave in a working copy.
        if name == "node_modules" || name.starts_with('.') {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            if with_those_below {
                read(&format!("{path}/"), true, pages);
            }
        } else if entry.path().extension().is_some_and(|extension| extension == "md") {
            pages.push(Page { text: std::fs::read_to_string(entry.path()).unwrap(), path });
        }
    }
}

/// The headings of a page, without their `#`.
fn headings(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let lines = text.lines().filter(move |line| {
        in_code ^= line.starts_with("```");
        !in_code
    });
    lines.filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_start_matches('#').trim())
}

/// The anchors of a page's headings, as code hosts generate them.
pub fn anchors(text: &str) -> Vec<String> {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let anchor = |heading: &str| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
    headings(text).map(anchor).collect()
}

/// The numbers of a page's headings: `12` and `12.3`.
pub fn sections(text: &str) -> Vec<&str> {
    let numbers = headings(text).filter_map(|heading| heading.split_whitespace().next());
    let numbers = numbers.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers.map(|number| number.trim_end_matches('.')).collect()
}
