#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn palette(text: &str) -> Result<Palette, String> {
    Palette::from_accent(Colour::parse(text).unwrap())
}

#[test]
fn contrast_ratios_match_wcag() {
    assert!((Colour::BLACK.contrast(Colour::WHITE) - 21.0).abs() < 0.001);
    // The lightest grey that passes on white.
    let grey = |text| Colour::parse(text).unwrap().contrast(Colour::WHITE);
    assert!(grey("#767676") >= 4.5 && grey("#777777") < 4.5);
}

#[test]
fn low_contrast_colour_is_refused_with_its_ratio() {
    let error = palette("#ffdd00").unwrap_err();
    assert!(error.contains("#ffdd00 has a contrast of 1.23:1 against the background #f3f6f4"), "{error}");
    assert!(error.contains("text needs 4.5:1"), "{error}");
    // Sufficient on white, not on the page's background.
    assert!(palette("#767676").unwrap_err().contains("4.17:1"));
}

#[test]
fn accepted_colours_yield_readable_shades_in_both_schemes() {
    let channels = [0x00, 0x33, 0x66, 0x99, 0xcc, 0xff];
    let mut accepted = 0;
    for (red, green, blue) in
        channels.iter().flat_map(|r| channels.iter().flat_map(move |g| channels.map(|b| (*r, *g, b))))
    {
        let Ok(Palette { light, dark }) = Palette::from_accent(Colour::from_rgb((red << 16) | (green << 8) | blue))
        else {
            continue;
        };
        accepted += 1;
        for (shades, backgrounds) in [(light, LIGHT_BACKGROUNDS), (dark, DARK_BACKGROUNDS)] {
            for shade in [shades.accent, shades.strong] {
                assert!(shade.contrast(shades.on_accent) >= MIN_CONTRAST, "{shades:?}");
                assert!(backgrounds.iter().all(|background| shade.contrast(*background) >= MIN_CONTRAST), "{shades:?}");
            }
        }
    }
    assert!(accepted > 60, "{accepted}");
}

#[test]
fn background_colours_match_the_stylesheet() {
    let css = include_str!("../../assets/app.css");
    let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").unwrap();
    for (scheme, [background, surface]) in [(light, LIGHT_BACKGROUNDS), (dark, DARK_BACKGROUNDS)] {
        assert!(scheme.contains(&format!("--ground: {background};")), "{background}");
        assert!(scheme.contains(&format!("--surface: {surface};")), "{surface}");
    }
}

#[test]
fn only_six_hex_digits_parse_as_a_colour() {
    for text in ["", "#", "#fff", "0b6b53", "#0b6b5", "#0b6b533", "#0b6b5g", "#+b6b53", "green"] {
        assert_eq!(Colour::parse(text), None, "{text}");
    }
    assert_eq!(Colour::parse("#0B6B53").unwrap().to_string(), "#0b6b53");
}

#[test]
fn stylesheet_sets_three_variables_per_scheme() {
    let sheet = palette("#0b6b53").unwrap().stylesheet();
    let css = std::str::from_utf8(sheet.body()).unwrap();
    assert!(css.starts_with(":root{--accent:#0b6b53;--accent-strong:#08503e;--on-accent:#ffffff}"), "{css}");
    assert_eq!(css.matches("--accent:").count(), 2);
}
