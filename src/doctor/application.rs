//! The way to an application behind the gate: whether a visitor's headers arrive there under the gate's names.
//!
//! Applications that read headers as CGI does (RFC 3875, 4.1.18) see no difference between `-` and `_`, some none between
//! these and `.`, and some (lighttpd) none between any two signs, so a proxy must delete every spelling. `doorward dev
//! echo` in the application's place says what arrived.

use super::call;
use super::report::Report;
use crate::crypto::token_hash::LinkToken;
use crate::http::GateHeaders;
use crate::model::finding::{Finding, FindingCode};
use crate::settings::Settings;
use hyper::body::Bytes;
use hyper::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const CHECK: &str = "application";
/// What an application may read as a hyphen; the last one stands for all other signs.
const SEPARATORS: [char; 4] = ['-', '_', '.', '~'];
/// The spellings that are sent in one request: proxies take some hundred headers.
const SPELLINGS_AT_ONCE: usize = 60;
/// The spellings of one name that are tried: all of a name of six parts.
const MAX_SPELLINGS: usize = 1024;

#[derive(Debug, Deserialize, Serialize)]
pub struct Echo {
    /// Always [`Echo::APPLICATION`], which tells it from another application.
    pub application: String,
    /// The values of each header, by the name that CGI gives it.
    pub headers: BTreeMap<String, Vec<String>>,
}

impl Echo {
    pub const APPLICATION: &str = "doorward dev echo";
}

pub(super) async fn examine(report: &mut Report, settings: &Settings, application: &Uri) {
    let headers = GateHeaders::of(settings);
    let (mut names, mut sent) = (0, 0);
    let mut forged = Vec::new();
    for name in headers.names() {
        let spellings = spellings(name);
        names += 1;
        sent += spellings.len();
        match report.in_time(CHECK, arrives(application, &spellings)).await {
            Some(Ok(false)) => {}
            Some(Ok(true)) => forged.push(name),
            Some(Err(why)) => return unknown(report, application, &why),
            None => return,
        }
    }
    if forged.is_empty() {
        let text = format!("a visitor's {sent} spellings of {names} names do not arrive at {application}");
        return report.ok(CHECK, text);
    }
    let message = format!(
        "a visitor of {application} chooses what it reads as {}: take the newest file of deploy/proxies, and add the \
         names of {} to it",
        forged.join(", "),
        settings.name.variable("GATE_HEADERS")
    );
    report.found(CHECK, Finding::new(FindingCode::IdentityForged, message));
}

/// Whether a visitor's value under any of these names arrives.
async fn arrives(application: &Uri, spellings: &[String]) -> Result<bool, String> {
    for spellings in spellings.chunks(SPELLINGS_AT_ONCE) {
        let nonce = LinkToken::generate().map_err(|error| error.to_string())?;
        let echo = ask(application, spellings, nonce.text()).await?;
        // Alone, or joined with the gate's own.
        if echo.headers.values().flatten().any(|value| value.contains(nonce.text())) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every way to write a name, the right one included, up to [`MAX_SPELLINGS`].
fn spellings(name: &str) -> Vec<String> {
    let mut spellings = vec![String::new()];
    for letter in name.chars() {
        let is_separator = SEPARATORS.contains(&letter);
        let choices = if is_separator { SEPARATORS.to_vec() } else { vec![letter] };
        let longer = spellings.iter().flat_map(|begun| choices.iter().map(move |choice| format!("{begun}{choice}")));
        spellings = longer.take(MAX_SPELLINGS).collect();
    }
    spellings
}

async fn ask(application: &Uri, spellings: &[String], nonce: &str) -> Result<Echo, String> {
    let headers: Vec<(&str, &str)> = spellings.iter().map(|name| (name.as_str(), nonce)).collect();
    let answer = call::get(application, &headers).await.map_err(|error| error.to_string())?;
    match echo(&answer.body) {
        Some(echo) => Ok(echo),
        None if matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
            || answer.status.is_redirection() =>
        {
            Err(format!(
                "the gate answers {}; add the rule optional to its address in the proxy's file for this examination",
                answer.status
            ))
        }
        None => Err(format!("it answers {}; run doorward dev echo in its place", answer.status)),
    }
}

fn echo(body: &Bytes) -> Option<Echo> {
    serde_json::from_slice(body).ok().filter(|echo: &Echo| echo.application == Echo::APPLICATION)
}

fn unknown(report: &mut Report, application: &Uri, why: &str) {
    let message = format!("whether a visitor can forge the gate's headers at {application} is not known: {why}");
    report.found(CHECK, Finding::new(FindingCode::ApplicationNotReached, message));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_name_is_tried() {
        let all = spellings("x-svc-user-id");
        assert_eq!(all.len(), 64);
        for name in ["x-svc-user-id", "x_svc-user_id", "x-svc_user.id", "x.svc~user.id", "x~svc~user~id"] {
            assert!(all.iter().any(|spelling| spelling == name), "{name}");
        }
        let long = spellings("a-b-c-d-e-f");
        assert_eq!(long.len(), MAX_SPELLINGS);
        assert!(long.iter().any(|spelling| spelling == "a~b~c~d~e~f"));
        assert_eq!(spellings("a-b-c-d-e-f-g").len(), MAX_SPELLINGS);
    }
}
