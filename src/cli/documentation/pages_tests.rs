use super::*;

/// What the program may grow by; the rest is for the code that unpacks it.
#[test]
fn pages_take_little_room() {
    assert!(PACKED.len() < 230_000, "{} bytes", PACKED.len());
}
