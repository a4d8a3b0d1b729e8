#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::cli::proxy_config_args::Proxy;
use crate::cli::{Streams, Terminals};
use clap::ValueEnum;
use std::io::{empty, sink};

const HOST: &str = "app.example.org";
const APP: &str = "http://127.0.0.1:3000";
const AUTH: &str = "http://127.0.0.1:8080";

/// What is printed, or the failure's exit code and message.
fn print(proxy: Proxy, host: &str, app: &str, auth: &str) -> Result<String, (u8, String)> {
    let [host, app] = [host, app].map(str::to_owned);
    print_for(&ProxyConfig { proxy, host, login_host: None, app, auth: None, lua: false }, auth)
}

fn print_for(arguments: &ProxyConfig, auth: &str) -> Result<String, (u8, String)> {
    let mut printed = Vec::new();
    let auth = Given { source: "--auth", text: auth };
    let name = ServiceName::parse(ServiceName::DEFAULT).map_err(|error| (0, error.to_string()))?;
    let (input, err, terminals) = (&mut empty(), &mut sink(), Terminals::default());
    let mut out = Output::new(Streams { input, out: &mut printed, err, terminals }, false);
    run(&name, arguments, auth, &mut out).map_err(|failure| (failure.exit_code(), failure.to_string()))?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

#[test]
fn addresses_of_the_file_print_the_file() {
    for (proxy, file) in [
        (Proxy::Nginx, include_str!("../../../deploy/proxies/nginx.conf")),
        (Proxy::Caddy, include_str!("../../../deploy/proxies/Caddyfile")),
        (Proxy::Haproxy, include_str!("../../../deploy/proxies/haproxy.cfg")),
        (Proxy::Traefik, include_str!("../../../deploy/proxies/traefik.yml")),
        (Proxy::Envoy, include_str!("../../../deploy/proxies/envoy.yaml")),
    ] {
        assert_eq!(print(proxy, HOST, APP, AUTH).as_deref(), Ok(file));
    }
}

#[test]
fn login_host_is_another_one() {
    let print = |login_host: &str| {
        let [host, app] = [HOST, APP].map(str::to_owned);
        let login_host = Some(login_host.to_owned());
        let arguments = ProxyConfig { proxy: Proxy::Nginx, host, login_host, app, auth: None, lua: false };
        print_for(&arguments, AUTH)
    };
    assert!(print("auth.example.org").is_ok_and(|file| file.contains("server_name auth.example.org;")));
    for host in ["app.example.org", "App.Example.org", "", "a b", "https://auth.example.org"] {
        let (code, message) = print(host).unwrap_err();
        assert!(code == 2 && message.starts_with("--login-host: ") && !message.contains('\n'), "{message}");
    }
}

#[test]
fn wrong_address_is_told_in_one_line_that_names_the_argument() {
    for proxy in Proxy::value_variants().iter().copied() {
        for hostile in
            ["", "a b", "a\nlisten 81;", "a;b", "a{", "a}", "a\"", "a`", "a$b", "http://ada:hunter2@b:1", "http://b/\n"]
        {
            for (argument, result) in [
                ("--host: ", print(proxy, hostile, APP, AUTH)),
                ("--app: ", print(proxy, HOST, hostile, AUTH)),
                ("--auth: ", print(proxy, HOST, APP, hostile)),
            ] {
                let (code, message) = result.unwrap_err();
                assert!(code == 2 && message.starts_with(argument) && !message.contains('\n'), "{message}");
                assert!(!message.contains("hunter2"), "{message}");
            }
        }
    }
}
