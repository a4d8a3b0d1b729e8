#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn qr_path_has_three_finders_and_quiet_zone() {
    let code = QrCode::of("otpauth://totp/Doorward:ada%40example.com?secret=GEZDGNBVGY3TQOJQ").unwrap();
    let last = code.side() - QUIET_ZONE - 1;
    for (x, y) in [(QUIET_ZONE, QUIET_ZONE), (last, QUIET_ZONE), (QUIET_ZONE, last)] {
        assert!(code.path().contains(&format!("M{x} {y}h1")), "{x} {y}");
    }
    for dark in code.path().split('M').skip(1) {
        let (x, rest) = dark.split_once(' ').unwrap();
        let y = rest.split('h').next().unwrap();
        for at in [x, y] {
            assert!((QUIET_ZONE..=last).contains(&at.parse::<usize>().unwrap()), "{dark}");
        }
    }
}

#[test]
fn modules_have_whole_pixels_and_at_least_four() {
    let code = QrCode::of("otpauth://totp/Doorward:ada%40example.com?secret=GEZDGNBVGY3TQOJQ").unwrap();
    assert!(code.pixels().is_multiple_of(code.side()) && code.pixels() / code.side() >= 4);
}

#[test]
fn text_too_long_has_no_qr_code() {
    assert!(QrCode::of(&"x".repeat(3000)).is_none());
}
