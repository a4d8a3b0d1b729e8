//! Requests that no browser would send, and connections that never become requests.

use crate::harness::{Engine, Process, TestApp, raw_http};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::Instant;

single_run![
    malformed_requests_are_refused,
    oversized_cookie_header_is_refused,
    too_many_headers_are_refused,
    incomplete_requests_do_not_block_others,
    thousand_stalled_connections_do_not_block_others,
    malformed_paths_are_not_found,
    request_without_one_host_is_refused,
    query_with_too_many_fields_is_refused,
    unread_large_body_is_no_next_request,
];
one_engine![
    valid_cookie_is_used_among_duplicates,
    garbage_cookies_do_not_hide_valid_ones,
    garbage_cookies_do_not_hide_pending_verification,
    forged_access_tokens_cost_four_verifications,
];

const HOST: &str = "Host: localhost\r\nConnection: close\r\n";

/// The status of the first line; `None` if the server closed the connection without a response.
fn status(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()
}

async fn expect_alive(app: &TestApp) {
    app.anonymous().get("/auth/health").await.expect(200);
}

async fn malformed_requests_are_refused() {
    let app = Engine::Sqlite.app().await;
    let requests: [&[u8]; 16] = [
        b"\r\n\r\n\r\n\r\nhello\r\n\r\n",
        b"GARBAGE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /auth/health HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET /auth/health\r\n\r\n",
        b"GET  /auth/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /auth/health\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /auth/health HTTP/1.1\r\nHost\r\n\r\n",
        b"GET /auth/health HTTP/1.1\r\nHost: local\x00host\r\n\r\n",
        b"GET /auth/health HTTP/1.1\r\nBad Name: x\r\n\r\n",
        b"GET /auth/health HTTP/1.1\r\n : x\r\n\r\n",
        b"POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        b"POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ];
    for request in requests {
        let mut stream = TcpStream::connect(app.address()).await.unwrap();
        let _ = stream.write_all(request).await;
        stream.shutdown().await.unwrap();
        drop(stream);
        let answer = raw_http(app.address(), &[request, b"\r\n\r\n"].concat()).await;
        let refused = status(&answer).is_none_or(|status| (400..500).contains(&status));
        assert!(refused, "{:?}: {answer}", String::from_utf8_lossy(request));
        expect_alive(&app).await;
    }
}

async fn oversized_cookie_header_is_refused() {
    let app = Engine::Sqlite.app().await;
    for size in [70_000, 100_000, 300_000] {
        let cookies = "x".repeat(size);
        let request = format!("GET /auth/api/v1/user HTTP/1.1\r\n{HOST}Cookie: svc_access={cookies}\r\n\r\n");
        let answer = raw_http(app.address(), request.as_bytes()).await;
        assert!(status(&answer).is_none_or(|status| status == 431), "{size}: {answer}");
        expect_alive(&app).await;
    }
    // The service finds its own cookies among many of other applications.
    let ada = app.sign_up("ada@example.com").await;
    let many = format!("{}; other={}", ada.jar().header().unwrap(), "x".repeat(30_000));
    ada.api_user().header("cookie", &many).await.expect(200);
    let tokens = format!("svc_refresh={}", vec!["x".repeat(50); 400].join("; svc_refresh="));
    let call = ada.refresh("app").header("cookie", &format!("svc_csrf={}; {tokens}", ada.token("csrf").unwrap()));
    call.await.expect_error(401, "unauthorized");
    expect_alive(&app).await;
}

async fn too_many_headers_are_refused() {
    let app = Engine::Sqlite.app().await;
    let headers = "X-Header: value\r\n".repeat(500);
    let answer = raw_http(app.address(), format!("GET /auth/health HTTP/1.1\r\n{HOST}{headers}\r\n").as_bytes()).await;
    assert_eq!(status(&answer), Some(431), "{answer}");
    let path = "x".repeat(100_000);
    let answer = raw_http(app.address(), format!("GET /auth/{path} HTTP/1.1\r\n{HOST}\r\n").as_bytes()).await;
    assert!(matches!(status(&answer), None | Some(414 | 431)), "{answer}");
    expect_alive(&app).await;
}

async fn incomplete_requests_do_not_block_others() {
    // A trusted proxy may have as many connections as it likes.
    let app = Engine::Sqlite.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.1").start().await;
    // This process holds both ends of each connection; a thousand would exceed some machines' limit of open files.
    let mut stalled = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(app.address()).await.unwrap();
        let half = if number % 2 == 0 {
            "GET /auth/health HTTP/1.1\r\nHost: loc".to_owned()
        } else {
            let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 500";
            format!("POST /auth/login HTTP/1.1\r\n{HOST}{form}\r\n\r\nemail=a")
        };
        stream.write_all(half.as_bytes()).await.unwrap();
        stalled.push(stream);
    }
    let start = Instant::now();
    expect_alive(&app).await;
    app.sign_up("ada@example.com").await.api_user().await.expect(200);
    // Less than the timeout of the stalled connections.
    assert!(start.elapsed() < Duration::from_secs(18), "{:?}", start.elapsed());
    drop(stalled);
    expect_alive(&app).await;
}

