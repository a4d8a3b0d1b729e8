//! Branding and wording of the pages.

use super::problem::InvalidValue;
use super::reader::{Read, Reader, Reported};
use super::spec::{Spec, section};
use super::{links, parse};
use crate::brand::{Brand, Color, ColorScheme, Links, Logo, Palette};
use crate::messages::{Catalog, Locale, Messages};
use std::path::Path;

#[derive(Debug)]
pub struct PageSettings {
    pub brand: Brand,
    /// The messages; `None`: the built-in ones, in all their languages.
    catalog: Option<Catalog>,
}

impl PageSettings {
    pub fn catalog(&self) -> &Catalog {
        self.catalog.as_ref().unwrap_or_else(|| Catalog::embedded())
    }

    /// The messages in a language, or in the default one where it is not offered.
    pub fn messages(&self, locale: Locale) -> Messages<'_> {
        self.catalog().messages(locale)
    }
}

section! { "Pages";
    BRAND_NAME: "text of at most 60 characters", Fixed(Brand::DEFAULT_NAME), Public,
        "The name at the top of every page and after every title.";
    BRAND_LOGO: "path of an SVG or PNG", Unset("Doorward's mark"), Public,
        "Picture next to the name and in the browser's tab, at most 100 kB; an SVG with a viewBox, which is shown as a \
        picture and runs no script. Read at startup.";
    BRAND_LOGO_DARK: "path of an SVG or PNG", Unset("SVC_BRAND_LOGO"), Public,
        "The picture on dark pages instead of SVC_BRAND_LOGO, which must be set too.";
    BRAND_SHOW_NAME: "on or off", Fixed("on"), Public,
        "Whether the name is shown next to the logo. Turn it off for a logo that contains the name; the name is then \
        the picture's description.";
    BRAND_COLOR: "#rgb or #rrggbb", Unset("Doorward's green"), Public,
        "Color of buttons and links; any color. Text on it is black or white; links and edges are made darker on \
        light pages and lighter on dark ones until they are readable (WCAG 2.2).";
    COLOR_SCHEME: "auto, light or dark", Fixed("auto"), Public,
        "Whether pages are light or dark. auto: as the reader's system asks for.";
    APP_URL: "http or https URL", Unset("no link"), Address,
        "Your application. Pages link to it as \"Back to …\", with the name of SVC_BRAND_NAME. It is the default of \
        SVC_DEFAULT_RETURN_TO, and its origin counts as one of SVC_RETURN_ORIGINS.";
    TERMS_URL: "http or https URL", Unset("no link"), Address,
        "Your terms of service: linked under the signup form and in the footer of every page.";
    PRIVACY_URL: "http or https URL", Unset("no link"), Address,
        "Your privacy policy: linked under the signup form and in the footer of every page.";
    SUPPORT_URL: "http, https or mailto URL", Unset("no link"), Address,
        "Where people get help: linked on error pages and in the footer of every page, such as \
        mailto:help@example.com.";
    MESSAGES: "path of a folder", Unset("the built-in wording"), Public,
        "Folder with files such as en.ftl or it.ftl, in Fluent's syntax: the messages there replace the built-in ones \
        of the same name, or add a language. `doorward messages` helps. Read at start.";
    LANGUAGES: "list of language tags", Unset("all: en, de, es, fr, and those of SVC_MESSAGES"), Public,
        "The languages of pages and emails, such as de,en. The first one is for readers whose language is not in the \
        list. With only one, pages have no language switch.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<PageSettings> {
    let name = reader.required(&BRAND_NAME, name);
    let logo = load_path(reader, &BRAND_LOGO, Logo::read);
    let logo_dark = load_path(reader, &BRAND_LOGO_DARK, Logo::read);
    let show_name = reader.required(&BRAND_SHOW_NAME, parse::one_of(&[("on", true), ("off", false)]));
    let palette = reader.optional(&BRAND_COLOR, palette);
    let schemes = [("auto", ColorScheme::Auto), ("light", ColorScheme::Light), ("dark", ColorScheme::Dark)];
    let scheme = reader.required(&COLOR_SCHEME, parse::one_of(&schemes));
    let links = links(reader);
    let catalog = load_path(reader, &MESSAGES, Catalog::with_folder);
    let languages = reader.optional(&LANGUAGES, languages);
    let catalog = catalog.and_then(|catalog| offer(reader, catalog, languages?));
    let (logo, logo_dark, show_name, scheme) = (logo?, logo_dark?, show_name?, scheme?);
    if logo.is_none() {
        require_logo(reader, logo_dark.is_some().then_some(&BRAND_LOGO_DARK))?;
        require_logo(reader, (!show_name).then_some(&BRAND_SHOW_NAME))?;
    }
    let palette = palette?;
    let colors = palette.map(|palette| palette.stylesheet(scheme));
    let (name, palette, links) = (name?, palette.unwrap_or_default(), links?);
    let brand = Brand { name, logo, logo_dark, show_name, scheme, palette, colors, links };
    Ok(PageSettings { brand, catalog: catalog? })
}

fn links(reader: &mut Reader<'_>) -> Read<Links> {
    let app = reader.optional(&APP_URL, links::web_url);
    let terms = reader.optional(&TERMS_URL, links::web_url);
    let privacy = reader.optional(&PRIVACY_URL, links::web_url);
    let support = reader.optional(&SUPPORT_URL, links::support_url);
    Ok(Links { app: app?, terms: terms?, privacy: privacy?, support: support? })
}

/// Reports a setting that has a meaning beside a logo only.
fn require_logo(reader: &mut Reader<'_>, given: Option<&Spec>) -> Read<()> {
    let Some(spec) = given else { return Ok(()) };
    let message = format!("needs {}", reader.variable(&BRAND_LOGO));
    reader.report(spec, message);
    Err(Reported)
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

fn languages(text: &str) -> Result<Vec<Locale>, InvalidValue> {
    let allowed = || InvalidValue::from("language tags (BCP 47), each once, such as de,en or pt-BR");
    let languages = parse::list(text, |tag| Locale::parse(tag).ok_or_else(allowed))?;
    if parse::has_duplicates(&languages) { Err(allowed()) } else { Ok(languages) }
}

fn offer(reader: &mut Reader<'_>, catalog: Option<Catalog>, languages: Option<Vec<Locale>>) -> Read<Option<Catalog>> {
    let Some(languages) = languages else { return Ok(catalog) };
    let mut catalog = catalog.unwrap_or_else(Catalog::built_in);
    match catalog.offer(languages) {
        Ok(()) => Ok(Some(catalog)),
        Err(missing) => {
            let variable = reader.variable(&MESSAGES);
            reader.report(&LANGUAGES, format!("there are no messages in {missing}; {variable} can add {missing}.ftl"));
            Err(Reported)
        }
    }
}

fn name(text: &str) -> Result<String, InvalidValue> {
    let is_valid = (1..=60).contains(&text.chars().count()) && !text.contains(char::is_control);
    if is_valid { Ok(text.to_owned()) } else { Err("1 to 60 characters, none of them a control character".into()) }
}

fn palette(text: &str) -> Result<Palette, InvalidValue> {
    let color = Color::parse(text).ok_or("a color as #rgb or #rrggbb, such as #0b6b53")?;
    Ok(Palette::of(color))
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
