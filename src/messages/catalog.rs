//! The messages of all languages, parsed once.

use super::locale::Locale;
use super::message::Message;
use super::text::{Bundles, Messages};
use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use std::fmt;
use std::sync::LazyLock;

/// The messages of every language.
pub struct Catalog(pub(super) Bundles);

static EMBEDDED: LazyLock<Catalog> = LazyLock::new(|| Catalog::with_overrides(|_| None));

impl Catalog {
    /// The messages of this build.
    pub fn embedded() -> &'static Catalog {
        &EMBEDDED
    }

    /// The messages of this build, overridden by those that `overrides` returns for a language.
    pub(super) fn with_overrides(mut overrides: impl FnMut(Locale) -> Option<FluentResource>) -> Self {
        let mut bundle = |locale: Locale| {
            let mut bundle = FluentBundle::new_concurrent(vec![locale.tag().parse().unwrap_or_default()]);
            // Bidi isolation marks would be copied with every value, and all languages here are left-to-right.
            bundle.set_use_isolating(false);
            // A test ensures that the embedded files parse.
            let embedded = FluentResource::try_new(locale.source().to_owned()).unwrap_or_else(|(resource, _)| resource);
            bundle.add_resource_overriding(embedded);
            if let Some(resource) = overrides(locale) {
                bundle.add_resource_overriding(resource);
            }
            bundle
        };
        Self(Bundles { english: bundle(Locale::En), german: bundle(Locale::De) })
    }

    /// The messages in one language.
    pub const fn messages(&self, locale: Locale) -> Messages<'_> {
        Messages::new(&self.0, locale)
    }

    /// Every message is its id in brackets, with its values: other text on a page is hard-coded.
    #[cfg(test)]
    pub(crate) fn marked() -> Self {
        Self::with_overrides(|locale| {
            let entries = super::source::entries(locale.source()).into_iter();
            let marked = entries.map(|(id, variables)| {
                let placeables = variables.iter().map(|name| format!("{{ ${name} }}")).collect::<Vec<_>>().concat();
                format!("{id} = ⟦{id}{placeables}⟧\n")
            });
            FluentResource::try_new(marked.collect()).ok()
        })
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog").finish_non_exhaustive()
    }
}

impl Message {
    /// The message in English, for the command line and the log.
    pub fn english(&self) -> String {
        Catalog::embedded().messages(Locale::En).resolve(self).to_string()
    }
}
