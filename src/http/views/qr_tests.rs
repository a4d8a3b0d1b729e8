#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

/// The modules that the stroke of a path covers, as x and y.
fn painted(path: &str) -> Vec<(usize, usize)> {
    let mut modules = Vec::new();
    for row in path.split("M0 ").skip(1) {
        let (y, lines) = row.split_once(".5").unwrap();
        let (y, mut x) = (y.parse().unwrap(), 0);
        for line in lines.split('m').skip(1) {
            let (gap, length) = line.split_once(" 0h").unwrap();
            x += gap.parse::<usize>().unwrap();
            for _ in 0..length.parse().unwrap() {
                modules.push((x, y));
                x += 1;
            }
        }
    }
    modules
}

#[test]
fn qr_path_paints_the_dark_modules_inside_the_quiet_zone() {
    const TEXT: &str = "otpauth://totp/Doorward:ada%40example.com?secret=GEZDGNBVGY3TQOJQ";
    let code = Code::with_error_correction_level(TEXT, EcLevel::M).unwrap();
    let (width, colors) = (code.width(), code.into_colors());
    let dark = (0..colors.len()).filter(|index| colors[*index] == Color::Dark);
    let dark: Vec<_> = dark.map(|index| (index % width + QUIET_ZONE, index / width + QUIET_ZONE)).collect();
    assert_eq!(painted(QrCode::of(TEXT).unwrap().path()), dark);
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
