#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::http::body_budget::BodyBudget;
use hyper::body::{Bytes, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

fn allowance() -> BodyAllowance {
    BodyAllowance::new(&BodyBudget::new(true), "192.0.2.1".parse().unwrap(), 100)
}

async fn read_as(content_type: &str, body: impl Into<Body>) -> Result<Fields, FormError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, content_type.parse().unwrap());
    read(&headers, body.into(), &allowance()).await
}

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn fields_are_decoded() {
    let fields =
        read_as("application/x-www-form-urlencoded; charset=UTF-8", "email=a%40b&x=1+2&email=c").await.unwrap();
    assert_eq!(fields.text("email"), "a@b");
    assert_eq!(fields.text("x"), "1 2");
    assert_eq!(fields.single("email"), None);
    assert_eq!(fields.single("x"), Some("1 2"));
    assert_eq!(fields.get("none"), None);
}

#[tokio::test]
async fn invalid_bodies_return_distinct_errors() {
    assert_eq!(read_as("application/json", "{}").await.err(), Some(FormError::WrongType));
    assert_eq!(read_as(FORM, "email=%ff%fe").await.err(), Some(FormError::NotText));
    assert_eq!(read_as(FORM, "email=a%00b").await.err(), Some(FormError::NotText));
    assert_eq!(read_as(FORM, vec![0xff, 0xfe, b'=']).await.err(), Some(FormError::NotText));
    assert_eq!(read_as(FORM, "a".repeat(MAX_BYTES + 1)).await.err(), Some(FormError::TooLarge));
    assert!(read_as("text/plain", "").await.is_ok(), "nothing is a form without fields");
}

#[test]
fn query_that_is_not_text_has_no_fields() {
    assert_eq!(query(Some("audience=%ff")).get("audience"), None);
    assert_eq!(query(None).get("audience"), None);
    assert_eq!(query(Some("audience=app&audience=app")).single("audience"), None);
}

#[tokio::test]
async fn form_has_at_most_64_fields() {
    let fields = |count: usize| vec!["a=b"; count].join("&");
    assert!(read_as(FORM, fields(64)).await.is_ok());
    assert_eq!(read_as(FORM, fields(65)).await.err(), Some(FormError::TooManyFields));
    assert_eq!(read_as(FORM, "&".repeat(30_000)).await.err(), Some(FormError::TooManyFields));
}

#[test]
fn query_has_at_most_64_fields_before_return_to() {
    let fields = "a&".repeat(63);
    assert!(!has_too_many_fields(&format!("{fields}b")));
    assert!(has_too_many_fields(&format!("{fields}b&c")));
    assert!(!has_too_many_fields(&format!("{fields}return_to=/search?{fields}{fields}")));
    assert!(has_too_many_fields(&format!("{fields}return_to=/search&{fields}")));
}

#[test]
fn literal_return_to_is_not_decoded() {
    let query = query(Some("notice=a%20b&return_to=/search?q=a%20b&page=2"));
    assert_eq!((query.get("notice"), query.get("page")), (Some("a b"), None));
    assert_eq!(query.get("return_to"), Some("/search?q=a%20b&page=2"));
}

#[test]
fn query_is_parsed_when_asked_for() {
    let query = Query::of(&"/auth/login?notice=sent&x=1%202".parse().unwrap());
    assert!(query.fields.get().is_none());
    assert_eq!((query.get("notice"), query.text("x"), query.get("y")), (Some("sent"), "1 2", None));
}

/// A body that arrives byte by byte.
struct Bytewise(std::vec::IntoIter<u8>);

impl hyper::body::Body for Bytewise {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.next().map(|byte| Ok(Frame::data(Bytes::from(vec![byte])))))
    }
}

#[tokio::test]
async fn body_in_chunks_of_one_byte_is_one_buffer() {
    let form = format!("a={}", "x".repeat(20_000)).into_bytes();
    let fields = read_as(FORM, Body::new(Bytewise(form.into_iter()))).await.unwrap();
    assert_eq!(fields.text("a").len(), 20_000);
}

/// A body whose head has arrived, and no more.
struct Silent;

impl hyper::body::Body for Silent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

#[tokio::test(start_paused = true)]
async fn body_that_does_not_come_is_incomplete_and_gives_back_what_it_held() {
    let budget = BodyBudget::new(true);
    let allowance = |head_bytes| BodyAllowance::new(&budget, [192, 0, 2, 1].into(), head_bytes);
    let began = Instant::now();
    let large_head = allowance(260 * 1024);
    let reading = read_bytes(Body::new(Silent), &large_head);
    let (read, refused) = tokio::join!(reading, async { allowance(200 * 1024).begin().is_err() });
    assert!(refused, "its head is held meanwhile");
    assert_eq!(read.err(), Some(FormError::Incomplete));
    assert_eq!(began.elapsed(), Duration::from_secs(3));
    assert!(allowance(260 * 1024).begin().is_ok());
}

#[tokio::test]
async fn body_holds_its_part_of_the_budget_until_fields_are_dropped() {
    let budget = BodyBudget::new(true);
    let allowance = BodyAllowance::new(&budget, "192.0.2.1".parse().unwrap(), 0);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, FORM.parse().unwrap());
    // No more than it sends, so that seven of these fit.
    let form = || Body::from(format!("a={}", "x".repeat(33_000)));
    let mut held = Vec::new();
    while held.len() < 7 {
        held.push(read(&headers, form(), &allowance).await.unwrap());
    }
    assert_eq!(read(&headers, form(), &allowance).await.err(), Some(FormError::Overloaded));
    held.pop();
    assert!(read(&headers, form(), &allowance).await.is_ok());
}
