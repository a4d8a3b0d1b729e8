use super::code;

#[test]
fn digits_of_every_keyboard_are_ascii() {
    for typed in ["012345", "٠١٢٣٤٥", "۰۱۲۳۴۵", "०१२३४५", "๐๑๒๓๔๕", "０１２３４５", " 012 345\n", "012-345", "٠١٢ ٣٤٥"]
    {
        assert_eq!(code(typed), "012345", "{typed}");
    }
    assert_eq!(code("98765\u{669}"), "987659");
}

#[test]
fn what_is_no_digit_stays() {
    assert_eq!(code("12a4٪6"), "12a4٪6");
    assert_eq!(code(&"1".repeat(40)).len(), 16);
}
