//! The same in a real browser: what a script of an application on the login's host can try, and what it must not cost the
//! person whose application has a service worker.

use crate::application_scripts::site::Site;
use crate::harness::{Browser, Look, PASSWORD, eventually};
use crate::origins::traces;
use fantoccini::Locator;
use serde_json::{Value, json};
use std::time::Duration;

browser![
    script_reads_no_page_and_changes_nothing,
    script_behind_a_service_worker_changes_nothing,
    person_behind_a_service_worker_is_not_locked_out,
    person_who_prefetches_goes_back_and_has_two_tabs_is_not_locked_out,
    person_who_waits_sees_the_page_again,
];

const PAGES: [&str; 6] = [
    "/auth/",
    "/auth/account/email",
    "/auth/account/sessions",
    "/auth/account/two-factor",
    "/auth/account/confirm",
    "/auth/organizations",
];

const FORMS: [&str; 7] = [
    "/auth/account/email",
    "/auth/account/username",
    "/auth/account/sessions/end-others",
    "/auth/account/export",
    "/auth/account/delete",
    "/auth/account/two-factor",
    "/auth/account/email/cancel",
];

/// Asks for a page in every way that gives a script its text; the texts that it got.
const READ: &str = "const [path, done] = arguments, got = [];
    const ask = async (options) => got.push(await fetch(path, options).then((answer) => answer.text()).catch(String));
    const read = (frame) => { try { got.push(frame.contentDocument?.documentElement.outerHTML ?? ''); }
        catch (error) { got.push(String(error)); } frame.remove(); };
    const frames = () => new Promise((shown) => {
        const object = Object.assign(document.createElement('object'), { data: path, type: 'text/html' });
        const frame = Object.assign(document.createElement('iframe'), { src: path });
        frame.onload = () => { read(frame); read(object); shown(); };
        document.body.append(object, frame);
    });
    const xhr = () => new Promise((answered) => {
        const request = new XMLHttpRequest();
        request.onloadend = () => { got.push(request.responseText); answered(); };
        request.open('GET', path); request.send();
    });
    (async () => {
        for (const mode of ['cors', 'no-cors', 'same-origin']) await ask({ mode, credentials: 'include' });
        await ask({ cache: 'force-cache' });
        await xhr();
        await frames();
        done(got);
    })();";

/// Opens a page in a window, and reads it there as soon as there is something, until the window is cut off.
const OPEN: &str = "const [path, done] = arguments, got = [];
    const opened = window.open(path, 'w' + Math.random());
    const look = () => {
        if (opened.closed) return done(got);
        try {
            const html = opened.document.documentElement?.outerHTML ?? '';
            if (opened.location.href !== 'about:blank' && html.includes('<form')) { got.push(html); return done(got); }
        } catch (error) { got.push(String(error)); return done(got); }
        setTimeout(look, 5);
    };
    look();";

/// Sends a form with the right token, into this window or a frame.
const SEND: &str = "const [path, target] = arguments, form = document.createElement('form');
    const token = document.cookie.match(/svc_csrf=([^;]+)/)[1];
    Object.assign(form, { method: 'post', action: path });
    if (target) {
        document.body.append(Object.assign(document.createElement('iframe'), { name: target }));
        form.target = target;
    }
    const fields = { csrf_token: token, email: 'thief@evil.example', username: 'thief', end_others: 'yes', page: '' };
    for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(form);
    HTMLFormElement.prototype.submit.call(form);";

/// Sends it by `fetch`; the status.
const FETCH: &str = "const [path, done] = arguments;
    const token = document.cookie.match(/svc_csrf=([^;]+)/)[1];
    fetch(path, { method: 'POST', headers: { 'X-CSRF-Token': token }, body: new URLSearchParams({ email: 'thief@evil.example' }) })
        .then((answer) => done(answer.status), (error) => done(String(error)));";

async fn start() -> (Site, Browser) {
    let site = Site::start().await;
    let browser = Browser::open(Look::DESKTOP).await;
    browser.go(&site.at("/auth/signup")).await;
    browser.type_into("email", "ada@example.com").await;
    browser.type_into("username", "ada").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url("/auth/account").await;
    (site, browser)
}

/// Registers the worker for the whole host, and waits until it has the application's page.
async fn with_worker(site: &Site, browser: &Browser) {
    browser.go(&site.at("/")).await;
    let script = "const done = arguments[0];
        navigator.serviceWorker.addEventListener('controllerchange', () => done('controlled'));
        navigator.serviceWorker.register('/worker.js', { scope: '/' }).catch((error) => done(String(error)));";
    assert_eq!(browser.page.execute_async(script, vec![]).await.unwrap(), "controlled");
    browser.go(&site.at("/auth/account")).await;
    let passed_on = ("GET".into(), "/auth/account".into(), "navigate".into(), "empty".into());
    assert_eq!(site.arrived().last(), Some(&passed_on), "a page that a service worker passes on");
}

