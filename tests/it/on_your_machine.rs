//! docs/start/on-your-machine.md, followed by a developer with a browser.

use crate::harness::{Browser, Look, Need, Newcomer, Terminal, blocks, free_port};
use serde_json::Value;

browser![application_of_the_page_logs_in_and_out, application_has_a_name_under_localhost];
single_run![sessions_of_the_page_are_opened];

const PAGE: &str = include_str!("../../docs/start/on-your-machine.md");
const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "a lighthouse in the fog";

/// Who follows the page, with other ports and perhaps another host.
struct Developer {
    newcomer: Newcomer,
    host: &'static str,
    port: u16,
}

impl Developer {
    /// Follows it on `localhost`, as printed, or on another host.
    fn at(host: &'static str) -> Self {
        let newcomer = Newcomer::new();
        let base_url = format!("http://{host}:{}", newcomer.port);
        Self { newcomer: newcomer.set("SVC_BASE_URL", base_url), host, port: free_port() }
    }

    fn application(&self) -> String {
        format!("http://{}:{}", self.host, self.port)
    }

    fn doorward(&self) -> String {
        format!("http://{}:{}", self.host, self.newcomer.port)
    }

    fn adapt(&self, text: &str) -> String {
        let text = text.replace("http://localhost:3000", &self.application());
        let text = text.replace("http://localhost:8080", &self.doorward());
        let text = text.replace(", 3000)", &format!(", {})", self.port));
        assert!(![":8080", ":3000", " 3000"].iter().any(|printed| text.contains(printed)), "not replaced: {text}");
        text
    }

    /// Starts the service and the application, as the page says.
    async fn start(&self) -> (Terminal, Terminal) {
        let [settings] = blocks(PAGE, "ini").try_into().expect("one block");
        let [application] = blocks(PAGE, "python").try_into().expect("one block");
        let [serve, run, _] = blocks(PAGE, "sh").try_into().expect("a new block needs a place in this test");
        self.newcomer.append("doorward.env", &self.adapt(settings));
        // Only browsers know every name under localhost, as the page says.
        let question = "f\"{DOORWARD}/auth/api/v1/user\"";
        assert!(application.contains(question), "{application}");
        let here = format!("\"http://127.0.0.1:{}/auth/api/v1/user\"", self.newcomer.port);
        let application =
            if self.host == "localhost" { application.to_owned() } else { application.replace(question, &here) };
        self.newcomer.append("app.py", &self.adapt(&application));
        (self.newcomer.serve(serve).await, self.newcomer.open("application", run, self.port).await)
    }
}

/// Goes from an anonymous page of the application to the signup, and back to the page.
async fn sign_up(developer: &Developer) -> Browser {
    let (page, browser) = (format!("{}/orders?id=7", developer.application()), Browser::open(Look::DESKTOP).await);
    browser.go(&page).await;
    browser.wait_for_text("Nobody is logged in.").await;
    browser.press("Sign up").await;
    browser.type_into("email", EMAIL).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Create account").await;
    browser.wait_for_url(&page).await;
    browser.wait_for_text("Logged in as ada@example.com.").await;
    browser
}

async fn application_of_the_page_logs_in_and_out() {
    if !Newcomer::has(&[Need::Python]) {
        return;
    }
    let developer = Developer::at("localhost");
    let _running = developer.start().await;
    let browser = sign_up(&developer).await;
    // The access token has expired: the link comes back at once.
    browser.page.delete_cookie("svc_access").await.unwrap();
    browser.go(&format!("{}/orders?id=8", developer.application())).await;
    browser.wait_for_text("Nobody is logged in.").await;
    browser.press("Log in").await;
    browser.wait_for_url("/orders?id=8").await;
    browser.wait_for_text("Logged in as ada@example.com.").await;
    browser.press("Log out").await;
    browser.wait_for_url(&format!("{}/", developer.application())).await;
    browser.wait_for_text("Nobody is logged in.").await;
    // Nothing names a return_to: the login ends at the application all the same.
    browser.go(&format!("{}/auth/login", developer.doorward())).await;
    browser.type_into("email", EMAIL).await;
    browser.type_into("password", PASSWORD).await;
    browser.press("Log in").await;
    browser.wait_for_url(&format!("{}/", developer.application())).await;
    browser.wait_for_text("Logged in as ada@example.com.").await;
    browser.go(&format!("{}/auth/account", developer.doorward())).await;
    browser.press("Back to Example").await;
    browser.wait_for_url(&format!("{}/", developer.application())).await;
}

async fn application_has_a_name_under_localhost() {
    if !Newcomer::has(&[Need::Python]) {
        return;
    }
    let developer = Developer::at("acme.localhost");
    let _running = developer.start().await;
    let browser = sign_up(&developer).await;
    browser.press("Log out").await;
    browser.wait_for_text("Nobody is logged in.").await;
}

async fn sessions_of_the_page_are_opened() {
    if !Newcomer::has(&[Need::Python]) {
        return;
    }
    let developer = Developer::at("localhost");
    let _running = developer.start().await;
    let sessions = *blocks(PAGE, "sh").last().expect("a block");
    let output = developer.newcomer.run(&developer.adapt(sessions)).await;
    let user: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(user["email"], "dev@example.com");
    let asked = format!("curl -s --cookie cookies.txt {}/auth/api/v1/user", developer.doorward());
    let again: Value = serde_json::from_slice(&developer.newcomer.run(&asked).await.stdout).unwrap();
    assert_eq!(again, user);
}
