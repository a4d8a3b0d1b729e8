//! Layers that compose into one future.
//!
//! tower's `from_fn` boxes twice for each layer and request, which `GET /user` would pay ten times, and the layers of
//! tower-http drop a handler that must run to its end.

use axum::extract::Request;
use axum::response::Response;
use std::future::Future;

/// The rest of a request's way: the layers further in, and the handler.
pub trait InnerService: Send + Sized {
    /// Answers the request. Boxed: every layer's future has room for it twice, and futures are copied when they start.
    fn run(self, request: Box<Request>) -> impl Future<Output = Response> + Send;

    fn within<L: Layer>(self, layer: &L) -> Within<'_, L, Self> {
        Within { layer, next: self }
    }
}

/// Sees every request before the layers further in, and every response after them.
pub trait Layer: Sync {
    /// Passes the request on to `next`, or answers it alone.
    fn handle(&self, request: Box<Request>, next: impl InnerService) -> impl Future<Output = Response> + Send;
}

/// A layer around the rest of the way.
pub struct Within<'a, L, N> {
    layer: &'a L,
    next: N,
}

impl<L: Layer, N: InnerService> InnerService for Within<'_, L, N> {
    fn run(self, request: Box<Request>) -> impl Future<Output = Response> + Send {
        self.layer.handle(request, self.next)
    }
}
