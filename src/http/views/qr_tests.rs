#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn the_drawing_has_the_finders_in_three_corners_and_a_border() {
    let code = QrCode::of("otpauth://totp/Doorward:ada%40example.com?secret=GEZDGNBVGY3TQOJQ").unwrap();
    let last = code.side() - QUIET - 1;
    for (x, y) in [(QUIET, QUIET), (last, QUIET), (QUIET, last)] {
        assert!(code.path().contains(&format!("M{x} {y}h1")), "{x} {y}");
    }
    for dark in code.path().split('M').skip(1) {
        let (x, rest) = dark.split_once(' ').unwrap();
        let y = rest.split('h').next().unwrap();
        for at in [x, y] {
            assert!((QUIET..=last).contains(&at.parse::<usize>().unwrap()), "{dark}");
        }
    }
}

#[test]
fn a_text_that_is_too_long_has_no_code() {
    assert!(QrCode::of(&"x".repeat(3000)).is_none());
}
