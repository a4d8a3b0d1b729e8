use super::*;
use crate::model::ids::OrganizationId;
use crate::model::organization::OrganizationKind;
use crate::model::time::Time;
use uuid::Uuid;

fn expect_refusal(name: &str, key: &'static str) {
    assert_eq!(parse(name), Err(Message::new(key)), "{name:?}");
}

#[test]
fn ordinary_names_are_accepted() {
    for name in ["Crew", "Müller & Söhne <1>", "株式会社", "7", "Example.com", "R&D: “North”", "Wwwest"] {
        assert_eq!(parse(name).as_deref().ok(), Some(name));
    }
    assert_eq!(parse("  The\t crew\u{3000}one ").as_deref().ok(), Some("The crew one"));
}

#[test]
fn names_that_are_links_or_addresses_are_refused() {
    for name in [
        "https://evil.example",
        "x://y",
        "see wWw.evil.example",
        "ada@example.com",
        "@all",
        "ｗｗｗ．evil．example",
        "wwW。evil",
        "https：//evil",
        "x﹫y",
    ] {
        expect_refusal(name, "name-address");
    }
}

#[test]
fn every_username_makes_a_name() {
    for (username, name) in [("ada", "ada"), ("www.x.y", "www-x.y"), ("WWWW.www.a", "WWWW-www-a"), ("._-", "user._-")] {
        assert_eq!(of_username(username), name);
        assert_eq!(parse(name).as_deref().ok(), Some(name));
    }
}

#[test]
fn names_that_cannot_be_read_are_refused() {
    for name in [
        "Crew\u{202e}werC",
        "Cr\u{ad}ew",
        "\u{3164}",
        "\u{2800}",
        "Crew\u{e0041}",
        "Crew\u{fe0f}",
        "\u{1d159}",
        "a\u{fffc}",
        "\u{e000}",
        "\u{378}",
    ] {
        expect_refusal(name, "name-invisible");
    }
    for name in ["--", "!?", "👍"] {
        expect_refusal(name, "name-unreadable");
    }
    expect_refusal(" \u{2003} ", "name-missing");
    assert_eq!(parse(&"x".repeat(81)), Err(Message::new("name-too-long").number("max", 80)));
}

#[test]
fn invisible_name_is_confirmed_by_id() {
    let row = |name: &str| OrganizationRow {
        id: OrganizationId(Uuid::from_u128(1)),
        kind: OrganizationKind::Team,
        name: name.to_owned(),
        created_by_user_id: None,
        created_at: Time::from_micros(0),
    };
    assert_eq!(confirmation(&row("The \u{200b}crew")), "The crew");
    assert_eq!(confirmation(&row("\u{3164}")), "00000000-0000-0000-0000-000000000001");
}
