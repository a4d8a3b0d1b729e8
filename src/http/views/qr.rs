//! QR codes as the path of an inline SVG, which needs no file and no style that the content policy forbids.

use qrcode::{Color, EcLevel, QrCode as Code};
use std::fmt::Write;

/// The pixels of a module: a whole number, as blurred edges mislead decoders, and at least four.
const PIXELS_PER_MODULE: usize = 4;
/// The quiet zone around the code, in modules (ISO/IEC 18004, 5.3.8).
const QUIET_ZONE: usize = 4;

pub struct QrCode {
    side: usize,
    path: String,
}

impl QrCode {
    /// Encodes a text; `None` if it is too long.
    pub fn of(text: &str) -> Option<Self> {
        let code = Code::with_error_correction_level(text, EcLevel::M).ok()?;
        let width = code.width();
        let mut path = String::new();
        for (y, row) in code.into_colors().chunks(width).enumerate() {
            let mut x = QUIET_ZONE;
            // Writing to a `String` cannot fail.
            let _ = write!(path, "M0 {}.5", y + QUIET_ZONE);
            let mut end = 0;
            for run in row.chunk_by(|left, right| left == right) {
                if run.first() == Some(&Color::Dark) {
                    let _ = write!(path, "m{} 0h{}", x - end, run.len());
                    end = x + run.len();
                }
                x += run.len();
            }
        }
        Some(Self { side: width + 2 * QUIET_ZONE, path })
    }

    /// The side length with the quiet zone, in modules.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The side length with the quiet zone, in pixels.
    pub fn pixels(&self) -> usize {
        self.side * PIXELS_PER_MODULE
    }

    /// The dark modules, as the `d` attribute of an SVG path whose stroke is as wide as a module.
    pub fn path(&self) -> &str {
        &self.path
    }
}

#[cfg(test)]
#[path = "qr_tests.rs"]
mod tests;
