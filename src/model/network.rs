//! Networks: the part of a client's address that identifies a customer of a provider.

use std::net::IpAddr;

/// The network of an address: an IPv4 address itself, or the /64 of an IPv6 address, which providers assign to one
/// customer.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::from((u128::from(v6) & !u128::from(u64::MAX)).to_be_bytes()),
    }
}
