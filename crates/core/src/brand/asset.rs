//! Static files with the content hash in the name, so that browsers cache them permanently.

use crate::model::hex;
use aws_lc_rs::digest::{SHA256, digest};
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::borrow::Cow;
use std::io::Write;
use std::sync::{Arc, OnceLock};

/// The URL path prefix of the files.
pub const ASSETS_PATH: &str = "/auth/assets/";

/// The digest of an inline style, as a Content Security Policy (level 3) names it.
pub fn integrity(style: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(digest(&SHA256, style)))
}

/// A static file with its content hash in the name.
#[derive(Clone, Debug)]
pub struct Asset {
    url: String,
    content_type: &'static str,
    body: Cow<'static, [u8]>,
    /// The content as gzip (RFC 1952), where that is less, once it was asked for: commands send no files.
    compressed: OnceLock<Option<Arc<[u8]>>>,
}

impl Asset {
    /// Creates a file named `stem.HASH.extension`.
    pub fn new(stem: &str, extension: &str, content_type: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        let body = body.into();
        let hash = hex::encode(&digest(&SHA256, &body).as_ref()[..8]);
        let url = format!("{ASSETS_PATH}{stem}.{hash}.{extension}");
        Self { url, content_type, body, compressed: OnceLock::new() }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// The last segment of the URL path.
    pub fn name(&self) -> &str {
        &self.url[ASSETS_PATH.len()..]
    }

    pub const fn content_type(&self) -> &'static str {
        self.content_type
    }

    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The content as gzip, if that is less.
    pub fn compressed(&self) -> Option<&Arc<[u8]>> {
        let compressed = || compress(&self.body).filter(|compressed| compressed.len() < self.body.len());
        self.compressed.get_or_init(compressed).as_ref()
    }

    /// The content as a `data:` URL (RFC 2397).
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.content_type, BASE64_STANDARD.encode(&self.body))
    }

    /// The content for a response; embedded files are not copied.
    pub fn shared_body(&self) -> Cow<'static, [u8]> {
        self.body.clone()
    }
}

/// Compresses as far as it goes: it is done once. Nothing in a file is secret, so that its length may say what is in it.
fn compress(body: &[u8]) -> Option<Arc<[u8]>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).ok()?;
    encoder.finish().ok().map(Arc::from)
}
