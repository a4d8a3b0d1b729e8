//! A real browser: Chromium, controlled through its driver.

use super::guardian::Guardian;
use super::ports::free_port;
use super::runner::{WAIT_TIMEOUT, block_on_new_runtime, eventually};
use super::temp::TempDir;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub javascript: bool,
    /// Whether the person prefers a dark page.
    pub dark: bool,
    /// The page's size in CSS pixels.
    pub size: (u32, u32),
}

impl Look {
    /// A light page on a desktop, with JavaScript.
    pub const DESKTOP: Self = Self { javascript: true, dark: false, size: (1280, 900) };
    /// A light page on a small phone, with JavaScript.
    pub const PHONE: Self = Self { size: (320, 640), ..Self::DESKTOP };

    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    pub const fn without_javascript(self) -> Self {
        Self { javascript: false, ..self }
    }
}

/// An open browser; it closes when this is dropped.
pub struct Browser {
    /// The driver's client, for everything without a helper here.
    pub page: Client,
    /// The URL of the driver session.
    session: String,
    http: reqwest::Client,
    // In this order: the driver must exit before its folder is removed.
    _guardian: Guardian,
    _profile: TempDir,
}

/// The missing part of the browser, or `None`.
pub fn find_missing() -> Option<String> {
    match (chromium(), driver()) {
        (Some(_), Some(_)) => None,
        (None, _) => Some("no chromium was found".to_owned()),
        (_, None) => Some("no chromedriver was found".to_owned()),
    }
}

/// The shell is the same engine without what a page never shows, and starts in half the time.
fn chromium() -> Option<PathBuf> {
    shell().or_else(|| find_program(&["chromium", "chromium-browser", "google-chrome"]))
}

fn shell() -> Option<PathBuf> {
    find_program(&["chromium-headless-shell", "chrome-headless-shell"])
}

fn driver() -> Option<PathBuf> {
    find_program(&["chromedriver"])
}

fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| file.is_file())
}

