//! The colours of emails.

/// The colours for one scheme, as CSS has them.
pub(super) struct Shades {
    /// The ground of the button.
    pub(super) brand: &'static str,
    /// Text on it.
    pub(super) on_brand: &'static str,
    /// Its border.
    pub(super) edge: &'static str,
    /// Links.
    pub(super) accent: &'static str,
}

pub(super) const LIGHT: Shades = Shades { brand: "#0b6b53", on_brand: "#ffffff", edge: "#0b6b53", accent: "#0b6b53" };
pub(super) const DARK: Shades = Shades { brand: "#4cc9a0", on_brand: "#000000", edge: "#4cc9a0", accent: "#4cc9a0" };
