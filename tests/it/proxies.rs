//! The files of `deploy/proxies/` with real proxies, between a browser and an application (docs/guides/proxies.md).

/// Runs each test with every proxy that is installed; it takes the proxy's kind.
macro_rules! through_each_proxy {
    ($($test:ident),+ $(,)?) => { $(
        mod $test {
            use crate::harness::{Need, run};
            use crate::proxies::site::ProxyKind;

            #[test]
            fn nginx() {
                run(module_path!(), "nginx", Some(Need::Nginx), async { super::$test(ProxyKind::Nginx).await });
            }

            #[test]
            fn caddy() {
                run(module_path!(), "caddy", Some(Need::Caddy), async { super::$test(ProxyKind::Caddy).await });
            }

            #[test]
            fn newest_caddy() {
                let test = async { super::$test(ProxyKind::NewestCaddy).await };
                run(module_path!(), "newest_caddy", Some(Need::NewestCaddy), test);
            }

            #[test]
            fn haproxy() {
                run(module_path!(), "haproxy", Some(Need::HaProxy), async { super::$test(ProxyKind::HaProxy).await });
            }

            #[test]
            fn traefik() {
                run(module_path!(), "traefik", Some(Need::Traefik), async { super::$test(ProxyKind::Traefik).await });
            }

            #[test]
            fn envoy() {
                run(module_path!(), "envoy", Some(Need::Envoy), async { super::$test(ProxyKind::Envoy).await });
            }
        }
    )+ };
}

mod balanced;
mod broken_gate;
mod cgi;
mod edits;
mod forgery;
mod hosts;
mod ipv6;
mod outcomes;
mod raw_application;
mod raw_client;
pub mod site;
mod storm;
mod streams;
mod table;
mod tls;

use self::site::{ProxyKind, Site};
use self::storm::withstands_storm;
use crate::audit::log_of;
use crate::gate_pages::expect_own_style;
use crate::harness::{Call, Client, PASSWORD, Received, Reply, raw_http};
use reqwest::Method;
use std::time::Duration;

through_each_proxy![
    protects_application,
    passes_anonymous_requests_without_identity,
    explains_refusals_to_people,
    withstands_storm,
];

async fn protects_application(kind: ProxyKind) {
    let mut site = Site::start(kind, "").await;
    every_spelling_is_protected(&site).await;
    let ada = site.sign_up("ada@example.com").await;
    form_arrives_whole_after_access_token_expired(&site, &ada).await;
    query_survives_login(&site).await;
    long_addresses_lead_on(&site).await;
    script_is_told_where_to_log_in(&site).await;
    program_without_cookies_is_told_what_counts(&site).await;
    refusal_is_shown_to_people(&site).await;
    hostile_address_leads_nowhere_else(&site).await;
    host_without_cookies_leads_nowhere(&site).await;
    forged_headers_and_cookies_never_arrive(kind, &site, &ada).await;
    empty_values_are_told_from_forged_ones(kind, &site, &ada).await;
    gate_is_refused_from_outside(&site).await;
    client_address_reaches_audit_log(&site).await;
    old_token_is_renewed_with_one_detour(&site, &ada).await;
    let before = site.count();
    let tab = ada.copy();
    tab.get("/").await.expect(204);
    ada.log_out().await.expect(204);
    tab.get("/").await.expect(401);
    assert_eq!(site.count(), before + 1, "a logout counts at the next request");
    let bob = site.sign_up("bob@example.com").await;
    site.app.stop().await;
    for client in [bob, site.visitor()] {
        let status = client.get("/").await.status;
        assert!(status >= 500, "{status}");
    }
    assert_eq!(site.count(), before + 1, "nothing passes without the gate");
}

/// A page is opened, as a browser does it.
fn page(client: &Client, path: &str) -> Call {
    client.get(path).header("sec-fetch-mode", "navigate").header("accept", "text/html")
}

/// No way to write a path leads to the application without the gate, be it that of the login or of the gate itself.
async fn every_spelling_is_protected(site: &Site) {
    for path in [
        "/",
        "/admin",
        "/%61dmin",
        "//admin",
        "/./admin",
        "/admin/../admin",
        "/admin/%2e%2e/admin",
        "/admin;x",
        "/;x/admin",
        "/admin%2F",
        "/ADMIN",
        "/admin?/auth/",
        "/admin#/auth/",
        "/auth",
        "/auth/../admin",
        "/auth/%2e%2e/admin",
        "/auth/..%2fadmin",
        "/auth/..;/admin",
        "/auth;x/../admin",
        "/auth%2f..%2fadmin",
        "/auth//../admin",
        "//auth/../admin",
        "/AUTH/../admin",
        "/auth\\..\\admin",
        "/auth/gate/../../admin",
        "/.doorward-gate",
        "/.doorward-gate/../admin",
        "/.doorward-refused/forbidden",
        &format!("{}/admin", site.url),
        &format!("{}/auth/../admin", site.url),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", site.address);
        let answer = raw_http(site.address, request.as_bytes()).await;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(status.starts_with('3') || status.starts_with('4'), "{path}: {answer}");
    }
    assert_eq!(site.count(), 0, "{:#?}", site.application.received());
}

