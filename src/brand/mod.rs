//! The operator's branding: name, logo and colours.

mod asset;
mod colour;
mod logo;
mod palette;

pub use asset::{ASSETS_PATH, Asset};
pub use colour::Colour;
pub use logo::Logo;
pub use palette::Palette;

/// The branding of pages.
#[derive(Debug)]
pub struct Brand {
    /// The name in the header and after every title.
    pub name: String,
    /// The logo beside the name; `None` for the built-in one.
    pub logo: Option<Logo>,
    /// A stylesheet that overrides the accent colours; `None` for the built-in ones.
    pub colours: Option<Asset>,
}

impl Brand {
    /// The name if the operator sets none.
    pub const DEFAULT_NAME: &str = "Doorward";

    /// The operator's logo and stylesheet.
    pub fn assets(&self) -> impl Iterator<Item = &Asset> {
        self.logo.iter().map(|logo| &logo.asset).chain(&self.colours)
    }
}

impl Default for Brand {
    fn default() -> Self {
        Self { name: Self::DEFAULT_NAME.to_owned(), logo: None, colours: None }
    }
}
