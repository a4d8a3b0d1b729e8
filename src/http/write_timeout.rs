//! The stream of a connection: what hyper leaves to it.
//!
//! - A write timeout for clients that do not read: hyper's own timeouts cover reading a request, not writing a response.
//! - Small reads. A read that fills hyper's buffer makes it double the next one, up to the largest head, and keep it for as
//!   long as the connection is open.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf, Take};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Half of hyper's first buffer, and more than almost every head.
const MAX_READ: u64 = 4 * 1024;

/// A stream whose writes fail after a timeout without progress, and whose reads are small.
pub struct WriteTimeout {
    stream: Take<TcpStream>,
    timeout: Duration,
    /// Set while a write is pending.
    timer: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    /// Wraps `stream`; a write fails after `timeout` without progress.
    pub fn new(stream: TcpStream, timeout: Duration) -> Self {
        Self { stream: stream.take(MAX_READ), timeout, timer: None }
    }

    /// Passes progress on, and fails after the timeout without any.
    fn enforce<T>(&mut self, context: &mut Context<'_>, progress: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if progress.is_ready() {
            self.timer = None;
            return progress;
        }
        let timeout = self.timeout;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(timeout)));
        match timer.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let stream = &mut self.get_mut().stream;
        stream.set_limit(MAX_READ);
        Pin::new(stream).poll_read(context, into)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let progress = Pin::new(this.stream.get_mut()).poll_write(context, bytes);
        this.enforce(context, progress)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let progress = Pin::new(this.stream.get_mut()).poll_write_vectored(context, slices);
        this.enforce(context, progress)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.get_ref().is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let progress = Pin::new(this.stream.get_mut()).poll_flush(context);
        this.enforce(context, progress)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let progress = Pin::new(this.stream.get_mut()).poll_shutdown(context);
        this.enforce(context, progress)
    }
}

#[cfg(test)]
#[path = "write_timeout_tests.rs"]
mod tests;
