//! A file that browsers may keep for good: named after its content.

use crate::model::hex;
use aws_lc_rs::digest::{SHA256, digest};
use std::borrow::Cow;

/// The folder of these files on the wire.
pub const FOLDER: &str = "/auth/assets/";

/// A file that browsers may keep for good: another content has another name.
#[derive(Clone, Debug)]
pub struct Asset {
    url: String,
    content_type: &'static str,
    body: Cow<'static, [u8]>,
}

impl Asset {
    /// Names a file `stem.HASH.extension`.
    pub fn new(stem: &str, extension: &str, content_type: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        let body = body.into();
        let hash = hex::encode(&digest(&SHA256, &body).as_ref()[..8]);
        Self { url: format!("{FOLDER}{stem}.{hash}.{extension}"), content_type, body }
    }

    /// The path pages link to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The path's last segment.
    pub fn name(&self) -> &str {
        &self.url[FOLDER.len()..]
    }

    /// Its media type.
    pub const fn content_type(&self) -> &'static str {
        self.content_type
    }

    /// The file's bytes.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The bytes to be sent; those of this build are not copied.
    pub fn shared_body(&self) -> Cow<'static, [u8]> {
        self.body.clone()
    }
}
