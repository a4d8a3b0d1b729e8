#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::brand::{ASSETS_PATH, Logo};
use axum::http::HeaderValue;

fn get(file: &str) -> Response {
    respond(&Brand::default(), file, &HeaderMap::new())
}

fn get_as(file: &str, accept_encoding: &'static str) -> Response {
    respond(
        &Brand::default(),
        file,
        &HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(accept_encoding))]),
    )
}

#[tokio::test]
async fn embedded_assets_are_cacheable_for_a_year() {
    for asset in Assets::embedded().all() {
        let response = get(asset.name());
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CONTENT_TYPE], asset.content_type());
        assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(body, asset.body());
    }
}

#[tokio::test]
async fn text_is_compressed_for_whom_takes_it_so() {
    let css = &Assets::embedded().css;
    for taken in ["gzip", "deflate, GZIP;q=0.5, br", "br,gzip ; q=1.0"] {
        let response = get_as(css.name(), taken);
        assert_eq!(response.headers()[CONTENT_ENCODING], "gzip", "{taken}");
        assert_eq!(response.headers()[VARY], "Accept-Encoding");
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let mut whole = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*body), &mut whole).unwrap();
        assert_eq!(whole, css.body());
    }
    for refused in ["", "br", "identity", "gzip;q=0", "gzip; q=0.000", "xgzip"] {
        let response = get_as(css.name(), refused);
        assert!(!response.headers().contains_key(CONTENT_ENCODING), "{refused}");
        assert_eq!(response.headers()[VARY], "Accept-Encoding", "{refused}");
    }
}

#[tokio::test]
async fn unknown_asset_name_gets_uncached_404() {
    for name in ["app.css", "app.0000000000000000.css", "", "../app.css", "icon.svg\0"] {
        let response = get(name);
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{name:?}");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
    }
}

#[test]
fn asset_url_depends_on_content() {
    let url = |body: &'static [u8]| Asset::new("app", "css", "text/css", body).url().to_owned();
    assert_ne!(url(b"a {}"), url(b"b {}"));
    assert_eq!(url(b"a {}"), url(b"a {}"));
    assert!(url(b"a {}").starts_with("/auth/assets/app."));
}

#[test]
fn stylesheet_is_under_thirty_two_kilobytes_and_all_files_under_forty_two() {
    let files = Assets::embedded().all();
    let [css, ..] = files.map(|asset| asset.body().len());
    let total: usize = files.iter().map(|asset| asset.body().len()).sum();
    assert!(css < 32_000 && total < 42_000, "stylesheet: {css} bytes, all: {total} bytes");
    let sent: usize = files.iter().filter_map(|asset| asset.compressed()).map(|gzip| gzip.len()).sum();
    assert!(sent < 12_500, "{sent} bytes compressed");
}

#[test]
fn embedded_assets_reference_no_other_host() {
    for asset in Assets::embedded().all() {
        let text = std::str::from_utf8(asset.body()).unwrap().replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("//") || asset.content_type().contains("javascript"), "{}", asset.url());
        assert!(!text.contains("http:") && !text.contains("https:"), "{}", asset.url());
    }
}

#[test]
fn script_of_the_pages_makes_no_request() {
    let script = std::str::from_utf8(Assets::embedded().js.body()).unwrap();
    for way in ["fetch(", "XMLHttpRequest", "sendBeacon", "EventSource", "WebSocket", "import(", "Worker", ".src ="] {
        assert!(!script.contains(way), "{way}: such a request needs its place in middleware/only_navigations.rs");
    }
}

#[test]
fn asset_route_is_prefix_and_one_segment() {
    let _router: axum::Router<Arc<App>> =
        axum::Router::new().route(&format!("{ASSETS_PATH}{{file}}"), axum::routing::get(serve));
}

#[tokio::test]
async fn svg_logo_is_served_with_sandboxing_policy() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><script>alert(1)</script></svg>"#;
    let asset = Asset::new("logo", "svg", "image/svg+xml", svg.as_bytes());
    let brand = Brand { logo: Some(Logo { asset: asset.clone(), width: 64 }), ..Brand::default() };
    let response = respond(&brand, asset.name(), &HeaderMap::new());
    assert_eq!(response.headers()[CONTENT_TYPE], "image/svg+xml");
    assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
    let policy = response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox") && !policy.contains("script-src"));
    assert_eq!(axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap(), svg.as_bytes());
}

#[test]
fn script_is_sent_without_comments_and_indents() {
    let js = String::from_utf8_lossy(Assets::embedded().js.body()).into_owned();
    assert!(js.starts_with("(() => {\n\"use strict\";\n") && js.ends_with("})();\n"), "{js}");
    for line in js.lines() {
        assert!(!line.starts_with("//") && !line.is_empty() && line == line.trim(), "{line}");
    }
}

#[test]
fn stylesheet_is_sent_without_comments() {
    assert_eq!(without_comments("/* a */\na {\n  color: red; /* why\n so */\n}\n\n/* end */"), "a{color:red}");
    let css = String::from_utf8_lossy(Assets::embedded().css.body()).into_owned();
    assert!(!css.contains("/*") && !css.contains("*/") && !css.contains("\n\n"), "{css}");
    assert_eq!(css.matches('{').count(), include_str!("../../assets/app.css").matches('{').count());
}
