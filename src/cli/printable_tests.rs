use super::*;

#[test]
fn terminal_control_characters_are_escaped() {
    assert_eq!(text("\u{1b}[2Jgone\u{7}"), "\\u{1b}[2Jgone\\u{7}");
    assert_eq!(text("\u{9b}31m"), "\\u{9b}31m");
    assert_eq!(text("over\rwritten"), "over\\u{d}written");
    assert_eq!(text("a\u{202e}b\u{61c}"), "a\\u{202e}b\\u{61c}");
    assert_eq!(text("\u{3164}\u{fff9}\u{e0041}"), "\\u{3164}\\u{fff9}\\u{e0041}");
    assert_eq!(bytes(b"\xff\x00"), "\u{fffd}\\u{0}");
}

#[test]
fn ordinary_text_is_unchanged() {
    assert_eq!(text("zwei Zeilen:\r\n\täöü 你好\n"), "zwei Zeilen:\n\täöü 你好\n");
    assert_eq!(line("a\nb\tc"), "a\\nb\\tc");
    assert_eq!(indent("a\nb", 2), "  a\n  b");
}
