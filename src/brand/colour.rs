//! Colours, and how well they can be told apart (WCAG 2.2).

use std::fmt;

/// A colour of the sRGB space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Colour {
    /// White.
    pub const WHITE: Self = Self([0xff; 3]);
    /// Black.
    pub const BLACK: Self = Self([0; 3]);

    /// A colour from `0xrrggbb`.
    pub const fn of(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self([red, green, blue])
    }

    /// Reads `#rrggbb`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(digits, 16).ok().map(Self::of)
    }

    /// The colour with `percent` of another one in it.
    #[must_use]
    pub fn mixed(self, other: Self, percent: u8) -> Self {
        let share = u32::from(percent.min(100));
        let mix = |own: u8, other: u8| {
            let sum = u32::from(own) * (100 - share) + u32::from(other) * share;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        let ([r, g, b], [other_r, other_g, other_b]) = (self.0, other.0);
        Self([mix(r, other_r), mix(g, other_g), mix(b, other_b)])
    }

    /// How well one can be told from another, from 1 to 21 (WCAG 2.2, "contrast ratio").
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
