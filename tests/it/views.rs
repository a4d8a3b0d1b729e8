//! What holds for every page, whatever is in it, by the samples.

use crate::samples::entrance::{login_page, signup_page};
use crate::samples::{ORDINARY, Sample, Texts, account, card, layout, pages, shell, states};
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use doorward::brand::ColorScheme;
use doorward::http::assets::Assets;
use doorward::http::views::{
    self, AccountPage, CSRF_FAILED, Field, LoginPage, RefusedByApplicationPage, SignupPage, account_sections,
};
use doorward::messages::Message;
use std::collections::BTreeSet;

single_run![
    every_template_has_a_sample,
    no_two_samples_are_the_same,
    script_in_any_field_is_escaped_on_every_page,
    messages_have_what_they_name,
    long_address_breaks_after_its_signs,
    pages_comply_with_the_content_policy,
    pages_reference_no_other_host,
    elements_that_open_are_closed,
    every_page_has_title_single_heading_and_assets,
    every_post_form_has_a_csrf_token,
    labels_and_descriptions_reference_existing_ids,
    return_to_and_invitation_fields_appear_only_if_set,
    invalid_field_shows_error_and_gets_focus,
    form_error_is_an_alert_before_the_form,
    password_inputs_are_never_prefilled,
    navigation_appears_with_two_or_more_sections,
    logout_after_refusal_keeps_the_redirect_target,
    error_page_shows_retry_time_and_request_id,
    pages_with_style_and_script_are_under_50_and_22_kilobytes,
    menu_names_person_with_two_initials,
    pages_are_never_cached,
];

const SCRIPT: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";

const HOSTILE: Texts = Texts {
    csrf: SCRIPT,
    return_to: SCRIPT,
    email: SCRIPT,
    username: SCRIPT,
    name: SCRIPT,
    device: SCRIPT,
    place: SCRIPT,
    role: SCRIPT,
    code: SCRIPT,
    error: SCRIPT,
    ..ORDINARY
};

/// Templates that are only parts of pages.
const PARTS: [&str; 14] = [
    "admin",
    "admin_parts",
    "base",
    "card",
    "door",
    "foot",
    "forms",
    "login_ways",
    "mark",
    "organization_parts",
    "parts",
    "provider_marks",
    "viewer",
    "wide",
];

/// A view has one template, and a template one view.
async fn every_template_has_a_sample() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).unwrap();
    let files = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut templates: BTreeSet<String> =
        files.filter_map(|file| Some(file.strip_suffix(".html")?.to_owned())).collect();
    assert!(PARTS.iter().all(|part| templates.remove(*part)), "a part that is no template: {templates:?}");
    let views: BTreeSet<&str> = states(ORDINARY).iter().map(|sample| sample.view).collect();
    assert_eq!(views.len(), templates.len(), "views with a sample: {views:#?}\ntemplates: {templates:#?}");
}

async fn no_two_samples_are_the_same() {
    let (mut names, mut texts) = (BTreeSet::new(), BTreeSet::new());
    for Sample { name, html, .. } in states(ORDINARY) {
        assert!(names.insert(name), "two samples are called {name}");
        assert!(texts.insert(html), "{name} is another sample, too");
    }
}

/// The tags of a page, as `<name attributes`.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()).collect()
}

async fn script_in_any_field_is_escaped_on_every_page() {
    for Sample { name, html, .. } in pages(HOSTILE) {
        assert!(!html.contains("<script>"), "{name}");
        assert!(!html.contains("<img"), "{name}");
        assert!(!html.contains("\"'>"), "{name}");
        let scripts = tags(&html).into_iter().filter(|tag| tag.starts_with("script")).count();
        assert_eq!(scripts, 1, "{name}");
    }
}

async fn messages_have_what_they_name() {
    for Sample { name, html, .. } in pages(ORDINARY) {
        assert!(!html.contains("{$") && !html.contains("{ $"), "{name}: {html}");
    }
}

async fn long_address_breaks_after_its_signs() {
    let text = |address: &str| doorward::html::BreakableText(address.to_owned()).to_string();
    assert_eq!(text("ada@example.com"), "ada@example.com");
    let long = "emmy.noether@mathematics.example";
    assert_eq!(text(long), "emmy.<wbr>noether@<wbr>mathematics.example");
    let host = "e@rear-admirals.mathematics.example";
    assert_eq!(text(host), "e@<wbr>rear-<wbr>admirals.<wbr>mathematics.<wbr>example");
    assert_eq!(text("a<b>&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@x"), "a&lt;b&gt;&amp;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@<wbr>x");
}

