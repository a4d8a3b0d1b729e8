//! The quick starts of docs/start, each followed from an empty folder by a developer with a browser.

use crate::harness::{Browser, Look, Need, Newcomer, Terminal, blocks, frameworks, free_port};
use fantoccini::Locator;
use regex::Regex;
use reqwest::header::HeaderValue;
use reqwest::{Method, Response};
use serde_json::json;

browser![
    express_application_logs_in_renews_and_logs_out,
    fastapi_application_logs_in_renews_and_logs_out,
    django_application_logs_in_renews_and_logs_out,
    nextjs_application_logs_in_renews_and_logs_out,
    single_page_application_logs_in_renews_and_logs_out,
];

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "a lighthouse in the fog";
/// A word of the login page.
const LOGIN: &str = "Email or username";
/// What an application says while Doorward is stopped.
const LATER: &str = "Please try again in a moment.";

async fn express_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/express.md"), LINKED).await else { return };
    site.try_server(&Refusals { script: 401, foreign_change: 403 }).await;
}

async fn fastapi_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/fastapi.md"), "").await else { return };
    site.try_server(&Refusals { script: 401, foreign_change: 403 }).await;
}

async fn django_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/django.md"), "").await else { return };
    site.try_server(&Refusals { script: 401, foreign_change: 403 }).await;
}

async fn nextjs_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/nextjs.md"), COPIED).await else { return };
    site.try_server(&Refusals { script: 307, foreign_change: 500 }).await;
}

async fn single_page_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/single-page.md"), LINKED).await else { return };
    let browser = site.sign_up().await;
    site.expire(&browser).await;
    site.show(&browser, "/?id=8").await;
    site.expect_login_past_planted_token(&browser).await;
    site.log_out(&browser).await;
    drop(site.service);
    browser.go(&site.app).await;
    browser.wait_for_text(LATER).await;
}

/// Stands in for `npm install`.
const LINKED: &str = "mkdir node_modules && ln -s FRAMEWORKS/node_modules/* FRAMEWORKS/node_modules/.bin node_modules";
/// Likewise, for Turbopack, which takes no links that lead out of the folder.
const COPIED: &str = "cp -r FRAMEWORKS/node_modules .";

/// Brings a file that Next.js serves for caches to keep.
const PUBLIC: &str = "mkdir public && echo Example > public/file.txt";

/// The statuses with which a server refuses.
struct Refusals {
    /// A request of a script, without cookies.
    script: u16,
    /// A change that a page of another origin sends, with the person's cookies.
    foreign_change: u16,
}

/// An application as its page made it, and Doorward.
struct Site {
    app: String,
    doorward: String,
    service: Terminal,
    _application: Terminal,
    _newcomer: Newcomer,
}

impl Site {
    /// Follows a page; `packages` stands in for what it gets from npm.
    async fn start(page: &'static str, packages: &str) -> Option<Self> {
        if !Newcomer::has(&[Need::Node, Need::Python, Need::Frameworks]) {
            return None;
        }
        let frameworks = frameworks()?;
        let [dev, install, run] = blocks(page, "sh").try_into().expect("three blocks");
        let (newcomer, port) = (Newcomer::new().with_programs(&format!("{frameworks}/python/bin")), free_port());
        let (app, doorward) = (format!("http://localhost:{port}"), format!("http://localhost:{}", newcomer.port));
        let newcomer = newcomer
            .set("DOORWARD_URL", doorward.clone())
            .set("DOORWARD_INTERNAL_URL", doorward.clone())
            .set("DOORWARD_APP_URL", app.clone())
            .set("PORT", port.to_string())
            .set("NEXT_TELEMETRY_DISABLED", "1".to_owned());
        let (settings, files) = page.split_at(page.find("```sh").expect("a block"));
        write_files(settings, &newcomer, port);
        // The environment has precedence over the page's file.
        let dev = format!("unset SVC_BASE_URL SVC_LISTEN\n{} --port {}", dev.trim_end(), newcomer.port);
        let service = newcomer.serve(&dev).await;
        let packages = packages.replace("FRAMEWORKS", &frameworks);
        let others = install.lines().filter(|line| !is_installation(line));
        let lines = ["set -e", PUBLIC, &packages].into_iter().chain(others).collect::<Vec<_>>().join("\n");
        let output = newcomer.run(&lines).await;
        assert!(output.status.success(), "{lines}: {output:?}");
        write_files(files, &newcomer, port);
        let run = run.replace("3000", &port.to_string()).replace("npx ", "node_modules/.bin/");
        let application = newcomer.open("application", &run, port).await;
        Some(Self { app, doorward, service, _application: application, _newcomer: newcomer })
    }

