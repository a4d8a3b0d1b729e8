//! Ports for servers that must be told theirs before they listen.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below the ports that the system gives to outgoing connections, so that none of those can take it meanwhile.
const FIRST: u32 = 10_000;
const COUNT: u32 = 20_000;

/// A port of 127.0.0.1 that nobody listens on and that no other story of this process is given.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Test processes that run at the same time start far from one another.
    let offset = std::process::id().wrapping_mul(7919);
    (0..COUNT)
        .map(|_| NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(offset) % COUNT + FIRST)
        .filter_map(|port| u16::try_from(port).ok())
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}