async fn pages_comply_with_the_content_policy() {
    for Sample { name, html, .. } in pages(ORDINARY) {
        for tag in tags(&html) {
            assert!(!tag.starts_with("style"), "{name}: {tag}");
            // Without the values, which are text.
            let names: Vec<&str> = tag.split('"').step_by(2).flat_map(str::split_whitespace).skip(1).collect();
            for attribute in names {
                assert!(!attribute.starts_with("style=") && !attribute.starts_with("on"), "{name}: {tag}");
            }
            assert!(!tag.starts_with("script") || tag.contains("src=\"/auth/assets/"), "{name}: {tag}");
        }
    }
}

async fn pages_reference_no_other_host() {
    for Sample { name, html, .. } in pages(ORDINARY) {
        // An `otpauth:` URI has no host.
        let html = html.replace("otpauth://", "");
        for tag in tags(&html) {
            assert!(!tag.contains("://") && !tag.contains("=\"//"), "{name}: {tag}");
        }
    }
}

async fn elements_that_open_are_closed() {
    for Sample { name, html, .. } in pages(ORDINARY) {
        for element in
            ["body", "div", "dl", "fieldset", "footer", "form", "header", "li", "main", "nav", "section", "ul"]
        {
            let opened = tags(&html).into_iter().filter(|tag| tag.split_whitespace().next() == Some(element)).count();
            assert_eq!(html.matches(&format!("</{element}>")).count(), opened, "{name}: {element}");
        }
    }
}

async fn every_page_has_title_single_heading_and_assets() {
    for Sample { name, html, .. } in pages(ORDINARY) {
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{name}");
        assert!(html.contains("Doorward</title>"), "{name}");
        assert_eq!(html.matches("<h1").count(), 1, "{name}");
        assert_eq!(html.matches("<main").count(), 1, "{name}");
        let Assets { css, admin_css, js, icon } = Assets::of(ColorScheme::Auto);
        for asset in [css, js, icon] {
            assert!(html.contains(asset.url()), "{name}: {}", asset.url());
        }
        assert_eq!(html.contains(admin_css.url()), html.contains("<body class=\"wide dense\">"), "{name}");
    }
}

async fn every_post_form_has_a_csrf_token() {
    let token = format!("<input type=\"hidden\" name=\"csrf_token\" value=\"{}\">", ORDINARY.csrf);
    for Sample { name, html, .. } in pages(ORDINARY) {
        // A search form is a GET and needs no token.
        let posts = html.matches("<form").count() - html.matches("method=\"get\"").count();
        assert_eq!(html.matches("method=\"post\"").count(), posts, "{name}");
        assert_eq!(html.matches(&token).count(), posts, "{name}");
    }
}

