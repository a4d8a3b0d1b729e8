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
fn local_addresses_are_those_of_a_machine_a_home_or_an_office() {
    let local = |text: &str| text.parse().is_ok_and(is_local);
    for inner in ["127.0.0.1", "::1", "192.168.1.5", "10.0.0.7", "172.16.0.1", "::ffff:10.0.0.1", "fd00::1", "fe80::1"]
    {
        assert!(local(inner), "{inner}");
    }
    for outer in ["203.0.113.5", "172.32.0.1", "2001:db8::1", "::ffff:8.8.8.8", "100.64.0.1"] {
        assert!(!local(outer), "{outer}");
    }
}

#[test]
fn ipv4_addresses_are_networks_of_their_own() {
    for network in [subnet, site] {
        assert_ne!(of(network, "192.0.2.1"), of(network, "192.0.2.2"));
    }
}
