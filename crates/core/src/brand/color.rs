//! Colors and their contrast (WCAG 2.2).

use std::fmt;

/// An end of the scale of lightness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pole {
    Black,
    White,
}

/// An sRGB color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color([u8; 3]);

impl Color {
    pub const WHITE: Self = Self([0xff; 3]);
    pub const BLACK: Self = Self([0; 3]);

    /// A color from `0xrrggbb`.
    pub const fn from_rgb(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self([red, green, blue])
    }

    /// Parses `#rrggbb` or `#rgb`, which stands for `#rrggbb` with each digit twice.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        match digits.len() {
            6 => Some(Self::from_rgb(number)),
            3 => Some(Self::from_rgb(0x11 * ((number & 0xf00) << 8 | (number & 0xf0) << 4 | (number & 0xf)))),
            _ => None,
        }
    }

    /// Black or white, whichever contrasts more with this ground: always at least 4.5:1.
    #[must_use]
    pub fn readable_text(self) -> Self {
        if self.contrast(Self::BLACK) > self.contrast(Self::WHITE) { Self::BLACK } else { Self::WHITE }
    }

    /// The color with its HSL lightness moved by `percent` of the way to that of black or white; hue and saturation
    /// stay.
    #[must_use]
    pub fn towards(self, pole: Pole, percent: u8) -> Self {
        let channels = self.0.map(|channel| f64::from(channel) / 255.0);
        let (low, high) = channels.iter().fold((1.0_f64, 0.0_f64), |(low, high), c| (low.min(*c), high.max(*c)));
        let (lightness, chroma) = (f64::midpoint(low, high), high - low);
        let span = |lightness: f64| 1.0 - (2.0 * lightness - 1.0).abs();
        let target = if pole == Pole::White { 1.0 } else { 0.0 };
        let moved = lightness + (target - lightness) * f64::from(percent.min(100)) / 100.0;
        // A grey has no saturation, and stays grey.
        let saturation = if chroma > 0.0 { chroma / span(lightness) } else { 0.0 };
        let (moved_chroma, share) = (saturation * span(moved), 1.0 / chroma.max(f64::MIN_POSITIVE));
        Self(channels.map(|c| channel(moved + moved_chroma * ((c - low) * share - 0.5))))
    }

    /// Whether it is a red, as errors are.
    pub(super) fn is_red(self) -> bool {
        let [red, green, blue] = self.0.map(f64::from);
        let (low, high) = (green.min(blue), green.max(blue));
        // Within 24 degrees of pure red, and not nearly grey.
        red - low > 64.0 && high - low < (red - low) * 0.4
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

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 255")]
fn channel(share: f64) -> u8 {
    (share * 255.0).round().clamp(0.0, 255.0) as u8
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}
