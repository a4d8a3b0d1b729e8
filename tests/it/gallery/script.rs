//! Pages whose script does not come, or comes late.

use super::inspection::{check, fail_if_any, shifts};
use super::language::Language;
use super::page_server::PageServer;
use crate::harness::{Browser, Look};
use crate::samples::states;
use serde_json::{Value, json};

browser![pages_fit_without_their_script, late_script_causes_no_layout_shift];

/// Where the script changes something as soon as it runs.
const CHANGED: [&str; 12] = [
    "login-passkey",
    "signup",
    "forgot",
    "account-unproved",
    "security",
    "sessions-alone",
    "activity-last",
    "password",
    "account-email",
    "two-factor-off",
    "passkey-new",
    "organizations",
];

struct Visit {
    server: PageServer,
    browser: Browser,
}

impl Visit {
    async fn begin() -> Self {
        let pages = states(Language::English.texts()).into_iter().map(|page| (Language::English, page));
        let (server, browser) = (PageServer::start(pages).await, Browser::open(Look::PHONE).await);
        browser.devtools("Network.enable", json!({})).await;
        Self { server, browser }
    }

    async fn block(&self, urls: &[&str]) {
        self.browser.devtools("Network.setBlockedURLs", json!({ "urls": urls })).await;
    }

    /// Loads a page without its script; returns what is wrong with it.
    async fn load_without_script(&self, name: &str) -> Vec<String> {
        self.block(&["*/assets/app*.js"]).await;
        self.browser.go(&self.server.url(Language::English, name)).await;
        let mut faults = check(&self.browser, &["fits"]).await;
        faults.extend(shifts(&self.browser).await);
        faults
    }

    /// Adds the script; returns what it moves.
    async fn add_script(&self) -> Option<String> {
        self.block(&[]).await;
        let add = "const done = arguments[0], script = document.createElement('script');
            script.onload = () => done(document.querySelector('[data-reveal]')?.hidden ?? false);
            script.onerror = () => done('not loaded');
            script.src = document.querySelector('script').src;
            document.head.append(script);";
        let hidden = self.browser.page.execute_async(add, vec![]).await.unwrap();
        if hidden != json!(false) {
            return Some("the script did not run".to_owned());
        }
        // Text after a time may move within its line, because the script shows the time in the reader's time zone.
        let moved = self.browser.layout_shifts().await;
        let is_word = |moved: &Value| moved.as_str() == Some("") || moved.as_f64().is_some_and(|score| score < 0.001);
        let is_still = moved.as_array().unwrap().iter().all(is_word);
        (!is_still).then(|| format!("moved by its script: {moved}"))
    }
}

async fn pages_fit_without_their_script() {
    let visit = Visit::begin().await;
    let mut faults = Vec::new();
    for page in states(Language::English.texts()) {
        let found = visit.load_without_script(page.name).await;
        faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", page.name)));
    }
    fail_if_any(&faults);
}

async fn late_script_causes_no_layout_shift() {
    let visit = Visit::begin().await;
    let mut faults = Vec::new();
    for look in [Look::DESKTOP, Look::PHONE] {
        visit.browser.apply(look).await;
        for name in CHANGED {
            let mut found = visit.load_without_script(name).await;
            found.extend(visit.add_script().await);
            faults.extend(found.into_iter().map(|fault| format!("{name} at {:?}: {fault}", look.size)));
        }
    }
    fail_if_any(&faults);
}