    /// Opens a browser, whose person is led to the login, signs up there, and comes back to the address asked for.
    async fn sign_up(&self) -> Browser {
        let browser = Browser::open(Look::DESKTOP).await;
        browser.devtools("Network.enable", json!({})).await;
        browser.go(&format!("{}/?id=7", self.app)).await;
        browser.wait_for_text(LOGIN).await;
        browser.press("Sign up").await;
        browser.type_into("email", EMAIL).await;
        browser.type_into("password", PASSWORD).await;
        browser.press("Create account").await;
        browser.wait_for_url(&format!("{}/?id=7", self.app)).await;
        browser.wait_for_text(&format!("Logged in as {EMAIL}.")).await;
        browser
    }

    /// Opens a page, which knows the person.
    async fn show(&self, browser: &Browser, path: &str) {
        browser.go(&format!("{}{path}", self.app)).await;
        browser.wait_for_text(&format!("Logged in as {EMAIL}.")).await;
        let access = browser.page.get_named_cookie("svc_access").await.unwrap();
        assert_eq!((access.http_only(), access.path()), (Some(true), Some("/")), "{access}");
    }

    /// Goes on without an access token, and without the login page, which would renew the session as well.
    async fn expire(&self, browser: &Browser) {
        browser.page.delete_cookie("svc_access").await.unwrap();
        browser.devtools("Network.setBlockedURLs", json!({ "urls": ["*/auth/login*"] })).await;
    }

    async fn count(&self, browser: &Browser, visits: u8) {
        browser.page.find(Locator::XPath("//button[.='Count']")).await.unwrap().click().await.unwrap();
        browser.wait_for_text(&format!("Visits: {visits}")).await;
    }

    /// A token that Doorward has not set hides Doorward's own from the scripts of some pages.
    async fn expect_login_past_planted_token(&self, browser: &Browser) {
        browser.page.execute("document.cookie = 'svc_csrf=€; path=/planted'", vec![]).await.unwrap();
        browser.page.delete_cookie("svc_access").await.unwrap();
        self.allow_login(browser).await;
        self.show(browser, "/planted").await;
        self.show(browser, "/").await;
    }

    async fn allow_login(&self, browser: &Browser) {
        browser.devtools("Network.setBlockedURLs", json!({ "urls": [] })).await;
    }

    async fn log_out(&self, browser: &Browser) {
        self.allow_login(browser).await;
        browser.press("Log out").await;
        browser.wait_for_text(LOGIN).await;
        browser.go(&self.app).await;
        browser.wait_for_text(LOGIN).await;
    }

    /// Goes through a session with an application that has a server.
    async fn try_server(self, refusals: &Refusals) {
        let browser = self.sign_up().await;
        self.count(&browser, 1).await;
        self.expire(&browser).await;
        self.show(&browser, "/?id=8").await;
        self.expire(&browser).await;
        self.count(&browser, 2).await;
        let cookies = cookies(&browser).await;
        self.expect_refused(&cookies, refusals).await;
        self.show(&browser, "/").await;
        browser.wait_for_text("Visits: 2").await;
        let expired = Regex::new("svc_access=[^;]*;?").unwrap().replace(&cookies, "").into_owned();
        self.expect_login_without_token(&expired).await;
        self.expect_renewals_unstored(&expired).await;
        self.log_out(&browser).await;
        let Self { app, service, _application, _newcomer, .. } = self;
        drop(service);
        for (cookies, statuses) in [(cookies, 500..=503), (expired, 503..=503)] {
            let (status, page) = ask(&app, Method::GET, &[("cookie", &cookies)], "").await;
            assert!(statuses.contains(&status) && !page.contains(EMAIL), "{status}: {page}");
        }
        browser.go(&app).await;
        browser.wait_for_text(LATER).await;
    }

