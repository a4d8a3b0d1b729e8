#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::collections::BTreeSet;

/// Each file, and how often it has the host, Doorward's address and the application's, comments included.
const ALL: [(Proxy, bool, [usize; 3]); 6] = [
    (Proxy::Nginx, false, [2, 4, 2]),
    (Proxy::Caddy, false, [1, 2, 1]),
    (Proxy::Haproxy, false, [0, 2, 2]),
    (Proxy::Haproxy, true, [0, 1, 0]),
    (Proxy::Traefik, false, [3, 2, 1]),
    (Proxy::Envoy, false, [2, 2, 1]),
];

fn addresses(host: &str, auth: &str, app: &str) -> Addresses {
    Addresses { host: host.to_owned(), login_host: None, auth: auth.to_owned(), app: app.to_owned() }
}

#[test]
fn every_address_is_filled_in() {
    for (proxy, lua, counts) in ALL {
        let template = Template::of(proxy, lua).unwrap();
        let filled = template.fill(&addresses("wiki.example.com", "[::1]:9001", "10.0.0.7:9000"));
        let count = |address: &str| filled.matches(address).count();
        assert_eq!(["wiki.example.com", "[::1]:9001", "10.0.0.7:9000"].map(count), counts, "{}", template.file);
        assert_eq!(["app.example.org", ":8080", ":3000"].map(count), [0; 3], "{}", template.file);
        assert_eq!(filled.lines().count(), template.text.lines().count(), "{}", template.file);
    }
}

/// The file for two hosts is made of parts of the other one: a line that changes there fails here.
#[test]
fn each_place_of_two_hosts_is_there_once() {
    for (proxy, lua, _) in ALL {
        let template = Template::of(proxy, lua).unwrap();
        let (parts, places) = match &template.two_hosts {
            TwoHosts::Split { parts, replaced, .. } => (parts.as_slice(), *replaced),
            TwoHosts::Replaced(places) => (&[][..], *places),
        };
        let split = template.two_hosts.of(template.text);
        for text in parts.iter().copied() {
            assert_eq!(template.text.matches(text).count(), 1, "{text} in {}", template.file);
        }
        for (text, _) in places {
            // A text of the login's own is only in what is put together.
            let count = template.text.matches(text).count();
            assert!(count == 1 || text.contains("LOGIN_ORIGIN"), "{text} in {}", template.file);
            assert!(!split.contains(text), "{text} in {}", template.file);
        }
    }
}

/// What proxies make of them, tests with real ones say.
#[test]
fn login_and_application_have_their_own_hosts() {
    for (proxy, lua, _) in ALL {
        let template = Template::of(proxy, lua).unwrap();
        let hosts = addresses("wiki.example.com", "[::1]:9001", "10.0.0.7:9000");
        let filled = template.fill(&Addresses { login_host: Some("login.example.com".to_owned()), ..hosts });
        assert_eq!(filled.contains("login.example.com"), !lua, "{filled}");
        assert_eq!(
            ["app.example.org", "auth.example.org"].map(|host| filled.matches(host).count()),
            [0; 2],
            "{filled}"
        );
    }
}

#[test]
fn file_with_its_own_addresses_is_the_tested_one() {
    for (proxy, lua, _) in ALL {
        let template = Template::of(proxy, lua).unwrap();
        assert_eq!(template.fill(&addresses("app.example.org", "127.0.0.1:8080", "127.0.0.1:3000")), template.text);
    }
}

/// Doorward on the port of the example's application, and the other way round.
#[test]
fn address_may_be_the_example_of_another() {
    let lua = Template::of(Proxy::Haproxy, true).unwrap();
    let filled = lua.fill(&addresses("app.example.org", "127.0.0.1:3000", "127.0.0.1:8080"));
    assert!(filled.contains("\"http://127.0.0.1:3000/auth/gate\""), "{filled}");
    let filled = NGINX.fill(&addresses("127.0.0.1", "127.0.0.1:3000", "127.0.0.1:8080"));
    for line in ["proxy_pass http://127.0.0.1:3000/auth/gate;", "proxy_pass http://127.0.0.1:8080;"] {
        assert!(filled.contains(line), "{filled}");
    }
}

/// In a flow mapping, YAML would read the brackets of an IPv6 address as a list.
#[test]
fn traefik_has_its_addresses_in_quotes() {
    let filled = TRAEFIK.fill(&addresses("wiki.example.com", "[::1]:9001", "[::1]:9000"));
    let lines: Vec<&str> = filled.lines().map(str::trim).filter(|line| !line.starts_with('#')).collect();
    let with = |part: &str| lines.iter().copied().filter(|line| line.contains(part)).collect::<Vec<_>>();
    assert_eq!(
        with("[::1]"),
        [
            "address: \"http://[::1]:9001/auth/gate\"",
            "servers: [{ url: \"http://[::1]:9001\" }]",
            "servers: [{ url: \"http://[::1]:9000\" }]",
        ]
    );
    assert_eq!(
        with("wiki.example.com"),
        [
            "rule: Host(`wiki.example.com`) && Path(`/auth/gate`)",
            "rule: Host(`wiki.example.com`) && PathPrefix(`/auth/`)",
            "rule: Host(`wiki.example.com`)",
        ]
    );
}

#[test]
fn envoy_has_hosts_and_ports_apart() {
    let filled = ENVOY.fill(&addresses("wiki.example.com", "[::1]:9001", "wiki:9000"));
    for part in ["address: \"::1\", port_value: 9001 }", "address: \"wiki\", port_value: 9000 }"] {
        assert_eq!(filled.matches(part).count(), 1, "{filled}");
    }
    assert!(filled.contains("uri: \"http://[::1]:9001\""), "{filled}");
    assert!(!filled.contains("\"127.0.0.1\""), "{filled}");
}

/// That of ingress-nginx, whose project ended, names objects of a cluster.
#[test]
fn every_file_but_one_is_printed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/proxies");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let printed = ALL.map(|(proxy, lua, _)| Template::of(proxy, lua).unwrap().file.to_owned());
    let printed = printed.into_iter().chain(["ingress-nginx.yaml".to_owned()]);
    assert_eq!(printed.collect::<BTreeSet<_>>(), files.collect());
}
