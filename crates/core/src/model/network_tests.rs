use super::*;

fn of(network: fn(IpAddr) -> IpAddr, text: &str) -> Option<IpAddr> {
    text.parse().map(network).ok()
}

#[test]
fn ipv6_addresses_share_subnet_of_64_bits_and_site_of_48() {
    assert_eq!(of(subnet, "2001:db8::1"), of(subnet, "2001:db8::2"));
    assert_ne!(of(subnet, "2001:db8::1"), of(subnet, "2001:db8:0:1::1"));
    assert_eq!(of(site, "2001:db8::1"), of(site, "2001:db8:0:ffff::1"));
    assert_ne!(of(site, "2001:db8::1"), of(site, "2001:db8:1::1"));
}

#[test]
fn ipv4_addresses_are_networks_of_their_own() {
    for network in [subnet, site] {
        assert_ne!(of(network, "192.0.2.1"), of(network, "192.0.2.2"));
    }
}
