//! The shades of the operator's colour, for the light and the dark scheme.

use super::asset::Asset;
use super::colour::Colour;

/// Of text against its background (WCAG 2.2, 1.4.3); buttons and links are text.
const MIN_CONTRAST: f64 = 4.5;
/// The background colours; a test compares them with the stylesheet.
pub(super) const LIGHT_BACKGROUNDS: [Colour; 2] = [Colour::from_rgb(0x00f3_f6f4), Colour::from_rgb(0x00ff_ffff)];
pub(super) const DARK_BACKGROUNDS: [Colour; 2] = [Colour::from_rgb(0x000d_1311), Colour::from_rgb(0x0015_1d1a)];

/// The shades for one scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shades {
    /// Links, buttons and focus rings.
    pub(super) accent: Colour,
    /// The same on hover.
    pub(super) strong: Colour,
    /// Text on either.
    pub(super) on_accent: Colour,
}

/// The shades for both schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    pub(super) light: Shades,
    pub(super) dark: Shades,
}

impl Palette {
    /// The light scheme uses the colour itself, the dark scheme a mix with as much white as contrast needs. The error
    /// is a message with the contrast on light pages; on dark ones every colour becomes readable.
    pub fn from_accent(colour: Colour) -> Result<Self, String> {
        let (background, ratio) = lowest_contrast(colour, LIGHT_BACKGROUNDS);
        if ratio < MIN_CONTRAST {
            // Truncated, not rounded: 4.499 must not read as sufficient.
            let ratio = (ratio * 100.0).floor() / 100.0;
            return Err(format!(
                "a darker colour: {colour} has a contrast of {ratio:.2}:1 against the background {background}, and \
                 text needs {MIN_CONTRAST}:1 (WCAG 2.2, 1.4.3). Pages for dark screens lighten it by themselves"
            ));
        }
        let light = Shades { accent: colour, strong: colour.mix(Colour::BLACK, 25), on_accent: Colour::WHITE };
        let mut accents = (0..=100).map(|percent| colour.mix(Colour::WHITE, percent));
        let accent = accents
            .find(|accent| lowest_contrast(*accent, DARK_BACKGROUNDS).1 >= MIN_CONTRAST + 1.0)
            .unwrap_or(Colour::WHITE);
        let [on_accent, _] = DARK_BACKGROUNDS;
        let dark = Shades { accent, strong: accent.mix(Colour::WHITE, 30), on_accent };
        Ok(Self { light, dark })
    }

    /// The stylesheet that overrides the built-in shades.
    pub fn stylesheet(&self) -> Asset {
        let Self { light, dark } = self;
        let css = format!(
            ":root{{{}}}\n@media (prefers-color-scheme: dark){{:root{{{}}}}}\n",
            light.variables(),
            dark.variables()
        );
        Asset::new("brand", "css", "text/css; charset=utf-8", css.into_bytes())
    }
}

impl Shades {
    fn variables(&self) -> String {
        format!("--accent:{};--accent-strong:{};--on-accent:{}", self.accent, self.strong, self.on_accent)
    }
}

/// The background with the lowest contrast to a colour, and that contrast.
fn lowest_contrast(colour: Colour, backgrounds: [Colour; 2]) -> (Colour, f64) {
    let [first, second] = backgrounds.map(|background| (background, colour.contrast(background)));
    if second.1 < first.1 { second } else { first }
}

#[cfg(test)]
#[path = "palette_tests.rs"]
mod tests;
