//! The language and branding of pages.

use crate::harness::{Engine, TempDir, run_program};

single_run![
    language_choice_overrides_accept_language,
    language_switch_redirects_only_to_own_pages,
    errors_use_readers_language,
    operator_can_override_texts,
    brand_is_on_every_page,
    operator_can_add_a_language,
    messages_are_exported_and_checked,
    one_language_has_no_switch,
    operators_links_are_on_every_page,
    fixed_color_scheme_ignores_the_readers_system,
];

async fn language_choice_overrides_accept_language() {
    let app = Engine::Sqlite.app().await;
    let client = app.anonymous();
    let page = client.get("/auth/login?return_to=%2Fapp").header("accept-language", "de-CH,de;q=0.9").await.expect(200);
    assert!(
        page.text().contains("<html lang=\"de\">") && page.text().contains("<h1>Bei Doorward anmelden</h1>"),
        "{}",
        page.text()
    );
    let english = "/auth/language?to=en&amp;return_to=%2Fauth%2Flogin%3Freturn_to%3D%252Fapp";
    assert!(page.text().contains(english), "{}", page.text());
    let chosen = client.get(&english.replace("&amp;", "&")).await.expect(303);
    assert_eq!(chosen.location(), "/auth/login?return_to=%2Fapp");
    let cookie = chosen.header("set-cookie").unwrap_or_default().to_owned();
    assert!(cookie.starts_with("svc_lang=en; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"), "{cookie}");
    let page = client.get("/auth/login").header("accept-language", "de").await.expect(200);
    assert!(page.text().contains("<h1>Log in to Doorward</h1>"), "{}", page.text());
}

async fn language_switch_redirects_only_to_own_pages() {
    let app = Engine::Sqlite.app().await;
    let client = app.anonymous();
    for target in ["https://evil.example/", "//evil.example/", "/%5Cevil.example", "javascript:alert(1)"] {
        let answer = client.get(&format!("/auth/language?to=de&return_to={target}")).await.expect(303);
        assert_eq!(answer.location(), "/auth/", "{target}");
    }
    let unknown = app.anonymous().get("/auth/language?to=tlh").await.expect(303);
    assert!(unknown.header("set-cookie").is_none_or(|cookie| !cookie.contains("svc_lang")));
    let forced = app.anonymous().get("/auth/language?to=de").header("sec-fetch-site", "cross-site").await.expect(303);
    assert!(forced.header("set-cookie").is_none_or(|cookie| !cookie.contains("svc_lang")));
}

async fn errors_use_readers_language() {
    let app = Engine::Sqlite.app().await;
    let client = app.anonymous();
    client.get("/auth/language?to=de").await.expect(303);
    let page = client.get("/auth/nowhere").await.expect(404);
    assert!(page.text().contains("Seite nicht gefunden"), "{}", page.text());
    client.get("/auth/signup").await.expect(200);
    let page = client.post_form("/auth/signup", &[("email", "nobody"), ("password", "short")]).await.expect(422);
    assert!(page.text().contains("Das ist keine gültige E‑Mail-Adresse."), "{}", page.text());
    assert!(page.text().contains("Verwenden Sie mindestens 8 Zeichen."), "{}", page.text());
    let client = app.sign_up("ada@example.com").await;
    client.get("/auth/language?to=de").await.expect(303);
    let page = client.post_form("/auth/organizations", &[("name", " ")]).await.expect(422);
    assert!(page.text().contains("Geben Sie einen Namen ein."), "{}", page.text());
}

async fn operator_can_override_texts() {
    let folder = TempDir::new("messages");
    std::fs::write(folder.path().join("en.ftl"), "log-in-title = Enter <the> house\n").unwrap();
    let app = Engine::Sqlite.prepare().await;
    let app = app.set("SVC_MESSAGES", folder.path().to_str().unwrap()).start().await;
    let page = app.anonymous().get("/auth/login").await.expect(200);
    assert!(page.text().contains("<h1>Enter &#60;the&#62; house</h1>"), "{}", page.text());
}

async fn brand_is_on_every_page() {
    let folder = TempDir::new("brand");
    let logo = folder.path().join("logo.svg");
    std::fs::write(&logo, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 60 20\"/>").unwrap();
    let app = Engine::Sqlite.prepare().await.set("SVC_BRAND_NAME", "Acme").set("SVC_BRAND_COLOR", "#1a3d8f");
    let app = app.set("SVC_BRAND_LOGO", logo.to_str().unwrap()).start().await;
    let client = app.anonymous();
    for (path, status) in [("/auth/login", 200), ("/auth/nowhere", 404)] {
        let page = client.get(path).await.expect(status);
        assert!(page.text().contains("Acme</title>") && !page.text().contains("Doorward"), "{}", page.text());
        assert!(page.text().contains("width=\"96\" height=\"32\" alt=\"\"></picture>"), "{}", page.text());
        for kind in ["brand.", "logo."] {
            let url = format!("/auth/assets/{kind}");
            let text = page.text();
            let file = text.split_once(&url).unwrap().1.split('"').next().unwrap();
            let answer = client.get(&format!("{url}{file}")).await.expect(200);
            assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
        }
    }
}

