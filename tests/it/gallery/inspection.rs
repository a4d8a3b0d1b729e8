//! What is looked at on each page.

use super::language::Language;
use super::page_server::PageServer;
use crate::harness::{Browser, Look};
use crate::samples::Sample;
use serde_json::json;

const CHECKS: &str = include_str!("checks.js");

/// Keeps what goes wrong on a page from its beginning, for `checks.js`.
const KEEP_ERRORS: &str = "window.errors = [];
    addEventListener('error', (event) => errors.push(event.message));
    addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
    document.addEventListener('securitypolicyviolation', (event) =>
        errors.push(`${event.violatedDirective} refuses ${event.blockedURI}`));";

const LOOKS: [(&str, Look); 4] = [
    ("phone", Look::PHONE),
    ("phone-dark", Look::PHONE.dark()),
    ("desktop-dark", Look::DESKTOP.dark()),
    ("desktop", Look::DESKTOP),
];

/// Looks at pages in one browser, and fails with all that is wrong with any of them.
pub async fn inspect(pages: impl IntoIterator<Item = (Language, Vec<Sample>)>) {
    let of = |(language, samples): (_, Vec<_>)| samples.into_iter().map(move |sample| (language, sample));
    let pages: Vec<(Language, Sample)> = pages.into_iter().flat_map(of).collect();
    let server = PageServer::start(pages.iter().cloned()).await;
    let browser = open(pages.iter().any(|(language, _)| *language == Language::English)).await;
    let mut faults = Vec::new();
    for (language, page) in &pages {
        browser.go(&server.url(*language, page.name)).await;
        let mut found = faults_of(&browser, *language, page.name).await;
        if !page.html.contains(&language.attributes()) {
            found.push(format!("it is not in {language:?}"));
        }
        faults.extend(found.into_iter().map(|fault| format!("{} ({}): {fault}", page.name, language.tag())));
    }
    fail_if_any(&faults);
}

/// Fails with all faults at once.
pub fn fail_if_any(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

async fn open(has_axe: bool) -> Browser {
    let browser = Browser::open(Look::DESKTOP).await;
    browser.devtools("Page.enable", json!({})).await;
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": KEEP_ERRORS })).await;
    if has_axe {
        browser.install_axe().await;
    }
    browser
}

/// Of the page that was just loaded on a desktop.
async fn faults_of(browser: &Browser, language: Language, name: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let is_thorough = language == Language::English;
    if is_thorough {
        faults.extend(shifts(browser).await);
        let once = ["invalid_fields", "narrow_fields", "empty_storage", "countdowns"];
        faults.extend(check(browser, &once).await);
    }
    faults.extend(check(browser, &["errors", "fits"]).await);
    if is_thorough {
        faults.extend(browser.axe_violations(name).await);
    }
    browser.apply(Look::PHONE).await;
    faults.extend(check(browser, &["fits", "sections", "touched_fields"]).await);
    for (look_name, look) in &LOOKS {
        browser.full_screenshot(&format!("{name}-{}-{look_name}", language.tag()), *look).await;
    }
    if is_thorough {
        // Last, because the window keeps the forced background color for a while.
        browser.prefer(&[("forced-colors", "active"), ("prefers-reduced-motion", "reduce")]).await;
        faults.extend(check(browser, &["borders", "reduced_motion", "pressed_buttons"]).await);
    }
    browser.apply(Look::DESKTOP).await;
    faults
}

/// What moved without user input since the page loaded (`layout-shift`, Layout Instability).
pub async fn shifts(browser: &Browser) -> Option<String> {
    let moved = browser.layout_shifts().await;
    (moved != json!([])).then(|| format!("moved: {moved}"))
}

/// What the checks of these names in `checks.js` find.
pub async fn check(browser: &Browser, names: &[&str]) -> Vec<String> {
    let names = names.iter().map(|name| json!(name)).collect();
    serde_json::from_value(browser.page.execute(CHECKS, names).await.unwrap()).unwrap()
}
