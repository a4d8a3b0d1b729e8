//! `doorward docs` and `doorward explain`: the documentation of this version, without a network.

pub mod args;
mod closest;
mod pages;

use super::failure::Failure;
use super::format;
use super::output::Output;
use args::{Docs, Explain};
use closest::closest;
use pages::{Page, Pages};
use serde::Serialize;
use serde_json::json;

#[derive(Serialize)]
struct Entry<'a> {
    page: &'a str,
    title: &'a str,
}

impl<'a> From<Page<'a>> for Entry<'a> {
    fn from(page: Page<'a>) -> Self {
        Self { page: page.name, title: page.title() }
    }
}

/// Lists the pages, or prints one.
pub(super) fn docs(which: &Docs, out: &mut Output<'_>) -> Result<(), Failure> {
    let pages = Pages::unpack().map_err(Failure::Output)?;
    match &which.page {
        None => {
            let entries: Vec<Entry<'_>> = pages.all().map(Entry::from).collect();
            let rows = entries.iter().map(|entry| [entry.page, entry.title].map(str::to_owned));
            out.list(&entries, None, &format::table(["page", "title"], rows))
        }
        Some(name) => {
            let page = find(&pages, name)?;
            let entry = Entry::from(page);
            out.result(&json!({"page": entry.page, "title": entry.title, "text": page.text}), page.text.trim_end())
        }
    }
}

/// Prints what the page of findings says about a code.
pub(super) fn explain(Explain { code }: Explain, out: &mut Output<'_>) -> Result<(), Failure> {
    let pages = Pages::unpack().map_err(Failure::Output)?;
    let page = find(&pages, "reference/doctor")?;
    let heading = format!("\n### {}\n", code.as_str());
    let text = page.text.split_once(&heading).map(|(_, after)| after).unwrap_or_default();
    let text =
        ["\n## ", "\n### "].iter().fold(text, |text, heading| text.split(heading).next().unwrap_or_default()).trim();
    let record = json!({"code": code, "severity": code.severity().as_str(), "text": text});
    out.result(&record, &format!("{}\n{text}", code.as_str()))
}

/// The page of this name: a path below `docs`, or the last part of one, with or without `.md`.
fn find<'a>(pages: &'a Pages, given: &str) -> Result<Page<'a>, Failure> {
    let name = given.strip_prefix("docs/").unwrap_or(given);
    let name = name.strip_suffix(".md").unwrap_or(name);
    let found: Vec<Page<'_>> = pages.all().filter(|page| page.is_called(name)).collect();
    match found[..] {
        [page] => Ok(page),
        [] => {
            let closest = closest(name, pages.all().map(|page| page.name));
            Err(Failure::Operator(format!("there is no page {given:?}; the closest are {closest}")))
        }
        _ => {
            let names: Vec<&str> = found.iter().map(|page| page.name).collect();
            Err(Failure::Operator(format!("several pages are called {given:?}: {}", names.join(", "))))
        }
    }
}
