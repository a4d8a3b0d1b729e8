//! A body that is written while it is sent, at the pace of its reader.

use crate::domain::directory::audit_export::AuditExport;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::Frame;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// The file could not be written to its end: the connection ends, so that nobody takes a part for the whole.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the file could not be written to its end")]
pub struct FileBroken;

type Chunk = Result<Bytes, FileBroken>;

/// The body with an exported file. One chunk waits for the reader, and nothing is held meanwhile.
pub fn of_export(export: AuditExport) -> Body {
    let (sender, chunks) = mpsc::channel(1);
    tokio::spawn(write(export, sender));
    Body::new(ChunkBody { chunks })
}

async fn write(mut export: AuditExport, sender: mpsc::Sender<Chunk>) {
    loop {
        let chunk = match export.next_chunk().await {
            Ok(Some(chunk)) => Ok(Bytes::from(chunk)),
            Ok(None) => return,
            Err(error) => {
                tracing::warn!("an export of the audit log ended early: {error}");
                Err(FileBroken)
            }
        };
        let is_broken = chunk.is_err();
        // An error means that the reader is gone.
        if sender.send(chunk).await.is_err() || is_broken {
            return;
        }
    }
}

struct ChunkBody {
    chunks: mpsc::Receiver<Chunk>,
}

impl HttpBody for ChunkBody {
    type Data = Bytes;
    type Error = FileBroken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, FileBroken>>> {
        self.chunks.poll_recv(context).map(|chunk| chunk.map(|chunk| chunk.map(Frame::data)))
    }
}

#[cfg(test)]
#[path = "streamed_tests.rs"]
mod tests;