impl Browser {
    /// Opens a browser with a fresh profile.
    pub async fn open(look: Look) -> Self {
        let profile = TempDir::new("browser");
        let port = free_port();
        let log = profile.path().join("driver.log");
        let program = driver().expect("chromedriver");
        let port_argument = format!("--port={port}");
        let arguments = [profile.path().as_os_str(), program.as_os_str(), OsStr::new(&port_argument)];
        let guardian = Guardian::start(r#"export TMPDIR="$1"; shift; guard "$@""#, &arguments, &log);
        let driver = format!("http://127.0.0.1:{port}");
        let page = connect(&driver, &capabilities(profile.path()), &log).await;
        let session = page.session_id().await.unwrap().expect("a session");
        let session = format!("{driver}/session/{session}");
        let browser = Self { page, session, http: reqwest::Client::new(), _guardian: guardian, _profile: profile };
        // The shell reads no preferences.
        browser.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": !look.javascript })).await;
        browser.apply(look).await;
        browser
    }

    /// Emulates the page's size and color scheme, because a window cannot be as narrow as a phone, and turns motion
    /// off. A phone has a finger.
    pub async fn apply(&self, look: Look) {
        let (width, height) = look.size;
        let is_phone = width < 600;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
        self.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_phone })).await;
        let scheme = if look.dark { "dark" } else { "light" };
        self.prefer(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]).await;
    }

    /// Emulates exactly these media features, as names and values.
    pub async fn prefer(&self, features: &[(&str, &str)]) {
        let features = features.iter().map(|(name, value)| json!({ "name": name, "value": value }));
        let media = json!({ "features": features.collect::<Vec<_>>() });
        self.devtools("Emulation.setEmulatedMedia", media).await;
    }

    /// Runs a command of the `DevTools` protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let url = format!("{}/goog/cdp/execute", self.session);
        let body = json!({ "cmd": command, "params": parameters }).to_string();
        let response = self.http.post(url).header("content-type", "application/json").body(body).send().await;
        let answer: Value = serde_json::from_slice(&response.unwrap().bytes().await.unwrap()).unwrap();
        assert!(answer["value"].get("error").is_none(), "{command}: {answer}");
        answer["value"].clone()
    }

    pub async fn go(&self, url: &str) {
        self.page.goto(url).await.unwrap();
    }

    /// Replaces the content of the field with this name.
    pub async fn type_into(&self, name: &str, text: &str) {
        let field = self.page.find(Locator::Css(&format!("[name={name}]"))).await;
        let field = field.unwrap_or_else(|error| panic!("no field {name}: {error}"));
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Clicks the button or link with this text and waits for the next page.
    pub async fn press(&self, text: &str) {
        let path = format!("//*[self::button or self::a][normalize-space()='{text}']");
        let found = self.page.find(Locator::XPath(&path)).await;
        let found = found.unwrap_or_else(|error| panic!("nothing says {text}: {error}"));
        found.click().await.unwrap();
        let is_replaced = async || found.tag_name().await.is_err().then_some(());
        eventually(&format!("a page after {text}"), is_replaced).await;
    }

    /// Logs out in the menu of the header.
    pub async fn log_out(&self) {
        self.page.find(Locator::Css("header summary")).await.unwrap().click().await.unwrap();
        self.press("Log out").await;
    }

    /// Waits until the URL ends with `end`; fails with the page's text.
    pub async fn wait_for_url(&self, end: &str) {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        loop {
            let url = self.page.current_url().await.unwrap();
            if url.as_str().ends_with(end) {
                return;
            }
            assert!(Instant::now() < deadline, "at {url} instead of {end}: {}", self.text().await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until the page contains this text.
    pub async fn wait_for_text(&self, text: &str) {
        let shows_text = async || {
            let body = self.page.find(Locator::Css("body")).await.ok()?;
            body.text().await.ok()?.contains(text).then_some(())
        };
        eventually(&format!("a page that says {text}"), shows_text).await;
    }

    pub async fn text(&self) -> String {
        // There is no body while the next page loads.
        let text = async || self.page.find(Locator::Css("body")).await.ok()?.text().await.ok();
        eventually("a page", text).await
    }

    /// The layout shifts since the page loaded (`layout-shift` of Layout Instability): scores and moved elements.
    pub async fn layout_shifts(&self) -> Value {
        let script = "const done = arguments[0], moved = [];
            const keep = (shifts) => shifts.filter((shift) => !shift.hadRecentInput).forEach((shift) =>
                moved.push(shift.value, ...shift.sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 200))));
            const observer = new PerformanceObserver((list) => keep(list.getEntries()));
            observer.observe({ type: 'layout-shift', buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(moved), 20)));";
        self.page.execute_async(script, vec![]).await.unwrap()
    }

    /// Saves a screenshot of the whole page in the folder that `DOORWARD_SCREENSHOTS` names, if it is set.
    pub async fn full_screenshot(&self, name: &str, look: Look) {
        let Some(folder) = std::env::var_os("DOORWARD_SCREENSHOTS") else { return };
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder).unwrap();
        self.apply(look).await;
        let height = self.page.execute("return document.documentElement.scrollHeight", vec![]).await.unwrap();
        let height = height.as_u64().unwrap().max(look.size.1.into());
        let clip = json!({ "x": 0, "y": 0, "width": look.size.0, "height": height, "scale": 1 });
        // Pages from right to left are shifted in pictures from beyond the window.
        let is_longer = height > look.size.1.into();
        let parameters = json!({ "format": "png", "captureBeyondViewport": is_longer, "clip": clip });
        let taken = self.devtools("Page.captureScreenshot", parameters).await;
        let picture = STANDARD.decode(taken["data"].as_str().unwrap()).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver answers after the browser has exited and no longer writes files.
        block_on_new_runtime(async || drop(reqwest::Client::new().delete(&self.session).send().await));
    }
}

async fn connect(driver: &str, capabilities: &Value, log: &Path) -> Client {
    let capabilities = capabilities.as_object().cloned().unwrap();
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        match builder.capabilities(capabilities.clone()).connect(driver).await {
            Ok(client) => return client,
            Err(error) => {
                let log = || std::fs::read_to_string(log).unwrap_or_default();
                assert!(Instant::now() < deadline, "no browser: {error}\n{}", log());
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn capabilities(profile: &Path) -> Value {
    let profile = format!("--user-data-dir={}", profile.join("profile").display());
    // No background network requests; no sandbox, because it does not work as root.
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        &profile,
    ];
    // The driver opens a page in the shell only under this name.
    let name = if shell().is_some() { "chrome-headless-shell" } else { "chrome" };
    let options = json!({ "binary": chromium().expect("chromium"), "args": arguments });
    json!({ "browserName": name, "goog:chromeOptions": options })
}
