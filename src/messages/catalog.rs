//! The languages with their messages, parsed once.

use super::locale::Locale;
use super::message::Message;
use super::text::{Bundles, Messages};
use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use std::fmt;
use std::sync::LazyLock;

/// The messages of every language.
pub struct Catalog(pub(super) Bundles);

static EMBEDDED: LazyLock<Catalog> = LazyLock::new(|| Catalog::with(|_| None));

impl Catalog {
    /// The messages of this build.
    pub fn embedded() -> &'static Catalog {
        &EMBEDDED
    }

    /// The messages of this build, and in their place those that `replacement` has for a language.
    pub(super) fn with(mut replacement: impl FnMut(Locale) -> Option<FluentResource>) -> Self {
        let mut bundle = |locale: Locale| {
            let mut bundle = FluentBundle::new_concurrent(vec![locale.tag().parse().unwrap_or_default()]);
            // Invisible marks around every value would be copied with it, and our languages run one way.
            bundle.set_use_isolating(false);
            // A test sees to it that our own files have no mistake.
            let own = FluentResource::try_new(locale.source().to_owned()).unwrap_or_else(|(resource, _)| resource);
            bundle.add_resource_overriding(own);
            if let Some(resource) = replacement(locale) {
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

    /// Every sentence is its name in brackets, with its values: what else a page says is of no message file.
    #[cfg(test)]
    pub(crate) fn marked() -> Self {
        Self::with(|locale| {
            let entries = super::source::entries(locale.source()).into_iter();
            let marked = entries.map(|(name, gaps)| {
                let gaps = gaps.iter().map(|gap| format!("{{ ${gap} }}")).collect::<Vec<_>>().concat();
                format!("{name} = ⟦{name}{gaps}⟧\n")
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
    /// The sentence in English, for the command line and the log.
    pub fn english(&self) -> String {
        Catalog::embedded().messages(Locale::En).say(self).to_string()
    }
}
