//! A script of an application on the login's own host: same origin, the person's cookies, a readable CSRF token
//! (docs/reference/browser.md 4.5 and 4.6).

pub mod site;

use crate::harness::{Client, Engine, PASSWORD, Reply, TestApp, code_of, link_of, product};
use crate::origins::{Owner, PROBE, REFUSED_EARLIER, post_routes, traces};
use crate::snapshots::routes;
use doorward::domain::change;
use doorward::domain::registration::setup;
use doorward::model::principal::Principal;
use regex::Regex;
use std::collections::BTreeMap;
use std::time::Duration;

single_run![
    scripts_and_frames_get_no_page,
    library_that_fetches_links_is_told_to_open_them,
    every_form_needs_its_page_but_those_listed,
    forms_of_logged_in_people_have_one_order_of_checks,
];
one_engine![
    form_that_its_page_did_not_send_changes_nothing,
    page_of_another_session_is_of_no_use,
    form_of_a_page_is_good_for_fifteen_minutes,
    what_a_script_filled_in_is_not_shown,
    mailed_links_and_codes_need_their_page,
    retry_after_too_many_requests_keeps_its_page,
];

/// Routes below `/auth` that answer scripts: operations, and what is not a page.
const FOR_SCRIPTS: [&str; 11] = [
    "/auth/api/",
    "/auth/sessions/refresh",
    "/auth/sessions/logout",
    "/auth/.well-known/",
    "/auth/assets/",
    "/auth/health",
    "/auth/ready",
    "/auth/version",
    "/auth/doctor/",
    "/auth/gate",
    "/auth/organizations/{id}/switch",
];

/// Forms that a script may send as a navigation, with the reasons. All others need the field `page`.
const FROM_ANYWHERE: [(&str, &str); 17] = [
    ("/auth/account/confirm", "asks for the password"),
    ("/auth/account/confirm/code", "asks for a code"),
    ("/auth/account/confirm/mail", "mails a code to the address that the account has"),
    ("/auth/account/confirm/passkey", "asks for a passkey"),
    ("/auth/account/name", "lets nobody in"),
    ("/auth/account/passkeys/{id}/rename", "lets nobody in"),
    ("/auth/email/verify/resend", "mails to the address that the account has"),
    ("/auth/login", "asks for the password"),
    ("/auth/login/passkey", "asks for a passkey"),
    ("/auth/login/second-factor", "asks for a code"),
    ("/auth/login/with/{name}/return", "a provider sends it, and the browser asks again by a link"),
    ("/auth/organizations", "switches the organization, as applications may, and changes nothing that is there"),
    ("/auth/organizations/{id}/rename", "lets nobody in"),
    ("/auth/organizations/{id}/switch", "applications may"),
    ("/auth/password/forgot", "strangers may, from anywhere"),
    ("/auth/sessions/logout", "applications may"),
    ("/auth/signup", "strangers may, from anywhere"),
];

/// Forms with a handler of their own, in the order of their paths, with the reasons. All others are a `ChangeForm`: login,
/// target, CSRF, step-up, what the form lacks, limit, change.
pub const JOURNEYS: [(&str, &str); 19] = [
    ("/auth/email/undo/{token}", "a link lets in"),
    ("/auth/email/verify", "nobody has to be logged in"),
    ("/auth/email/verify/resend", "nobody has to be logged in"),
    ("/auth/email/verify/{token}", "a link lets in"),
    ("/auth/invitations/{token}/accept", "a link lets in"),
    ("/auth/invitations/{token}/decline", "a link lets in"),
    ("/auth/login", "logs in"),
    ("/auth/login/address", "logs in"),
    ("/auth/login/passkey", "logs in"),
    ("/auth/login/second-factor", "logs in"),
    ("/auth/login/with/{name}/address", "logs in"),
    ("/auth/login/with/{name}/connect", "logs in, or connects what a provider has returned"),
    ("/auth/login/with/{name}/return", "logs in"),
    ("/auth/login/with/{name}/whose", "logs in"),
    ("/auth/password/forgot", "nobody has to be logged in"),
    ("/auth/password/reset/{token}", "a link lets in"),
    ("/auth/sessions/logout", "logs out"),
    ("/auth/setup/{token}", "signs up"),
    ("/auth/signup", "signs up"),
];

