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
    let german = client.get("/auth/login?return_to=%2Fapp").header("accept-language", "de-CH,de;q=0.9");
    let page = german.await.snapshot("login/shown_de");
    let english = "/auth/language?to=en&amp;return_to=%2Fauth%2Flogin%3Freturn_to%3D%252Fapp";
    assert!(page.text().contains(english), "{}", page.text());
    client.get(&english.replace("&amp;", "&")).await.snapshot("language/chosen");
    client.get("/auth/login").header("accept-language", "de").await.snapshot("language/english_by_choice");
}

async fn language_switch_redirects_only_to_own_pages() {
    let app = Engine::Sqlite.app().await;
    let client = app.anonymous();
    for target in ["https://evil.example/", "//evil.example/", "/%5Cevil.example", "javascript:alert(1)"] {
        let answer = client.get(&format!("/auth/language?to=de&return_to={target}")).await.expect(303);
        assert_eq!(answer.location(), "/auth/", "{target}");
    }
    app.anonymous().get("/auth/language?to=tlh").await.snapshot("language/unknown");
    let forced = app.anonymous().get("/auth/language?to=de").header("sec-fetch-site", "cross-site");
    forced.await.snapshot("language/chosen_by_other_site");
}

async fn errors_use_readers_language() {
    let app = Engine::Sqlite.app().await;
    let client = app.anonymous();
    client.get("/auth/language?to=de").await.expect(303);
    client.get("/auth/nowhere").await.snapshot("errors/not_found_de");
    client.get("/auth/signup").await.expect(200);
    let fields = [("email", "nobody"), ("password", "short")];
    client.post_form("/auth/signup", &fields).await.snapshot("signup/refused_de");
    let client = app.sign_up("ada@example.com").await;
    client.get("/auth/language?to=de").await.expect(303);
    client.get("/auth/account").await.snapshot("account/shown_de");
    client.post_form("/auth/organizations", &[("name", " ")]).await.snapshot("organizations/no_name_de");
}

async fn operator_can_override_texts() {
    let folder = TempDir::new("messages");
    std::fs::write(folder.path().join("en.ftl"), "log-in-title = Enter <the> house\n").unwrap();
    let app = Engine::Sqlite.prepare().await;
    let app = app.set("SVC_MESSAGES", folder.path().to_str().unwrap()).start().await;
    app.anonymous().get("/auth/login").await.snapshot("brand/own_sentence");
}

async fn brand_is_on_every_page() {
    let folder = TempDir::new("brand");
    let logo = folder.path().join("logo.svg");
    std::fs::write(&logo, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 60 20\"/>").unwrap();
    let app = Engine::Sqlite.prepare().await.set("SVC_BRAND_NAME", "Acme").set("SVC_BRAND_COLOR", "#1a3d8f");
    let app = app.set("SVC_BRAND_LOGO", logo.to_str().unwrap()).start().await;
    let client = app.anonymous();
    for path in ["login", "nowhere"] {
        let page = client.get(&format!("/auth/{path}")).await.snapshot(&format!("brand/{path}"));
        for kind in ["brand", "logo"] {
            let url = format!("/auth/assets/{kind}.");
            let text = page.text();
            let file = text.split_once(&url).unwrap().1.split('"').next().unwrap();
            client.get(&format!("{url}{file}")).await.snapshot(&format!("assets/{kind}_of_operator"));
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
    for path in ["login", "signup", "nowhere"] {
        client.get(&format!("/auth/{path}")).await.snapshot(&format!("brand/{path}_with_links"));
    }
    app.sign_up("ada@example.com").await.get("/auth/account").await.snapshot("brand/account_with_links");
}

async fn fixed_color_scheme_ignores_the_readers_system() {
    let app = Engine::Sqlite.prepare().await.set("SVC_COLOR_SCHEME", "dark").set("SVC_BRAND_COLOR", "#FF0");
    let app = app.start().await;
    let client = app.anonymous();
    let page = client.get("/auth/login").await.snapshot("brand/dark").text();
    for sheet in page.split("<link rel=\"stylesheet\" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let css = client.get(sheet).await.expect(200).text();
        assert!(css.contains("@media all") && !css.contains("prefers-color-scheme"), "{sheet}");
    }
}

async fn operator_can_add_a_language() {
    let folder = TempDir::new("messages");
    std::fs::write(folder.path().join("it.ftl"), "language-name = Italiano\nlog-in-title = Accedi\n").unwrap();
    let app = Engine::Sqlite.prepare().await.set("SVC_MESSAGES", folder.path().to_str().unwrap());
    let app = app.set("SVC_LANGUAGES", "it,de").start().await;
    let client = app.anonymous();
    // Missing sentences are English.
    client.get("/auth/login").header("accept-language", "nl").await.snapshot("language/added");
    client.get("/auth/language?to=en").await.expect(303);
    let page = client.get("/auth/login").header("accept-language", "en, de-AT;q=0.5").await.expect(200).text();
    assert!(page.contains("<html lang=\"de\">"), "{page}");
    let client = app.sign_up("ada@example.com").await;
    client.get("/auth/language?to=it").await.expect(303);
    assert_eq!(app.database().texts("SELECT language FROM users").await, ["it"]);
}

async fn one_language_has_no_switch() {
    let app = Engine::Sqlite.prepare().await.set("SVC_LANGUAGES", "de").start().await;
    let page = app.anonymous().get("/auth/login").header("accept-language", "en");
    page.await.snapshot("language/only_one");
}

async fn messages_are_exported_and_checked() {
    let folder = TempDir::new("messages");
    let path = folder.path().to_str().unwrap();
    let variables = [("SVC_MESSAGES".to_owned(), path.to_owned())].into();
    let english = run_program(&["messages", "export", "it"], &variables).await;
    assert_eq!(String::from_utf8(english.stdout).unwrap(), include_str!("../../crates/core/messages/en.ftl"));
    let german = run_program(&["messages", "export", "de"], &variables).await;
    std::fs::write(folder.path().join("de-AT.ftl"), german.stdout).unwrap();
    std::fs::write(folder.path().join("it.ftl"), "language-name = Italiano\n").unwrap();
    for arguments in [vec!["messages", "check", "--json"], vec!["messages", "check", "--json", path]] {
        let checked = run_program(&arguments, &variables).await;
        let languages: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
        let languages = languages.as_array().unwrap();
        let missing = |tag: &str| {
            let of = languages.iter().find(|of| of["language"] == tag).unwrap();
            of["missing"].as_array().unwrap().len()
        };
        assert!(missing("en") == 0 && missing("de-AT") == 0 && missing("it") > 300, "{languages:?}");
    }
    std::fs::write(folder.path().join("it.ftl"), "log-in-titel = Accedi\n").unwrap();
    let refused = run_program(&["messages", "check"], &variables).await;
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(1) && error.contains("did you mean log-in-title?"), "{error}");
}
