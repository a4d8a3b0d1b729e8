//! Malformed and hostile forms: each gets an answer, none an account.

use crate::harness::{Client, Engine, TestApp};
use std::collections::BTreeMap;

single_run![
    form_that_is_not_utf8_is_refused,
    form_with_wrong_content_type_is_refused,
    oversized_form_is_refused,
    form_with_too_many_fields_is_refused,
    form_without_csrf_token_is_shown_again_filled_in,
    return_to_rejects_foreign_targets,
];
both_engines![names_are_compared_case_insensitively, concurrent_signups_create_one_account,];
one_engine![
    control_characters_are_refused,
    html_in_fields_is_escaped,
    overlong_email_shows_field_error,
    unknown_account_and_wrong_password_look_the_same,
];

const PASSWORD: &str = "a lighthouse in the fog";

async fn app(engine: Engine) -> (TestApp, Client) {
    let app = engine.app().await;
    let visitor = app.anonymous();
    visitor.get("/auth/signup").await.expect(200);
    (app, visitor)
}

impl TestApp {
    async fn users(&self) -> i64 {
        self.database().count("SELECT count(*) FROM users").await
    }
}

async fn form_that_is_not_utf8_is_refused() {
    let (app, visitor) = app(Engine::Sqlite).await;
    let token = visitor.token("csrf").unwrap();
    let head = format!("csrf_token={token}&password={}&email=", PASSWORD.replace(' ', "+"));
    for email in [
        &b"\xff\xfe@example.com"[..],
        b"%ff%fe@example.com",
        b"%C0%80@example.com",
        b"ada%00@example.com",
        b"ada\0@example.com",
    ] {
        for page in ["signup", "login"] {
            let body = [head.as_bytes(), email].concat();
            visitor.form(&format!("/auth/{page}"), &[]).body(body).await.snapshot(&format!("{page}/not_utf8"));
        }
    }
    assert_eq!(app.users().await, 0);
}

async fn form_with_wrong_content_type_is_refused() {
    let (app, visitor) = app(Engine::Sqlite).await;
    for content_type in ["application/json", "multipart/form-data; boundary=x", "text/plain", ""] {
        let call = visitor.form("/auth/signup", &[("email", "ada@example.com")]);
        call.header("content-type", content_type).await.snapshot("signup/wrong_content_type");
    }
    visitor.form("/auth/signup", &[]).body("&&&=&=x&%&%%&%zz").await.expect(403);
    assert_eq!(app.users().await, 0);
}

async fn oversized_form_is_refused() {
    let (app, visitor) = app(Engine::Sqlite).await;
    let token = visitor.token("csrf").unwrap();
    for size in [100_000, 2_000_000] {
        for (name, path) in [("signup", "signup"), ("login", "login"), ("logout", "sessions/logout")] {
            let fields = [("csrf_token", token.as_str()), ("email", &"x".repeat(size))];
            visitor.form(&format!("/auth/{path}"), &fields).await.snapshot(&format!("{name}/too_large"));
        }
    }
    visitor.post_form("/auth/signup", &[("email", "ada@example.com"), ("password", PASSWORD)]).await.expect(303);
    assert_eq!(app.users().await, 1);
}

