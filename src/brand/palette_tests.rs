#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn palette(text: &str) -> Result<Palette, String> {
    Palette::of(Colour::parse(text).unwrap())
}

#[test]
fn contrasts_are_those_of_the_guidelines() {
    assert!((Colour::BLACK.contrast(Colour::WHITE) - 21.0).abs() < 0.001);
    // The lightest grey that passes on white, as every checker knows it.
    let grey = |text| Colour::parse(text).unwrap().contrast(Colour::WHITE);
    assert!(grey("#767676") >= 4.5 && grey("#777777") < 4.5);
}

#[test]
fn a_colour_that_cannot_be_read_is_refused_with_its_ratio() {
    let why = palette("#ffdd00").unwrap_err();
    assert!(why.contains("#ffdd00 has a contrast of 1.23:1 against the background #f3f6f4"), "{why}");
    assert!(why.contains("text needs 4.5:1"), "{why}");
    // Enough on white, not on the page's ground.
    assert!(palette("#767676").unwrap_err().contains("4.17:1"));
}

#[test]
fn every_readable_colour_becomes_readable_shades_in_both_schemes() {
    let channels = [0x00, 0x33, 0x66, 0x99, 0xcc, 0xff];
    let mut taken = 0;
    for (red, green, blue) in
        channels.iter().flat_map(|r| channels.iter().flat_map(move |g| channels.map(|b| (*r, *g, b))))
    {
        let Ok(Palette { light, dark }) = Palette::of(Colour::of((red << 16) | (green << 8) | blue)) else { continue };
        taken += 1;
        for (shades, grounds) in [(light, LIGHT_GROUNDS), (dark, DARK_GROUNDS)] {
            for shade in [shades.accent, shades.strong] {
                assert!(shade.contrast(shades.on) >= READABLE, "{shades:?}");
                assert!(grounds.iter().all(|ground| shade.contrast(*ground) >= READABLE), "{shades:?}");
            }
        }
    }
    assert!(taken > 60, "{taken}");
}

#[test]
fn the_grounds_are_those_of_the_stylesheet() {
    let css = include_str!("../../assets/app.css");
    let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").unwrap();
    for (scheme, [ground, surface]) in [(light, LIGHT_GROUNDS), (dark, DARK_GROUNDS)] {
        assert!(scheme.contains(&format!("--ground: {ground};")), "{ground}");
        assert!(scheme.contains(&format!("--surface: {surface};")), "{surface}");
    }
}

#[test]
fn only_six_digits_are_a_colour() {
    for text in ["", "#", "#fff", "0b6b53", "#0b6b5", "#0b6b533", "#0b6b5g", "#+b6b53", "green"] {
        assert_eq!(Colour::parse(text), None, "{text}");
    }
    assert_eq!(Colour::parse("#0B6B53").unwrap().to_string(), "#0b6b53");
}

#[test]
fn the_stylesheet_changes_three_variables_in_each_scheme() {
    let sheet = palette("#0b6b53").unwrap().stylesheet();
    let css = std::str::from_utf8(sheet.body()).unwrap();
    assert!(css.starts_with(":root{--accent:#0b6b53;--accent-strong:#08503e;--on-accent:#ffffff}"), "{css}");
    assert_eq!(css.matches("--accent:").count(), 2);
}
