//! The rules of WCAG 2.2 AA that a program can check: axe-core, vendored beside this file.

use super::browser::Browser;
use fantoccini::Locator;
use serde_json::{Value, json};

/// Axe-core 4.11.0, unchanged; `third-party.md` has its source and licence.
const AXE: &str = include_str!("axe.min.js");

/// Axe-core's rules for levels A and AA of WCAG 2.0, 2.1 and 2.2.
const RULES: [&str; 5] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/// Pages that ask for themselves again while something is under way: they take no input that could be lost (WCAG 2.2.1
/// lets what is real-time be).
const RENEWED: [&str; 1] = ["admin-job"];

impl Browser {
    /// Injects axe-core into every page that the browser opens from now on.
    pub async fn install_axe(&self) {
        self.devtools("Page.enable", json!({})).await;
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": AXE })).await;
    }

    /// The rules that the page violates in the light or the dark color scheme.
    pub async fn axe_violations(&self, page: &str) -> Vec<String> {
        let mut violations = Vec::new();
        // The dark scheme differs only in colors.
        let colors = json!({ "type": "rule", "values": ["color-contrast"] });
        for (scheme, rules) in [("light", json!(RULES)), ("dark", colors)] {
            // Colors in transition belong to neither scheme.
            self.prefer(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]).await;
            let renewed = json!({ "meta-refresh": { "enabled": !RENEWED.contains(&page) } });
            let options = json!({ "runOnly": rules, "rules": renewed, "resultTypes": ["violations"] });
            let run =
                "const [options, done] = arguments; axe.run(document, options).then(done, (e) => done(String(e)))";
            let results = self.page.execute_async(run, vec![options]).await.unwrap();
            let broken = results["violations"].as_array().unwrap_or_else(|| panic!("{page}: {results}"));
            violations.extend(broken.iter().map(|rule| format!("in {scheme}, {}", describe(rule))));
        }
        violations
    }

    /// Submits the form with these fields, without the browser's own validation.
    pub async fn send_unchecked(&self, form: &str, fields: &[(&str, &str)]) {
        let script = "const [form, fields] = arguments; const found = document.querySelector(form);
            for (const [name, value] of Object.entries(fields)) found.elements[name].value = value;
            found.submit();";
        let before = self.page.find(Locator::Css("body")).await.unwrap();
        let fields: Value = fields.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        self.page.execute(script, vec![form.into(), fields]).await.unwrap();
        let is_replaced = async || before.tag_name().await.is_err().then_some(());
        super::runner::eventually(&format!("a page after {form}"), is_replaced).await;
    }

    /// Presses the tab key until the focused element has this text, label or field name; the focus must be visible
    /// there (WCAG 2.2, 2.4.7).
    pub async fn tab_to(&self, text: &str) {
        // A field of six places has a transparent outline: its places show the focus.
        let script = "const e = document.activeElement, style = getComputedStyle(e);
            const isClear = style.outlineColor.endsWith(', 0)') && !e.closest('.otp');
            return [e.name || '', e.textContent.trim(), e.getAttribute('aria-label') || '',
                style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && !isClear ? 'seen' : e.outerHTML]";
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

    pub async fn press_key(&self, keys: &str) {
        self.page.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }
}

pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
pub const ESCAPE: &str = "\u{e00c}";
pub const SPACE: &str = "\u{e00d}";

fn describe(rule: &Value) -> String {
    let nodes = rule["nodes"].as_array().into_iter().flatten();
    let places: Vec<String> =
        nodes.map(|node| format!("    {}\n    {}\n", node["html"], node["failureSummary"])).collect();
    format!("{}: {}\n{}", rule["id"], rule["help"], places.concat())
}
