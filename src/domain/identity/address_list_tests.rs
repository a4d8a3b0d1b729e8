use super::addresses;

#[test]
fn commas_semicolons_blanks_and_lines_separate_addresses() {
    let text = " ada@example.com,bob@example.com; cy@example.com\tdan@example.com\r\neve@example.com,,\n";
    let names = ["ada", "bob", "cy", "dan", "eve"].map(|name| format!("{name}@example.com"));
    assert_eq!(addresses(text), names);
}

#[test]
fn names_of_mail_programs_are_left_out() {
    let text = "Ada Lovelace <ada@example.com>, \"Bob\" < bob@example.com >\ncy@example.com";
    assert_eq!(addresses(text), ["ada@example.com", "bob@example.com", "cy@example.com"]);
}

#[test]
fn an_address_counts_once_as_it_was_first_written() {
    assert_eq!(addresses("Ada@Example.com ada@example.com, ADA@EXAMPLE.COM"), ["Ada@Example.com"]);
}

#[test]
fn what_is_no_address_stays_as_it_was_typed() {
    assert_eq!(addresses("nobody ada@ <ada@example.com"), ["nobody", "ada@", "<ada@example.com"]);
    assert_eq!(addresses(" ,;\n "), [""; 0]);
}