async fn form_arrives_whole_after_access_token_expired(site: &Site, ada: &Client) {
    site.app.clock().advance(Duration::from_mins(2));
    let before = site.count();
    let body = "x".repeat(20_000_000);
    let call = ada.call(Method::POST, "/form?a=1&b=2").form_body(body.clone()).header("accept", "text/html");
    call.await.expect(204);
    let request = site.arrived(before);
    assert!(request.request_line.starts_with("POST /form?a=1&b=2 "), "{}", request.request_line);
    assert_eq!(String::from_utf8(request.body.clone()).unwrap(), body);
    assert_eq!(request.header("x-svc-user-username"), Some("ada"));
    assert_eq!(request.header("x-svc-assertion").unwrap().split('.').count(), 3);
}

async fn query_survives_login(site: &Site) {
    let visitor = site.visitor();
    let reply = page(&visitor, "/page?a=1&b=2").await.expect(302);
    let login = reply.location().strip_prefix(&site.url).expect("the login").to_owned();
    assert_eq!(login, "/auth/login?return_to=%2Fpage%3Fa%3D1%26b%3D2");
    let form = visitor.get(&login).await.expect(200).text();
    assert!(form.contains("name=\"return_to\" value=\"/page?a=1"), "{form}");
    let target = "/page?a=1&b=2";
    let fields = [("email", "ada"), ("password", PASSWORD), ("return_to", target)];
    assert_eq!(visitor.post_form("/auth/login", &fields).await.expect(303).location(), target);
    let before = site.count();
    page(&visitor, "/page?a=1&b=2").await.expect(204);
    assert!(site.arrived(before).request_line.starts_with("GET /page?a=1&b=2 "));
}

async fn script_is_told_where_to_log_in(site: &Site) {
    let before = site.count();
    for query in ["", "?optional", "?preflight&optional"] {
        let call = site.visitor().get(&format!("/api{query}")).header("sec-fetch-mode", "cors");
        let reply = call.header("accept", "application/json").await.expect_error(401, "unauthorized");
        assert!(reply.header("x-svc-login-url").unwrap().starts_with(&format!("{}/auth/login?", site.url)));
    }
    assert_eq!(site.count(), before, "a visitor's query is no rule");
}

/// git, rclone and calendars have a password and no cookies: they are told that a password is of no use.
async fn program_without_cookies_is_told_what_counts(site: &Site) {
    let before = site.count();
    for credentials in [None, Some("Basic YWRhOnBhc3N3b3Jk"), Some("Bearer token")] {
        for method in ["GET", "PROPFIND", "PUT"] {
            let call = site.visitor().call(Method::from_bytes(method.as_bytes()).unwrap(), "/calendar/");
            let call = credentials.into_iter().fold(call, |call, value| call.header("authorization", value));
            let reply = call.await.expect_error(401, "unauthorized");
            let challenge = format!("Cookie realm=\"{}\"", site.url);
            assert_eq!(reply.header("www-authenticate"), Some(challenge.as_str()), "{method}, {credentials:?}");
        }
    }
    assert_eq!(site.count(), before);
}

/// As pages with many filters have them.
async fn long_addresses_lead_on(site: &Site) {
    let visitor = site.visitor();
    for length in [480, 1_200, 2_040] {
        for (letter, times) in [("x", length), ("%C3%A4", length / 6)] {
            let path = format!("/page?q={}", letter.repeat(times));
            page(&visitor, &path).await.expect(302);
            // The page of a refusal leads back to the form, whose address is as long.
            let sent = visitor.call(Method::POST, "/form").header("accept", "text/html");
            let refused = sent.header("referer", &format!("{}{path}", site.url)).await.expect(401);
            assert!(refused.text().trim_end().ends_with("</html>"), "{}", refused.text());
        }
    }
}

/// The gate's page arrives whole, with the policy that lets its style in.
async fn refusal_is_shown_to_people(site: &Site) {
    let page = site.visitor().call(Method::POST, "/form").header("accept", "text/html").await.expect(401);
    expect_own_style(&page);
    assert!(page.text().trim_end().ends_with("</html>"), "{}", page.text());
    let challenge = format!("Cookie realm=\"{}\"", site.url);
    assert_eq!(page.header("www-authenticate"), Some(challenge.as_str()));
}

