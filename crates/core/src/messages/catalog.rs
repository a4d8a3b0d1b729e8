//! The messages of all languages, parsed once.

use super::locale::Locale;
use super::message::Message;
use super::text::{Bundles, Messages};
use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// The messages of every language, and which languages are offered.
pub struct Catalog {
    pub(super) bundles: Bundles,
    offered: Vec<Locale>,
}

static EMBEDDED: LazyLock<Catalog> = LazyLock::new(Catalog::built_in);

impl Catalog {
    pub fn embedded() -> &'static Catalog {
        &EMBEDDED
    }

    /// A catalog of its own with the messages of this build.
    pub fn built_in() -> Self {
        Self::with_overrides(&BTreeMap::new())
    }

    /// The messages of this build, with those of these files, by tag, before them. All languages are offered: those of
    /// this build first.
    pub(super) fn with_overrides(files: &BTreeMap<String, (Locale, String)>) -> Self {
        let added = files.values().map(|(locale, _)| *locale).filter(|locale| locale.built_in().is_none());
        let offered: Vec<Locale> = Locale::BUILT_IN.into_iter().chain(added).collect();
        let bundle =
            |locale: &Locale| (*locale, bundle(*locale, files.get(locale.tag()).map(|(_, text)| text.as_str())));
        Self { bundles: Bundles(offered.iter().map(bundle).collect()), offered }
    }

    /// The offered languages, the default first.
    pub fn languages(&self) -> &[Locale] {
        &self.offered
    }

    /// The default language: where the reader's is not known or not offered.
    pub fn default_language(&self) -> Locale {
        self.offered.first().copied().unwrap_or_default()
    }

    /// Offers these languages only, the first as the default; the error is the first that there is not.
    pub fn offer(&mut self, languages: Vec<Locale>) -> Result<(), Locale> {
        let missing = languages.iter().find(|language| self.bundles.of(**language).is_none()).copied();
        if missing.is_none() {
            self.offered = languages;
        }
        missing.map_or(Ok(()), Err)
    }

    /// The messages in the offered language that fits this one best, else in the default language.
    pub fn messages(&self, locale: Locale) -> Messages<'_> {
        let locale = locale.best_of(&self.offered).unwrap_or_else(|| self.default_language());
        Messages::new(&self.bundles, locale)
    }

    /// For tests: every message is its id in brackets, with its values, so that other text on a page is hard-coded.
    pub fn marked() -> Self {
        let marked = |locale: Locale| {
            let entries = super::source::entries(locale.built_in().unwrap_or_default()).into_iter();
            let text = entries.map(|(id, variables)| {
                let placeables = variables.iter().map(|name| format!("{{ ${name} }}")).collect::<Vec<_>>().concat();
                format!("{id} = ⟦{id}{placeables}⟧\n")
            });
            (locale.tag().to_owned(), (locale, text.collect()))
        };
        Self::with_overrides(&Locale::BUILT_IN.into_iter().map(marked).collect())
    }
}

/// The messages of one language. A test ensures that the embedded files parse; those of operators are checked before.
fn bundle(locale: Locale, overrides: Option<&str>) -> FluentBundle<FluentResource> {
    let mut bundle = FluentBundle::new_concurrent(vec![locale.tag().parse().unwrap_or_default()]);
    // Bidi isolation marks would be copied with every value, and only text from right to left needs them.
    bundle.set_use_isolating(locale.is_right_to_left());
    for text in [locale.built_in(), overrides].into_iter().flatten() {
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog").field("offered", &self.offered).finish_non_exhaustive()
    }
}

impl Message {
    /// The message in English, for the command line and the log.
    pub fn english(&self) -> String {
        Catalog::embedded().messages(Locale::ENGLISH).resolve(self).to_string()
    }
}
