//! HTTP to the collector.

use crate::outbound::{ConnectionPool, PoolOptions};
use http_body_util::{BodyExt, Full, Limited};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::timeout;

const TIMEOUT: Duration = Duration::from_secs(10);
/// An answer only says which spans were refused.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// One thread exports, one batch after the other.
const POOL: PoolOptions = PoolOptions { idle: Duration::from_secs(90), max_idle: 1, title_case: false };

/// A client for the thread that exports, which has no runtime: it sends on the one of the service.
#[derive(Clone, Debug)]
pub(super) struct Collector {
    pool: ConnectionPool,
    runtime: Handle,
    is_away: Arc<AtomicBool>,
}

impl Collector {
    pub(super) fn new() -> std::io::Result<Self> {
        let pool = ConnectionPool::new(true, POOL)?;
        Ok(Self { pool, runtime: Handle::current(), is_away: Arc::default() })
    }

    async fn send(self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let exchange = async {
            let (head, body) = self.pool.send(request.map(Full::new)).await?.into_parts();
            let body = Limited::new(body, MAX_ANSWER_BYTES).collect().await?.to_bytes();
            Ok::<_, HttpError>(Response::from_parts(head, body))
        };
        let result = timeout(TIMEOUT, exchange).await.unwrap_or_else(|_| Err("it does not answer".into()));
        self.report(&result);
        result
    }

    /// One line when the collector goes away or refuses, and one when it is back.
    fn report(&self, result: &Result<Response<Bytes>, HttpError>) {
        let failure = match result {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(format!("it answers {}", response.status())),
            Err(error) => Some(error.to_string()),
        };
        let was_away = self.is_away.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(failure) if !was_away => {
                tracing::warn!(target: "doorward::traces::collector", "traces do not reach their collector: {failure}");
            }
            None if was_away => {
                tracing::info!(target: "doorward::traces::collector", "traces reach their collector again");
            }
            _ => {}
        }
    }
}

#[async_trait::async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        self.runtime.spawn(self.clone().send(request)).await?
    }
}
