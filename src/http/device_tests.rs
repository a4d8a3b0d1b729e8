use crate::messages::{Catalog, Locale};

#[test]
fn phones_are_told_from_computers() {
    let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
        Version/18.5 Mobile/15E148 Safari/604.1";
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    assert!(super::is_phone(iphone) && !super::is_phone(firefox) && !super::is_phone(""));
}

#[test]
fn place_says_what_an_address_tells() {
    let place = |address, here| super::place(Catalog::embedded().messages(Locale::ENGLISH), address, here);
    assert_eq!(place("192.168.1.5", "203.0.113.5"), "Local network (192.168.1.5)");
    assert_eq!(place("203.0.113.5", "203.0.113.5"), "This network (203.0.113.5)");
    assert_eq!(place("2001:db8::1", "2001:db8::2"), "This network (2001:db8::1)");
    assert_eq!(place("203.0.113.5", "203.0.113.6"), "203.0.113.5");
    assert_eq!(place("203.0.113.5", ""), "203.0.113.5");
    assert_eq!(place("", "203.0.113.5"), "Unknown IP address");
}
