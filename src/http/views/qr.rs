//! A QR code as the path of an inline drawing: it needs no file, and no style that the content policy forbids.

use qrcode::{Color, EcLevel, QrCode as Code};
use std::fmt::Write;

/// The light border that a reader needs, in modules (ISO/IEC 18004, 5.3.8).
const QUIET: usize = 4;

/// A QR code.
pub struct QrCode {
    side: usize,
    path: String,
}

impl QrCode {
    /// The code for a text; `None` if the text is too long for one.
    pub fn of(text: &str) -> Option<Self> {
        let code = Code::with_error_correction_level(text, EcLevel::M).ok()?;
        let width = code.width();
        let mut path = String::new();
        for (place, color) in code.into_colors().into_iter().enumerate() {
            if color == Color::Dark {
                // Writing to a text does not fail.
                let _ = write!(path, "M{} {}h1v1h-1z", place % width + QUIET, place / width + QUIET);
            }
        }
        Some(Self { side: width + 2 * QUIET, path })
    }

    /// Its side with the border, in modules.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The dark modules, as the `d` of an SVG path.
    pub fn path(&self) -> &str {
        &self.path
    }
}

#[cfg(test)]
#[path = "qr_tests.rs"]
mod tests;
