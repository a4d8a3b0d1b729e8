//! Cookies that browsers do not send back: the first hour of a service whose address or domain is set wrong.

use crate::harness::{Client, Engine, Process, Reply, eventually};

single_run![form_without_our_cookie_says_why, form_from_another_name_or_scheme_says_which];

/// Sends the login form of a page whose cookie the browser has not kept.
async fn log_in_without_cookie(visitor: &Client, language: &str, origin: Option<&str>) -> Reply {
    let page = visitor.get("/auth/login").header("accept-language", language).await.expect(200).text();
    let token = page.split("name=\"csrf_token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    visitor.jar().remove("svc_csrf");
    let form = visitor.form("/auth/login", &[("email", "ada"), ("password", "secret"), ("csrf_token", token)]);
    let form = form.header("accept-language", language);
    origin.into_iter().fold(form, |form, origin| form.header("origin", origin)).await.expect(403)
}

async fn form_without_our_cookie_says_why() {
    let builder = Engine::Sqlite.prepare().await;
    let process = Process::start(builder.variables()).await;
    let (visitor, base) = (builder.anonymous(), builder.variables()["SVC_BASE_URL"].clone());
    for (language, said) in [
        ("en", "Nothing was changed, because your browser didn’t send a cookie."),
        ("de", "Es wurde nichts geändert, weil Ihr Browser kein Cookie gesendet hat."),
        ("es", "No se ha cambiado nada porque su navegador no ha enviado ninguna cookie."),
        ("fr", "Rien n’a été modifié, car votre navigateur n’a pas envoyé de cookie."),
    ] {
        for origin in [None, Some(base.as_str()), Some("null")] {
            let page = log_in_without_cookie(&visitor, language, origin).await.text();
            assert!(page.contains(said) && page.contains(&base), "{page}");
        }
    }
    // One that has the cookie, and another token, has an old page.
    visitor.get("/auth/login").await.expect(200);
    let old = visitor.form("/auth/login", &[("email", "ada"), ("csrf_token", &"A".repeat(43))]).await.expect(403);
    assert!(old.text().contains("This page expired"), "{}", old.text());
    // One browser that blocks cookies is no fault of the operator's.
    let told = async || process.stderr().contains("a form came back without our cookie").then_some(());
    eventually("the log has a line", told).await;
    let log = process.stderr();
    assert_eq!(log.matches("a form came back without our cookie").count(), 1, "{log}");
    assert!(!log.contains(" WARN "), "{log}");
}

async fn form_from_another_name_or_scheme_says_which() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_BASE_URL", "https://login.example.com");
    let process = Process::start(builder.variables()).await;
    let visitor = builder.anonymous().at(&format!("http://{}", builder.variables()["SVC_LISTEN"]));
    for origin in ["http://login.example.com", "http://nas.lan:8080"] {
        for _ in 0..3 {
            let page = log_in_without_cookie(&visitor, "en", Some(origin)).await.text().replace("<wbr>", "");
            assert!(
                page.contains(&format!("This form came from {origin}, but belongs to https://login.example.com")),
                "{page}"
            );
        }
        // With the cookie, as under another name over plain http.
        visitor.get("/auth/login").await.expect(200);
        let token = visitor.token("csrf").unwrap();
        let form = visitor.form("/auth/login", &[("csrf_token", &token)]).header("origin", origin).await;
        assert!(form.expect(403).text().replace("<wbr>", "").contains(origin));
    }
    let refresh = visitor.refresh("app").header("origin", "https://app.example").header("sec-fetch-site", "same-site");
    refresh.header("cookie", &format!("svc_refresh=x; svc_csrf={}", visitor.token("csrf").unwrap())).await.expect(400);
    for port in 1..=20 {
        log_in_without_cookie(&visitor, "en", Some(&format!("http://nas.lan:{port}"))).await;
    }
    let warned = async || {
        let log = process.stderr();
        let lines: Vec<_> = log.lines().filter(|line| line.contains("a change was refused that a page")).collect();
        lines
            .iter()
            .all(|line| line.contains(" WARN ") && line.contains("SVC_BASE_URL is https://login.example.com"))
            .then_some(())?;
        for origin in ["http://login.example.com", "http://nas.lan:8080", "https://app.example"] {
            let named = |line: &&&str| line.contains(&format!("origin=\"{origin}\""));
            (lines.iter().filter(named).count() == 1).then_some(())?;
        }
        Some(lines.len()).filter(|lines| *lines >= 10)
    };
    assert_eq!(eventually("the log names the origins", warned).await, 10);
}
