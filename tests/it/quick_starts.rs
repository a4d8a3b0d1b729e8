//! The quick starts of docs/start, each followed from an empty folder by a developer with a browser, and with the client
//! libraries as a release has them.

use crate::harness::{Browser, Look, Need, Newcomer, Terminal, blocks, clients, free_port};
use regex::Regex;
use reqwest::header::HeaderValue;
use reqwest::{Response, StatusCode};
use serde_json::json;

browser![
    express_application_logs_in_renews_and_logs_out,
    fastapi_application_logs_in_renews_and_logs_out,
    django_application_logs_in_renews_and_logs_out,
    go_application_logs_in_renews_and_logs_out,
    nextjs_application_logs_in_renews_and_logs_out,
    single_page_application_logs_in_renews_and_logs_out,
];

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "a lighthouse in the fog";
/// What an application shows: the person, and the organization that a signup makes.
const SHOWN: &str = "ada@example.com of ada";
/// A word of the login page.
const LOGIN: &str = "Email or username";
/// What an application says while Doorward is stopped.
const LATER: &str = "Please try again in a moment.";

async fn express_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/express.md"), LINKED, "").await else { return };
    site.try_server(401, LATER).await;
}

async fn fastapi_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/fastapi.md"), INSTALLED, "").await else { return };
    site.try_server(401, LATER).await;
}

async fn django_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/django.md"), INSTALLED, "").await else { return };
    site.try_server(401, LATER).await;
}

async fn go_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/go.md"), "", COMPILED).await else { return };
    site.try_server(401, LATER).await;
}

async fn nextjs_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/nextjs.md"), COPIED, "").await else { return };
    site.try_server(307, "").await;
}

async fn single_page_application_logs_in_renews_and_logs_out() {
    let Some(site) = Site::start(include_str!("../../docs/start/single-page.md"), LINKED, "").await else { return };
    let browser = site.sign_up().await;
    site.expire(&browser).await;
    site.show(&browser, "/?id=8").await;
    site.log_out(&browser).await;
    drop(site.service);
    browser.go(&site.app).await;
    browser.wait_for_text("Log out").await;
    assert!(!browser.text().await.contains(EMAIL));
}

/// Stands in for `npm install`, which would need the registry for what is not Doorward's.
const LINKED: &str = "\
mkdir node_modules && ln -s CLIENTS/node_modules/* CLIENTS/node_modules/.bin node_modules
mkdir node_modules/doorward && tar xzf doorward-*.tgz --strip-components 1 -C node_modules/doorward";
/// Likewise, for Turbopack, which takes no links that lead out of the folder.
const COPIED: &str = "\
cp -r CLIENTS/node_modules .
mkdir node_modules/doorward && tar xzf doorward-*.tgz --strip-components 1 -C node_modules/doorward";
/// Stands in for `pip install`.
const INSTALLED: &str = "pip install --quiet --no-index --no-deps --target site ./doorward-*.whl";
/// Compiles before the first start, which would otherwise last longer than others.
const COMPILED: &str = "go build -o /dev/null .";

/// An application as its page made it, and Doorward.
struct Site {
    app: String,
    service: Terminal,
    _application: Terminal,
    _newcomer: Newcomer,
}

impl Site {
    /// Follows a page; `packages` stands in for what it installs, and `prepare` runs once its files are there.
    async fn start(page: &'static str, packages: &str, prepare: &str) -> Option<Self> {
        if !Newcomer::has(&[Need::Clients]) {
            return None;
        }
        let clients = clients()?;
        let [dev, install, run] = blocks(page, "sh").try_into().expect("three blocks");
        let port = free_port();
        let newcomer = newcomer(&clients, port);
        pack(&newcomer).await;
        let doorward = newcomer.port;
        let to_ports =
            |text: &str| text.replace(":3000", &format!(":{port}")).replace(":8080", &format!(":{doorward}"));
        let (settings, files) = page.split_at(page.find("```sh").expect("a block"));
        write_files(&to_ports(settings), &newcomer);
        // The page says where both are; the environment would win over it.
        let dev = format!("unset SVC_BASE_URL SVC_LISTEN\n{} --port {doorward}", to_ports(dev).trim_end());
        let service = newcomer.serve(&dev).await;
        let others = install.lines().filter(|line| !is_installation(line));
        let packages = packages.replace("CLIENTS", &clients);
        run_lines(&newcomer, &others.chain([packages.as_str()]).collect::<Vec<_>>().join("\n")).await;
        write_files(&to_ports(files), &newcomer);
        run_lines(&newcomer, prepare).await;
        let run = to_ports(&run.replace("3000", &port.to_string()));
        let application = newcomer.open("application", &run, port).await;
        let app = format!("http://localhost:{port}");
        Some(Self { app, service, _application: application, _newcomer: newcomer })
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
        browser.wait_for_text(SHOWN).await;
        browser
    }

    /// Opens a page, which knows the person.
    async fn show(&self, browser: &Browser, path: &str) {
        browser.go(&format!("{}{path}", self.app)).await;
        browser.wait_for_text(SHOWN).await;
    }

