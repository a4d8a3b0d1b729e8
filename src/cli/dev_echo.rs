//! `doorward dev echo`

use super::dev_args::DevEcho;
use super::failure::Failure;
use super::local_server::{self, StopSignals};
use super::output::Output;
use crate::doctor::Echo;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHORIZATION,
};
use hyper::{Request, Response};
use serde_json::json;
use std::collections::BTreeMap;

const CREDENTIALS: [HeaderName; 3] = [COOKIE, AUTHORIZATION, PROXY_AUTHORIZATION];

/// Answers every request with the headers that it has, until Ctrl-C.
pub(super) async fn run(arguments: &DevEcho, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut stop = StopSignals::new()?;
    let listener = local_server::bind(arguments.port).await?;
    let address = listener.local_addr().map_err(Failure::Output)?.to_string();
    let text = format!(
        "Listening on {address}, in the place of an application behind the gate. Now run, with the address that a \
         browser uses:\n\n  doorward doctor --app https://app.example.org/\n\nCtrl-C ends it."
    );
    out.item(&json!({"listening": address}), &text)?;
    tokio::select! {
        ended = local_server::serve(listener, |request| std::future::ready(answer(&request))) => {
            ended.map_err(Failure::Output)
        }
        () = stop.stopped() => Ok(()),
    }
}

fn answer(request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let echo = Echo { application: Echo::APPLICATION.to_owned(), headers: as_cgi(request.headers()) };
    let mut response = Response::new(Full::new(serde_json::to_vec(&echo).unwrap_or_default().into()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The headers as an application reads them that takes all signs for the same (RFC 3875, 4.1.18, as lighttpd does it);
/// credentials are left out.
fn as_cgi(headers: &HeaderMap) -> BTreeMap<String, Vec<String>> {
    let mut read: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in headers.iter().filter(|(name, _)| !CREDENTIALS.contains(name)) {
        let name = name.as_str().to_ascii_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let name = format!("HTTP_{name}");
        read.entry(name).or_default().push(String::from_utf8_lossy(value.as_bytes()).into_owned());
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_one_name() {
        let mut headers = HeaderMap::new();
        for (name, value) in [("x-svc_user-id", "a"), ("x_svc.user~id", "b"), ("cookie", "secret")] {
            headers.append(name, HeaderValue::from_static(value));
        }
        let read = as_cgi(&headers);
        assert_eq!(
            read.into_iter().collect::<Vec<_>>(),
            [("HTTP_X_SVC_USER_ID".to_owned(), vec!["a".to_owned(), "b".to_owned()])]
        );
    }
}