const SENTENCE: &str = "or another page sent the form. Nothing was changed.";
const THIEF: &str = "thief@evil.example";

/// What a form says in its field `page`.
pub fn page_of(reply: &Reply, action: &str) -> String {
    let form = Regex::new(&format!(r#"(?s)action="{}"[^>]*>.*?</form>"#, regex::escape(action))).unwrap();
    let text = reply.text();
    let form = form.find(&text).unwrap_or_else(|| panic!("no form {action}: {reply}")).as_str();
    let field = form.split("name=\"page\" value=\"").nth(1).unwrap_or_else(|| panic!("no page in {form}"));
    field.split('"').next().unwrap().to_owned()
}

/// Sends a form as a browser does by a navigation, with the right CSRF token.
async fn navigate(client: &Client, path: &str, fields: &[(&str, &str)]) -> Reply {
    let token = client.token("csrf").unwrap();
    let call = client.form(path, &[fields, &[("csrf_token", &token)]].concat()).header("accept", "text/html");
    call.header("sec-fetch-mode", "navigate").header("sec-fetch-site", "same-origin").await
}

/// Fails unless the form was refused as not its page's.
fn expect_refused(reply: &Reply) {
    assert!(reply.status == 403 && reply.text().contains(SENTENCE), "{reply}");
}

/// Asks by the page, as a person does.
async fn send_from(client: &Client, page: &str, path: &str, fields: &[(&str, &str)]) -> Reply {
    let sealed = page_of(&client.get(page).header("sec-fetch-mode", "navigate").await.expect(200), path);
    navigate(client, path, &[fields, &[("page", &sealed)]].concat()).await
}

/// Turbo Drive, htmx's boost and others fetch what a person clicks, and show the answer in the page that is there.
async fn library_that_fetches_links_is_told_to_open_them() {
    const LINK: &str = "/auth/login?return_to=%2Forders%3Fa%3D1";
    let app = Engine::Sqlite.app().await;
    let visitor = app.anonymous();
    let fetched = |method: reqwest::Method| {
        let call = visitor.call(method, LINK).header("sec-fetch-mode", "cors").header("sec-fetch-dest", "empty");
        call.header("accept", "text/html, application/xhtml+xml")
    };
    let get = || fetched(reqwest::Method::GET);
    let is_page = |reply: &Reply| {
        let text = reply.text();
        text.contains(&format!("href=\"{LINK}\" target=\"_top\">Open the page</a>"))
            && text.contains("<meta name=\"turbo-visit-control\" content=\"reload\">")
    };
    let unknown = get().await.expect(403);
    assert!(is_page(&unknown) && unknown.header("hx-redirect").is_none(), "{unknown}");
    let boosted = get().header("hx-request", "true").await.expect(403);
    assert_eq!(boosted.header("hx-redirect"), Some(LINK), "{boosted}");
    let visited = get().header("x-turbo-request-id", "1").await.expect(403);
    assert!(visited.text().is_empty() && visited.header("content-type").is_none(), "{visited}");
    // In a frame, or after a form, Turbo does nothing with an answer that has no page.
    for (name, value) in [("turbo-frame", "orders"), ("accept", "text/vnd.turbo-stream.html, text/html")] {
        let reply = get().header("x-turbo-request-id", "1").header(name, value).await.expect(403);
        assert!(is_page(&reply), "{reply}");
    }
    let sent = fetched(reqwest::Method::POST).header("hx-request", "true").header("x-turbo-request-id", "1");
    let sent = sent.await.expect(403);
    assert!(sent.text().contains("Open the page") && sent.header("hx-redirect").is_none(), "{sent}");
}

async fn scripts_and_frames_get_no_page() {
    let app = Engine::Sqlite.app().await;
    let owner = Owner::sign_up(&app).await;
    let mut wrong = Vec::new();
    for route in routes().into_iter().filter(|route| route.method != "OPTIONS" && route.path.starts_with("/auth")) {
        let method = || reqwest::Method::from_bytes(route.method.as_bytes()).unwrap();
        let token = owner.client.token("csrf").unwrap();
        let call = || owner.client.copy().call(method(), &owner.path(&route.path)).header("x-csrf-token", &token);
        let mut asked = Vec::new();
        for mode in ["cors", "no-cors", "same-origin", "websocket"] {
            asked.push(call().header("sec-fetch-mode", mode).header("sec-fetch-dest", "empty").await);
        }
        for dest in ["iframe", "frame", "embed", "object", "fencedframe"] {
            asked.push(call().header("sec-fetch-mode", "navigate").header("sec-fetch-dest", dest).await);
        }
        let for_scripts = FOR_SCRIPTS.iter().any(|path| route.path.starts_with(path));
        for reply in asked {
            let is_refused =
                reply.status == 403 && reply.text().contains("This page can’t be loaded from another page");
            if is_refused == for_scripts {
                wrong.push(format!("{} {}: {}", route.method, route.path, reply.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let refused = owner.client.get("/auth/account/email").header("sec-fetch-mode", "cors").await;
    refused.snapshot("application_scripts/no_page");
    for mode in ["navigate", "websocket"] {
        owner.client.get("/auth/nowhere").header("sec-fetch-mode", mode).await.expect(404);
    }
}

/// How a form is taken, by the source: the type, and whether it is a `ChangeForm`, whose checks have one order.
struct Taken {
    kind: String,
    is_of_logged_in: bool,
}

fn forms() -> BTreeMap<String, Taken> {
    let router = std::fs::read_to_string(product::file("http/router.rs")).unwrap();
    let route = Regex::new(r#"\.route\(\s*"([^"]+)",[^;]*?\b(?:post\((?:\w+::)*(\w+)|form)::(<?\w+>?)[()]"#).unwrap();
    let pages = product::texts(&["src/http/pages"]);
    // One call of `.route(` each, so that a path is never joined to the handler of the next.
    let calls = router.split(".route(").skip(1).map(|call| format!(".route({call}"));
    calls
        .filter_map(|call| {
            let found = route.captures(&call).filter(|found| &found[1] != PROBE)?;
            let (path, handler) = (&found[1], &found[3]);
            let name = handler.trim_matches(['<', '>']);
            let taken = if handler.starts_with('<') {
                Taken { kind: sent_as(&pages, name, path.starts_with("/auth/admin/")), is_of_logged_in: true }
            } else {
                Taken { kind: taken_by(&found[2], name), is_of_logged_in: false }
            };
            Some((path.to_owned(), taken))
        })
        .collect()
}

/// The type of the form of a `ChangeForm`; every `Act` takes its page's alone.
fn sent_as(pages: &[(String, String)], name: &str, is_act: bool) -> String {
    if is_act {
        return "Submitted".to_owned();
    }
    let sent = Regex::new(&format!(r"impl ChangeForm for {name} \{{[^}}]*?type Sent = (\w+)<")).unwrap();
    let found = pages.iter().find_map(|(_, text)| sent.captures(text).map(|found| found[1].to_owned()));
    found.unwrap_or_else(|| panic!("no form {name}"))
}

fn taken_by(module: &str, function: &str) -> String {
    let source = std::fs::read_to_string(product::file(&format!("http/pages/{module}.rs"))).unwrap();
    let start = source.find(&format!("pub async fn {function}(")).expect("a handler");
    let head = source[start..].split("->").next().unwrap();
    let kinds = ["Submitted", "FromAnywhere"].into_iter().find(|kind| head.contains(&format!("{kind}<")));
    // The form of a provider has no field of ours.
    let kinds = kinds.or_else(|| (module == "provider_return").then_some("FromAnywhere"));
    kinds.unwrap_or_else(|| panic!("{module}::{function} takes no form")).to_owned()
}

async fn every_form_needs_its_page_but_those_listed() {
    let forms = forms();
    assert!(forms.len() > 35, "{}", forms.len());
    let free = forms.iter().filter(|(_, taken)| taken.kind == "FromAnywhere").map(|(path, _)| path.as_str());
    assert_eq!(free.collect::<Vec<_>>(), FROM_ANYWHERE.map(|(path, _)| path));
}

async fn forms_of_logged_in_people_have_one_order_of_checks() {
    let forms = forms();
    let journeys: Vec<&str> =
        forms.iter().filter(|(_, taken)| !taken.is_of_logged_in).map(|(path, _)| path.as_str()).collect();
    assert_eq!(journeys, JOURNEYS.map(|(path, _)| path));
}

async fn form_that_its_page_did_not_send_changes_nothing(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let owner = Owner::sign_up(&app).await;
    let before = traces(&app).await;
    let mut wrong = Vec::new();
    for route in post_routes() {
        if FROM_ANYWHERE.iter().any(|(path, _)| *path == route.path) || route.path.ends_with("/refresh") {
            continue;
        }
        let fields =
            [("password", PASSWORD), ("current", PASSWORD), ("email", THIEF), ("name", "x"), ("role", "owner")];
        let reply = navigate(&owner.client.copy(), &owner.path(&route.path), &fields).await;
        let earlier = REFUSED_EARLIER.iter().find(|(path, _)| *path == route.path);
        let expected = earlier.map_or(403, |(_, status)| *status);
        if route.path.starts_with("/auth/admin/") {
            // For the role, before the form is looked at; `admin_people` sends one with the role.
            assert!(reply.status == 403, "{}: {reply}", route.path);
            continue;
        }
        if reply.status != expected || (expected == 403 && !reply.text().contains(SENTENCE)) {
            wrong.push(format!("{}: {} instead of {expected}", route.path, reply.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(traces(&app).await, before);
}

async fn page_of_another_session_is_of_no_use(engine: Engine) {
    let app = engine.app().await;
    let (ada, thief) = (app.sign_up("ada@example.com").await, app.sign_up(THIEF).await);
    for (path, field) in
        [("/auth/account/email", ("email", "x@evil.example")), ("/auth/account/username", ("username", "lovelace"))]
    {
        let stolen = page_of(&thief.get(path).await.expect(200), path);
        expect_refused(&navigate(&ada, path, &[field, ("page", &stolen)]).await);
        // Nor are those of her other forms and of her other devices.
        let other = page_of(&ada.get("/auth/account/password").await.expect(200), "/auth/account/password");
        expect_refused(&navigate(&ada, path, &[field, ("page", &other)]).await);
        let phone = app.anonymous();
        phone.log_in("ada@example.com", PASSWORD).await.expect(303);
        let elsewhere = page_of(&phone.get(path).await.expect(200), path);
        expect_refused(&navigate(&ada, path, &[field, ("page", &elsewhere)]).await);
        send_from(&ada, path, path, &[field]).await.expect(303);
    }
}

async fn form_of_a_page_is_good_for_fifteen_minutes(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let path = "/auth/account/username";
    let shown = page_of(&ada.get(path).await.expect(200), path);
    app.clock().advance(Duration::from_mins(14));
    navigate(&ada, path, &[("username", "lovelace"), ("page", &shown)]).await.expect(303);
    app.clock().advance(Duration::from_secs(61));
    let again = navigate(&ada, path, &[("username", "countess"), ("page", &shown)]).await;
    let again = again.snapshot("application_scripts/too_late");
    assert!(again.text().contains("value=\"countess\""), "what was typed is kept: {again}");
    let german = ada.form(path, &[("csrf_token", &ada.token("csrf").unwrap())]).header("accept-language", "de");
    let german = german.header("sec-fetch-mode", "navigate").await.expect(403).text();
    assert!(german.contains("oder eine andere Seite hat das Formular geschickt"), "{german}");
    let shown = page_of(&again, path);
    navigate(&ada, path, &[("username", "countess"), ("page", &shown)]).await.expect(303);
    // Backends and old browsers, which say nothing of how they ask.
    ada.post_form(path, &[("username", "byron")]).await.expect(303);
}

async fn what_a_script_filled_in_is_not_shown(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let path = "/auth/account/email";
    for fields in
        [&[("email", THIEF)][..], &[("email", THIEF), ("fill_in", "yes")], &[("email", THIEF), ("page", "AAAA")]]
    {
        let reply = navigate(&ada, path, fields).await;
        assert!(page_of(&reply, path).len() > 40 && !reply.text().contains(THIEF), "{reply}");
    }
    let wrong_token =
        ada.form(path, &[("email", THIEF), ("csrf_token", "x")]).header("sec-fetch-mode", "navigate").await;
    assert!(!wrong_token.expect(403).text().contains(THIEF));
}

async fn mailed_links_and_codes_need_their_page(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    let (token, _) = change::run(&app.app, &Principal::operator(), setup::IssueLink).await.unwrap().unwrap();
    let (root, link) = (app.anonymous(), format!("/auth/setup/{}", token.text()));
    root.get(&link).await.expect(200);
    let fields = [("email", "root@example.com"), ("password", PASSWORD)];
    expect_refused(&navigate(&root, &link, &fields).await);
    send_from(&root, &link, &link, &fields).await.expect(303);

    let ada = app.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let code = code_of(&app.mail_to("ada@example.com", "Finish signing up").await);
    let path = "/auth/email/verify";
    let bob = app.anonymous();
    bob.sign_up("bob@example.com").await.expect(303);
    let stolen = page_of(&bob.get(path).await.expect(200), path);
    for page in ["", stolen.as_str()] {
        expect_refused(&navigate(&ada, path, &[("code", &code), ("page", page)]).await);
    }
    send_from(&ada, path, path, &[("code", &code)]).await.expect(303);

    let visitor = app.anonymous();
    visitor.post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", "password").await);
    visitor.get(&link).await.expect(200);
    let fields = [("password", "a second lighthouse in the fog")];
    expect_refused(&navigate(&visitor, &link, &fields).await);
    send_from(&visitor, &link, &link, &fields).await.expect(303);

    ada.log_in("ada@example.com", "a second lighthouse in the fog").await.expect(303);
    send_from(&ada, "/auth/account/email", "/auth/account/email", &[("email", "new@example.com")]).await.expect(303);
    let link = link_of(&app.mail_to("new@example.com", "Verify your new").await);
    expect_refused(&navigate(&ada, &link, &[]).await);
    send_from(&ada, &link, &link, &[]).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", "Your email address was changed").await);
    expect_refused(&navigate(&visitor, &link, &[]).await);
    send_from(&visitor, &link, &link, &[]).await.expect(303);
    undone(&app).await;
}

async fn undone(app: &TestApp) {
    let addresses = "SELECT count(*) FROM users WHERE email = 'ada@example.com'";
    assert_eq!(app.database().count(addresses).await, 1);
}

async fn retry_after_too_many_requests_keeps_its_page(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let path = "/auth/account/username";
    let shown = page_of(&ada.get(path).await.expect(200), path);
    let mut names = 0..;
    let limited = loop {
        let name = format!("ada{}", names.next().unwrap());
        let reply = navigate(&ada, path, &[("username", &name), ("page", &shown)]).await;
        if reply.status != 303 {
            break reply.expect(429);
        }
    };
    assert_eq!(page_of(&limited, path), shown, "the button sends it again");
    // A script that has used up the limit gets a button of no use.
    let forged = navigate(&ada, path, &[("username", "thief")]).await;
    expect_refused(&forged);
}
