//! How the pages look and speak.

use super::reader::{Read, Reader, Reported};
use super::spec::{DefaultValue, Exposure, Section, Spec};
use crate::messages::{Catalog, Locale, Messages};
use std::path::Path;

/// How the pages look and speak.
#[derive(Debug)]
pub struct Pages {
    /// The operator's wording; `None`: ours.
    catalog: Option<Catalog>,
}

impl Pages {
    /// What the pages say in a language.
    pub fn messages(&self, locale: Locale) -> Messages<'_> {
        match &self.catalog {
            Some(catalog) => catalog.messages(locale),
            None => Catalog::embedded().messages(locale),
        }
    }
}

static MESSAGES: Spec = Spec {
    suffix: "MESSAGES",
    kind: "path of a folder",
    default: DefaultValue::Unset("the built-in wording"),
    exposure: Exposure::Public,
    meaning: "Folder with en.ftl, de.ftl or both, in Fluent's syntax: the messages there stand in the place of the \
        built-in ones of the same name. Read at start.",
};

pub(super) static SECTION: Section = Section { title: "Pages", settings: &[&MESSAGES] };

pub(super) fn read(reader: &mut Reader<'_>) -> Read<Pages> {
    let catalog = match reader.optional(&MESSAGES, |text| Ok::<_, String>(Catalog::with_folder(Path::new(text))))? {
        Some(Ok(catalog)) => Some(catalog),
        Some(Err(why)) => {
            reader.report(&MESSAGES, why);
            return Err(Reported);
        }
        None => None,
    };
    Ok(Pages { catalog })
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
