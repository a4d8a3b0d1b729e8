//! The rules of WCAG 2.2 AA as far as a program can check them: axe-core, which `scripts/test` fetches.

use super::browser::Browser;
use super::needs::report;
use fantoccini::Locator;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::OnceLock;

/// Axe-core's rules for levels A and AA of WCAG 2.0, 2.1 and 2.2.
const RULES: [&str; 5] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/// The rules, ready to be run on a page.
pub struct Axe(&'static str);

impl Axe {
    /// `None` where it was never fetched: offline nobody can. A line says so.
    pub fn find() -> Option<Self> {
        static SCRIPT: OnceLock<Option<String>> = OnceLock::new();
        let script = SCRIPT.get_or_init(|| {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/axe-core/axe.min.js");
            let script = std::fs::read_to_string(file).ok();
            if script.is_none() {
                report("SKIPPED: the stories about accessibility: target/axe-core has no axe-core. scripts/test fetches it.");
            }
            script
        });
        script.as_deref().map(Self)
    }

    /// Puts the rules into every page that the browser opens from now on.
    pub async fn install(&self, browser: &Browser) {
        browser.devtools("Page.enable", json!({})).await;
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": self.0 })).await;
    }

    /// Fails if the page breaks a rule in light or in dark.
    pub async fn check(browser: &Browser, page: &str) {
        // In the dark all is the same but the colours.
        let colours = json!({ "type": "rule", "values": ["color-contrast"] });
        for (scheme, rules) in [("light", json!(RULES)), ("dark", colours)] {
            // A colour on its way from one scheme to the other is in neither.
            browser.prefer(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]).await;
            let options = json!({ "runOnly": rules, "resultTypes": ["violations"] });
            let run =
                "const [options, done] = arguments; axe.run(document, options).then(done, (e) => done(String(e)))";
            let results = browser.page.execute_async(run, vec![options]).await.unwrap();
            let broken = results["violations"].as_array().unwrap_or_else(|| panic!("{page}: {results}"));
            assert!(broken.is_empty(), "{page} in {scheme}:\n{}", broken.iter().map(in_words).collect::<String>());
        }
    }
}

fn in_words(rule: &Value) -> String {
    let nodes = rule["nodes"].as_array().into_iter().flatten();
    let places: Vec<String> =
        nodes.map(|node| format!("    {}\n    {}\n", node["html"], node["failureSummary"])).collect();
    format!("{}: {}\n{}", rule["id"], rule["help"], places.concat())
}

impl Browser {
    /// Sends the form with these fields as they are: the browser's own checks do not hold it back.
    pub async fn send_unchecked(&self, form: &str, fields: &[(&str, &str)]) {
        let script = "const [form, fields] = arguments; const found = document.querySelector(form);
            for (const [name, value] of Object.entries(fields)) found.elements[name].value = value;
            found.submit();";
        let before = self.page.find(Locator::Css("body")).await.unwrap();
        let fields: Value = fields.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        self.page.execute(script, vec![form.into(), fields]).await.unwrap();
        let gone = async || before.tag_name().await.is_err().then_some(());
        super::story::eventually(&format!("a page after {form}"), gone).await;
    }

    /// Presses the tab key until what has the focus says `text`, is labelled so, or is the field of this name; each
    /// step must show where the focus is (WCAG 2.2, 2.4.7).
    pub async fn tab_to(&self, text: &str) {
        let script = "const e = document.activeElement, style = getComputedStyle(e);
            return [e.name || '', e.textContent.trim(), e.getAttribute('aria-label') || '',
                style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 ? 'seen' : e.outerHTML]";
        let mut passed = Vec::new();
        for _ in 0..40 {
            let focus = self.page.execute(script, vec![]).await.unwrap();
            if focus.as_array().unwrap().iter().take(3).any(|name| name == text) {
                assert_eq!(focus[3], "seen", "the focus is not to be seen");
                return;
            }
            passed.push(focus);
            self.press_key(TAB).await;
        }
        panic!("the tab key does not lead to {text}: {passed:?}");
    }

    /// Types where the focus is.
    pub async fn press_key(&self, keys: &str) {
        self.page.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }
}

/// The tab key.
pub const TAB: &str = "\u{e004}";
/// The enter key.
pub const ENTER: &str = "\u{e007}";
/// The space bar.
pub const SPACE: &str = "\u{e00d}";