/// What a visitor claims of the original request is deleted or replaced.
async fn hostile_address_leads_nowhere_else(site: &Site) {
    let hostile = [
        ("x-original-url", "http://elsewhere.example/evil"),
        ("x-original-method", "POST"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "elsewhere.example"),
        ("x-forwarded-uri", "/evil"),
        ("x-forwarded-method", "POST"),
        ("forwarded", "for=127.0.0.1;host=elsewhere.example;proto=https"),
    ];
    let all = hostile.iter().fold(page(&site.visitor(), "/page"), |call, (name, value)| call.header(name, value));
    let single = hostile.iter().map(|(name, value)| page(&site.visitor(), "/page").header(name, value));
    let doubled =
        hostile.iter().map(|(name, value)| page(&site.visitor(), "/page").header(name, value).also_header(name, value));
    for call in single.chain(doubled).chain([all]) {
        let what = format!("{call:?}");
        let reply = call.await.expect(302);
        assert_eq!(reply.location(), format!("{}/auth/login?return_to=%2Fpage", site.url), "{what}");
    }
}

/// A name of the site that the cookies do not reach: a login would come back to where it began.
async fn host_without_cookies_leads_nowhere(site: &Site) {
    let before = site.count();
    let visitor = site.visitor().at(&format!("http://localhost:{}", site.address.port()));
    let text = page(&visitor, "/page").await.expect(401).text();
    assert!(text.contains("Login isn’t set up for this website"), "{text}");
    assert_eq!(site.count(), before);
}

/// The values that arrive under a name, however an application spells it.
fn values(request: &Received, name: &str) -> Vec<String> {
    let same = |given: &str| given.to_ascii_lowercase().replace('_', "-") == name;
    request.headers.iter().filter(|(given, _)| same(given)).map(|(_, value)| value.clone()).collect()
}

/// Traefik has no way to remove single cookies (docs/guides/proxies.md).
async fn forged_headers_and_cookies_never_arrive(kind: ProxyKind, site: &Site, ada: &Client) {
    let has_login = |cookies: &str| cookies.contains("svc_");
    let before = site.count();
    ada.jar().set("theme", "dark");
    ada.jar().set("last", "1");
    let call = ada.get("/").header("x-svc-user-username", "root").also_header("x-svc-user-username", "admin");
    let call = call.header("x-svc-user-roles", "svc:admin").header("x_svc_user_roles", "svc:admin");
    call.header("x-svc-assertion", "forged").header("X-Forwarded-Host", "elsewhere.example").await.expect(204);
    let request = site.arrived(before);
    assert_eq!(values(&request, "x-svc-user-username"), ["ada"]);
    assert!(values(&request, "x-svc-user-roles").iter().all(String::is_empty), "{request:#?}");
    assert_ne!(values(&request, "x-svc-assertion"), ["forged"]);
    let cookies = request.header("cookie").unwrap();
    assert!(cookies.contains("theme=dark") && cookies.contains("last=1"), "{cookies}");
    assert_eq!(has_login(cookies), kind == ProxyKind::Traefik, "{cookies}");
    let own = ada.jar().header().unwrap();
    // Many applications read a name without the blanks around it.
    for sent in [format!("svc_access =x; {own}"), format!("svc_access=x; {own}; {own}")] {
        ada.get("/").header("cookie", &sent).await.expect(204);
        let received = site.application.received();
        let cookies = received.last().unwrap().header("cookie").unwrap_or_default();
        assert_eq!(has_login(cookies), kind == ProxyKind::Traefik, "{sent}: {cookies}");
    }
}

/// An empty header of the client replaces nothing. What the gate leaves empty arrives empty, or not at all.
async fn empty_values_are_told_from_forged_ones(kind: ProxyKind, site: &Site, ada: &Client) {
    let before = site.count();
    let call = ada.get("/").header("x-svc-user-username", "").also_header("x-svc-user-username", "root");
    call.header("x-svc-user-id", "").header("x-svc-user-roles", "").header("x_svc_user_id", "").await.expect(204);
    let request = site.arrived(before);
    assert_eq!(values(&request, "x-svc-user-username"), ["ada"]);
    assert_eq!(values(&request, "x-svc-user-id")[0].len(), 36);
    let empty: &[&str] = if kind == ProxyKind::Nginx { &[] } else { &[""] };
    assert_eq!(values(&request, "x-svc-user-roles"), empty);
}

