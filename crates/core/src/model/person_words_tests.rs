#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn words(email: &str, username: &str, name: Option<&str>) -> Vec<String> {
    words_of(email, username, name).into_iter().collect()
}

#[test]
fn words_are_wholes_domain_and_parts_without_doubles() {
    assert_eq!(
        words("ada.king+lists@example.com", "ada_k", Some("Ada King-Lovelace, 2nd")),
        ["2nd", "@example.com", "ada", "ada.king+lists@example.com", "ada_k", "k", "king", "lists", "lovelace"]
    );
    assert_eq!(words("a@example.com", "a", None), ["@example.com", "a", "a@example.com"]);
}

#[test]
fn words_are_folded_and_without_what_nobody_sees() {
    assert_eq!(
        words("x@y.z", "x", Some("ÉLODIE O’Neil \u{202e}Ma\u{ad}ry")),
        ["@y.z", "mary", "neil", "o", "x", "x@y.z", "élodie"]
    );
    assert_eq!(words("x@y.z", "x", Some("李小龍 \u{3164}")), ["@y.z", "x", "x@y.z", "李小龍"]);
}

#[test]
fn placeholder_address_gives_no_words() {
    assert_eq!(words("01980000-0000-7000-8000-000000000000@unverified.invalid", "ada", Some("Ada")), ["ada"]);
}

#[test]
fn words_are_bounded() {
    let long = "é".repeat(400);
    assert!(words("x@y.z", "x", Some(&long)).iter().all(|word| word.chars().count() <= MAX_WORD_LEN));
    let many: Vec<String> = (0..500).map(|number| format!("w{number}")).collect();
    let found = words("x@y.z", "x", Some(&many.join(" ")));
    assert!(found.len() == MAX_WORDS && found.contains(&"x@y.z".to_owned()), "{found:?}");
}

fn beginnings(terms: &[&str]) -> Vec<WordTerm> {
    terms.iter().map(|term| WordTerm::Beginning((*term).to_owned())).collect()
}

fn parsed(typed: &str) -> (Vec<WordTerm>, Option<Vec<WordTerm>>) {
    let search = WordSearch::parse(typed).unwrap();
    (search.literal, search.split)
}

#[test]
fn terms_are_beginnings_of_words_addresses_and_usernames() {
    assert_eq!(parsed(" Ada  KING "), (beginnings(&["ada", "king"]), None));
    assert_eq!(parsed("ada@ex"), (beginnings(&["ada@ex"]), None));
    assert_eq!(parsed("a b"), (beginnings(&["a", "b"]), None));
    // One fits wherever the other does.
    assert_eq!(parsed("ad ada ad"), (beginnings(&["ada"]), None));
    assert_eq!(parsed("ad\u{200f}a \u{202e} king"), (beginnings(&["ada", "king"]), None));
}

#[test]
fn at_sign_names_a_whole_domain() {
    let domain = |text: &str| vec![WordTerm::Whole(text.to_owned())];
    assert_eq!(parsed("@Example.com"), (domain("@example.com"), None));
    assert_eq!(parsed("@müller.example"), (domain("@xn--mller-kva.example"), None));
    let both = [beginnings(&["ada"]), domain("@example.com")].concat();
    assert_eq!(parsed("ada @example.com"), (both, None));
}

#[test]
fn punctuated_terms_are_split_in_a_second_reading() {
    let split = |whole: &str, rest: &[&str]| Some([vec![WordTerm::Whole(whole.to_owned())], beginnings(rest)].concat());
    assert_eq!(parsed("Smith-Jones"), (beginnings(&["smith-jones"]), split("smith", &["jones"])));
    assert_eq!(parsed("o'neil mary"), (beginnings(&["o'neil", "mary"]), split("o", &["neil", "mary"])));
    assert_eq!(parsed("100%"), (beginnings(&["100%"]), split("100", &[])));
    for typed in ["%%", "__", "' or 1=1 %%", "a%", "ada %"] {
        assert_eq!(parsed(typed).1, None, "{typed}");
    }
    let search = WordSearch::parse("smith-jones mary @y.z").unwrap();
    assert_eq!(search.punctuated().cloned().collect::<Vec<_>>(), beginnings(&["smith-jones"]));
}

#[test]
fn too_little_too_much_and_control_characters_find_nobody() {
    let many = ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j10", "k11"].join(" ");
    let long = "a".repeat(201);
    for typed in ["", "a", " a ", "%", "é", "\u{202e}a", "\u{200f}\u{200e}", "ada\0", "ada\u{1b}[31m", &long, &many] {
        assert_eq!(WordSearch::parse(typed), None, "{typed:?}");
    }
    assert!(WordSearch::parse(&"a".repeat(200)).is_some());
    assert!(WordSearch::parse("ada\tking\n").is_some(), "white space is pasted");
}

#[test]
fn ranges_hold_what_fits_by_bytes() {
    let ada = WordTerm::Beginning("ada".to_owned());
    for (word, fits) in [("ada", true), ("adam", true), ("ada\u{10ffff}", true), ("ad", false), ("adb", false)] {
        assert_eq!(word >= ada.first() && word <= ada.last().as_str(), fits, "{word}");
    }
    let whole = WordTerm::Whole("@y.z".to_owned());
    assert_eq!((whole.first(), whole.last().as_str()), ("@y.z", "@y.z"));
}
