use crate::messages::{Catalog, Locale};
use crate::model::device::Device;
use std::net::{IpAddr, Ipv4Addr};

fn display_name(user_agent: &str) -> String {
    super::display_name(Catalog::embedded().messages(Locale::ENGLISH), user_agent)
}

#[test]
fn browser_is_named_with_operating_system() {
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    assert_eq!(display_name(firefox), "Firefox on Linux");
    let safari = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) \
        Version/18.5 Safari/605.1.15";
    assert_eq!(display_name(safari), "Safari on macOS");
}

#[test]
fn unrecognized_user_agent_is_unknown_device() {
    for nothing in ["", "x", "<script>alert(1)</script>"] {
        assert_eq!(display_name(nothing), "Unknown device");
    }
}

#[test]
fn address_follows_the_name_where_it_is_known() {
    let messages = Catalog::embedded().messages(Locale::ENGLISH);
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let address = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
    let named = |address| super::with_address(messages, &Device::new(firefox, address));
    assert_eq!((named(address).as_str(), named(None).as_str()), ("Firefox on Linux, 192.0.2.1", "Firefox on Linux"));
}
