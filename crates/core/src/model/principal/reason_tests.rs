use super::*;

#[test]
fn reason_is_one_line_of_at_most_500_characters() {
    let fault = |text: &str| Reason::parse(text).map(|_| ());
    assert_eq!(
        Reason::parse("  asked by phone ").map(|reason| reason.as_str().to_owned()),
        Ok("asked by phone".to_owned())
    );
    assert_eq!(fault(&"ä".repeat(500)), Ok(()));
    assert_eq!(fault(&"ä".repeat(501)), Err(ReasonFault::TooLong));
    assert_eq!(fault(" \n\t "), Err(ReasonFault::Missing));
    assert_eq!(fault("\u{200b}\u{2800}"), Err(ReasonFault::Missing));
    for control in ["a\nb", "a\0b", "a\u{1b}[31mb", "a\u{85}b"] {
        assert_eq!(fault(control), Err(ReasonFault::Control), "{control:?}");
    }
}

#[test]
fn reason_is_not_in_debug_output() {
    assert_eq!(format!("{:?}", Reason::parse("about ada")), "Ok(Reason)");
}
