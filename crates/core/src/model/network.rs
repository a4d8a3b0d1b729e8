//! Networks: the part of a client's address that identifies a customer of a provider (RFC 6177, section 2).

use std::net::{IpAddr, Ipv6Addr};

/// The subnet of an address: an IPv4 address itself, or the /64 of an IPv6 address, the least that a provider assigns.
pub fn subnet(address: IpAddr) -> IpAddr {
    prefix(address, 64)
}

/// The site of an address: an IPv4 address itself, or the /48 of an IPv6 address, which a provider may assign to one
/// customer. Such a customer has 65,536 subnets, so a count by subnet would not bind them.
pub fn site(address: IpAddr) -> IpAddr {
    prefix(address, 48)
}

/// Whether an address is of a network without a way out: the machine itself, a home or an office (RFC 1918, RFC 4193).
pub fn is_local(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.is_private() || v4.is_loopback() || v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_unique_local() || v6.is_loopback() || v6.is_unicast_link_local(),
    }
}

fn prefix(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << (128 - bits)))),
    }
}

#[cfg(test)]
#[path = "network_tests.rs"]
mod tests;
