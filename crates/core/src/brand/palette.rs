//! The shades of the operator's color, for the light and the dark scheme: every color works.

use super::asset::Asset;
use super::color::{Color, Pole};
use super::scheme::ColorScheme;

/// Of text against its ground (WCAG 2.2, 1.4.3).
const TEXT: f64 = 4.5;
/// Of the edges of controls and of focus rings against their surroundings (WCAG 2.2, 1.4.11).
const EDGE: f64 = 3.0;
/// From this contrast on, white stands on a ground that is darkened until it is readable: black text on red, orange-red
/// or a middle blue would be readable as it is, and no brand of such a color has it.
const NEARLY_WHITE: f64 = 3.5;
/// The names of the grounds on which text, links and controls stand, as the stylesheet has them; a test compares the
/// values.
#[cfg(test)]
const GROUNDS: [&str; 6] = ["ground", "surface", "raised", "danger-ground", "warning-ground", "good-ground"];
const LIGHT: [Color; 6] = colors([0x00fa_fafa, 0x00ff_ffff, 0x00f4_f4f5, 0x00fe_f3f2, 0x00ff_f8e6, 0x00ef_faf3]);
const LIGHT_TEXT: Color = Color::from_rgb(0x0018_181b);
const DARK_TEXT: Color = Color::from_rgb(0x00ed_edf0);
const DARK: [Color; 6] = colors([0x000f_0f10, 0x0018_181b, 0x0022_2225, 0x002d_1917, 0x002b_220f, 0x0012_261a]);

/// The shades of a color for one scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shades {
    /// The ground of leading buttons: the color itself, or slightly darker for white text.
    pub brand: Color,
    pub brand_hover: Color,
    /// Text on either: black or white.
    pub on_brand: Color,
    /// The border of leading buttons, and what is chosen.
    pub edge: Color,
    /// Focus rings: the edge, but never a red, which says that something is wrong.
    pub focus: Color,
    /// Links.
    pub accent: Color,
    /// Links under the pointer.
    pub accent_strong: Color,
}

/// The shades of a color for both schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// For light pages and emails.
    pub light: Shades,
    pub dark: Shades,
}

impl Palette {
    /// The palette of any color. What must be readable moves towards black on light pages and towards white on dark
    /// ones until it is.
    pub fn of(color: Color) -> Self {
        let light = Shades::of(color, &LIGHT, Pole::Black, LIGHT_TEXT);
        Self { light, dark: Shades::of(color, &DARK, Pole::White, DARK_TEXT) }
    }

    /// The stylesheet that overrides the built-in shades.
    pub fn stylesheet(&self, scheme: ColorScheme) -> Asset {
        let Self { light, dark } = self;
        let (light, dark) = (light.variables(), dark.variables());
        let css = format!(":root{{{light}}}\n@media (prefers-color-scheme: dark){{:root{{{dark}}}}}\n");
        Asset::new("brand", "css", "text/css; charset=utf-8", scheme.apply(&css).into_bytes())
    }
}

impl Default for Palette {
    fn default() -> Self {
        Self::of(Color::from_rgb(0x000b_6b53))
    }
}

impl Shades {
    fn of(color: Color, grounds: &[Color], pole: Pole, text: Color) -> Self {
        let (brand, on_brand) = ground(color);
        let accent = moved(brand, pole, grounds, TEXT);
        let edge = moved(brand, pole, grounds, EDGE);
        Self {
            brand,
            brand_hover: hovered(brand, on_brand),
            on_brand,
            edge,
            focus: if color.is_red() { text } else { edge },
            accent,
            accent_strong: accent.towards(pole, 25),
        }
    }

    fn variables(&self) -> String {
        let Self { brand, brand_hover, on_brand, edge, focus, accent, accent_strong } = self;
        format!(
            "--brand:{brand};--brand-hover:{brand_hover};--on-brand:{on_brand};--edge:{edge};--focus:{focus};\
             --accent:{accent};--accent-strong:{accent_strong}"
        )
    }
}

/// The ground of a button of this color, and the text on it.
fn ground(color: Color) -> (Color, Color) {
    if color.contrast(Color::WHITE) < NEARLY_WHITE {
        return (color, color.readable_text());
    }
    (moved(color, Pole::Black, &[Color::WHITE], TEXT), Color::WHITE)
}

/// The color, moved in lightness as little as possible until it has this contrast with every ground.
fn moved(color: Color, pole: Pole, grounds: &[Color], contrast: f64) -> Color {
    let is_clear = |shade: &Color| grounds.iter().all(|ground| shade.contrast(*ground) >= contrast);
    (0..100).map(|percent| color.towards(pole, percent)).find(is_clear).unwrap_or(color.towards(pole, 100))
}

/// A button's ground under the pointer: visibly further from its text, or nearer where there is no further.
fn hovered(ground: Color, text: Color) -> Color {
    let (away, nearer) = if text == Color::WHITE { (Pole::Black, Pole::White) } else { (Pole::White, Pole::Black) };
    let is_visible = |shade: &Color| shade.contrast(ground) >= 1.1;
    let mut shades = (10..=45).step_by(5).map(|percent| ground.towards(away, percent));
    shades.find(is_visible).unwrap_or(ground.towards(nearer, 15))
}

const fn colors(rgb: [u32; 6]) -> [Color; 6] {
    let [one, two, three, four, five, six] = rgb;
    [
        Color::from_rgb(one),
        Color::from_rgb(two),
        Color::from_rgb(three),
        Color::from_rgb(four),
        Color::from_rgb(five),
        Color::from_rgb(six),
    ]
}

#[cfg(test)]
#[path = "palette_tests.rs"]
mod tests;
