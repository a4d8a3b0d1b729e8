#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use axum::response::IntoResponse;
use http_body_util::BodyExt;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize, PartialEq)]
struct Sample {
    name: String,
    count: Option<u8>,
}

async fn refusal(error: OperationError) -> (u16, Value) {
    let response = error.into_response();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap())
}

async fn refused(body: &str) -> (u16, Value) {
    let (status, answer) = refusal(parse::<Sample>(body.as_bytes()).unwrap_err()).await;
    (status, answer["error"]["details"].clone())
}

#[test]
fn members_become_fields_and_null_is_absent() {
    assert_eq!(
        parse::<Sample>(br#" {"name":"a\\u0000\n"} "#).unwrap(),
        Sample { name: "a\\u0000\n".into(), count: None }
    );
    assert_eq!(parse::<Sample>(br#"{"count":null,"name":""}"#).unwrap(), Sample { name: String::new(), count: None });
}

#[tokio::test]
async fn what_parsers_disagree_about_is_no_json() {
    let deep = format!(r#"{{"name":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
    let bodies = [
        "",
        "null",
        "[]",
        r#""x""#,
        r#"{"name":"a"} x"#,
        r#"{"name":"a","name":"b"}"#,
        r#"{"name":"a","na\u006de":"b"}"#,
        r#"{"name":"a","extra":{"k":1,"k":1}}"#,
        r#"{"name":"\ud800"}"#,
        r#"{"name":"a\u0000"}"#,
        r#"{"name":"a","count":1e999}"#,
        "{'name':'a'}",
        "\u{feff}{\"name\":\"a\"}",
        &deep,
    ];
    for body in bodies {
        assert_eq!(refused(body).await, (400, Value::Null), "{body:.40}");
    }
    let (status, answer) = refusal(parse::<Sample>(b"{\"name\":\"\xff\"}").unwrap_err()).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("invalid_request")));
}

#[tokio::test]
async fn each_field_has_its_sentence() {
    let cases = [
        ("{}", json!({"name": "This field is required."})),
        (r#"{"name":"a","x":1,"y":{}}"#, json!({"x": "There is no such field.", "y": "There is no such field."})),
        (r#"{"name":1}"#, json!({"name": "Invalid type: integer `1`, expected a string."})),
        (r#"{"name":"a","count":256}"#, json!({"count": "Invalid value: integer `256`, expected u8."})),
        (r#"{"name":null}"#, json!({"name": "Invalid type: null, expected a string."})),
    ];
    for (body, details) in cases {
        assert_eq!(refused(body).await, (422, details), "{body}");
    }
}
