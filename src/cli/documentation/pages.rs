//! The pages that are packed into the program by `build.rs`.

use flate2::read::DeflateDecoder;
use std::io::{self, Read};

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pages.deflate"));

#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    /// The path below `docs`, without its extension: `reference/gate`.
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

impl<'a> Page<'a> {
    pub(super) fn title(self) -> &'a str {
        self.text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default()
    }

    /// Whether a path or the last part of one names this page.
    pub(super) fn is_called(self, name: &str) -> bool {
        self.name == name || self.name.rsplit('/').next() == Some(name)
    }
}

/// The text of all pages.
pub(super) struct Pages(String);

impl Pages {
    pub(super) fn unpack() -> io::Result<Self> {
        let mut text = String::new();
        DeflateDecoder::new(PACKED).read_to_string(&mut text)?;
        Ok(Self(text))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Page<'_>> {
        let mut parts = self.0.split('\0');
        std::iter::from_fn(move || Some(Page { name: parts.next()?, text: parts.next()? }))
    }
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
