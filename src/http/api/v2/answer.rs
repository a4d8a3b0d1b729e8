//! Answers, each with its status and the type of its body: what the description says of an operation comes from what its
//! handler returns.

use super::answer_body::{AnswerBody, Page};
use super::error::OperationError;
use crate::domain::idempotency::KeptAnswer;
use crate::error::Error;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use utoipa::IntoResponses;
use utoipa::openapi::header::Header;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Content, Ref, RefOr, Response as Described, ResponseBuilder, Schema};

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

pub type ApiResult<K> = Result<ApiAnswer<K>, OperationError>;

#[derive(Debug)]
pub struct ApiAnswer<K> {
    kept: KeptAnswer,
    is_replayed: bool,
    cookies: Vec<HeaderValue>,
    kind: PhantomData<K>,
}

/// 200 with a thing.
#[derive(Debug)]
pub struct Item<T>(PhantomData<T>);

/// 200 with a page of things.
pub type Listed<T> = Item<Page<T>>;

/// 201 with a thing that was made, and its path.
#[derive(Debug)]
pub struct Made<T>(PhantomData<T>);

/// 202: it will be done.
#[derive(Debug)]
pub enum Accepted {}

/// 204: it is done.
#[derive(Debug)]
pub enum Done {}

pub trait AnswerKind {
    const STATUS: StatusCode;

    fn described() -> Described;
}

impl<K: AnswerKind> ApiAnswer<K> {
    /// An answer that was kept, to the same request.
    pub fn replayed(kept: KeptAnswer) -> Self {
        Self { is_replayed: true, ..Self::from_kept(kept) }
    }

    fn new(location: Option<String>, body: Vec<u8>) -> Self {
        Self::from_kept(KeptAnswer { status: K::STATUS.as_u16(), location, body })
    }

    fn from_kept(kept: KeptAnswer) -> Self {
        Self { kept, is_replayed: false, cookies: Vec::new(), kind: PhantomData }
    }

    /// Also sets these cookies, which are not kept.
    #[must_use]
    pub fn with_cookies(mut self, cookies: impl IntoIterator<Item = HeaderValue>) -> Self {
        self.cookies.extend(cookies);
        self
    }

    fn response(self) -> Result<Response, OperationError> {
        let wrong = |what: &str| Error::Inconsistent(format!("a kept answer has no valid {what}"));
        let KeptAnswer { status, location, body } = self.kept;
        let status = StatusCode::from_u16(status).map_err(|_| wrong("status"))?;
        let mut headers = HeaderMap::new();
        if !body.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(location) = location {
            headers.insert(LOCATION, location.try_into().map_err(|_| wrong("location"))?);
        }
        if self.is_replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        headers.extend(self.cookies.into_iter().map(|cookie| (SET_COOKIE, cookie)));
        let mut response = Response::new(Body::from(body));
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        Ok(response)
    }
}

impl<T: Serialize> ApiAnswer<Item<T>>
where
    Item<T>: AnswerKind,
{
    /// 200 with this thing.
    pub fn shown(thing: &T) -> Result<Self, Error> {
        Ok(Self::new(None, json(thing)?))
    }
}

impl<T: AnswerBody> ApiAnswer<Made<T>> {
    /// 201 with this thing, which has this path.
    pub fn made(location: String, thing: &T) -> Result<Self, Error> {
        Ok(Self::new(Some(location), json(thing)?))
    }
}

impl ApiAnswer<Accepted> {
    pub fn accepted() -> Self {
        Self::new(None, Vec::new())
    }
}

impl ApiAnswer<Done> {
    pub fn done() -> Self {
        Self::new(None, Vec::new())
    }
}

fn json(thing: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(thing).map_err(Error::json)
}

impl<K> AsRef<KeptAnswer> for ApiAnswer<K> {
    fn as_ref(&self) -> &KeptAnswer {
        &self.kept
    }
}

impl<K: AnswerKind> IntoResponse for ApiAnswer<K> {
    fn into_response(self) -> Response {
        self.response().unwrap_or_else(IntoResponse::into_response)
    }
}

impl<T: AnswerBody> AnswerKind for Item<T> {
    const STATUS: StatusCode = StatusCode::OK;

    fn described() -> Described {
        with_body::<T>("The answer.")
    }
}

impl<T: AnswerBody> AnswerKind for Made<T> {
    const STATUS: StatusCode = StatusCode::CREATED;

    fn described() -> Described {
        let mut path = Header::new(ObjectBuilder::new().schema_type(Type::String));
        path.description = Some("Its path.".to_owned());
        let mut response = with_body::<T>("What was made.");
        response.headers.insert("Location".to_owned(), path.into());
        response
    }
}

impl AnswerKind for Accepted {
    const STATUS: StatusCode = StatusCode::ACCEPTED;

    fn described() -> Described {
        ResponseBuilder::new().description("It will be done.").build()
    }
}

impl AnswerKind for Done {
    const STATUS: StatusCode = StatusCode::NO_CONTENT;

    fn described() -> Described {
        ResponseBuilder::new().description("It is done.").build()
    }
}

fn with_body<T: AnswerBody>(description: &str) -> Described {
    let content = Content::new(Some(RefOr::<Schema>::Ref(Ref::from_schema_name(T::schema_name()))));
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

impl<K: AnswerKind> IntoResponses for ApiAnswer<K> {
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        BTreeMap::from([(K::STATUS.as_str().to_owned(), K::described().into())])
    }
}

/// The description gets its errors elsewhere: every operation has them.
impl IntoResponses for OperationError {
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        BTreeMap::new()
    }
}

/// What a transaction just wrote, as it reads it back.
pub fn written<T>(read: Option<T>) -> Result<T, Error> {
    read.ok_or_else(|| Error::Inconsistent("a transaction does not see what it wrote".to_owned()))
}
