//! The operator's logo: an SVG or a PNG.

use super::asset::Asset;
use std::path::Path;

/// Limited because every first page view loads it.
const MAX_BYTES: usize = 100 * 1000;
/// The display height, in CSS pixels.
const HEIGHT: f64 = 32.0;
/// The maximum display width, in CSS pixels.
const MAX_WIDTH: f64 = 160.0;
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

#[derive(Clone, Debug)]
pub struct Logo {
    pub asset: Asset,
    /// The display width, in CSS pixels; in the HTML, so that the layout does not shift.
    pub width: u32,
}

impl Logo {
    /// Reads a file; the error is a message for the operator.
    pub fn read(path: &Path) -> Result<Self, String> {
        let unreadable = |error| format!("the file cannot be read: {error}");
        let size = std::fs::metadata(path).map_err(unreadable)?.len();
        if usize::try_from(size).map_or(true, |size| size > MAX_BYTES) {
            return Err(format!("the file has {size} bytes; allowed: at most {MAX_BYTES}"));
        }
        Self::from_bytes(std::fs::read(path).map_err(unreadable)?)
    }

    pub fn from_bytes(body: Vec<u8>) -> Result<Self, String> {
        if body.starts_with(PNG_SIGNATURE) {
            let (width, height) = png_size(&body).ok_or("the PNG is damaged: it does not say how large it is")?;
            return Ok(Self {
                width: display_width(width, height),
                asset: Asset::new("logo", "png", "image/png", body),
            });
        }
        let text = std::str::from_utf8(&body).ok().filter(|text| text.contains("<svg"));
        let text = text.ok_or("the file is neither an SVG nor a PNG")?;
        let (width, height) = svg_size(text).ok_or("the SVG has no viewBox, which says its proportions")?;
        Ok(Self { width: display_width(width, height), asset: Asset::new("logo", "svg", "image/svg+xml", body) })
    }
}

/// Width and height from the IHDR chunk (PNG, third edition, 11.2.1).
fn png_size(body: &[u8]) -> Option<(f64, f64)> {
    let number = |at: usize| body.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    let (width, height) = (number(16)?, number(20)?);
    (body.get(12..16)? == b"IHDR" && width > 0 && height > 0).then(|| (f64::from(width), f64::from(height)))
}

fn svg_size(text: &str) -> Option<(f64, f64)> {
    let tag = text.split_once("<svg")?.1.split('>').next()?;
    let value = tag.split_once("viewBox")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let numbers: Option<Vec<f64>> = value[1..]
        .split(quote)
        .next()?
        .split([' ', ',', '\t', '\n', '\r'])
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().ok())
        .collect();
    match numbers?.as_slice() {
        [_, _, width, height] if is_length(*width) && is_length(*height) => Some((*width, *height)),
        _ => None,
    }
}

/// An infinite one has no proportions.
fn is_length(number: f64) -> bool {
    number > 0.0 && number.is_finite()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 160")]
fn display_width(width: f64, height: f64) -> u32 {
    (HEIGHT * width / height).round().clamp(1.0, MAX_WIDTH) as u32
}

#[cfg(test)]
#[path = "logo_tests.rs"]
mod tests;
