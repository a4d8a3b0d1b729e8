//! The test harness itself, where a bug would make other tests pass for no reason.

use crate::harness::{
    Answer, Browser, Engine, Guardian, Jar, Look, Receiver, SetCookie, TempDir, TestDatabase, eventually, free_port,
    raw_http,
};
use std::ffi::OsStr;

both_engines![each_test_has_its_own_migrated_database, database_can_start_empty];
single_run![
    receiver_records_requests,
    receiver_answers_from_script,
    cookie_jar_sets_and_removes_cookies,
    guarded_program_ends_with_its_guardian,
];
browser![javascript_can_be_disabled, viewport_and_color_scheme_follow_look];

async fn each_test_has_its_own_migrated_database(engine: Engine) {
    let folders = [TempDir::new("one"), TempDir::new("two")];
    let mine = TestDatabase::migrated(engine, folders[0].path()).await;
    let other = TestDatabase::migrated(engine, folders[1].path()).await;
    mine.execute("INSERT INTO organizations (id, kind, name, created_at, updated_at) SELECT id, 'team', 'x', created_at, created_at FROM users").await;
    assert_eq!(mine.count("SELECT count(*) FROM organizations").await, 0);
    assert_eq!(other.count("SELECT count(*) FROM users").await, 0);
    assert_ne!(mine.url(), other.url());
}

async fn database_can_start_empty(engine: Engine) {
    let folder = TempDir::new("empty");
    let empty = TestDatabase::empty(engine, folder.path()).await;
    assert!(engine == Engine::Postgres || !folder.path().join("empty.db").exists());
    let url = if engine == Engine::Postgres { empty.url() } else { "" };
    assert!(engine == Engine::Sqlite || url.starts_with("postgres://"));
}

async fn receiver_records_requests() {
    let receiver = Receiver::start().await;
    let client = reqwest::Client::new();
    // RFC 4231, test case 2: the first whose key is text.
    let signature = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    let request = client.post(receiver.url()).header("X-Svc-Signature", signature).body("what do ya want for nothing?");
    assert_eq!(request.send().await.unwrap().status(), 204);
    let all = receiver.wait_for(1).await;
    assert_eq!(all[0].request_line, "POST /hooks HTTP/1.1");
    assert_eq!(all[0].body, b"what do ya want for nothing?");
    assert!(all[0].is_signed("svc", "Jefe"));
    assert!(!all[0].is_signed("svc", "jefe"));
}

async fn receiver_answers_from_script() {
    let receiver = Receiver::start().await;
    receiver.answer_next([Answer::Status(500), Answer::Close, Answer::Raw(b"HTTP/1.1 302 Go\r\n\r\n".to_vec())]);
    receiver.answer_always(Answer::Status(410));
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let outcome = reqwest::Client::new().post(receiver.url()).send().await;
        statuses.push(outcome.ok().map(|response| response.status().as_u16()));
    }
    assert_eq!(statuses, [Some(500), None, Some(302), Some(410), Some(410)]);
}

async fn cookie_jar_sets_and_removes_cookies() {
    let cookie = SetCookie::parse("svc_access=a=b; Path=/; HttpOnly; Max-Age=600");
    assert_eq!((cookie.value.as_str(), cookie.max_age()), ("a=b", Some(600)));
    assert_eq!((cookie.attribute("httponly"), cookie.attribute("secure")), (Some(""), None));
    let mut jar = Jar::default();
    jar.apply(&cookie);
    assert_eq!(jar.header().as_deref(), Some("svc_access=a=b"));
    jar.apply(&SetCookie::parse("svc_access=; Max-Age=0"));
    assert_eq!(jar.header(), None);
}

async fn guarded_program_ends_with_its_guardian() {
    let folder = TempDir::new("guardian");
    let port = free_port().to_string();
    let script = r#"guard sh -c 'echo $$ > "$0"; exec sleep 60' "$1"; echo over >> "$1""#;
    let note = folder.path().join(&port);
    let guardian = Guardian::start(script, &[note.as_os_str(), OsStr::new(&port)], &folder.path().join("log"));
    eventually("the program runs", async || note.exists().then_some(())).await;
    drop(guardian);
    let output = std::fs::read_to_string(&note).unwrap();
    assert!(output.ends_with("over\n"), "{output}");
}

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<meta name=viewport content=width=device-width>\
    <style>p{color:rgb(1,1,1)}@media(prefers-color-scheme:dark){p{color:rgb(2,2,2)}}</style>\
    <p>still</p><script>document.querySelector('p').textContent = 'moved'</script>";

async fn page() -> Receiver {
    let receiver = Receiver::start().await;
    receiver.answer_always(Answer::Raw(PAGE.as_bytes().to_vec()));
    let address = receiver.url().replace("http://", "").replace("/hooks", "");
    assert!(raw_http(address.parse().unwrap(), b"GET / HTTP/1.1\r\n\r\n").await.ends_with("</script>"));
    receiver
}

async fn javascript_can_be_disabled() {
    let server = page().await;
    for (look, text) in [(Look::DESKTOP, "moved"), (Look::DESKTOP.without_javascript(), "still")] {
        let browser = Browser::open(look).await;
        browser.go(&server.url()).await;
        browser.wait_for_url("/hooks").await;
        assert_eq!(browser.text().await, text);
    }
}

async fn viewport_and_color_scheme_follow_look() {
    let server = page().await;
    let browser = Browser::open(Look::PHONE.dark()).await;
    browser.go(&server.url()).await;
    let seen = "return [innerWidth, innerHeight, getComputedStyle(document.querySelector('p')).color]";
    let seen = browser.page.execute(seen, vec![]).await.unwrap();
    assert_eq!(seen, serde_json::json!([320, 640, "rgb(2, 2, 2)"]));
    browser.full_screenshot("harness", Look::PHONE).await;
}
