//! An operator's look: name, logo and colour in the place of ours.

mod asset;
mod colour;
mod logo;
mod palette;

pub use asset::{Asset, FOLDER};
pub use colour::Colour;
pub use logo::Logo;
pub use palette::Palette;

/// What a page shows of whoever runs the service.
#[derive(Debug)]
pub struct Brand {
    /// The name in the header and after every title.
    pub name: String,
    /// The picture beside the name; `None`: our own mark.
    pub logo: Option<Logo>,
    /// A stylesheet that changes the colours of buttons, links and marks; `None`: ours stay.
    pub colours: Option<Asset>,
}

impl Brand {
    /// The name until the operator gives another.
    pub const DEFAULT_NAME: &str = "Doorward";

    /// The operator's files.
    pub fn assets(&self) -> impl Iterator<Item = &Asset> {
        self.logo.iter().map(|logo| &logo.asset).chain(&self.colours)
    }
}

impl Default for Brand {
    fn default() -> Self {
        Self { name: Self::DEFAULT_NAME.to_owned(), logo: None, colours: None }
    }
}
