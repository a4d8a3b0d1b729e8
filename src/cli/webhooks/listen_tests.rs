#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use tokio::sync::oneshot;

fn request(body: &[u8]) -> ReceivedRequest {
    let headers = [("content-type", "application/json"), ("x-svc-event", "ping"), ("authorization", "Basic s3cret")];
    ReceivedRequest {
        path: "/hooks?a=1".to_owned(),
        headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        body: body.to_vec(),
        forwarded: None,
        answer: oneshot::channel().0,
    }
}

fn command(body: &[u8]) -> String {
    curl_command(&request(body), "127.0.0.1:4000".parse().unwrap(), "x-svc-")
}

#[test]
fn curl_command_includes_checked_headers_and_body() {
    let expected = "curl -i 'http://127.0.0.1:4000/hooks?a=1' -H 'content-type: application/json' \
                    -H 'x-svc-event: ping' --data-raw '{}'";
    assert_eq!(command(b"{}"), expected);
}

#[test]
fn curl_command_quotes_any_body() {
    assert!(command(b"it's").ends_with(r"--data-raw 'it'\''s'"));
    assert!(command(b"\xff\x1b").contains("printf %s /xs= | base64 -d | curl "));
}
