//! Stylesheet, script and icon: embedded, and named after their content so that browsers may keep them for good.

use aws_lc_rs::digest::{SHA256, digest};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::future::{Ready, ready};
use std::sync::LazyLock;

/// Where assets are served: the route of [`serve`] is this and one segment, `{file}`.
pub const PREFIX: &str = "/auth/assets/";

/// One embedded file.
#[derive(Debug)]
pub struct Asset {
    url: String,
    content_type: &'static str,
    body: &'static [u8],
}

impl Asset {
    fn new(stem: &str, extension: &str, content_type: &'static str, body: &'static [u8]) -> Self {
        let hash =
            digest(&SHA256, body).as_ref().iter().take(8).fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        Self { url: format!("{PREFIX}{stem}.{hash}.{extension}"), content_type, body }
    }

    /// The path pages link to; another content has another path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The file's bytes.
    pub fn body(&self) -> &'static [u8] {
        self.body
    }
}

/// Every embedded file.
#[derive(Debug)]
pub struct Assets {
    /// The stylesheet.
    pub css: Asset,
    /// The script; pages work without it.
    pub js: Asset,
    /// The icon of the browser's tab.
    pub icon: Asset,
}

static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets {
    css: Asset::new("app", "css", "text/css; charset=utf-8", include_bytes!("../../assets/app.css")),
    js: Asset::new("app", "js", "text/javascript; charset=utf-8", include_bytes!("../../assets/app.js")),
    icon: Asset::new("icon", "svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")),
});

impl Assets {
    /// The files of this build; their names are computed once.
    pub fn embedded() -> &'static Assets {
        &ASSETS
    }

    /// Every file.
    pub fn all(&self) -> [&Asset; 3] {
        [&self.css, &self.js, &self.icon]
    }
}

/// `GET /auth/assets/{file}`: an embedded file, cacheable for a year; 404 for any other name.
pub fn serve(Path(file): Path<String>) -> Ready<Response> {
    let found = ASSETS.all().into_iter().find(|asset| asset.url.strip_prefix(PREFIX) == Some(file.as_str()));
    ready(match found {
        Some(asset) => {
            let headers = [(CONTENT_TYPE, asset.content_type), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
            (headers, asset.body).into_response()
        }
        None => (StatusCode::NOT_FOUND, [(CACHE_CONTROL, "no-store")], "Not found\n").into_response(),
    })
}

#[cfg(test)]
#[path = "assets_contrast_tests.rs"]
mod contrast_tests;
#[cfg(test)]
#[path = "assets_tests.rs"]
mod tests;