async fn form_without_csrf_token_is_shown_again_filled_in() {
    let (app, visitor) = app(Engine::Sqlite).await;
    let fields = [("email", "ada@example.com"), ("username", "ada"), ("password", PASSWORD), ("return_to", "/books")];
    let wrong = [&fields[..], &[("csrf_token", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]].concat();
    for fields in [&fields[..], &wrong] {
        for page in ["signup", "login"] {
            let reply = visitor.form(&format!("/auth/{page}"), fields).await.snapshot(&format!("{page}/wrong_token"));
            assert!(reply.text().contains(&visitor.token("csrf").unwrap()), "{}", reply.text());
        }
    }
    let elsewhere = visitor.form("/auth/signup", &fields).header("sec-fetch-site", "cross-site");
    elsewhere.header("x-csrf-token", &visitor.token("csrf").unwrap()).await.expect(403);
    assert_eq!(app.users().await, 0);
    let ada = app.sign_up("ada@example.com").await;
    ada.form("/auth/sessions/logout", &[]).header("accept", "text/html").await.expect(403);
    ada.api_user().await.expect(200);
}

async fn return_to_rejects_foreign_targets() {
    let app = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    app.sign_up("ada@example.com").await;
    let usual = app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303).location().to_owned();
    let accepted = ["/", "/books?page=2#top", "/cb?next=https%3A%2F%2Fx.example%2F", "/a//b", "/ä"];
    let ignored = [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/%2fevil.example",
        "/%5cevil.example",
        "/\tevil",
        "/a\r\nSet-Cookie: x=y",
        "/%0d%0aSet-Cookie:x=y",
        "javascript:alert(1)",
        "data:text/html,x",
        "evil.example",
        "http:evil.example",
        " //evil.example",
        "",
    ];
    for (targets, is_accepted) in [(&accepted[..], true), (&ignored[..], false)] {
        for target in targets {
            let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("return_to", *target)];
            let visitor = app.anonymous();
            let reply = visitor.post_form("/auth/login", &fields).await.expect(303);
            let went = reply.location();
            if is_accepted && target.is_ascii() {
                assert_eq!(went, *target);
            } else if is_accepted {
                assert!(
                    went == *target || went == "/%C3%A4" || reply.headers["location"].as_bytes() == target.as_bytes(),
                    "{went}"
                );
            } else {
                assert_eq!(went, usual, "{target:?}");
            }
        }
    }
}

async fn control_characters_are_refused(engine: Engine) {
    let (app, visitor) = app(engine).await;
    for odd in ["\u{1}", "\u{7f}", "\r\n", "\n", "\u{1b}[31m", "\u{85}", "\u{202e}", "\u{200b}", "\u{feff}"] {
        let email = format!("a{odd}da@example.com");
        let page = visitor.post_form("/auth/signup", &[("email", &email), ("password", PASSWORD)]).await;
        assert_eq!(page.status, 422, "{odd:?} in the e-mail");
        let username = format!("a{odd}da");
        let fields = [("email", "ada@example.com"), ("username", username.as_str()), ("password", PASSWORD)];
        let page = visitor.post_form("/auth/signup", &fields).await;
        assert_eq!(page.status, 422, "{odd:?} in the user name");
        let page = visitor.log_in(&email, PASSWORD).await;
        assert_eq!(page.status, 401, "{odd:?} at login");
    }
    assert_eq!(app.users().await, 0);
}

async fn html_in_fields_is_escaped(engine: Engine) {
    let (app, visitor) = app(engine).await;
    let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";
    let names = ["email", "username", "password", "return_to", "invitation", "csrf_token", evil];
    for path in ["/auth/signup", "/auth/login"] {
        for name in names {
            let token = visitor.token("csrf").unwrap();
            let mut fields =
                BTreeMap::from([("email", "x"), ("username", "ada"), ("password", "p"), ("csrf_token", &token)]);
            fields.insert(name, evil);
            let fields: Vec<(&str, &str)> = fields.into_iter().collect();
            let page = visitor.form(path, &fields).await;
            assert!([401, 403, 422].contains(&page.status), "{path} {name}: {}", page.status);
            let text = page.text();
            assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{path} {name}: {text}");
            let policy = page.header("content-security-policy").unwrap();
            assert!(!policy.contains("unsafe"), "{policy}");
        }
    }
    let query = form_urlencoded::byte_serialize(evil.as_bytes()).collect::<String>();
    for path in [format!("/auth/login?return_to={query}"), format!("/auth/{query}"), format!("/auth/login?{query}")] {
        assert!(!visitor.get(&path).await.text().contains("<script>alert"), "{path}");
    }
    // The user agent may contain it, because the raw value is never shown.
    let fields =
        [("email", "ada@example.com"), ("password", PASSWORD), ("csrf_token", &visitor.token("csrf").unwrap())];
    visitor.form("/auth/signup", &fields).header("user-agent", evil).await.expect(303);
    assert!(!visitor.get("/auth/account").await.expect(200).text().contains("<script>alert"));
    assert_eq!(app.users().await, 1);
}

