use super::*;
use clap::ValueEnum;

fn servers(url: &str) -> [[Result<String, &'static str>; 2]; 5] {
    [Proxy::Nginx, Proxy::Caddy, Proxy::Haproxy, Proxy::Traefik, Proxy::Envoy]
        .map(|proxy| [application(proxy, url), doorward(proxy, url)])
}

#[test]
fn host_is_a_name_or_an_ipv4_address() {
    for (text, expected) in [
        ("app.example.org", "app.example.org"),
        ("App.Example.ORG", "app.example.org"),
        ("localhost", "localhost"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("192.0.2.1", "192.0.2.1"),
    ] {
        assert_eq!(host(text).as_deref(), Ok(expected));
    }
    for text in [
        "",
        ".",
        ".example.org",
        "example.org.",
        "*.example.org",
        "~^app",
        "app example.org",
        " app.example.org",
        "app.example.org;",
        "app.example.org; deny all",
        "app.example.org\n",
        "app.example.org\r\nlisten 81;",
        "app.example.org {",
        "}",
        "$host",
        "{$HOST}",
        "app`) || Host(`b",
        "app\"",
        "'app'",
        "app#",
        "app\\",
        "app,b",
        "http://app.example.org",
        "app.example.org/",
        "app.example.org/path",
        "app.example.org:80",
        "ada@app.example.org",
        "bücher.example",
        "192.0.2.256",
        "1.2",
        "::1",
        "[::1]",
        "[::1",
    ] {
        assert_eq!(host(text), Err(NO_HOST), "{text:?}");
    }
}

#[test]
fn server_is_a_host_with_its_port() {
    for (url, expected) in [
        ("http://127.0.0.1:3000", "127.0.0.1:3000"),
        ("http://127.0.0.1:3000/", "127.0.0.1:3000"),
        ("HTTP://App:3000", "app:3000"),
        ("http://app_1.internal", "app_1.internal:80"),
        ("http://app:080", "app:80"),
        ("http://[::1]", "[::1]:80"),
        ("http://[2001:DB8:0::1]:3000", "[2001:db8::1]:3000"),
    ] {
        for result in servers(url).into_iter().flatten() {
            assert_eq!(result.as_deref(), Ok(expected), "{url}");
        }
    }
}

#[test]
fn server_is_nothing_but_host_and_port() {
    for (url, reason) in [
        ("", NO_URL),
        ("127.0.0.1:3000", NO_URL),
        ("app", NO_URL),
        ("//app:3000", NO_URL),
        ("unix:/run/app.sock", NO_URL),
        ("ftp://app:3000", NO_URL),
        ("http://", NO_URL),
        ("http://:3000", NO_URL),
        ("http://app:", NO_URL),
        ("http://app:0", NO_URL),
        ("http://app:65536", NO_URL),
        ("http://app:80:80", NO_URL),
        ("http://app:+80", NO_URL),
        ("http://app:80-90", NO_URL),
        ("http://app:3000/path", NO_URL),
        ("http://app:3000//", NO_URL),
        ("http://app:3000?query", NO_URL),
        ("http://app:3000#part", NO_URL),
        ("http://ada@app:3000", NO_URL),
        ("http://ada:hunter2@app:3000", NO_URL),
        ("http://::1:3000", NO_URL),
        ("http://::1", NO_URL),
        ("http://[::1:3000", NO_URL),
        ("http://[fe80::1%25eth0]:3000", NO_URL),
        ("http://[::1]x:3000", NO_URL),
        ("http://[app]:3000", NO_URL),
        ("http://300.0.0.1:3000", NO_URL),
        (" http://app:3000", NO_URL),
        ("http://app:3000 ", NO_URL),
        ("http://app :3000", NO_URL),
        ("http://app:3000;", NO_URL),
        ("http://app:3000\n", NO_URL),
        ("http://app:3000 ssl verify none", NO_URL),
        ("http://app\"..os.exit()..\":3000", NO_URL),
        ("http://$app:3000", NO_URL),
        ("http://{env.APP}:3000", NO_URL),
        ("http://a,b:3000", NO_URL),
        ("http://bücher.example", NO_URL),
        ("https://app:3000", TLS),
        ("http://0.0.0.0:3000", NOWHERE),
        ("http://[::]:3000", NOWHERE),
        ("http://[::ffff:0.0.0.0]:3000", NOWHERE),
    ] {
        for result in servers(url).into_iter().flatten() {
            assert_eq!(result, Err(reason), "{url:?}");
        }
    }
}

/// Each sign, at each place of an address.
#[test]
fn no_sign_of_a_files_grammar_passes() {
    let is_of_address = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.:[]".contains(c);
    let lookalikes = ['\u{2028}', '\u{2029}', '\u{200b}', '\u{3002}', '\u{ff0e}', '\u{ff1b}', '\u{212a}', '\u{feff}'];
    for c in ('\0'..='\u{2ff}').chain(lookalikes) {
        for text in [format!("{c}app.example"), format!("app{c}b.example"), format!("app.example{c}"), format!("1{c}2")]
        {
            let urls = [
                format!("http://{text}"),
                format!("http://{text}:80"),
                format!("http://app:8{c}0"),
                format!("http://app{c}"),
            ];
            let passed = urls.iter().flat_map(|url| servers(url)).flatten().chain([host(&text)]).flatten();
            for address in passed {
                assert!(address.chars().all(is_of_address), "{c:?}: {address:?}");
            }
        }
    }
}

#[test]
fn hosts_that_one_proxy_reads_in_its_own_way_are_refused_for_it() {
    for proxy in Proxy::value_variants().iter().copied() {
        let is = |other| proxy == other;
        assert_eq!(application(proxy, "http://unix:3000") == Err(SOCKET), is(Proxy::Nginx), "{proxy:?}");
        assert_eq!(doorward(proxy, "http://UNIX") == Err(SOCKET), is(Proxy::Nginx), "{proxy:?}");
        for url in ["http://localhost:8080", "http://auth.localhost"] {
            assert_eq!(doorward(proxy, url) == Err(NOT_IN_DNS), is(Proxy::Haproxy), "{proxy:?}");
        }
        assert!(application(proxy, "http://localhost:3000").is_ok(), "{proxy:?}");
    }
}
