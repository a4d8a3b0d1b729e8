use super::*;
use crate::model::time::Time;

#[test]
fn places_are_read_as_they_are_shown() {
    let user_id = UserId(Uuid::from_u128(7));
    let search = |word: &str| {
        let at = WordPlace { word: word.to_owned(), newest: -1_760_000_000_000_000, user_id };
        PeoplePlace(PlaceOf::Search(SearchPlace { reading: 1, driver: 3, at }))
    };
    let newest = PeoplePlace(PlaceOf::Newest(ListPlace { at: Time::from_micros(9), id: Uuid::from_u128(8) }));
    for place in [search("ada"), search("a.b-c@example.com"), search("李"), search(""), newest] {
        let shown = place.to_string();
        assert!(shown.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{shown}");
        assert_eq!(PeoplePlace::parse(&shown), Some(place));
    }
}

#[test]
fn what_is_no_place_is_refused() {
    let coded = |text: &str| format!("w{}", URL_SAFE_NO_PAD.encode(text));
    let id = Uuid::nil().simple();
    for text in [
        "",
        "w",
        "w%",
        "9-8",
        "word",
        &coded("0.0.0.1.word"),
        &coded(&format!("0.0.0.{id}")),
        &coded(&format!("0.0.99999999999999999999.{id}.word")),
        &coded(&format!("-1.0.0.{id}.word")),
        &coded(&format!("0.0.0.{id}.wo\0rd")),
        &coded(&format!("0.0.0.{id}.{}", "x".repeat(MAX_TEXT_LEN))),
    ] {
        assert_eq!(PeoplePlace::parse(text), None, "{text}");
    }
}
