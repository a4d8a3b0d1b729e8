#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

async fn get(file: &str) -> Response {
    serve(Path(file.to_owned())).await
}

#[tokio::test]
async fn every_file_is_served_under_its_own_url_for_a_year() {
    for asset in Assets::embedded().all() {
        let response = get(asset.url().strip_prefix(PREFIX).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CONTENT_TYPE], asset.content_type);
        assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(body, asset.body());
    }
}

#[tokio::test]
async fn any_other_name_is_not_found_and_not_cached() {
    for name in ["app.css", "app.0000000000000000.css", "", "../app.css", "icon.svg\0"] {
        let response = get(name).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{name:?}");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
    }
}

#[test]
fn names_change_with_the_content() {
    let url = |body| Asset::new("app", "css", "text/css", body).url().to_owned();
    assert_ne!(url(b"a {}"), url(b"b {}"));
    assert_eq!(url(b"a {}"), url(b"a {}"));
    assert!(url(b"a {}").starts_with("/auth/assets/app."));
}

#[test]
fn all_together_stay_under_thirty_kilobytes() {
    let total: usize = Assets::embedded().all().iter().map(|asset| asset.body().len()).sum();
    assert!(total < 30_000, "{total} bytes");
}

#[test]
fn no_file_asks_another_host() {
    for asset in Assets::embedded().all() {
        let text = std::str::from_utf8(asset.body()).unwrap().replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("//") || asset.content_type.contains("javascript"), "{}", asset.url());
        assert!(!text.contains("http:") && !text.contains("https:"), "{}", asset.url());
    }
}

#[test]
fn the_route_is_the_prefix_and_one_segment() {
    let _router: axum::Router = axum::Router::new().route(&format!("{PREFIX}{{file}}"), axum::routing::get(serve));
}
