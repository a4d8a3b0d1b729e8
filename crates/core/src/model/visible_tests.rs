use super::*;

#[test]
fn characters_without_a_glyph_are_invisible() {
    let fillers = "\u{115f}\u{1160}\u{3164}\u{ffa0}";
    let ignorable =
        "\u{00ad}\u{034f}\u{17b4}\u{17b5}\u{180e}\u{200b}\u{200d}\u{2060}\u{fe0f}\u{feff}\u{1d173}\u{e0041}";
    let direction = "\u{061c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}";
    let others = "\0\u{1b}\u{7f}\u{9b}\u{2028}\u{2029}\u{2800}\u{fff9}";
    for c in [fillers, ignorable, direction, others].concat().chars() {
        assert!(is_invisible(c), "{c:?}");
    }
}

#[test]
fn letters_of_every_script_are_visible() {
    for c in "aZ9-_. äß你好한글العربيةहिन्दीไทย❤👍\u{a0}\u{3000}".chars() {
        assert!(!is_invisible(c), "{c:?}");
    }
}

#[test]
fn marks_stand_on_letters_and_are_few() {
    for text in ["Ada", "Zoë", "Zoe\u{308}", "Việt", "Vie\u{302}\u{323}t", "हिन्दी", "ไท\u{e35}\u{e48}", ""]
    {
        assert!(!has_stray_marks(text), "{text}");
    }
    for text in ["\u{301}Ada", "\u{20dd}a", "\u{93f}", &format!("A{}", "\u{301}".repeat(5))] {
        assert!(has_stray_marks(text), "{text}");
    }
}

#[test]
fn visible_words_are_separated_by_single_spaces() {
    assert_eq!(visible_words(" The\u{200b}  crew \u{3164} \u{2028}of\u{202e} one "), "The crew of one");
    assert_eq!(visible_words("\u{3164}\u{2800} \u{ad}"), "");
}