async fn expect_no_form(browser: &Browser, script: &str, path: &str) {
    let got = browser.page.execute_async(script, vec![path.into()]).await.unwrap();
    let texts: Vec<&str> = got.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(!texts.iter().any(|text| text.contains("name=\"page\"") || text.contains("<form")), "{path}: {texts:?}");
}

/// Tries everything from the application's page, and fails if anything came of it.
async fn attack(site: &Site, browser: &Browser) {
    let before = (traces(&site.app).await, row(site).await);
    browser.go(&site.at("/")).await;
    for path in PAGES {
        expect_no_form(browser, READ, path).await;
        expect_no_form(browser, OPEN, path).await;
    }
    for path in FORMS {
        let status = browser.page.execute_async(FETCH, vec![path.into()]).await.unwrap();
        assert_eq!(status, 403, "{path}");
        browser.page.execute(SEND, vec![path.into(), json!(path)]).await.unwrap();
        // The first is that of `fetch`.
        eventually("the frame has sent the form", async || (posts(site, path) > 1).then_some(())).await;
    }
    for path in FORMS {
        browser.go(&site.at("/")).await;
        browser.page.execute(SEND, vec![path.into(), json!("")]).await.unwrap();
        browser.wait_for_text("or another page sent the form. Nothing was changed.").await;
        let html = browser.page.source().await.unwrap();
        assert!(!html.contains("thief"), "{path}: what a script chose is not offered: {html}");
    }
    assert_eq!((traces(&site.app).await, row(site).await), before);
}

fn posts(site: &Site, path: &str) -> usize {
    site.arrived().iter().filter(|(method, to, ..)| method == "POST" && to == path).count()
}

/// The account, as far as the attacks aim at it.
async fn row(site: &Site) -> i64 {
    let account = "SELECT count(*) FROM users WHERE email = 'ada@example.com' AND username = 'ada'";
    site.app.database().count(account).await
}

async fn script_reads_no_page_and_changes_nothing() {
    let (site, browser) = start().await;
    attack(&site, &browser).await;
}

async fn script_behind_a_service_worker_changes_nothing() {
    let (site, browser) = start().await;
    with_worker(&site, &browser).await;
    attack(&site, &browser).await;
}

async fn rename(browser: &Browser, username: &str) {
    browser.type_into("username", username).await;
    browser.press("Change username").await;
    browser.wait_for_url("/auth/account?done=username").await;
}

async fn person_behind_a_service_worker_is_not_locked_out() {
    let (site, browser) = start().await;
    with_worker(&site, &browser).await;
    browser.go(&site.at("/auth/account/username")).await;
    rename(&browser, "lovelace").await;
    browser.go(&site.at("/auth/account/two-factor")).await;
    browser.press("Set up").await;
    browser.wait_for_url("/auth/account/two-factor").await;
    browser.log_out().await;
    browser.wait_for_url("/auth/login").await;
    browser.type_into("email", "lovelace").await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.wait_for_url("/auth/account").await;
}

async fn person_who_prefetches_goes_back_and_has_two_tabs_is_not_locked_out() {
    let (site, browser) = start().await;
    browser.go(&site.at("/")).await;
    let path = "/auth/account/username";
    let prefetch =
        "const link = Object.assign(document.createElement('link'), { rel: 'prefetch', href: arguments[0] });
        const done = arguments[1]; link.onload = link.onerror = () => done('asked'); document.head.append(link);";
    browser.page.execute_async(prefetch, vec![path.into()]).await.unwrap();
    let rules = "const rules = Object.assign(document.createElement('script'), { type: 'speculationrules' });
        rules.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [arguments[0]] }] });
        document.head.append(rules); location.assign(arguments[0]);";
    browser.page.execute(rules, vec![path.into()]).await.unwrap();
    browser.wait_for_url(path).await;
    rename(&browser, "lovelace").await;
    // Back to the form, which the browser may have kept; then the same again.
    browser.page.back().await.unwrap();
    browser.wait_for_url(path).await;
    rename(&browser, "countess").await;
    browser.page.back().await.unwrap();
    browser.wait_for_url(path).await;
    browser.page.refresh().await.unwrap();
    let first = browser.page.window().await.unwrap();
    let second = browser.page.new_window(true).await.unwrap().handle;
    browser.page.switch_to_window(second).await.unwrap();
    browser.go(&site.at(path)).await;
    rename(&browser, "ada").await;
    browser.page.switch_to_window(first).await.unwrap();
    rename(&browser, "byron").await;
}

async fn person_who_waits_sees_the_page_again() {
    let (site, browser) = start().await;
    browser.go(&site.at("/auth/account/username")).await;
    browser.type_into("username", "lovelace").await;
    site.app.clock().advance(Duration::from_mins(16));
    browser.press("Change username").await;
    browser.wait_for_text("This page was open for more than 15 minutes").await;
    let typed = async || {
        let field = browser.page.find(Locator::Css("[name=username]")).await.ok()?;
        field.prop("value").await.ok()?.filter(|value| value == "lovelace")
    };
    eventually("what was typed is still there", typed).await;
    browser.press("Change username").await;
    browser.wait_for_url("/auth/account?done=username").await;
}
