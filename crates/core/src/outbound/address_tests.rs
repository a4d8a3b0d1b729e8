#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn globals(addresses: &[&str]) -> Vec<bool> {
    addresses.iter().map(|address| is_global(address.parse().unwrap())).collect()
}

#[test]
fn every_block_is_read() {
    let blocks = &*BLOCKS;
    assert_eq!((blocks.inner_v4.len(), blocks.global_v4.len()), (INNER_V4.len(), GLOBAL_V4.len()));
    assert_eq!(
        (blocks.inner_v6.len(), blocks.global_v6.len(), blocks.unicast_v6.len()),
        (INNER_V6.len(), GLOBAL_V6.len(), 1)
    );
}

#[test]
fn public_addresses_are_global() {
    let public = [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.0.9",
        "192.0.1.0",
        "192.31.196.1",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2001:200::1",
        "2001:4:112::1",
        "2001:1::1",
        "2620:4f:8000::1",
        "::ffff:1.1.1.1",
        "::1.1.1.1",
        "64:ff9b::1.1.1.1",
        "2002:101:101::",
        // The client is inverted: 1.1.1.1.
        "2001:0:909:909:0:0:fefe:fefe",
    ];
    assert_eq!(globals(&public), [true; 27]);
}

#[test]
fn inner_addresses_are_not_global() {
    let inner = [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "100::1",
        "64:ff9b:1::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "5f00::1",
        "2001:db8::1",
        "2001:2::1",
        "2001:10::1",
        "3fff::1",
        "4000::1",
        // IPv4 within: mapped, compatible, NAT64, 6to4, Teredo's server and client.
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::169.254.169.254",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2001:0:a00:1:0:0:fefe:fefe",
        "2001:0:101:101:0:0:80ff:fffe",
    ];
    assert_eq!(globals(&inner), [false; 45]);
}
