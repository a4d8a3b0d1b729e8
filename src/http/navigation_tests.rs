#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(*name, value.parse().unwrap());
    }
    headers
}

#[test]
fn navigations_and_clients_that_say_nothing_are_no_scripts() {
    let (mode, dest) = (("sec-fetch-mode", "navigate"), "sec-fetch-dest");
    for pairs in [&[][..], &[mode], &[mode, (dest, "document")], &[mode, (dest, "empty")]] {
        assert!(!is_by_script(&headers(pairs)), "{pairs:?}");
    }
    assert!(!sends_mode(&headers(&[])) && sends_mode(&headers(&[mode])));
}

#[test]
fn every_other_mode_and_every_frame_is_a_script() {
    for mode in ["cors", "no-cors", "same-origin", "websocket", "", "Navigate"] {
        assert!(is_by_script(&headers(&[("sec-fetch-mode", mode)])), "{mode}");
        assert!(is_by_script(&headers(&[("sec-fetch-mode", "navigate"), ("sec-fetch-mode", mode)])), "{mode}");
    }
    for frame in FRAMES {
        assert!(is_by_script(&headers(&[("sec-fetch-mode", "navigate"), ("sec-fetch-dest", frame)])), "{frame}");
        assert!(is_by_script(&headers(&[("sec-fetch-dest", frame)])), "{frame}");
    }
}
