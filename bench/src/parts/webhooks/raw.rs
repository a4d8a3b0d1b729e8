//! The first limit: a client that only posts, over keep-alive connections.

use crate::outcome::Outcome;
use crate::sink::{Delivery, Sink};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use std::time::Duration;
use tokio::task::JoinSet;

/// Posts per second of `workers` loops that send the same bytes with the same headers to the same sink.
pub async fn per_second(sink: &Sink, delivery: &Delivery, workers: usize, duration: Duration) -> Outcome<f64> {
    let mut tcp = HttpConnector::new();
    tcp.set_nodelay(true);
    let client = Client::builder(TokioExecutor::new())
        .http1_title_case_headers(true)
        .pool_max_idle_per_host(workers)
        .build::<_, Full<Bytes>>(tcp);
    let mut request = Request::new(Full::new(Bytes::from(delivery.body.clone())));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = sink.url().parse()?;
    *request.headers_mut() = headers(delivery)?;
    let before = sink.count().await?.events;
    let mut tasks = JoinSet::new();
    for _ in 0..workers {
        let (client, request) = (client.clone(), request.clone());
        tasks.spawn(async move {
            loop {
                let answer = client.request(request.clone()).await?;
                answer.into_body().collect().await?;
            }
            #[expect(unreachable_code, reason = "names the error of the loop")]
            Outcome::Ok(())
        });
    }
    let measured = async {
        // Until all connections are open.
        sink.wait_for(before + 2 * workers, Duration::from_secs(10)).await?;
        sink.per_second(duration).await
    };
    tokio::select! {
        per_second = measured => per_second,
        Some(ended) = tasks.join_next() => {
            ended??;
            Err("the raw client ended".into())
        }
    }
}

fn headers(delivery: &Delivery) -> Outcome<HeaderMap> {
    let headers = delivery.headers.iter();
    headers.map(|(name, value)| Ok((HeaderName::try_from(name)?, HeaderValue::try_from(value)?))).collect()
}