    /// Goes on without an access token, and without the login page, which would renew the session as well.
    async fn expire(&self, browser: &Browser) {
        browser.page.delete_cookie("svc_access").await.unwrap();
        browser.devtools("Network.setBlockedURLs", json!({ "urls": ["*/auth/login*"] })).await;
    }

    async fn log_out(&self, browser: &Browser) {
        browser.devtools("Network.setBlockedURLs", json!({ "urls": [] })).await;
        browser.press("Log out").await;
        browser.wait_for_text(LOGIN).await;
        browser.go(&self.app).await;
        browser.wait_for_text(LOGIN).await;
    }

    /// Goes through a session with an application that has a server: what a script without cookies gets, and what people
    /// read while Doorward is stopped.
    async fn try_server(self, script: u16, later: &str) {
        let browser = self.sign_up().await;
        self.expire(&browser).await;
        self.show(&browser, "/?id=8").await;
        let access = browser.page.get_named_cookie("svc_access").await.unwrap();
        assert_eq!((access.http_only(), access.path()), (Some(true), Some("/")), "{access}");
        let cookies = cookies(&browser).await;
        let expired = Regex::new("svc_access=[^;]*;?").unwrap().replace(&cookies, "").into_owned();
        self.expect_refused(script).await;
        self.expect_renewal_unstored(&expired).await;
        self.log_out(&browser).await;
        let Self { app, service, _application, _newcomer } = self;
        drop(service);
        for (cookies, statuses) in [(cookies, 500..=503), (expired, 503..=503)] {
            let answer = send(&app, &[("cookie", &cookies)]).await;
            let (status, page) = (answer.status().as_u16(), answer.text().await.unwrap());
            assert!(statuses.contains(&status) && !page.contains(EMAIL), "{status}: {page}");
            assert!(page.contains(later), "{status}: {page}");
        }
    }

    /// Nobody is let in, and what Doorward said about one person counts for no other.
    async fn expect_refused(&self, script: u16) {
        for (mode, statuses) in [("navigate", 303..=307), ("cors", script..=script)] {
            let answer = send(&self.app, &[("sec-fetch-mode", mode)]).await;
            let (status, page) = (answer.status().as_u16(), answer.text().await.unwrap());
            assert!(statuses.contains(&status) && !page.contains(EMAIL), "{mode}: {status}: {page}");
        }
    }

    /// A cache that stored such an answer would log others in as this person.
    async fn expect_renewal_unstored(&self, expired: &str) {
        let answer = send(&self.app, &[("cookie", expired)]).await;
        let renews = |value: &HeaderValue| value.as_bytes().starts_with(b"svc_access=ey");
        assert_eq!(answer.status(), StatusCode::OK);
        assert!(answer.headers().get_all("set-cookie").iter().any(renews), "{answer:?}");
        let caching = answer.headers()["cache-control"].to_str().unwrap();
        assert!(caching.contains("no-store"), "{caching}");
    }
}

/// A newcomer with the programs of `scripts/clients`, whose application gets a port.
fn newcomer(clients: &str, port: u16) -> Newcomer {
    let newcomer =
        Newcomer::new().with_programs(&format!("{clients}/python/bin")).with_programs(&format!("{clients}/bin"));
    let site = newcomer.folder.path().join("site").display().to_string();
    // Where Go keeps what it has compiled, the standard library above all.
    let home = std::env::var("HOME").unwrap_or_else(|_| newcomer.folder.path().display().to_string());
    newcomer
        .set("PORT", port.to_string())
        .set("HOME", home)
        .set("PYTHONPATH", site)
        .set("GOPROXY", "off".to_owned())
        .set("GOTOOLCHAIN", "local".to_owned())
        .set("NEXT_TELEMETRY_DISABLED", "1".to_owned())
}

/// Puts the archives of a release into the newcomer's folder.
async fn pack(newcomer: &Newcomer) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/clients-pack");
    run_lines(newcomer, &format!("{script} .")).await;
}

async fn run_lines(newcomer: &Newcomer, lines: &str) {
    let output = newcomer.run(&format!("set -e\n{lines}")).await;
    assert!(output.status.success(), "{lines}: {output:?}");
}

/// Whether a line brings what `scripts/clients` has brought.
fn is_installation(line: &str) -> bool {
    ["npm install ", "pip install ", "python3 -m venv "].iter().any(|command| line.starts_with(command))
}

/// Writes the files of a page. The line before each block ends with the file's name.
fn write_files(page: &str, newcomer: &Newcomer) {
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
        newcomer.append(name, text);
    }
}

/// The cookies of a browser, as it sends them.
async fn cookies(browser: &Browser) -> String {
    let cookies = browser.page.get_all_cookies().await.unwrap();
    cookies.iter().map(|cookie| format!("{}={}", cookie.name(), cookie.value())).collect::<Vec<_>>().join("; ")
}

/// The first page's answer; redirects are not followed.
async fn send(app: &str, headers: &[(&str, &str)]) -> Response {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let mut request = client.get(format!("{app}/"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}
