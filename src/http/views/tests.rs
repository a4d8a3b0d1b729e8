#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::samples::{ORDINARY, Texts, account, all, chrome, log_in, sign_up};
use super::*;

const SCRIPT: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";

const HOSTILE: Texts = Texts {
    csrf: SCRIPT,
    return_to: SCRIPT,
    email: SCRIPT,
    username: SCRIPT,
    name: SCRIPT,
    device: SCRIPT,
    error: SCRIPT,
    ..ORDINARY
};

/// The tags of a page, as `<name attributes`.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()).collect()
}

#[test]
fn no_page_lets_script_through_any_field() {
    for (name, html) in all(HOSTILE) {
        assert!(!html.contains("<script>"), "{name}");
        assert!(!html.contains("<img"), "{name}");
        assert!(!html.contains("\"'>"), "{name}");
        let scripts = tags(&html).into_iter().filter(|tag| tag.starts_with("script")).count();
        assert_eq!(scripts, 1, "{name}");
    }
}

#[test]
fn no_page_needs_more_than_the_content_policy_allows() {
    for (name, html) in all(ORDINARY) {
        for tag in tags(&html) {
            assert!(!tag.starts_with("style"), "{name}: {tag}");
            // Without the values: they hold what people read.
            let names: Vec<&str> = tag.split('"').step_by(2).flat_map(str::split_whitespace).skip(1).collect();
            for attribute in names {
                assert!(!attribute.starts_with("style=") && !attribute.starts_with("on"), "{name}: {tag}");
            }
            assert!(!tag.starts_with("script") || tag.contains("src=\"/auth/assets/"), "{name}: {tag}");
        }
    }
}

#[test]
fn no_page_asks_another_host() {
    for (name, html) in all(ORDINARY) {
        // The address of an authenticator app leads to no host.
        let html = html.replace("otpauth://", "");
        assert!(!html.contains("://") && !html.contains("=\"//"), "{name}");
    }
}

#[test]
fn every_page_is_a_titled_document_with_one_heading_and_our_assets() {
    for (name, html) in all(ORDINARY) {
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{name}");
        assert!(html.contains(" · Doorward</title>"), "{name}");
        assert_eq!(html.matches("<h1").count(), 1, "{name}");
        assert_eq!(html.matches("<main").count(), 1, "{name}");
        for asset in crate::http::assets::Assets::embedded().all() {
            assert!(html.contains(asset.url()), "{name}: {}", asset.url());
        }
    }
}

#[test]
fn every_form_carries_a_csrf_token() {
    let token = format!("<input type=\"hidden\" name=\"csrf_token\" value=\"{}\">", ORDINARY.csrf);
    for (name, html) in all(ORDINARY) {
        // A search changes nothing.
        let posts = html.matches("<form").count() - html.matches("method=\"get\"").count();
        assert_eq!(html.matches("method=\"post\"").count(), posts, "{name}");
        assert_eq!(html.matches(&token).count(), posts, "{name}");
    }
}

#[test]
fn labels_and_descriptions_point_at_what_exists() {
    for (name, html) in all(ORDINARY) {
        for attribute in ["for=\"", "aria-describedby=\"", "aria-labelledby=\"", "aria-controls=\"", "data-reveal=\""] {
            for value in html.split(attribute).skip(1).map(|rest| rest.split('"').next().unwrap()) {
                for id in value.split_whitespace() {
                    assert_eq!(html.matches(&format!(" id=\"{id}\"")).count(), 1, "{name}: {id}");
                }
            }
        }
        assert!(html.matches(" autofocus").count() <= 1, "{name}");
    }
}

#[test]
fn a_form_carries_return_to_and_invitation_only_when_there_are_any() {
    let with = SignUpPage { invitation: Some("token"), ..sign_up(ORDINARY) }.render().unwrap();
    assert!(with.contains("name=\"return_to\" value=\"/app/reports?year=2025\""));
    assert!(with.contains("name=\"invitation\" value=\"token\""));
    assert!(with.contains("href=\"/auth/invitations/token?return_to=%2Fapp%2Freports%3Fyear%3D2025\""));
    let plain = sign_up(ORDINARY).render().unwrap();
    assert!(plain.contains("href=\"/auth/login?return_to=%2Fapp%2Freports%3Fyear%3D2025\""));
    let without = SignUpPage { return_to: None, ..sign_up(ORDINARY) }.render().unwrap();
    assert!(
        !without.contains("name=\"return_to\"")
            && !without.contains("login?return_to")
            && !without.contains("name=\"invitation\"")
    );
}

#[test]
fn a_bad_field_says_so_and_is_where_to_start() {
    let problem = Message::new("username-characters");
    let username = Field { value: "Grace Hopper", error: Some(&problem) };
    let html = SignUpPage { username, ..sign_up(ORDINARY) }.render().unwrap();
    let input = tags(&html).into_iter().find(|tag| tag.contains("id=\"username\"")).unwrap();
    assert!(input.contains("value=\"Grace Hopper\""), "{input}");
    assert!(input.contains("aria-invalid=\"true\""), "{input}");
    assert!(input.contains("aria-describedby=\"username-error username-hint\""), "{input}");
    assert!(input.ends_with(" autofocus"), "{input}");
    assert!(html.contains("id=\"username-error\">A username has only letters"));
    assert!(html.contains("<title>Error: Create your account · Doorward</title>"));
}

#[test]
fn an_error_of_the_whole_form_is_an_alert_before_it() {
    let html = LogInPage { login: "grace", form_error: Some(&STALE_FORM), ..log_in(ORDINARY) }.render().unwrap();
    assert!(html.find("role=\"alert\"").unwrap() < html.find("<form").unwrap());
    assert!(html.contains(&STALE_FORM.english()));
    let password = tags(&html).into_iter().find(|tag| tag.contains("id=\"password\"")).unwrap();
    assert!(password.contains("form-error") && password.ends_with(" autofocus"), "{password}");
}

#[test]
fn a_password_is_never_filled_in() {
    for (name, html) in all(ORDINARY) {
        for tag in tags(&html).into_iter().filter(|tag| tag.contains("type=\"password\"")) {
            assert!(!tag.contains("value="), "{name}: {tag}");
        }
    }
}

#[test]
fn sections_appear_from_two_on() {
    assert!(!account(ORDINARY).render().unwrap().contains("<nav class=\"sections\""));
    let warned = all(ORDINARY).into_iter().find(|(name, _)| *name == "account-warned").unwrap().1;
    assert!(warned.contains("<a href=\"/auth/account\" aria-current=\"page\">Profile</a>"));
}

#[test]
fn log_out_after_a_refusal_leads_back_to_where_the_user_was_going() {
    let view = RefusedByApplicationPage {
        chrome: chrome(ORDINARY),
        csrf: "token",
        username: "grace",
        continue_to: "/app?a=1&b=2",
    };
    let html = view.render().unwrap();
    assert!(html.contains("name=\"return_to\" value=\"/auth/login?return_to=%2Fapp%3Fa%3D1%26b%3D2\""));
}

#[test]
fn an_error_says_when_to_try_again_and_what_to_tell_the_operator() {
    let pages = all(ORDINARY);
    let html = |wanted| &pages.iter().find(|(name, _)| *name == wanted).unwrap().1;
    assert!(html("error-429").contains("Try again in 2 minutes."));
    assert!(html("error-503").contains("Try again in 2 minutes."));
    assert!(html("error-500").contains("<code>0000000000000000</code>"));
}

#[test]
fn a_page_is_never_cached() {
    let response = page(StatusCode::UNPROCESSABLE_ENTITY, &log_in(ORDINARY));
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
    assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
}
