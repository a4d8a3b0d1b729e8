use super::*;

#[test]
fn display_names_have_one_to_hundred_characters() {
    for name in ["A", "Ada Lovelace", "Ada King, Countess of Lovelace", "李小龍", &"ä".repeat(100)] {
        assert_eq!(DisplayName::parse(&format!(" {name}\t")).map(|name| name.0), Ok(name.to_owned()));
    }
    let long = DisplayName::parse(&"x".repeat(101));
    assert_eq!(long, Err(Message::new("name-too-long").number("max", 100)));
    assert_eq!(DisplayName::parse(" "), Err(Message::new("name-missing")));
    assert_eq!(DisplayName::parse_optional(" \n"), Ok(None));
    for name in ["https://evil.example", "ada@example.com", "Ada\u{202e}", "--"] {
        assert!(DisplayName::parse_optional(name).is_err(), "{name:?}");
    }
}
