//! Light and dark pages.

const LIGHT_SURFACE: &str = "#ffffff";
const DARK_SURFACE: &str = "#18181b";

/// Which of the two schemes pages have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorScheme {
    /// What the reader's system asks for.
    #[default]
    Auto,
    Light,
    Dark,
}

impl ColorScheme {
    /// The media query of dark rules, as the embedded stylesheet has it.
    const DARK_QUERY: &str = "(prefers-color-scheme: dark)";
    /// The declaration of both schemes, as the embedded stylesheet has it.
    const BOTH_SCHEMES: &str = "color-scheme: light dark;";

    /// The media query that holds where pages are dark.
    pub const fn dark_query(self) -> &'static str {
        match self {
            ColorScheme::Auto => Self::DARK_QUERY,
            ColorScheme::Light => "not all",
            ColorScheme::Dark => "all",
        }
    }

    /// The value of CSS `color-scheme`, which also colors scroll bars and native controls.
    pub const fn css_value(self) -> &'static str {
        match self {
            ColorScheme::Auto => "light dark",
            ColorScheme::Light => "light",
            ColorScheme::Dark => "dark",
        }
    }

    /// The color of the browser's own bars, by media query: the surface, as the embedded stylesheet has it.
    pub const fn theme_colors(self) -> &'static [(&'static str, &'static str)] {
        match self {
            ColorScheme::Auto => &[("(prefers-color-scheme: light)", LIGHT_SURFACE), (Self::DARK_QUERY, DARK_SURFACE)],
            ColorScheme::Light => &[("all", LIGHT_SURFACE)],
            ColorScheme::Dark => &[("all", DARK_SURFACE)],
        }
    }

    /// A stylesheet for both schemes, for this one.
    pub fn apply(self, css: &str) -> String {
        let declaration = format!("color-scheme: {};", self.css_value());
        css.replace(Self::DARK_QUERY, self.dark_query()).replace(Self::BOTH_SCHEMES, &declaration)
    }
}

#[cfg(test)]
#[path = "scheme_tests.rs"]
mod tests;
