//! The operator's branding: name, logo and colors.

mod asset;
mod color;
mod links;
mod logo;
mod palette;
mod scheme;

pub use asset::{ASSETS_PATH, Asset, integrity};
pub use color::Color;
pub use links::Links;
pub use logo::Logo;
pub use palette::{Palette, Shades};
pub use scheme::ColorScheme;

#[derive(Debug)]
pub struct Brand {
    /// The name in the header and after every title.
    pub name: String,
    /// The logo; `None` for the built-in one.
    pub logo: Option<Logo>,
    /// The logo of dark pages; `None` where the other one serves there too.
    pub logo_dark: Option<Logo>,
    /// Whether the name stands beside the logo.
    pub show_name: bool,
    pub scheme: ColorScheme,
    pub palette: Palette,
    /// A stylesheet that overrides the embedded palette; `None` for the built-in colors.
    pub colors: Option<Asset>,
    pub links: Links,
}

impl Brand {
    /// The name if the operator sets none.
    pub const DEFAULT_NAME: &str = "Doorward";

    pub fn assets(&self) -> impl Iterator<Item = &Asset> {
        self.logo.iter().chain(&self.logo_dark).map(|logo| &logo.asset).chain(&self.colors)
    }
}

impl Default for Brand {
    fn default() -> Self {
        Self {
            name: Self::DEFAULT_NAME.to_owned(),
            logo: None,
            logo_dark: None,
            show_name: true,
            scheme: ColorScheme::Auto,
            palette: Palette::default(),
            colors: None,
            links: Links::default(),
        }
    }
}
