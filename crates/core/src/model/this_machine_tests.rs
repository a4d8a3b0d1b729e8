use super::*;

#[test]
fn localhost_and_names_below_it_are_this_machine() {
    for name in ["localhost", "LocalHost", "app.localhost", "a.b.LOCALHOST", "localhost.", "app.localhost."] {
        assert!(is_localhost(name) && is_this_machine(name), "{name}");
    }
    for name in
        ["", ".", "local", "mylocalhost", "app-localhost", "localhost.example", "localhost..", "app.localhost.x"]
    {
        assert!(!is_localhost(name) && !is_this_machine(name), "{name}");
    }
}

#[test]
fn loopback_addresses_are_this_machine_and_no_names() {
    for address in ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "[::ffff:127.0.0.1]"] {
        assert!(is_this_machine(address) && !is_localhost(address), "{address}");
    }
    for address in ["0.0.0.0", "[::]", "10.0.0.1", "[2001:db8::1]", "127.0.0.1.example", "127.0.0"] {
        assert!(!is_this_machine(address), "{address}");
    }
}