async fn thousand_stalled_connections_do_not_block_others() {
    // The service raises its own limit of open files; this process needs as many for the other ends, and other tests
    // run in it.
    let limit = rlimit::increase_nofile_limit(u64::MAX).unwrap();
    let many = (limit / 2).min(1000);
    assert!(many > 400, "this machine lets a process open {limit} files only");
    let builder = Engine::Sqlite.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.1");
    let process = Process::start(builder.variables()).await;
    let address = builder.variables()["SVC_LISTEN"].clone();
    let mut stalled = Vec::new();
    for _ in 0..many {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(b"GET /auth/health HTTP/1.1\r\nHost: loc").await.unwrap();
        stalled.push(stream);
    }
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    ada.api_user().await.expect(200);
    drop((stalled, process));
}

async fn malformed_paths_are_not_found() {
    let app = Engine::Sqlite.app().await;
    for path in [
        "/auth/assets/../../Cargo.toml",
        "/auth/assets/..%2f..%2fCargo.toml",
        "/auth/assets/%00",
        "/auth//account",
        "/auth/%ff",
        "//evil.example/auth/login",
        "/wp-login.php",
    ] {
        let answer = raw_http(app.address(), format!("GET {path} HTTP/1.1\r\n{HOST}\r\n").as_bytes()).await;
        assert_eq!(status(&answer), Some(404), "{path}: {answer}");
    }
    app.anonymous().get("/auth/api/v1/sessions").await.expect_error(404, "not_found");
    app.anonymous().get("/auth/api/").await.expect_error(404, "not_found");
}

async fn valid_cookie_is_used_among_duplicates(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let [access, refresh, csrf] = ["access", "refresh", "csrf"].map(|suffix| ada.token(suffix).unwrap());
    let other = app.sign_up("bob@example.com").await;
    other.log_out().await.expect(204);
    let stale = other.token("csrf").unwrap();
    for cookies in [
        format!("svc_access=old; svc_access={access}"),
        format!("svc_access={access}; svc_access=old"),
        format!("svc_access=; a=b; svc_access=\"{access}\""),
    ] {
        let reply = ada.copy().api_user().header("cookie", &cookies).await.expect(200);
        assert_eq!(reply.json()["email"], "ada@example.com", "{cookies}");
    }
    let two_headers =
        ada.copy().api_user().header("cookie", "svc_access=old").also_header("cookie", &format!("svc_access={access}"));
    two_headers.await.expect(200);
    for cookies in [
        format!("svc_csrf={csrf}; svc_refresh=old; svc_refresh={refresh}"),
        format!("svc_csrf={stale}; svc_csrf={csrf}; svc_refresh={refresh}; svc_refresh=old"),
    ] {
        ada.copy().refresh("app").header("cookie", &cookies).await.expect(200);
    }
    ada.api_user().await.expect(200);
}

async fn request_without_one_host_is_refused() {
    let app = Engine::Sqlite.app().await;
    let send = async |head: &str| status(&raw_http(app.address(), format!("{head}\r\n\r\n").as_bytes()).await);
    let close = "Connection: close";
    for refused in [
        format!("GET /auth/health HTTP/1.1\r\n{close}"),
        format!("GET /auth/health HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n{close}"),
        format!("GET /auth/health HTTP/1.1\r\nHost: a.example, b.example\r\n{close}"),
        format!("GET /auth/health HTTP/1.1\r\nHost: user@a.example\r\n{close}"),
        format!("GET /auth/health HTTP/1.1\r\nHost:\r\n{close}"),
        format!("GET http://a.example/auth/health HTTP/1.1\r\n{close}"),
        "GET /auth/health HTTP/1.0\r\nHost: a.example\r\nHost: b.example".to_owned(),
    ] {
        assert_eq!(send(&refused).await, Some(400), "{refused}");
    }
    for answered in [
        format!("GET /auth/health HTTP/1.1\r\nHost: a.example:8080\r\n{close}"),
        format!("GET /auth/health HTTP/1.1\r\nHost: [::1]:8080\r\n{close}"),
        format!("GET http://a.example/auth/health HTTP/1.1\r\nHost: a.example\r\n{close}"),
        format!("GET http://a.example/auth/health HTTP/1.1\r\nHost:\r\n{close}"),
        "GET /auth/health HTTP/1.0".to_owned(),
        "GET /auth/health HTTP/1.0\r\nHost: a.example".to_owned(),
    ] {
        assert_eq!(send(&answered).await, Some(200), "{answered}");
    }
    let json = raw_http(app.address(), format!("GET /auth/api/v1/user HTTP/1.1\r\n{close}\r\n\r\n").as_bytes()).await;
    assert!(json.starts_with("HTTP/1.1 400") && json.contains("\"code\":\"invalid_request\""), "{json}");
}

