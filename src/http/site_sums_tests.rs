#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const BOUNDS: SiteBounds = SiteBounds { all: 10, of_site: 4 };

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn ipv6_networks_of_48_bits_and_ipv4_addresses_are_sites() {
    let mut sums = SiteSums::default();
    assert!(sums.take(address("2001:db8:7:1::1"), 4, BOUNDS));
    assert!(!sums.take(address("2001:db8:7:2::1"), 1, BOUNDS), "another /64 of the same /48");
    assert!(sums.take(address("2001:db8:8::1"), 4, BOUNDS));
    assert!(sums.take(address("192.0.2.1"), 2, BOUNDS));
    assert!(!sums.take(address("192.0.2.2"), 1, BOUNDS), "all of it is held");
}

#[test]
fn refusal_takes_nothing_and_what_is_given_back_leaves_nothing() {
    let mut sums = SiteSums::default();
    assert!(!sums.take(address("192.0.2.1"), 5, BOUNDS));
    assert!(sums.take(address("192.0.2.1"), 0, BOUNDS));
    assert!(sums.sites.is_empty());
    assert!(sums.take(address("192.0.2.1"), 1, BOUNDS) && sums.take(address("192.0.2.1"), 3, BOUNDS));
    sums.give_back(address("192.0.2.1"), 3);
    assert_eq!(sums.sites.len(), 1);
    sums.give_back(address("192.0.2.1"), 1);
    assert!(sums.sites.is_empty() && sums.all == 0);
}
