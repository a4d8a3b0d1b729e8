//! Stylesheet, script and icon: embedded, with the content hash in the name, so that browsers cache them permanently.

use crate::brand::{Asset, Brand, ColorScheme};
use crate::context::App;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::future::{Ready, ready};
use std::sync::{Arc, LazyLock};

/// The policy of a file opened by itself: an SVG, above all the operator's, runs nothing and loads nothing.
const ASSET_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Every embedded file.
#[derive(Debug)]
pub struct Assets {
    /// The stylesheet.
    pub css: Asset,
    /// The script; pages work without it.
    pub js: Asset,
    /// The favicon.
    pub icon: Asset,
}

static AUTO: LazyLock<Assets> = LazyLock::new(|| Assets::new(ColorScheme::Auto));
static LIGHT: LazyLock<Assets> = LazyLock::new(|| Assets::new(ColorScheme::Light));
static DARK: LazyLock<Assets> = LazyLock::new(|| Assets::new(ColorScheme::Dark));

impl Assets {
    fn new(scheme: ColorScheme) -> Self {
        let css = stylesheet(scheme, None).into_bytes();
        let js = script().into_bytes();
        let icon = include_bytes!("../../assets/icon.svg").as_slice();
        Self {
            css: Asset::new("app", "css", "text/css; charset=utf-8", css),
            js: Asset::new("app", "js", "text/javascript; charset=utf-8", js),
            icon: Asset::new("icon", "svg", "image/svg+xml", icon),
        }
    }

    /// The files of this build, for pages of a scheme.
    pub fn of(scheme: ColorScheme) -> &'static Assets {
        match scheme {
            ColorScheme::Auto => &AUTO,
            ColorScheme::Light => &LIGHT,
            ColorScheme::Dark => &DARK,
        }
    }

    /// The files of this build, for pages of both schemes.
    #[cfg(test)]
    pub(in crate::http) fn embedded() -> &'static Assets {
        Self::of(ColorScheme::Auto)
    }

    /// Every file.
    pub fn all(&self) -> [&Asset; 3] {
        [&self.css, &self.js, &self.icon]
    }
}

/// `GET /auth/assets/{file}`: an embedded file or one of the operator's, cacheable for a year; 404 for any other name.
pub fn serve(State(app): State<Arc<App>>, Path(file): Path<String>) -> Ready<Response> {
    ready(respond(&app.settings.pages.brand, &file))
}

fn respond(brand: &Brand, file: &str) -> Response {
    let found = Assets::of(brand.scheme).all().into_iter().chain(brand.assets()).find(|asset| asset.name() == file);
    let Some(asset) = found else {
        return (StatusCode::NOT_FOUND, [(CACHE_CONTROL, "no-store")], "Not found\n").into_response();
    };
    let headers = [
        (CONTENT_TYPE, asset.content_type()),
        (CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (CONTENT_SECURITY_POLICY, ASSET_POLICY),
    ];
    (headers, asset.shared_body()).into_response()
}

/// The stylesheet of a scheme as it is sent: all of it, or what stands before a comment.
pub fn stylesheet(scheme: ColorScheme, end: Option<&str>) -> String {
    let sheet = scheme.apply(include_str!("../../assets/app.css"));
    without_comments(end.and_then(|end| sheet.split(end).next()).unwrap_or(&sheet))
}

/// The script as it is sent: without comments, each of which has its lines for itself, and without indents.
fn script() -> String {
    let lines = include_str!("../../assets/app.js").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).flat_map(|line| [line, "\n"]).collect()
}

/// A stylesheet without what is there for its readers: comments, line breaks where a line is complete, and blanks beside
/// what separates by itself. No string in it has the sign of a comment, or a blank after a colon or a comma.
fn without_comments(css: &str) -> String {
    let mut parts = css.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    kept.extend(parts.map(|part| part.split_once("*/").map_or("", |(_, rest)| rest)));
    let lines = kept.lines().map(str::trim).filter(|line| !line.is_empty());
    let ends = |line: &str| line.ends_with(['{', '}', ';', ',']);
    let joined: String = lines.flat_map(|line| [line, if ends(line) { "" } else { "\n" }]).collect();
    let separators = [(": ", ":"), (", ", ","), (" {", "{"), ("{ ", "{"), ("; ", ";"), (";}", "}"), (" }", "}")];
    separators.iter().fold(joined, |css, (wide, narrow)| css.replace(wide, narrow))
}

#[cfg(test)]
#[path = "assets_contrast_tests.rs"]
mod contrast_tests;
#[cfg(test)]
#[path = "assets_tests.rs"]
mod tests;