    /// Whatever the CSRF cookie holds, the page opens or leads to the login.
    async fn expect_login_without_token(&self, expired: &str) {
        let session = Regex::new("svc_csrf=[^;]*;?").unwrap().replace(expired, "");
        for token in ["theme=dark", r#"svc_csrf="a\012b""#, "svc_csrf=€", "svc_csrf=%0A"] {
            for cookies in [token.to_owned(), format!("{token}; {session}")] {
                let (status, page) = ask(&self.app, Method::GET, &[("cookie", &cookies)], "").await;
                assert!((200..=307).contains(&status), "{token}: {status}: {page}");
            }
        }
    }

    /// A cache that stored such an answer would log others in as this person.
    async fn expect_renewals_unstored(&self, expired: &str) {
        for path in ["/", "/file.txt"] {
            let answer = send(&format!("{}{path}", self.app), Method::GET, &[("cookie", expired)], "").await;
            let renews = |value: &HeaderValue| value.as_bytes().starts_with(b"svc_access=ey");
            assert!(answer.headers().get_all("set-cookie").iter().any(renews), "{path}: {answer:?}");
            let caching = answer.headers()["cache-control"].to_str().unwrap();
            assert!(caching.contains("no-store"), "{path}: {caching}");
        }
    }

    async fn expect_refused(&self, cookies: &str, refusals: &Refusals) {
        let (status, page) = ask(&self.app, Method::GET, &[("cookie", cookies)], "").await;
        assert!(status == 200 && page.contains(EMAIL), "{status}: {page}");
        // Doorward's answers about one person leave nothing behind that counts for another.
        let (status, anonymous) = ask(&self.app, Method::GET, &[("sec-fetch-mode", "navigate")], "").await;
        assert!((303..=307).contains(&status) && !anonymous.contains(EMAIL), "{status}: {anonymous}");
        let (status, _) = ask(&self.app, Method::GET, &[("sec-fetch-mode", "cors")], "").await;
        assert_eq!(status, refusals.script);
        // What Next.js calls the action of a form; the others take any field.
        let action = Regex::new(r"\$ACTION_ID_\w+").unwrap();
        let field = action.find(&page).map_or("none", |found| found.as_str());
        let headers = [
            ("cookie", cookies),
            ("origin", self.doorward.as_str()),
            ("sec-fetch-site", "same-site"),
            ("content-type", "multipart/form-data; boundary=x"),
        ];
        let form = format!("--x\r\ncontent-disposition: form-data; name=\"{field}\"\r\n\r\n\r\n--x--\r\n");
        let (status, page) = ask(&self.app, Method::POST, &headers, &form).await;
        assert_eq!(status, refusals.foreign_change, "{page}");
    }
}

/// Whether a line brings what `scripts/frameworks` has brought.
fn is_installation(line: &str) -> bool {
    ["npm install ", "pip install ", "python3 -m venv "].iter().any(|command| line.starts_with(command))
}

/// Writes the files of a page, with the ports of this run. The line before each block ends with the file's name.
fn write_files(page: &str, newcomer: &Newcomer, port: u16) {
    let parts: Vec<&str> = page.split("```").collect();
    for pair in parts.chunks_exact(2) {
        let (line, (language, text)) = (pair[0].trim_end().lines().last(), pair[1].split_once('\n').expect("a block"));
        if language == "sh" {
            continue;
        }
        let line = line.and_then(|line| line.strip_suffix("`:")).expect("a line that names the file");
        let (what, name) = line.rsplit_once('`').expect("a name");
        if !what.starts_with("At the end of") {
            std::fs::write(newcomer.folder.path().join(name), "").unwrap();
        }
        let text = text.replace(":3000", &format!(":{port}")).replace(":8080", &format!(":{}", newcomer.port));
        newcomer.append(name, &text);
    }
}

/// The cookies of a browser, as it sends them.
async fn cookies(browser: &Browser) -> String {
    let cookies = browser.page.get_all_cookies().await.unwrap();
    cookies.iter().map(|cookie| format!("{}={}", cookie.name(), cookie.value())).collect::<Vec<_>>().join("; ")
}

/// The status and body of the first page's answer.
async fn ask(app: &str, method: Method, headers: &[(&str, &str)], body: &str) -> (u16, String) {
    let answer = send(&format!("{app}/"), method, headers, body).await;
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Does not follow redirects.
async fn send(url: &str, method: Method, headers: &[(&str, &str)], body: &str) -> Response {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let mut request = client.request(method, url).body(body.to_owned());
    for (name, value) in headers {
        request = request.header(*name, value.as_bytes());
    }
    request.send().await.unwrap()
}
