//! Colours and their contrast (WCAG 2.2).

use std::fmt;

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Colour {
    /// White.
    pub const WHITE: Self = Self([0xff; 3]);
    /// Black.
    pub const BLACK: Self = Self([0; 3]);

    /// A colour from `0xrrggbb`.
    pub const fn from_rgb(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self([red, green, blue])
    }

    /// Parses `#rrggbb`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(digits, 16).ok().map(Self::from_rgb)
    }

    /// Mixes in `percent` of another colour.
    #[must_use]
    pub fn mix(self, other: Self, percent: u8) -> Self {
        let weight = u32::from(percent.min(100));
        let channel = |own: u8, other: u8| {
            let sum = u32::from(own) * (100 - weight) + u32::from(other) * weight;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        let ([r, g, b], [other_r, other_g, other_b]) = (self.0, other.0);
        Self([channel(r, other_r), channel(g, other_g), channel(b, other_b)])
    }

    /// The contrast ratio, from 1 to 21 (WCAG 2.2, "contrast ratio").
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// WCAG 2.2, "relative luminance".
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}
