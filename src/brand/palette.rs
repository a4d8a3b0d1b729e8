//! The shades of an operator's colour that pages need, in light and in dark.

use super::asset::Asset;
use super::colour::Colour;

/// Text needs as much against its ground (WCAG 2.2, 1.4.3); buttons and links are text.
const READABLE: f64 = 4.5;
/// A test compares these with the stylesheet.
pub(super) const LIGHT_GROUNDS: [Colour; 2] = [Colour::of(0x00f3_f6f4), Colour::of(0x00ff_ffff)];
pub(super) const DARK_GROUNDS: [Colour; 2] = [Colour::of(0x000d_1311), Colour::of(0x0015_1d1a)];

/// The shades of one colour in one scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shades {
    /// Links, buttons, the focus.
    pub(super) accent: Colour,
    /// The same under the pointer.
    pub(super) strong: Colour,
    /// Text on either.
    pub(super) on: Colour,
}

/// The shades that pages need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    pub(super) light: Shades,
    pub(super) dark: Shades,
}

impl Palette {
    /// On light pages the colour itself, on dark ones as much of white in it as reading needs. The error is a sentence
    /// that says how far it is from readable on light pages; on dark ones every colour becomes readable.
    pub fn of(colour: Colour) -> Result<Self, String> {
        let (ground, ratio) = worst(colour, LIGHT_GROUNDS);
        if ratio < READABLE {
            // Cut, not rounded: 4.499 must not read as enough.
            let ratio = (ratio * 100.0).floor() / 100.0;
            return Err(format!(
                "a darker colour: {colour} has a contrast of {ratio:.2}:1 against the background {ground}, and text \
                 needs {READABLE}:1 (WCAG 2.2, 1.4.3). Pages for dark screens lighten it by themselves"
            ));
        }
        let light = Shades { accent: colour, strong: colour.mixed(Colour::BLACK, 25), on: Colour::WHITE };
        let mut accents = (0..=100).map(|percent| colour.mixed(Colour::WHITE, percent));
        let accent = accents.find(|accent| worst(*accent, DARK_GROUNDS).1 >= READABLE + 1.0).unwrap_or(Colour::WHITE);
        let [on, _] = DARK_GROUNDS;
        let dark = Shades { accent, strong: accent.mixed(Colour::WHITE, 30), on };
        Ok(Self { light, dark })
    }

    /// The stylesheet that puts the shades in the place of ours.
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
        format!("--accent:{};--accent-strong:{};--on-accent:{}", self.accent, self.strong, self.on)
    }
}

/// The ground against which a colour is the hardest to read, and the contrast.
fn worst(colour: Colour, grounds: [Colour; 2]) -> (Colour, f64) {
    let [first, second] = grounds.map(|ground| (ground, colour.contrast(ground)));
    if second.1 < first.1 { second } else { first }
}

#[cfg(test)]
#[path = "palette_tests.rs"]
mod tests;
