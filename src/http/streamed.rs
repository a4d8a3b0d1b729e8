//! Bodies that are made while they are sent, however slowly a client reads.

use crate::error::Error;
use axum::body::{Bytes, HttpBody};
use hyper::body::Frame;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::Receiver;

/// A body of texts that another task makes. A failure ends the connection, so that the client sees that the rest is
/// missing.
pub struct StreamedBody(pub Receiver<Result<String, Error>>);

impl HttpBody for StreamedBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        self.0.poll_recv(context).map(|chunk| chunk.map(|chunk| chunk.map(|text| Frame::data(text.into()))))
    }
}
