//! Doorward
fn main() {}
