//! The languages with their messages, parsed once.

use super::locale::Locale;
use super::message::{Key, Message};
use super::text::Text;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use std::fmt;
use std::sync::LazyLock;

/// The messages of every language.
pub struct Catalog {
    english: FluentBundle<FluentResource>,
    german: FluentBundle<FluentResource>,
}

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
        Self { english: bundle(Locale::En), german: bundle(Locale::De) }
    }

    /// The messages in one language.
    pub const fn messages(&self, locale: Locale) -> Messages<'_> {
        Messages { catalog: self, locale }
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

    pub(super) const fn bundle(&self, locale: Locale) -> &FluentBundle<FluentResource> {
        match locale {
            Locale::En => &self.english,
            Locale::De => &self.german,
        }
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog").finish_non_exhaustive()
    }
}

/// The messages in one language.
#[derive(Clone, Copy, Debug)]
pub struct Messages<'a> {
    catalog: &'a Catalog,
    locale: Locale,
}

impl<'a> Messages<'a> {
    /// The language.
    pub const fn locale(self) -> Locale {
        self.locale
    }

    /// The same messages in another language.
    #[must_use]
    pub const fn in_locale(self, locale: Locale) -> Self {
        Self { locale, ..self }
    }

    /// The sentence of this name; [`Text::with`] fills its gaps.
    pub fn t(self, key: impl Into<Key>) -> Text<'a> {
        Text::new(self, key.into(), FluentArgs::new())
    }

    /// A sentence that came from a use case.
    pub fn say(self, message: &'a Message) -> Text<'a> {
        let mut arguments = FluentArgs::new();
        for (name, value) in message.arguments() {
            arguments.set(name, value);
        }
        Text::new(self, message.key(), arguments)
    }

    /// Writes a sentence; where the language lacks it the English one, and without that its name.
    pub(super) fn write(self, out: &mut impl fmt::Write, key: Key, arguments: &FluentArgs<'_>) -> fmt::Result {
        for locale in [self.locale, Locale::En] {
            let bundle = self.catalog.bundle(locale);
            if let Some(pattern) = bundle.get_message(key.0).and_then(|message| message.value()) {
                // A gap that nothing fills shows its name; tests find it before a reader does.
                return bundle.write_pattern(out, pattern, Some(arguments), &mut Vec::new());
            }
        }
        out.write_str(key.0)
    }
}
