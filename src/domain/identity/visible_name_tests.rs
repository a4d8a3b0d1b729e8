use super::*;

#[test]
fn display_names_have_one_to_hundred_characters() {
    for name in ["A", "Ada Lovelace", "Ada King, Countess of Lovelace", "李小龍", &"ä".repeat(100)] {
        assert_eq!(DisplayName::parse(&format!(" {name}\t")).map(|name| name.0), Ok(name.to_owned()));
    }
    let long = DisplayName::parse(&"x".repeat(101));
    assert_eq!(long, Err(Message::new("name-too-long").number("max", 100)));
    assert_eq!(DisplayName::parse("\u{301}Ada"), Err(Message::new("name-marks")));
    assert_eq!(DisplayName::parse(" "), Err(Message::new("name-missing")));
    assert_eq!(DisplayName::parse_optional(" \n"), Ok(None));
    for name in ["https://evil.example", "ada@example.com", "Ada\u{202e}", "--"] {
        assert!(DisplayName::parse_optional(name).is_err(), "{name:?}");
    }
}

#[test]
fn names_hold_no_links() {
    for link in [
        "Refund: evil.example/claim",
        "evil.example:8080",
        "evil.example?id=7",
        "evil。example/x",
        "evil.example\u{2044}x",
        "ｅｖｉｌ．example／x",
        "//evil.example/a",
        "Bonus..evil.example/login",
        "x.(evil.example/login)",
        "a.,evil.example/claim",
        "(1.)evil.example/x",
        "get.\"evil.example/login\"",
        "evil.example#x",
        "http:\\\\evil.example",
        "evil.example\u{2215}login",
        "evil.example\u{29f8}login",
    ] {
        assert_eq!(parse(link, 100), Err(Message::new("name-address")), "{link}");
    }
    for name in ["example.com", "J. R. R. Tolkien", "AC/DC", "Dr. Who?", "Open 24/7", "St. Mary: Choir", "v1.0 (beta)?"]
    {
        assert_eq!(parse(name, 100), Ok(name.to_owned()));
    }
}
