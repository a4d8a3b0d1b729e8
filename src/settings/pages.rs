//! Branding and wording of the pages.

use super::problem::InvalidValue;
use super::reader::{Read, Reader, Reported};
use super::spec::{DefaultValue, Exposure, SettingsGroup, Spec};
use crate::brand::{Brand, Colour, Logo, Palette};
use crate::messages::{Catalog, Locale, Messages};
use std::path::Path;

/// Branding and wording of the pages.
#[derive(Debug)]
pub struct PageSettings {
    /// Name, logo and colours.
    pub brand: Brand,
    /// The operator's wording; `None` for the built-in one.
    catalog: Option<Catalog>,
}

impl PageSettings {
    /// The messages of a language.
    pub fn messages(&self, locale: Locale) -> Messages<'_> {
        match &self.catalog {
            Some(catalog) => catalog.messages(locale),
            None => Catalog::embedded().messages(locale),
        }
    }
}

static BRAND_NAME: Spec = Spec {
    suffix: "BRAND_NAME",
    kind: "text of at most 60 characters",
    default: DefaultValue::Fixed(Brand::DEFAULT_NAME),
    exposure: Exposure::Public,
    meaning: "The name at the head of every page and after every title.",
};

static BRAND_LOGO: Spec = Spec {
    suffix: "BRAND_LOGO",
    kind: "path of an SVG or PNG",
    default: DefaultValue::Unset("Doorward's mark"),
    exposure: Exposure::Public,
    meaning: "Picture beside the name and in the browser's tab, at most 100 kB; an SVG with a viewBox, which is shown \
        as a picture and runs no script. Read at start.",
};

static BRAND_COLOR: Spec = Spec {
    suffix: "BRAND_COLOR",
    kind: "#rrggbb",
    default: DefaultValue::Unset("Doorward's green"),
    exposure: Exposure::Public,
    meaning: "Colour of buttons and links. It must be readable on light pages: a contrast of 4.5:1 (WCAG 2.2); on dark \
        ones it is lightened until it is.",
};

static MESSAGES: Spec = Spec {
    suffix: "MESSAGES",
    kind: "path of a folder",
    default: DefaultValue::Unset("the built-in wording"),
    exposure: Exposure::Public,
    meaning: "Folder with en.ftl, de.ftl or both, in Fluent's syntax: the messages there stand in the place of the \
        built-in ones of the same name. Read at start.",
};

pub(super) static SECTION: SettingsGroup =
    SettingsGroup { title: "Pages", settings: &[&BRAND_NAME, &BRAND_LOGO, &BRAND_COLOR, &MESSAGES] };

pub(super) fn read(reader: &mut Reader<'_>) -> Read<PageSettings> {
    let name = reader.required(&BRAND_NAME, name);
    let logo = load_path(reader, &BRAND_LOGO, Logo::read);
    let colours = reader.optional(&BRAND_COLOR, palette);
    let catalog = load_path(reader, &MESSAGES, Catalog::with_folder);
    let colours = colours?.map(|palette| palette.stylesheet());
    Ok(PageSettings { brand: Brand { name: name?, logo: logo?, colours }, catalog: catalog? })
}

/// Loads a file or folder; reports the error of `read` as the problem.
fn load_path<T>(
    reader: &mut Reader<'_>,
    spec: &Spec,
    read: impl FnOnce(&Path) -> Result<T, String>,
) -> Read<Option<T>> {
    match reader.optional(spec, |text| Ok::<_, InvalidValue>(read(Path::new(text))))? {
        Some(Ok(value)) => Ok(Some(value)),
        Some(Err(message)) => {
            reader.report(spec, message);
            Err(Reported)
        }
        None => Ok(None),
    }
}

fn name(text: &str) -> Result<String, InvalidValue> {
    let is_valid = (1..=60).contains(&text.chars().count()) && !text.contains(char::is_control);
    if is_valid { Ok(text.to_owned()) } else { Err("1 to 60 characters, none of them a control character".into()) }
}

fn palette(text: &str) -> Result<Palette, InvalidValue> {
    let colour = Colour::parse(text).ok_or_else(|| InvalidValue::from("a colour as #rrggbb, such as #0b6b53"))?;
    Palette::from_accent(colour).map_err(InvalidValue::from)
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
