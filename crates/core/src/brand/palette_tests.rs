#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use proptest::prelude::*;

const WELL_KNOWN: [&str; 27] = [
    "#635bff", "#5e6ad2", "#5865f2", "#6363f1", "#4285f4", "#2da44e", "#3b82f6", "#6366f1", "#1db954", "#ff5a5f",
    "#ff7a59", "#f22f46", "#a259ff", "#3ecf8e", "#ff6600", "#f06a6a", "#1f8ded", "#e50914", "#ffe01b", "#6c47ff",
    "#2563eb", "#4a154b", "#000000", "#008060", "#0061ff", "#0052cc", "#fff",
];

fn palette(text: &str) -> Palette {
    Palette::of(Color::parse(text).unwrap())
}

/// Asserts every contrast of a color's shades in both schemes.
fn assert_readable(color: Color) {
    let Palette { light, dark } = Palette::of(color);
    for (shades, grounds) in [(light, LIGHT), (dark, DARK)] {
        let Shades { brand, brand_hover, on_brand, edge, focus, accent, accent_strong } = shades;
        let darkened = on_brand == Color::WHITE && color.contrast(Color::WHITE) >= NEARLY_WHITE;
        assert!(brand == color || darkened, "{shades:?}");
        assert!([Color::BLACK, Color::WHITE].contains(&on_brand), "{shades:?}");
        for ground in [brand, brand_hover] {
            assert!(on_brand.contrast(ground) >= TEXT, "{shades:?}");
        }
        assert_ne!(brand, brand_hover, "{shades:?}");
        for ground in grounds {
            for ring in [edge, focus] {
                assert!(ring.contrast(ground) >= EDGE, "{ground}: {shades:?}");
            }
            assert!(accent.contrast(ground) >= TEXT, "{ground}: {shades:?}");
            assert!(accent_strong.contrast(ground) >= TEXT, "{ground}: {shades:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_color_is_readable_in_both_schemes(rgb in 0..=0x00ff_ffff_u32) {
        assert_readable(Color::from_rgb(rgb));
    }
}

#[test]
fn well_known_colors_are_readable_in_both_schemes() {
    for color in WELL_KNOWN {
        assert_readable(Color::parse(color).unwrap());
    }
}

#[test]
fn readable_color_stays_as_it_is() {
    let Shades { accent, edge, on_brand, .. } = palette("#1a3d8f").light;
    let color = Color::parse("#1a3d8f").unwrap();
    assert_eq!((accent, edge, on_brand), (color, color, Color::WHITE));
    assert_eq!(palette("#ffe01b").light.on_brand, Color::BLACK);
}

#[test]
fn red_and_middle_blue_get_white_text_on_a_slightly_darker_ground() {
    for text in ["#ff0000", "#f22f46", "#3b82f6", "#4285f4"] {
        let Shades { brand, on_brand, .. } = palette(text).light;
        assert_eq!(on_brand, Color::WHITE, "{text}");
        assert!((1.0..1.3).contains(&brand.contrast(Color::parse(text).unwrap())), "{text}: {brand}");
    }
    for text in ["#1db954", "#ff6600", "#ffe01b"] {
        let Shades { brand, on_brand, .. } = palette(text).light;
        assert_eq!((brand, on_brand), (Color::parse(text).unwrap(), Color::BLACK), "{text}");
    }
}

#[test]
fn focus_ring_is_never_red() {
    for text in ["#ff0000", "#b00040", "#e50914", "#b3261e", "#ff5a5f"] {
        let Palette { light, dark } = palette(text);
        assert_eq!((light.focus, dark.focus), (LIGHT_TEXT, DARK_TEXT), "{text}");
    }
    for text in ["#635bff", "#ff6600", "#0b6b53", "#4a154b", "#000000", "#ffffff", "#a259ff"] {
        let Palette { light, dark } = palette(text);
        assert_eq!((light.focus, dark.focus), (light.edge, dark.edge), "{text}");
    }
}

#[test]
fn contrast_ratios_match_wcag() {
    assert!((Color::BLACK.contrast(Color::WHITE) - 21.0).abs() < 0.001);
    // The lightest grey that passes on white.
    let grey = |text| Color::parse(text).unwrap().contrast(Color::WHITE);
    assert!(grey("#767676") >= 4.5 && grey("#777777") < 4.5);
}

#[test]
fn stylesheet_has_the_same_grounds_and_the_default_palette() {
    let css = include_str!("../../../../assets/app.css");
    let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").unwrap();
    let default = Palette::default();
    let schemes = [(light, LIGHT, LIGHT_TEXT, default.light), (dark, DARK, DARK_TEXT, default.dark)];
    for (scheme, grounds, text, shades) in schemes {
        for (name, ground) in GROUNDS.into_iter().zip(grounds) {
            assert!(scheme.contains(&format!("--{name}: {ground};")), "--{name}: {ground}");
        }
        assert!(scheme.contains(&format!("--text: {text};")), "--text: {text}");
        for declaration in shades.variables().split(';') {
            let declaration = declaration.replace(':', ": ");
            assert!(scheme.contains(&format!("{declaration};")), "{declaration}");
        }
    }
}

#[test]
fn colors_have_three_or_six_hex_digits() {
    for text in ["", "#", "#ff", "0b6b53", "#0b6b5", "#0b6b533", "#0b6b5g", "#+b6b53", "#+bc", "green", "#ééé"] {
        assert_eq!(Color::parse(text), None, "{text}");
    }
    assert_eq!(Color::parse("#0B6B53").unwrap().to_string(), "#0b6b53");
    assert_eq!(Color::parse("#0aF").unwrap().to_string(), "#00aaff");
}

#[test]
fn stylesheet_sets_the_shades_of_each_scheme() {
    let css = |scheme| String::from_utf8(palette("#635bff").stylesheet(scheme).body().to_vec()).unwrap();
    let auto = css(ColorScheme::Auto);
    assert!(
        auto.starts_with(":root{--brand:#635bff;--brand-hover:#4238ff;--on-brand:#ffffff;--edge:#635bff;"),
        "{auto}"
    );
    assert_eq!(auto.matches("--accent:").count(), 2);
    assert!(css(ColorScheme::Dark).contains("@media all{:root{--brand:#635bff"));
}
