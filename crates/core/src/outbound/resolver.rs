//! Resolves names to public addresses only.

use super::address::is_global;
use hyper_util::client::legacy::connect::dns::Name;
use ipnet::IpNet;
use std::error::Error;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// Gives of a name's addresses those that are public, or that the operator permitted. It stands in the connector, so
/// that no second resolution can give another address than the one that passed.
#[derive(Clone, Debug)]
pub(super) struct PublicResolver {
    allowed: Arc<[IpNet]>,
}

/// A name has no address that passes.
#[derive(Debug, thiserror::Error)]
#[error("it has inner addresses only")]
pub(super) struct InnerAddress;

impl InnerAddress {
    /// Whether an error of a client comes from one.
    pub(super) fn is_cause_of(error: &(dyn Error + 'static)) -> bool {
        std::iter::successors(Some(error), |&error| error.source()).any(|cause| {
            let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
            inner.is_some_and(<dyn Error + Send + Sync>::is::<InnerAddress>)
        })
    }
}

impl PublicResolver {
    pub(super) fn new(allowed: Vec<IpNet>) -> Self {
        Self { allowed: allowed.into() }
    }

    /// Whether an address may be connected to.
    pub(super) fn permits(&self, address: IpAddr) -> bool {
        is_global(address) || self.allowed.iter().any(|block| block.contains(&address.to_canonical()))
    }
}

impl Service<Name> for PublicResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let resolver = self.clone();
        Box::pin(async move {
            // The connector sets the port.
            let all = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let passed: Vec<SocketAddr> = all.filter(|address| resolver.permits(address.ip())).collect();
            if passed.is_empty() { Err(io::Error::other(InnerAddress)) } else { Ok(passed.into_iter()) }
        })
    }
}
