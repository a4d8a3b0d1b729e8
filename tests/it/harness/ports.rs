//! Ports for servers that need a port number before they listen.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below the ephemeral ports, so that no outgoing connection takes one in between.
const FIRST_PORT: u32 = 10_000;
const PORT_COUNT: u32 = 20_000;

/// A port of 127.0.0.1 that is free and that no other test of this process gets.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Concurrent test processes start far from one another.
    let offset = std::process::id().wrapping_mul(7919);
    (0..PORT_COUNT)
        .map(|_| NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(offset) % PORT_COUNT + FIRST_PORT)
        .filter_map(|port| u16::try_from(port).ok())
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}
