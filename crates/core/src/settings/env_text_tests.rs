#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn variables(text: &str) -> Vec<(String, String)> {
    EnvText::parse(text.as_bytes()).unwrap().variables.into_iter().collect()
}

fn value(text: &str) -> String {
    let variables = variables(text);
    assert_eq!(variables.len(), 1, "{text}: {variables:?}");
    variables[0].1.clone()
}

#[test]
fn values_stand_bare_or_in_quotes() {
    for (text, expected) in [
        ("A=b", "b"),
        ("  A =  b c\t\r\n", "b c"),
        ("A=", ""),
        ("A=a&b;c#d<e('f\"g`h$i", "a&b;c#d<e('f\"g`h$i"),
        ("A='b c \\' ", "b c \\"),
        ("A=\"b \\\"c\\\" \\\\ \\` \\$ \\d\"  ", "b \"c\" \\ ` $ \\d"),
        ("A=\"b\" 'c' d 'e'", "bcd 'e'"),
        ("A=b\\ \\ \nB", "b  "),
        ("A=b\\\n  c", "b  c"),
        ("A=\"b\nc\\\nd\"", "b\ncd"),
        ("A='b\nc", "b\nc"),
        ("A=b\nA=c", "c"),
        ("A=b#c # d", "b#c # d"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn lines_that_are_no_variables_are_numbered() {
    let text = "# a=b\n; a=b\n\nNAME\nexport A=b\nB='c\nd'\n1A=b\n=b\nC=\"d\" # e\n# f \\\nD=e\n# \\\\\n";
    let parsed = EnvText::parse(text.as_bytes()).unwrap();
    assert_eq!(parsed.skipped, [4, 5, 8, 9]);
    assert_eq!(parsed.unclear, [11]);
    assert_eq!(parsed.variables.into_iter().collect::<Vec<_>>().len(), 3);
    assert_eq!(variables("# a \\\nB=c"), [("B".to_owned(), "c".to_owned())]);
}

#[test]
fn text_that_is_no_utf8_is_refused() {
    assert_eq!(EnvText::parse(b"A=b\nB=\xff"), Err(NotText(2)));
    assert_eq!(EnvText::parse("A=\u{ffff}".as_bytes()), Err(NotText(1)));
    assert!(EnvText::parse(b"# \xff\nA\xff\nA=b").is_ok(), "comments and skipped lines may be any bytes");
}
