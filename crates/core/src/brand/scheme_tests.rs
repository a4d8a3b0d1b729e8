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
fn embedded_stylesheet_has_what_a_fixed_scheme_replaces() {
    let css = include_str!("../../../../assets/app.css");
    for scheme in [ColorScheme::Light, ColorScheme::Dark] {
        let fixed = scheme.apply(css);
        assert!(!fixed.contains("prefers-color-scheme") && !fixed.contains("light dark"), "{scheme:?}");
        assert!(fixed.contains(&format!("@media {}", scheme.dark_query())), "{scheme:?}");
    }
}
