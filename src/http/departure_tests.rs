#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn departs(chain: Chain, target: &str) -> Option<Departure<'_>> {
    let [own, app] = ["https://login.example", "https://app.example:8443"].map(|text| Origin::parse(text).unwrap());
    needed(&own, [&own, &app].into_iter(), chain, target)
}

fn host_of(name: &str) -> Departure<'static> {
    Departure::Host(name.to_owned())
}

#[test]
fn links_redirect_everywhere() {
    for target in ["/", "/auth/login/with/corp", "https://elsewhere.example/a"] {
        assert_eq!(departs(Chain::Link, target), None, "{target}");
    }
}

#[test]
fn forms_redirect_to_the_origins_of_their_policy() {
    for target in
        ["/", "/auth/account", "https://app.example:8443", "HTTPS://APP.example:8443/a?b", "https://login.example/x"]
    {
        assert_eq!(departs(Chain::Form, target), None, "{target}");
    }
    assert_eq!(departs(Chain::Form, "https://app.example/"), Some(host_of("app.example")));
    assert_eq!(departs(Chain::Form, "https://app.example:84433/"), Some(host_of("app.example:84433")));
    assert_eq!(departs(Chain::Form, "https://id.example?a"), Some(host_of("id.example")));
}

#[test]
fn returns_redirect_to_this_origin_only() {
    assert_eq!(departs(Chain::Return, "/auth/account"), None);
    assert_eq!(departs(Chain::Return, "https://login.example/"), None);
    assert_eq!(departs(Chain::Return, "https://app.example:8443/a"), Some(host_of("app.example:8443")));
}

#[test]
fn our_own_way_to_a_provider_is_no_redirect_either() {
    for chain in [Chain::Form, Chain::Return] {
        for target in [
            "/auth/login/with/corp",
            "/auth/login/with/corp?return_to=%2F",
            "https://login.example/auth/login/with/corp#x",
        ] {
            assert_eq!(departs(chain, target), Some(Departure::Provider("corp")), "{target}");
        }
        for own in ["/auth/login/with/corp/connect?state=x", "https://login.example/auth/login/with/corp/whose"] {
            assert_eq!(departs(chain, own), Some(host_of("login.example")), "{own}");
        }
        assert_eq!(departs(chain, "/auth/login/without"), None);
    }
}