async fn operators_links_are_on_every_page() {
    let folder = TempDir::new("brand");
    let (logo, dark) = (folder.path().join("logo.svg"), folder.path().join("dark.svg"));
    std::fs::write(&logo, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 60 20\"/>").unwrap();
    std::fs::write(&dark, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 80 20\"/>").unwrap();
    let app = Engine::Sqlite.prepare().await.set("SVC_BRAND_NAME", "Acme").set("SVC_BRAND_SHOW_NAME", "off");
    let app = app.set("SVC_BRAND_LOGO", logo.to_str().unwrap()).set("SVC_BRAND_LOGO_DARK", dark.to_str().unwrap());
    let app =
        app.set("SVC_APP_URL", "https://www.acme.example/").set("SVC_TERMS_URL", "https://acme.example/terms?a=1&b=2");
    let app =
        app.set("SVC_PRIVACY_URL", "https://acme.example/privacy").set("SVC_SUPPORT_URL", "mailto:help@acme.example");
    let app = app.set("SVC_SIGNUP_USERNAME", "hidden").start().await;
    let client = app.anonymous();
    for (path, status) in [("/auth/login", 200), ("/auth/signup", 200), ("/auth/nowhere", 404)] {
        let page = client.get(path).await.expect(status).text();
        let home = "<a class=\"brand\" href=\"https://www.acme.example/\" aria-label=\"Back to Acme\">";
        let foot = page.split_once("<footer").unwrap().1;
        assert!(page.contains(home) && page.contains(" alt=\"Acme\"></picture></a>"), "{page}");
        assert!(page.contains("<source media=\"(prefers-color-scheme: dark)\" srcset=\"/auth/assets/logo."), "{page}");
        for url in
            ["https://acme.example/terms?a=1&#38;b=2", "https://acme.example/privacy", "mailto:help@acme.example"]
        {
            assert!(foot.contains(&format!("<a href=\"{url}\">")), "{path}: {url}: {page}");
        }
    }
    let page = client.get("/auth/signup").await.expect(200).text();
    let agreement = "you agree to the <a href=\"https://acme.example/terms?a=1&amp;b=2\">Terms of Service</a> and the";
    assert!(page.contains(agreement) && !page.contains("name=\"username\""), "{page}");
}

async fn fixed_color_scheme_ignores_the_readers_system() {
    let app = Engine::Sqlite.prepare().await.set("SVC_COLOR_SCHEME", "dark").set("SVC_BRAND_COLOR", "#FF0");
    let app = app.start().await;
    let client = app.anonymous();
    let page = client.get("/auth/login").await.expect(200).text();
    assert!(page.contains("<meta name=\"color-scheme\" content=\"dark\">"), "{page}");
    for sheet in page.split("<link rel=\"stylesheet\" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let css = client.get(sheet).await.expect(200).text();
        assert!(css.contains("@media all") && !css.contains("prefers-color-scheme"), "{sheet}");
    }
}

async fn operator_can_add_a_language() {
    let folder = TempDir::new("messages");
    std::fs::write(folder.path().join("fr.ftl"), "language-name = Français\nlog-in-title = Connexion\n").unwrap();
    let app = Engine::Sqlite.prepare().await.set("SVC_MESSAGES", folder.path().to_str().unwrap());
    let app = app.set("SVC_LANGUAGES", "fr,de").start().await;
    let client = app.anonymous();
    let page = client.get("/auth/login").header("accept-language", "it").await.expect(200).text();
    assert!(page.contains("<html lang=\"fr\">") && page.contains("<h1>Connexion</h1>"), "{page}");
    assert!(page.contains(">Log in</button>"), "missing sentences are English: {page}");
    assert!(page.contains("lang=\"de\" hreflang=\"de\"") && !page.contains("hreflang=\"en\""), "{page}");
    client.get("/auth/language?to=en").await.expect(303);
    let page = client.get("/auth/login").header("accept-language", "en, de-AT;q=0.5").await.expect(200).text();
    assert!(page.contains("<html lang=\"de\">"), "{page}");
    let client = app.sign_up("ada@example.com").await;
    client.get("/auth/language?to=fr").await.expect(303);
    assert_eq!(app.database().texts("SELECT language FROM users").await, ["fr"]);
}

async fn one_language_has_no_switch() {
    let app = Engine::Sqlite.prepare().await.set("SVC_LANGUAGES", "de").start().await;
    let page = app.anonymous().get("/auth/login").header("accept-language", "en").await.expect(200).text();
    assert!(page.contains("<html lang=\"de\">") && !page.contains("/auth/language"), "{page}");
}

async fn messages_are_exported_and_checked() {
    let folder = TempDir::new("messages");
    let path = folder.path().to_str().unwrap();
    let variables = [("SVC_MESSAGES".to_owned(), path.to_owned())].into();
    let english = run_program(&["messages", "export", "fr"], &variables).await;
    assert_eq!(String::from_utf8(english.stdout).unwrap(), include_str!("../../messages/en.ftl"));
    let german = run_program(&["messages", "export", "de"], &variables).await;
    std::fs::write(folder.path().join("de-AT.ftl"), german.stdout).unwrap();
    std::fs::write(folder.path().join("fr.ftl"), "language-name = Français\n").unwrap();
    for arguments in [vec!["messages", "check", "--json"], vec!["messages", "check", "--json", path]] {
        let checked = run_program(&arguments, &variables).await;
        let languages: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
        let missing = |at: usize| languages[at]["missing"].as_array().unwrap().len();
        assert_eq!((languages[2]["language"].as_str(), missing(2)), (Some("de-AT"), 0), "{languages}");
        assert!(languages[3]["language"] == "fr" && missing(3) > 300, "{languages}");
    }
    std::fs::write(folder.path().join("fr.ftl"), "log-in-titel = Connexion\n").unwrap();
    let refused = run_program(&["messages", "check"], &variables).await;
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(1) && error.contains("did you mean log-in-title?"), "{error}");
}