async fn query_with_too_many_fields_is_refused() {
    let app = Engine::Sqlite.app().await;
    let visitor = app.anonymous();
    let fields = |count: usize| vec!["a=b"; count].join("&");
    visitor.get(&format!("/auth/login?{}", fields(64))).await.expect(200);
    let page = visitor.get(&format!("/auth/login?{}", fields(65))).await.expect(400);
    assert!(page.text().contains("<h1>"), "{}", page.text());
    visitor.get(&format!("/auth/api/v1/user?{}", fields(65))).await.expect_error(400, "invalid_request");
    // The fields in the query of `return_to` are not the service's.
    visitor.get(&format!("/auth/login?return_to=/search?{}", fields(100))).await.expect(200);
}

/// Cookies of a name that do not help.
fn garbage(name: &str, count: usize) -> String {
    (0..count).map(|number| [name, "=garbage", &number.to_string(), ".x.y; "].concat()).collect()
}

async fn garbage_cookies_do_not_hide_valid_ones(engine: Engine) {
    let app = engine.app().await;
    for count in [16, 100] {
        let ada = app.sign_up(&format!("ada{count}@example.com")).await;
        let [access, refresh, csrf] = ["access", "refresh", "csrf"].map(|suffix| ada.token(suffix).unwrap());
        let cookies = format!("{}svc_access={access}", garbage("svc_access", count));
        ada.copy().api_user().header("cookie", &cookies).await.expect(200);
        let cookies = [
            (garbage("svc_csrf", count), format!("svc_csrf={csrf}; ")),
            (garbage("svc_refresh", count), format!("svc_refresh={refresh}")),
        ];
        let cookies: String = cookies.map(|(garbage, right)| garbage + &right).concat();
        ada.copy().refresh("app").header("cookie", &cookies).await.expect(200);
        // Logging out finds the session too.
        let cookies = format!("svc_csrf={csrf}; {}svc_access={access}", garbage("svc_access", count));
        ada.copy().form("/auth/sessions/logout", &[("csrf_token", &csrf)]).header("cookie", &cookies).await.expect(204);
        ada.api_user().await.expect(401);
    }
}

async fn garbage_cookies_do_not_hide_pending_verification(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    let ada = app.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let pending = ada.token("pending").unwrap();
    let page = async |cookies: &str| app.anonymous().get("/auth/email/verify").header("cookie", cookies).await.text();
    assert!(!page(&garbage("svc_pending", 100)).await.contains("name=\"code\""));
    let cookies = format!("{}svc_pending={pending}", garbage("svc_pending", 100));
    assert!(page(&cookies).await.contains("name=\"code\""));
}

async fn forged_access_tokens_cost_four_verifications(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let access = ada.token("access").unwrap();
    // The header of a genuine token, and a signature of the right length.
    let header = access.split('.').next().unwrap();
    let signature = access.rsplit('.').next().unwrap();
    let forged = (0..150).map(|number| format!("svc_access={header}.e30.{number:03}{}", &signature[3..]));
    let forged = forged.collect::<Vec<_>>().join("; ");
    ada.api_user().await.expect(200);
    let before = app.app.tokens.verifications();
    ada.copy().api_user().header("cookie", &forged).await.expect(401);
    assert_eq!(app.app.tokens.verifications() - before, 4);
    // Many tokens of one session that has ended are one question.
    let tokens: Vec<String> = {
        let mut tokens = vec![access];
        for _ in 0..3 {
            ada.refresh("app").await.expect(200);
            tokens.push(ada.token("access").unwrap());
        }
        tokens
    };
    ada.log_out().await;
    let cookies = tokens.iter().map(|token| format!("svc_access={token}")).collect::<Vec<_>>().join("; ");
    ada.copy().api_user().header("cookie", &cookies).await.expect(401);
}

/// A client sees the answer while it still sends, and what it sends is not taken for its next request.
async fn unread_large_body_is_no_next_request() {
    let app = Engine::Sqlite.app().await;
    let next = "GET /auth/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let body = |mebibytes: usize| next.repeat((mebibytes << 20) / next.len());
    for (method, path, host, expected) in [
        ("GET", "/auth/login", "localhost", 200),
        ("GET", "/auth/api/v1/user", "localhost", 401),
        ("POST", "/auth/api/v1/user", "localhost", 405),
        ("POST", "/auth/api/v1/sessions/refresh", "localhost", 401),
        ("PUT", "/auth/login", "localhost", 405),
        ("POST", "/nowhere", "localhost", 404),
        ("POST", "/auth/api/v2/nowhere", "localhost", 404),
        ("POST", "/auth/login", "no host", 400),
    ] {
        for (body, answers) in [(body(1), 2), (body(4), 1)] {
            let length = body.len();
            let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n");
            let answer = raw_http(app.address(), [&head, &body, next].concat().as_bytes()).await;
            assert_eq!(status(&answer), Some(expected), "{method} {path}: {answer}");
            let first = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
            assert_eq!(first.contains("\r\nconnection: close"), answers == 1, "{method} {path}: {answer}");
            assert_eq!(answer.matches("HTTP/1.1 ").count(), answers, "{method} {path}: {answer}");
        }
    }
}
