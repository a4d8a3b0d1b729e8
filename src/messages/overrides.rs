//! An operator's own wording: a folder with `en.ftl`, `de.ftl` or both, whose messages override the embedded ones.

use super::catalog::Catalog;
use super::locale::Locale;
use super::source::{self, Variables};
use fluent_bundle::{FluentArgs, FluentError, FluentResource};
use std::collections::BTreeSet;
use std::path::Path;

/// The largest size of a file.
const MAX_BYTES: u64 = 1024 * 1024;

impl Catalog {
    /// The messages of this build, overridden by those of an operator's folder; the error is a sentence that names the
    /// file and the message.
    pub fn with_folder(folder: &Path) -> Result<Self, String> {
        let mut found = Vec::new();
        for name in file_names(folder)? {
            let locale = Locale::ALL.into_iter().find(|locale| name == format!("{}.ftl", locale.tag()));
            let locale = locale
                .ok_or_else(|| format!("{name} is of no language that pages have; allowed: {}", allowed_files()))?;
            found.push((locale, read(&folder.join(&name), locale).map_err(|why| format!("{name}: {why}"))?));
        }
        if found.is_empty() {
            return Err(format!("the folder has no message file; allowed: {}", allowed_files()));
        }
        let mut sources: Vec<(Locale, String)> = Vec::new();
        let catalog = Catalog::with_overrides(|locale| {
            let (_, text) = found.iter().find(|(of, _)| *of == locale)?;
            sources.push((locale, text.clone()));
            FluentResource::try_new(text.clone()).ok()
        });
        for (locale, text) in &sources {
            catalog.check(*locale, text).map_err(|why| format!("{}.ftl: {why}", locale.tag()))?;
        }
        Ok(catalog)
    }

    /// Formats each message of a file once: a message can refer to one that does not exist, or to itself.
    fn check(&self, locale: Locale, text: &str) -> Result<(), String> {
        let bundle = self.0.of(locale);
        let known = known_messages(locale);
        for id in source::entries(text).into_keys() {
            let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else { continue };
            let arguments: FluentArgs<'_> = known.get(id).into_iter().flatten().map(|name| (*name, "1")).collect();
            let mut errors: Vec<FluentError> = Vec::new();
            bundle.format_pattern(pattern, Some(&arguments), &mut errors);
            if let Some(error) = errors.first() {
                return Err(format!("{id}: {error}"));
            }
        }
        Ok(())
    }
}

/// The embedded messages, with the variables that they have in English or in this language.
fn known_messages(locale: Locale) -> Variables<'static> {
    let mut known = source::entries(Locale::En.source());
    for (id, variables) in source::entries(locale.source()) {
        known.entry(id).or_default().extend(variables);
    }
    known
}

fn allowed_files() -> String {
    Locale::ALL.map(|locale| format!("{}.ftl", locale.tag())).join(", ")
}

fn file_names(folder: &Path) -> Result<BTreeSet<String>, String> {
    let unreadable = |error| format!("the folder cannot be read: {error}");
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "ftl") {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    Ok(names)
}

/// The text of a file, after a check that it parses and has known messages and variables only.
fn read(path: &Path, locale: Locale) -> Result<String, String> {
    let size = std::fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?.len();
    if size > MAX_BYTES {
        return Err(format!("has {size} bytes; allowed: at most {MAX_BYTES}"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?;
    if let Err((_, errors)) = FluentResource::try_new(text.clone())
        && let Some(error) = errors.first()
    {
        let line = text.bytes().take(error.pos.start).filter(|byte| *byte == b'\n').count() + 1;
        return Err(format!("line {line}: {error}"));
    }
    let messages = known_messages(locale);
    for (id, variables) in source::entries(&text) {
        let Some(known) = messages.get(id) else { return Err(unknown_message(id, messages.keys().copied())) };
        if let Some(unknown) = variables.iter().find(|name| !known.contains(*name)) {
            let allowed: Vec<String> = known.iter().map(|name| format!("${name}")).collect();
            let allowed = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
            return Err(format!("{id}: has no value ${unknown}; allowed: {allowed}"));
        }
    }
    Ok(text)
}

fn unknown_message<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> String {
    let closest = known.map(|other| (strsim::jaro_winkler(id, other), other)).max_by(|a, b| a.0.total_cmp(&b.0));
    match closest {
        Some((similarity, other)) if similarity > 0.8 => format!("{id} is no message of ours; did you mean {other}?"),
        _ => format!("{id} is no message of ours"),
    }
}

#[cfg(test)]
#[path = "overrides_tests.rs"]
mod tests;
