//! Stylesheet, script and icon: embedded, with the content hash in the name, so that browsers cache them permanently.

use crate::brand::{Asset, Brand, ColorScheme};
use crate::context::App;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::future::{Ready, ready};
use std::sync::{Arc, LazyLock};

/// The policy of a file opened by itself: an SVG, above all the operator's, runs nothing and loads nothing.
const ASSET_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

#[derive(Debug)]
pub struct Assets {
    pub css: Asset,
    /// What pages of administrators have beside it: others never load it.
    pub admin_css: Asset,
    /// The script; pages work without it.
    pub js: Asset,
    pub icon: Asset,
}

static AUTO: LazyLock<Assets> = LazyLock::new(|| Assets::new(ColorScheme::Auto));
static LIGHT: LazyLock<Assets> = LazyLock::new(|| Assets::new(ColorScheme::Light));
static DARK: LazyLock<Assets> = LazyLock::new(|| Assets::new(ColorScheme::Dark));

impl Assets {
    fn new(scheme: ColorScheme) -> Self {
        let css = stylesheet(scheme, None).into_bytes();
        let admin_css = without_comments(include_str!("../../assets/admin.css")).into_bytes();
        let js = script().into_bytes();
        let icon = include_bytes!("../../assets/icon.svg").as_slice();
        Self {
            css: Asset::new("app", "css", "text/css; charset=utf-8", css),
            admin_css: Asset::new("admin", "css", "text/css; charset=utf-8", admin_css),
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

    pub fn all(&self) -> [&Asset; 4] {
        [&self.css, &self.admin_css, &self.js, &self.icon]
    }
}

/// `GET /auth/assets/{file}`: an embedded file or one of the operator's, cacheable for a year, and compressed for whom
/// takes it so; 404 for any other name. Pages are not compressed here: their length could tell a token of theirs
/// (BREACH, <https://breachattack.com>).
#[expect(clippy::needless_pass_by_value, reason = "extractors are values")]
pub fn serve(State(app): State<Arc<App>>, Path(file): Path<String>, headers: HeaderMap) -> Ready<Response> {
    ready(respond(&app.settings.pages.brand, &file, &headers))
}

fn respond(brand: &Brand, file: &str, request: &HeaderMap) -> Response {
    let found = Assets::of(brand.scheme).all().into_iter().chain(brand.assets()).find(|asset| asset.name() == file);
    let Some(asset) = found else {
        return (StatusCode::NOT_FOUND, [(CACHE_CONTROL, "no-store")], "Not found\n").into_response();
    };
    let headers = [
        (CONTENT_TYPE, asset.content_type()),
        (CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (CONTENT_SECURITY_POLICY, ASSET_POLICY),
    ];
    match asset.compressed() {
        None => (headers, asset.shared_body()).into_response(),
        Some(_) if !takes_gzip(request) => (headers, [(VARY, "Accept-Encoding")], asset.shared_body()).into_response(),
        Some(gzip) => {
            (headers, [(VARY, "Accept-Encoding"), (CONTENT_ENCODING, "gzip")], Bytes::from_owner(gzip.clone()))
                .into_response()
        }
    }
}

/// Whether an answer may come as gzip (RFC 9110 12.5.3): it is named, and not with the weight of never.
fn takes_gzip(request: &HeaderMap) -> bool {
    let values = request.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map(|weight| weight.trim_matches(['0', '.']));
        name.trim().eq_ignore_ascii_case("gzip") && weight != Some("")
    })
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
    let separators =
        [(": ", ":"), (", ", ","), (" > ", ">"), (" {", "{"), ("{ ", "{"), ("; ", ";"), (";}", "}"), (" }", "}")];
    separators.iter().fold(joined, |css, (wide, narrow)| css.replace(wide, narrow))
}

#[cfg(test)]
#[path = "assets_contrast_tests.rs"]
mod contrast_tests;
#[cfg(test)]
#[path = "assets_tests.rs"]
mod tests;
