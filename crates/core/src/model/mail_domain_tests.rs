use super::*;

#[test]
fn every_spelling_of_a_domain_has_the_same_a_labels() {
    for domain in
        ["müller.example", "MÜLLER.Example", "mu\u{308}ller.example", "xn--mller-kva.example", "ｍüller。example"]
    {
        assert_eq!(to_a_labels(domain).as_deref(), Some("xn--mller-kva.example"), "{domain}");
    }
    // Nontransitional: not strasse.example.
    assert_eq!(to_a_labels("straße.example").as_deref(), Some("xn--strae-oqa.example"));
    assert_eq!(to_a_labels("Example.COM").as_deref(), Some("Example.COM"), "as it was written");
    let long = format!("{}.example", "ü".repeat(70));
    for domain in ["xn--a", "xn--mller-", "a b.ü", "ü..example", "-ü.example", long.as_str(), &"ü".repeat(20_000)] {
        assert_eq!(to_a_labels(domain), None, "{domain}");
    }
}

#[test]
fn key_folds_case_and_domain() {
    assert_eq!(key(" Ada@MÜLLER.Example "), "ada@xn--mller-kva.example");
    assert_eq!(key("Ada"), "ada");
    assert_eq!(key("a@b@ü.example"), "a@b@xn--tda.example");
    assert_eq!(key("ada@xn--a"), "ada@xn--a", "no domain name");
}

#[test]
fn domain_is_shown_in_letters_where_they_are_unmistakable() {
    for domain in ["müller.example", "почта.рф", "例え.jp", "한국.example", "भारत.भारत", "straße.example"]
    {
        let stored = format!("ada@{}", to_a_labels(domain).unwrap_or_default());
        assert_ne!(stored, format!("ada@{domain}"));
        assert_eq!(in_letters(&stored), format!("ada@{domain}"));
    }
}

#[test]
fn domain_that_looks_like_another_stays_in_a_labels() {
    // Cyrillic letters that look Latin, alone and among Latin ones; a phonetic letter; Greek; marks of their own.
    for domain in ["аррӏе.com", "pаypal.com", "ɡoogle.com", "οmega.com", "p\u{331}aypal.com"] {
        let stored = format!("ada@{}", to_a_labels(domain).unwrap_or_default());
        assert!(stored.contains("xn--"), "{domain}");
        assert_eq!(in_letters(&stored), stored, "{domain}");
    }
    for unchanged in ["ada", "ada@example.com", "ada@xn--a", "", "@"] {
        assert_eq!(in_letters(unchanged), unchanged);
    }
}