async fn gate_is_refused_from_outside(site: &Site) {
    for path in ["/auth/gate", "/auth/gate?optional", "/auth//gate", "/auth/%67ate", "/auth/gate/", "/auth%2Fgate"] {
        let reply = site.visitor().get(path).await;
        assert!([401, 404].contains(&reply.status), "{path}: {}", reply.status);
        assert!(reply.header("x-svc-user-id").is_none(), "{path}");
    }
    site.visitor().get("/auth/gate?optional").await.expect(404);
}

/// The address that the proxy sees, whatever its visitor claims.
async fn client_address_reaches_audit_log(site: &Site) {
    let visitor = site.visitor().coming_from([127, 0, 0, 9].into());
    visitor.get("/auth/login").await.expect(200);
    let token = visitor.token("csrf").unwrap();
    let fields = [("email", "ada"), ("password", PASSWORD), ("csrf_token", token.as_str())];
    let call = visitor.form("/auth/login", &fields).header("forwarded", "for=203.0.113.7");
    let call = call.header("x-forwarded-for", "203.0.113.8").also_header("x-forwarded-for", "127.0.0.1");
    call.header("x-real-ip", "203.0.113.9").await.expect(303);
    let newest = log_of(&site.app, "ada").await.pop().unwrap();
    assert_eq!((newest.kind.as_str(), newest.address.as_str()), ("signed_in", "127.0.0.9"));
    let before = site.count();
    visitor.get("/").header("x-forwarded-for", "203.0.113.8").await.expect(204);
    assert_eq!(values(&site.arrived(before), "x-forwarded-for"), ["127.0.0.9"], "the application sees it too");
}

/// Of twenty pages, the first one goes through the renewal and back.
async fn old_token_is_renewed_with_one_detour(site: &Site, ada: &Client) {
    site.app.clock().advance(Duration::from_secs(3601));
    let before = ada.token("refresh");
    ada.call(Method::POST, "/form").header("accept", "text/html").await.expect(204);
    let mut detours = Vec::new();
    for number in 0..20 {
        let path = format!("/page?a={number}&b=2");
        let (reply, way) = browse(site, ada, &path).await;
        assert_eq!((reply.status, way.last()), (204, Some(&path)));
        detours.extend(way.into_iter().filter(|step| *step != path));
    }
    assert_eq!(detours, ["/auth/sessions/renew?return_to=%2Fpage%3Fa%3D0%26b%3D2"]);
    assert_ne!(ada.token("refresh"), before);
}

/// Opens a page and follows redirects; the last answer, and every address on the way.
async fn browse(site: &Site, client: &Client, path: &str) -> (Reply, Vec<String>) {
    let mut way = vec![path.to_owned()];
    loop {
        let reply = page(client, way.last().unwrap()).await;
        if !(300..400).contains(&reply.status) || way.len() > 5 {
            return (reply, way);
        }
        way.push(reply.location().trim_start_matches(&site.url).to_owned());
    }
}

/// A person whom a rule keeps out sees a page, on a link and on a form, and a script gets JSON.
async fn explains_refusals_to_people(kind: ProxyKind) {
    let site = Site::start(kind, "platform=admin").await;
    let ada = site.sign_up("ada@example.com").await;
    let form = |accept: &str| ada.call(Method::POST, "/form").form_body("a=1".to_owned()).header("accept", accept);
    for call in [page(&ada, "/page"), form("text/html")] {
        let reply = call.await.expect(403);
        expect_own_style(&reply);
        assert!(reply.text().contains("You don’t have access to this page"), "{}", reply.text());
        assert!(reply.header("x-svc-user-id").is_none(), "{reply:?}");
    }
    form("application/json").await.expect_error(403, "forbidden");
    if kind == ProxyKind::Nginx {
        // It would keep the whole body before it asks for the page.
        form("text/html").form_body("x".repeat(3_000_000)).await.expect_error(403, "forbidden");
    }
    assert_eq!(site.count(), 0);
}

/// With the rule `optional`, an application that is also for strangers takes no stranger for a user.
async fn passes_anonymous_requests_without_identity(kind: ProxyKind) {
    let site = Site::start(kind, "optional").await;
    let ada = site.sign_up("ada@example.com").await;
    let names = ["x-svc-user-id", "x-svc-user-username", "x-svc-user-roles", "x-svc-assertion"];
    let forged = |client: &Client| {
        let call = client.get("/").header("x_svc_user_id", "root").header("X-SVC-User-Username", "root");
        names.iter().fold(call, |call, name| call.header(name, "root").also_header(name, "svc:admin"))
    };
    forged(&ada).await.expect(204);
    assert_eq!(values(&site.arrived(0), "x-svc-user-username"), ["ada"]);
    forged(&site.visitor()).await.expect(204);
    let request = site.arrived(1);
    for name in names {
        assert!(values(&request, name).iter().all(String::is_empty), "{name}: {request:#?}");
    }
}
