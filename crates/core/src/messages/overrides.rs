//! An operator's own wording: a folder with one file for each language, whose messages override the embedded ones, or add
//! a language.

use super::catalog::Catalog;
use super::locale::Locale;
use super::source::{self, Variables};
use fluent_bundle::{FluentArgs, FluentError, FluentResource};
use std::collections::BTreeMap;
use std::path::Path;

const MAX_BYTES: u64 = 1024 * 1024;
/// The message with a language's own name, for the language menu.
const LANGUAGE_NAME: &str = "language-name";

impl Catalog {
    /// The messages of this build, overridden by those of an operator's folder; the error is a sentence that names the
    /// file and the message.
    pub fn with_folder(folder: &Path) -> Result<Self, String> {
        let names = file_names(folder)?;
        if names.is_empty() {
            return Err("the folder has no message file, such as en.ftl or it.ftl".to_owned());
        }
        let file = |name: String| {
            let text = read(folder, &name);
            (name, text)
        };
        Self::with_files(names.into_iter().map(file))
    }

    /// As [`Catalog::with_folder`], of files by their names: the text of each, or why it cannot be read.
    pub fn with_files(texts: impl IntoIterator<Item = (String, Result<String, String>)>) -> Result<Self, String> {
        let mut files = BTreeMap::new();
        for (name, text) in texts {
            let (locale, text) = checked(&name, text).map_err(|why| format!("{name}: {why}"))?;
            files.insert(locale.tag().to_owned(), (locale, text));
        }
        let catalog = Catalog::with_overrides(&files);
        for (locale, text) in files.values() {
            catalog.check(*locale, text).map_err(|why| format!("{locale}.ftl: {why}"))?;
        }
        Ok(catalog)
    }

    /// The messages that a language lacks: pages and emails say these in English.
    pub fn missing(&self, locale: Locale) -> Vec<&'static str> {
        let ids = source::entries(Locale::ENGLISH.built_in().unwrap_or_default()).into_keys();
        let bundle = self.bundles.of(locale);
        ids.filter(|id| bundle.is_none_or(|bundle| !bundle.has_message(id))).collect()
    }

    /// Formats each message of a file once: a message can refer to one that does not exist, or to itself.
    fn check(&self, locale: Locale, text: &str) -> Result<(), String> {
        let Some(bundle) = self.bundles.of(locale) else { return Ok(()) };
        if !bundle.has_message(LANGUAGE_NAME) {
            return Err(format!("{LANGUAGE_NAME} is missing: the language's own name, for the language menu"));
        }
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
    let mut known = Variables::new();
    for text in [Locale::ENGLISH.built_in(), locale.built_in()].into_iter().flatten() {
        for (id, variables) in source::entries(text) {
            known.entry(id).or_default().extend(variables);
        }
    }
    known
}

fn file_names(folder: &Path) -> Result<Vec<String>, String> {
    let unreadable = |error| format!("the folder cannot be read: {error}");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "ftl") {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// The language of a file, by its name.
fn language_of(name: &str) -> Result<Locale, String> {
    let unnamed = "is not named after a language, as it.ftl and pt-BR.ftl are";
    let tag = name.strip_suffix(".ftl").ok_or(unnamed)?;
    let locale = Locale::parse(tag).ok_or(unnamed)?;
    if locale.tag() == tag { Ok(locale) } else { Err(format!("must be called {locale}.ftl")) }
}

fn read(folder: &Path, name: &str) -> Result<String, String> {
    let path = folder.join(name);
    let size = std::fs::metadata(&path).map_err(|error| format!("cannot be read: {error}"))?.len();
    if size > MAX_BYTES {
        return Err(format!("has {size} bytes; allowed: at most {MAX_BYTES}"));
    }
    std::fs::read_to_string(&path).map_err(|error| format!("cannot be read: {error}"))
}

/// The language and the text of a file, after a check that it parses and has known messages and variables only.
fn checked(name: &str, text: Result<String, String>) -> Result<(Locale, String), String> {
    let (locale, text) = (language_of(name)?, text?);
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
    Ok((locale, text))
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