async fn labels_and_descriptions_reference_existing_ids() {
    for Sample { name, html, .. } in pages(ORDINARY) {
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

async fn return_to_and_invitation_fields_appear_only_if_set() {
    let with = SignupPage { invitation: Some("token"), ..signup_page(ORDINARY) }.render().unwrap();
    assert!(with.contains("name=\"return_to\" value=\"/app/reports?year=2025\""));
    assert!(with.contains("name=\"invitation\" value=\"token\""));
    assert!(with.contains("href=\"/auth/invitations/token?return_to=%2Fapp%2Freports%3Fyear%3D2025\""));
    let plain = signup_page(ORDINARY).render().unwrap();
    assert!(plain.contains("href=\"/auth/login?return_to=%2Fapp%2Freports%3Fyear%3D2025\""));
    let without = SignupPage { return_to: None, ..signup_page(ORDINARY) }.render().unwrap();
    assert!(
        !without.contains("name=\"return_to\"")
            && !without.contains("login?return_to")
            && !without.contains("name=\"invitation\"")
    );
}

async fn invalid_field_shows_error_and_gets_focus() {
    let problem = Message::new("username-characters");
    let username = Field { value: "Grace Hopper", error: Some(&problem) };
    let html = SignupPage { username, ..signup_page(ORDINARY) }.render().unwrap();
    let input = tags(&html).into_iter().find(|tag| tag.contains("id=\"username\"")).unwrap();
    assert!(input.contains("value=\"Grace Hopper\""), "{input}");
    assert!(input.contains("aria-invalid=\"true\""), "{input}");
    assert!(input.contains("aria-describedby=\"username-error \""), "{input}");
    assert!(input.ends_with(" autofocus"), "{input}");
    assert!(html.contains("id=\"username-error\">Use only letters"));
    assert!(html.contains("<title>Error: Create your account · Doorward</title>"));
}

async fn form_error_is_an_alert_before_the_form() {
    let layout = card(ORDINARY, Some(&CSRF_FAILED));
    let html = LoginPage { login: "grace", layout, ..login_page(ORDINARY) }.render().unwrap();
    assert!(html.find("role=\"alert\"").unwrap() < html.find("<form").unwrap());
    assert!(html.contains(&CSRF_FAILED.english()));
    let password = tags(&html).into_iter().find(|tag| tag.contains("id=\"password\"")).unwrap();
    assert!(password.contains("form-error") && password.ends_with(" autofocus"), "{password}");
}

async fn password_inputs_are_never_prefilled() {
    for Sample { name, html, .. } in pages(ORDINARY) {
        for tag in tags(&html).into_iter().filter(|tag| tag.contains("type=\"password\"")) {
            assert!(!tag.contains("value="), "{name}: {tag}");
        }
    }
}

async fn navigation_appears_with_two_or_more_sections() {
    let one = account_sections("/auth/account")[..1].to_vec();
    let layout = shell(ORDINARY, layout(ORDINARY), one, None);
    let alone = AccountPage { layout, ..account(ORDINARY) }.render().unwrap();
    assert!(!alone.contains("<nav class=\"sections\""));
    let all = account(ORDINARY).render().unwrap();
    assert!(all.contains("<a href=\"/auth/account\" aria-current=\"page\">Profile</a>"));
}

async fn logout_after_refusal_keeps_the_redirect_target() {
    let view = RefusedByApplicationPage {
        layout: card(ORDINARY, None),
        called: "grace",
        sent_back: true,
        continue_to: "/app?a=1&b=2",
    };
    let html = view.render().unwrap();
    assert!(html.contains("name=\"return_to\" value=\"/auth/login?return_to=%2Fapp%3Fa%3D1%26b%3D2\""));
}

async fn error_page_shows_retry_time_and_request_id() {
    let pages = pages(ORDINARY);
    let html = |wanted| &pages.iter().find(|page| page.name == wanted).unwrap().html;
    assert!(html("error-429").contains("Try again in 2 minutes."));
    assert!(html("error-503").contains("Try again in 2 minutes."));
    assert!(html("error-500").contains("<code>0000000000000000</code>"));
}

/// The second limit is for what a browser loads at its first visit: files compressed, pages not.
async fn pages_with_style_and_script_are_under_50_and_22_kilobytes() {
    for Sample { name, html, .. } in pages(ORDINARY) {
        let files = Assets::of(ColorScheme::Auto).all().into_iter().filter(|asset| html.contains(asset.url()));
        let sizes =
            files.map(|asset| (asset.body().len(), asset.compressed().map_or(asset.body().len(), |gzip| gzip.len())));
        let (whole, sent) = sizes.fold((html.len(), html.len()), |(a, b), (whole, sent)| (a + whole, b + sent));
        assert!(whole < 50_000 && sent < 22_000, "{name}: {whole} bytes, {sent} with compressed files");
    }
}

async fn menu_names_person_with_two_initials() {
    let header = |name| AccountPage {
        layout: shell(ORDINARY, layout(ORDINARY).seen_by(Some(name)), Vec::new(), None),
        ..account(ORDINARY)
    };
    for (account, name, initials) in [
        ("grace.hopper@example.org", "grace.hopper@example.org", "GH"),
        ("émile+news@xn--bcher-kva.example", "émile+news@bücher.example", "ÉN"),
        ("ada", "ada", "A"),
        ("Zoe Crouwel", "Zoe Crouwel", "ZC"),
        ("Anna-Maria van Dam", "Anna-Maria van Dam", "AM"),
    ] {
        let html = header(account).render().unwrap();
        assert!(html.contains(&format!("aria-label=\"Account menu, {name}\"")), "{html}");
        assert!(html.contains(&format!("<span class=\"avatar\" aria-hidden=\"true\">{initials}</span>")), "{html}");
    }
}

async fn pages_are_never_cached() {
    let response = views::page(StatusCode::UNPROCESSABLE_ENTITY, &login_page(ORDINARY));
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
    assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
}
