use super::*;

const CSS: &str = "html { color-scheme: light dark; } @media (prefers-color-scheme: dark) { a { color: red; } }";

#[test]
fn fixed_scheme_ignores_the_readers_system() {
    assert_eq!(ColorScheme::Auto.apply(CSS), CSS);
    let light = ColorScheme::Light.apply(CSS);
    assert_eq!(light, "html { color-scheme: light; } @media not all { a { color: red; } }");
    assert_eq!(ColorScheme::Dark.apply(CSS), "html { color-scheme: dark; } @media all { a { color: red; } }");
}

#[test]
fn bars_of_the_browser_have_the_color_of_the_surface() {
    let css = include_str!("../../../../assets/app.css");
    let (light, dark) = css.split_once(ColorScheme::DARK_QUERY).unwrap_or_default();
    assert!(
        light.contains(&format!("--surface: {LIGHT_SURFACE};"))
            && dark.contains(&format!("--surface: {DARK_SURFACE};"))
    );
    for (scheme, colors) in [(ColorScheme::Light, [LIGHT_SURFACE]), (ColorScheme::Dark, [DARK_SURFACE])] {
        assert!(scheme.theme_colors().iter().map(|(_, color)| *color).eq(colors));
    }
}

#[test]
fn embedded_stylesheet_has_what_a_fixed_scheme_replaces() {
    let css = include_str!("../../../../assets/app.css");
    for scheme in [ColorScheme::Light, ColorScheme::Dark] {
        let fixed = scheme.apply(css);
        assert!(!fixed.contains("prefers-color-scheme") && !fixed.contains("light dark"), "{scheme:?}");
        assert!(fixed.contains(&format!("@media {}", scheme.dark_query())), "{scheme:?}");
    }
}
