//! Which addresses are of the public internet, by IANA's registries of special-purpose addresses (RFC 6890).

use ipnet::{Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

/// Blocks that are not globally reachable, multicast included.
const INNER_V4: [&str; 16] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    // Once relays of 6to4 (RFC 7526).
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "255.255.255.255/32",
];

/// Within 192.0.0.0/24: anycast for PCP and TURN.
const GLOBAL_V4: [&str; 2] = ["192.0.0.9/32", "192.0.0.10/32"];

/// Unicast addresses are given out from here; everything else is special.
const UNICAST_V6: &str = "2000::/3";

/// Blocks of these that are not globally reachable.
const INNER_V6: [&str; 3] = ["2001::/23", "2001:db8::/32", "3fff::/20"];

/// Within `2001::/23`: anycast for PCP, TURN and service discovery, AMT, AS112, `ORCHIDv2`, identification of drones.
const GLOBAL_V6: [&str; 7] = [
    "2001:1::1/128",
    "2001:1::2/128",
    "2001:1::3/128",
    "2001:3::/32",
    "2001:4:112::/48",
    "2001:20::/28",
    "2001:30::/28",
];

struct Blocks {
    inner_v4: Vec<Ipv4Net>,
    global_v4: Vec<Ipv4Net>,
    inner_v6: Vec<Ipv6Net>,
    global_v6: Vec<Ipv6Net>,
    unicast_v6: Vec<Ipv6Net>,
}

static BLOCKS: LazyLock<Blocks> = LazyLock::new(|| Blocks {
    inner_v4: parsed(&INNER_V4),
    global_v4: parsed(&GLOBAL_V4),
    inner_v6: parsed(&INNER_V6),
    global_v6: parsed(&GLOBAL_V6),
    unicast_v6: parsed(&[UNICAST_V6]),
});

/// A test parses each.
fn parsed<T: std::str::FromStr>(blocks: &[&str]) -> Vec<T> {
    blocks.iter().filter_map(|block| block.parse().ok()).collect()
}

/// Whether an address is globally reachable. An IPv6 address that carries IPv4 addresses is checked by these.
pub fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => match carried(address) {
            Some(carried) => carried.into_iter().all(is_global_v4),
            None => is_global_v6(address),
        },
    }
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let is_in = |blocks: &[Ipv4Net]| blocks.iter().any(|block| block.contains(&address));
    is_in(&BLOCKS.global_v4) || !is_in(&BLOCKS.inner_v4)
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    let is_in = |blocks: &[Ipv6Net]| blocks.iter().any(|block| block.contains(&address));
    is_in(&BLOCKS.global_v6) || (is_in(&BLOCKS.unicast_v6) && !is_in(&BLOCKS.inner_v6))
}

/// The IPv4 addresses within an IPv6 address, where packets to it may end there: mapped and compatible (RFC 4291),
/// NAT64 (RFC 6052), 6to4 (RFC 3056), and server and client of Teredo (RFC 4380), which has the client's inverted.
fn carried(address: Ipv6Addr) -> Option<Vec<Ipv4Addr>> {
    let segments = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits((u32::from(high) << 16) | u32::from(low));
    let last = v4(segments[6], segments[7]);
    match segments {
        // The loopback and the unspecified address are no compatible ones.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some(vec![last]),
        [0x2002, high, low, ..] => Some(vec![v4(high, low)]),
        [0x2001, 0, high, low, ..] => Some(vec![v4(high, low), v4(!segments[6], !segments[7])]),
        _ => None,
    }
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
