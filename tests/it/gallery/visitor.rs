//! A visitor who goes from page to page in a browser, and the checks of each page.

use super::mirrored;
use super::pages::PAGES;
use crate::harness::{Browser, Builder, Client, Engine, Look, TempDir, TestApp, eventually};
use fantoccini::Locator;
use serde_json::json;

/// The user's email address, as long as real ones can be.
pub const EMAIL: &str = "rear.admiral.grace.brewster.murray.hopper@navy.example.org";
pub const PASSWORD: &str = "a lighthouse in the fog";

/// The language that the browser asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, which gets every check.
    English,
    /// German, which has the longest words and gets only the check for width.
    German,
    /// A sample of those written from right to left, which gets the same check as German.
    RightToLeft,
}

pub const LANGUAGES: [Language; 3] = [Language::English, Language::German, Language::RightToLeft];

const LOOKS: [(&str, Look); 4] = [
    ("phone", Look::PHONE),
    ("phone-dark", Look::PHONE.dark()),
    ("desktop-dark", Look::DESKTOP.dark()),
    ("desktop", Look::DESKTOP),
];

pub const BRAND: [(&str, &str); 6] = [
    ("SVC_BRAND_NAME", "Mount Wilson Observatory"),
    ("SVC_BRAND_COLOR", "#635bff"),
    ("SVC_APP_URL", "https://observatory.example.org"),
    ("SVC_TERMS_URL", "https://observatory.example.org/terms"),
    ("SVC_PRIVACY_URL", "https://observatory.example.org/privacy"),
    ("SVC_SUPPORT_URL", "mailto:help@observatory.example.org"),
];

pub struct Visitor {
    pub app: TestApp,
    pub browser: Browser,
    language: Language,
    /// Read again when the service starts again.
    _messages: TempDir,
}

impl Visitor {
    /// Starts a service with these settings at a host name, which passkeys require.
    pub async fn open(language: Language, settings: &[(&str, &str)]) -> Self {
        let builder = Engine::Sqlite.prepare().await;
        let port = builder.variables()["SVC_LISTEN"].rsplit(':').next().unwrap().to_owned();
        let url = format!("http://localhost:{port}");
        Self::with(language, builder.set("SVC_BASE_URL", url), settings).await
    }

    /// Starts a service with these settings at an IP address.
    pub async fn at_ip_address(language: Language, settings: &[(&str, &str)]) -> Self {
        Self::with(language, Engine::Sqlite.prepare().await, settings).await
    }

    /// Starts the given service with these settings, under a brand with every link.
    pub async fn with(language: Language, builder: Builder, settings: &[(&str, &str)]) -> Self {
        let builder = BRAND.iter().chain(settings).fold(builder, |builder, (name, value)| builder.set(name, *value));
        let messages = TempDir::new("messages");
        let builder = if language == Language::RightToLeft {
            std::fs::write(messages.path().join(format!("{}.ftl", mirrored::TAG)), mirrored::messages()).unwrap();
            builder.set("SVC_MESSAGES", messages.path().to_str().unwrap())
        } else {
            builder
        };
        let app = builder.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
        let browser = Browser::open(Look::DESKTOP).await;
        browser.devtools("Network.enable", json!({})).await;
        browser.add_headers(json!({ "Accept-Language": language.tag() })).await;
        if language == Language::English {
            browser.install_axe().await;
        }
        Self { app, browser, language, _messages: messages }
    }

    pub async fn go(&self, path: &str) {
        self.browser.go(&format!("{}{path}", self.app.variables()["SVC_BASE_URL"])).await;
    }

    /// Goes to a path as a link or script of this page does, not as the address bar.
    pub async fn follow(&self, path: &str) {
        self.browser.page.execute("location.assign(arguments[0])", vec![path.into()]).await.unwrap();
        let arrived = async || {
            let kind = "return performance.getEntriesByType('navigation')[0]?.name.endsWith(arguments[0]) \
                && document.readyState === 'complete' \
                && document.referrer !== ''";
            let loaded = self.browser.page.execute(kind, vec![path.into()]).await.ok()?;
            (loaded == json!(true)).then_some(())
        };
        eventually("the page is loaded", arrived).await;
    }

    /// Submits a form without the browser's own validation.
    pub async fn send(&self, form: &str, fields: &[(&str, &str)]) {
        self.browser.send_unchecked(form, fields).await;
    }

