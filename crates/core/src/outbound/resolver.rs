//! Resolves names: to all their addresses, or to public ones only.

use super::address::is_global;
use crate::model::this_machine::is_localhost;
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

/// The addresses of a host. A name below `localhost` has those of `localhost`, as in browsers: DNS has none for it.
pub async fn resolve(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let host = if is_localhost(host) { "localhost" } else { host };
    Ok(tokio::net::lookup_host((host, port)).await?.collect())
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NameResolver;

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

type Addresses = std::vec::IntoIter<SocketAddr>;
type Resolving = Pin<Box<dyn Future<Output = io::Result<Addresses>> + Send>>;

impl Service<Name> for NameResolver {
    type Response = Addresses;
    type Error = io::Error;
    type Future = Resolving;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        // The connector sets the port.
        Box::pin(async move { Ok(resolve(name.as_str(), 0).await?.into_iter()) })
    }
}

impl Service<Name> for PublicResolver {
    type Response = Addresses;
    type Error = io::Error;
    type Future = Resolving;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let resolver = self.clone();
        Box::pin(async move {
            let mut addresses = resolve(name.as_str(), 0).await?;
            addresses.retain(|address| resolver.permits(address.ip()));
            if addresses.is_empty() { Err(io::Error::other(InnerAddress)) } else { Ok(addresses.into_iter()) }
        })
    }
}