async fn overlong_email_shows_field_error(engine: Engine) {
    let (app, visitor) = app(engine).await;
    let email = format!("{}@example.com", "x".repeat(288));
    visitor.post_form("/auth/signup", &[("email", &email), ("password", PASSWORD)]).await.snapshot("signup/long_email");
    visitor.log_in(&email, PASSWORD).await.expect(401);
    let username = "u".repeat(65);
    let fields = [("email", "ada@example.com"), ("username", username.as_str()), ("password", PASSWORD)];
    visitor.post_form("/auth/signup", &fields).await.snapshot("signup/long_username");
    let password = "p".repeat(257);
    let fields = [("email", "ada@example.com"), ("password", password.as_str())];
    visitor.post_form("/auth/signup", &fields).await.snapshot("signup/long_password");
    assert_eq!(app.users().await, 0);
}

async fn names_are_compared_case_insensitively(engine: Engine) {
    let (app, _) = app(engine).await;
    let sign_up = async |email: &str, username: &str| {
        let fields = [("email", email), ("username", username), ("password", PASSWORD)];
        app.anonymous().post_form("/auth/signup", &fields).await
    };
    sign_up("Ada@Example.com", "Ada.L").await.expect(303);
    sign_up("other@example.com", "aDA.l").await.snapshot("signup/username_taken");
    sign_up(" ada@EXAMPLE.com ", "someone").await.expect(422);
    assert_eq!(app.users().await, 1);
    for name in ["ada@example.com", "ADA@EXAMPLE.COM", "ada.l", "ADA.L", " ada@example.com "] {
        app.anonymous().log_in(name, PASSWORD).await.expect(303);
    }
    // A username derived from the address gets a suffix when it is taken.
    app.sign_up("ada.l@example.org").await;
    assert_eq!(app.users().await, 2);
}

async fn concurrent_signups_create_one_account(engine: Engine) {
    let (app, _) = app(engine).await;
    let mut rivals = tokio::task::JoinSet::new();
    for number in 0..8 {
        let visitor = app.anonymous();
        visitor.get("/auth/signup").await;
        rivals.spawn(async move {
            let username = format!("rival{number}");
            let fields = [("email", "ada@example.com"), ("username", username.as_str()), ("password", PASSWORD)];
            visitor.post_form("/auth/signup", &fields).await
        });
    }
    let replies = rivals.join_all().await;
    let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 303);
    assert_eq!(won.len(), 1);
    for reply in lost {
        assert_eq!(reply.status, 422, "{}", reply.text());
        assert!(reply.text().contains("aria-invalid=\"true\""), "{}", reply.text());
    }
    let counts =
        ["users", "sessions", "organizations", "memberships"].map(|table| format!("SELECT count(*) FROM {table}"));
    for count in &counts {
        assert_eq!(app.database().count(count).await, 1, "{count}");
    }
}

async fn unknown_account_and_wrong_password_look_the_same(engine: Engine) {
    let (app, _) = app(engine).await;
    app.sign_up("ada@example.com").await;
    let page = async |email: &str| {
        let visitor = app.anonymous();
        let page = visitor.log_in(email, "a wrong password").await.expect(401).text();
        page.replace(email, "EMAIL").replace(&visitor.token("csrf").unwrap(), "TOKEN")
    };
    assert_eq!(page("ada@example.com").await, page("nobody@example.com").await);
    for name in ["'; DROP TABLE users; --", "%", "*", "null", "0"] {
        app.anonymous().log_in(name, PASSWORD).await.expect(401);
    }
}

async fn form_with_too_many_fields_is_refused() {
    let (app, visitor) = app(Engine::Sqlite).await;
    let token = visitor.token("csrf").unwrap();
    let form = |count: usize| {
        let mut fields = vec![("csrf_token", token.as_str()), ("email", "ada@example.com"), ("password", PASSWORD)];
        fields.resize(count, ("x", "y"));
        visitor.form("/auth/signup", &fields)
    };
    form(65).await.snapshot("signup/too_many_fields");
    assert_eq!(app.users().await, 0);
    form(64).await.expect(303);
}