    pub async fn href(&self, link: &str) -> String {
        let script = "return document.querySelector(arguments[0]).getAttribute('href')";
        self.browser.page.execute(script, vec![link.into()]).await.unwrap().as_str().unwrap().to_owned()
    }

    pub async fn sign_up(&self, email: &str) -> Client {
        let client = self.app.anonymous();
        client.sign_up(email).await.expect(303);
        client
    }

    /// Logs in with this address and [`PASSWORD`] in the browser.
    pub async fn log_in(&self, email: &str) {
        self.clear_cookies().await;
        self.go("/auth/login").await;
        self.send("form", &[("email", email), ("password", PASSWORD)]).await;
    }

    pub async fn open_menu(&self) {
        let menu = self.browser.page.find(Locator::Css("header summary")).await.unwrap();
        menu.click().await.unwrap();
    }

    /// Shows a page that was not navigated to.
    pub async fn write(&self, page: &str) {
        self.go("/auth/nowhere").await;
        let write = "document.open(); document.write(arguments[0]); document.close()";
        self.browser.page.execute(write, vec![json!(page)]).await.unwrap();
    }

    pub async fn clear_cookies(&self) {
        self.browser.page.delete_all_cookies().await.unwrap();
    }

    /// The newest mail to an address with a link to this path: the link, and the code if there is one.
    pub async fn mailed_link(&self, address: &str, path: &str) -> (String, Option<String>) {
        let newest = async || {
            let mails = self.app.mails_to(address).await;
            mails.into_iter().rfind(|mail| mail.link.as_deref().is_some_and(|link| link.contains(path)))
        };
        let mail = eventually(&format!("a mail to {address} with a link to {path}"), newest).await;
        let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit());
        (crate::harness::link_of(&mail), mail.text.split_whitespace().find(is_code).map(str::to_owned))
    }

    /// Checks that the current page is made from this template and accessible, and takes screenshots.
    pub async fn see(&self, page: &str, state: &str) {
        self.expect_page(page, state).await;
        if self.language == Language::English {
            self.expect_no_layout_shift(state).await;
            self.expect_field_errors(state).await;
            self.expect_narrow_fields(state).await;
            self.expect_empty_storage(state).await;
            self.browser.check_axe(state).await;
        }
        self.browser.apply(Look::PHONE).await;
        self.expect_to_fit(state).await;
        self.expect_sections_in_one_line(state).await;
        for (name, look) in &LOOKS {
            self.browser.full_screenshot(&format!("{state}-{}-{name}", self.language.tag()), *look).await;
        }
        if self.language == Language::English {
            // Last, because the window keeps the forced background color for a while.
            self.expect_borders_in_forced_colors(state).await;
        }
        self.browser.apply(Look::DESKTOP).await;
        self.expect_to_fit(state).await;
    }

    /// As [`Self::see`], of any page of administrators.
    pub async fn see_one_of_administrators(&self, state: &str) {
        let found = self.templates_here().await;
        let [page] = found[..] else { panic!("{state}: {found:?}") };
        assert!(page.starts_with("admin"), "{state}: {}", self.browser.text().await);
        self.see(page, state).await;
    }

    /// As [`Self::see`], of the form of an act.
    pub async fn see_act(&self, state: &str) {
        self.see("admin_act", state).await;
    }

    /// The templates from which the page may be made.
    async fn templates_here(&self) -> Vec<&'static str> {
        let url = self.browser.page.current_url().await.unwrap();
        let here = |known: &&super::pages::Page| url.path().starts_with(known.path);
        let mut found = Vec::new();
        for known in PAGES.iter().filter(here) {
            let script = "return document.querySelector(arguments[0]) !== null";
            if self.browser.page.execute(script, vec![known.selector.into()]).await.unwrap() == json!(true) {
                found.push(known.name);
            }
        }
        // The page of an error may have the hidden fields of any form.
        if found.contains(&"error") {
            found = vec!["error"];
        }
        found
    }

    async fn expect_page(&self, page: &str, state: &str) {
        let url = self.browser.page.current_url().await.unwrap();
        let found = self.templates_here().await;
        assert_eq!(found, [page], "{state} at {url}: {}", self.browser.text().await);
        let script = "return [document.documentElement.lang, document.documentElement.dir]";
        let language = self.browser.page.execute(script, vec![]).await.unwrap();
        let direction = if self.language == Language::RightToLeft { "rtl" } else { "" };
        assert_eq!(language, json!([self.language.tag(), direction]), "{state}");
        if let Some(status) = state.strip_prefix("error-") {
            assert!(self.browser.text().await.contains(status), "{state}: {}", self.browser.text().await);
        }
    }

    /// Fails if anything moved without user input since the page loaded (`layout-shift`, Layout Instability).
    async fn expect_no_layout_shift(&self, state: &str) {
        let moved = self.browser.layout_shifts().await;
        assert_eq!(moved, json!([]), "{state}: something moved");
    }

    /// Fails if the page stores anything but cookies in the browser (OWASP ASVS 5.0, 14.3.3).
    async fn expect_empty_storage(&self, state: &str) {
        let script = "return [localStorage.length, sessionStorage.length]";
        assert_eq!(self.browser.page.execute(script, vec![]).await.unwrap(), json!([0, 0]), "{state}");
    }

    /// Fails if an invalid field has no error text (WCAG 2.2, 1.4.1 and 3.3.1).
    async fn expect_field_errors(&self, state: &str) {
        let script = "return [...document.querySelectorAll('[aria-invalid=true]')].filter((field) =>
            !(field.getAttribute('aria-describedby') || '').split(' ').some((id) =>
                id.endsWith('-error') && document.getElementById(id)?.textContent.trim())).map((e) => e.outerHTML)";
        let silent = self.browser.page.execute(script, vec![]).await.unwrap();
        assert_eq!(silent, json!([]), "{state}: fields that are wrong without a word");
    }

    /// Fails if a field is wider than 24 rem, as a line of a form on a wide window would be.
    async fn expect_narrow_fields(&self, state: &str) {
        let script = "const widest = 24 * parseFloat(getComputedStyle(document.documentElement).fontSize);
            return [...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter((field) =>
                field.getBoundingClientRect().width > widest + 0.5).map((field) => field.outerHTML)";
        let wide = self.browser.page.execute(script, vec![]).await.unwrap();
        assert_eq!(wide, json!([]), "{state}: fields wider than 24 rem");
    }

    /// Fails if the sections of the account take more than one line.
    async fn expect_sections_in_one_line(&self, state: &str) {
        let script = "const links = [...document.querySelectorAll('.sections a')];
            return new Set(links.map((link) => link.getBoundingClientRect().top)).size";
        let lines = self.browser.page.execute(script, vec![]).await.unwrap();
        assert!(lines.as_u64() <= Some(1), "{state}: {lines} lines of sections");
    }

    /// Fails if an element loses its border in forced colors, where backgrounds and shadows are removed.
    async fn expect_borders_in_forced_colors(&self, state: &str) {
        self.browser.prefer(&[("forced-colors", "active")]).await;
        let script = "const lost = [];
            const edged = '.button, input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea, .card, .panel, .notice, .tag, .reference';
            for (const e of document.querySelectorAll(edged)) {
                const style = getComputedStyle(e);
                if (!e.getClientRects().length) continue;
                if (parseFloat(style.borderTopWidth) < 1 || style.borderTopStyle === 'none') lost.push(e.outerHTML);
            }
            for (const e of document.querySelectorAll('.sections [aria-current]')) {
                if (getComputedStyle(e).outlineStyle === 'none') lost.push(e.outerHTML);
            }
            for (const e of document.querySelectorAll('.qr')) {
                if (getComputedStyle(e).forcedColorAdjust !== 'none') lost.push(e.outerHTML);
            }
            return [matchMedia('(forced-colors: active)').matches, lost]";
        let seen = self.browser.page.execute(script, vec![]).await.unwrap();
        assert_eq!(seen, json!([true, []]), "{state} in forced colors");
    }

    /// Fails if the page scrolls horizontally: at 320 pixels, the width of a desktop at 400 % zoom (WCAG 2.2, 1.4.10), and
    /// on the desktop itself.
    async fn expect_to_fit(&self, state: &str) {
        let script = "const page = document.documentElement;
            const wide = [...document.querySelectorAll('body *')].filter((e) => e.getClientRects().length &&
                (e.getBoundingClientRect().right > page.clientWidth + 1 || e.getBoundingClientRect().right < 0
                || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'visible' && e.clientWidth));
            return [page.scrollWidth - page.clientWidth, wide.map((e) => e.outerHTML.slice(0, 200))]";
        let excess = self.browser.page.execute(script, vec![]).await.unwrap();
        assert!(excess[0].as_i64() <= Some(0), "{state} is too wide: {excess:#}");
    }
}

impl Language {
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::RightToLeft => mirrored::TAG,
        }
    }
}
