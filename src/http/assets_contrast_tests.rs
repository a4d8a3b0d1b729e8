//! The stylesheet's colors against WCAG 2.2: 1.4.3 (text, 4.5:1) and 1.4.11 (controls, 3:1).
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

/// What stands on every ground. The palette's tests have the shades of the brand's color.
const GROUNDS: [&str; 6] = ["ground", "surface", "raised", "danger-ground", "warning-ground", "good-ground"];
const TEXT: [&str; 5] = ["text", "muted", "danger", "warning", "good"];
const CONTROLS: [&str; 1] = ["control"];
/// The sign in a notice's disc.
const SIGNS: [(&str, &str); 3] = [("surface", "danger"), ("warning-ground", "warning"), ("good-ground", "good")];

/// The relative luminance (WCAG 2.2) of the CSS variable `name` in `scheme`.
fn luminance(scheme: &str, name: &str) -> f64 {
    let start = scheme.find(&format!("--{name}: #")).unwrap() + name.len() + 5;
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&scheme[start + at..start + at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

fn contrast(scheme: &str, (one, other): (&str, &str)) -> f64 {
    let (one, other) = (luminance(scheme, one), luminance(scheme, other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn color_pairs_meet_wcag_contrast_in_both_schemes() {
    let css = include_str!("../../assets/app.css");
    let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").unwrap();
    for scheme in [light, dark] {
        let on_grounds = |names: &'static [&str]| names.iter().flat_map(|name| GROUNDS.map(|ground| (*name, ground)));
        for pair in on_grounds(&TEXT).chain(SIGNS) {
            assert!(contrast(scheme, pair) >= 4.5, "{pair:?}: {:.2}", contrast(scheme, pair));
        }
        for pair in on_grounds(&CONTROLS) {
            assert!(contrast(scheme, pair) >= 3.0, "{pair:?}: {:.2}", contrast(scheme, pair));
        }
    }
}
