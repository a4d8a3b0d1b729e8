//! Whether a received event is genuine, by both schemes of signature (interface.md 5, contract.md 6).

use super::receiver::Arrival;
use crate::cli::failure::Failure;
use crate::crypto::webhook_signature::{StandardSigner, is_hex_sha256};
use crate::model::time::Time;
use crate::settings::{Environment, ServiceName, Variable};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// A request may be this much older or younger than the clock says (Standard Webhooks 1.0).
const TOLERANCE: Duration = Duration::from_mins(5);

/// The secrets of the environment.
pub(super) struct Secrets {
    current: Option<SecretString>,
    standard: Option<StandardSigner>,
}

/// What was found out about one signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is right.
    Right,
    /// It is not, and why.
    Wrong(&'static str),
    /// There is no secret to check it with.
    Unchecked,
}

impl Verdict {
    /// `ok`, `wrong` or `unchecked`.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Verdict::Right => "ok",
            Verdict::Wrong(_) => "wrong",
            Verdict::Unchecked => "unchecked",
        }
    }
}

/// What was found out about both signatures.
pub(super) struct Verdicts {
    /// Of the header that is named after the service.
    pub(super) hex: Verdict,
    /// Of the Standard Webhooks.
    pub(super) standard: Verdict,
}

impl Verdicts {
    pub(super) fn is_wrong(&self) -> bool {
        [&self.hex, &self.standard].into_iter().any(|verdict| matches!(verdict, Verdict::Wrong(_)))
    }
}

impl Secrets {
    /// Reads the secret and, during a change, the previous one. No receiver's URL need be set beside them.
    pub(super) fn read(name: &ServiceName, environment: &Environment) -> Result<Self, Failure> {
        let read = |suffix| match environment.get(&name.variable(suffix)) {
            Variable::Text(text) => Ok(Some(SecretString::from(text))),
            Variable::Unset => Ok(None),
            Variable::NotUnicode => Err(Failure::Operator(format!("{}: not UTF-8 text", name.variable(suffix)))),
        };
        let (current, previous) = (read("WEBHOOK_SECRET")?, read("WEBHOOK_SECRET_PREVIOUS")?);
        let all: Vec<SecretString> = current.iter().chain(&previous).cloned().collect();
        let standard = (!all.is_empty()).then(|| StandardSigner::new(&all)).transpose();
        let standard =
            standard.map_err(|error| Failure::Operator(format!("{}: {error}", name.variable("WEBHOOK_SECRET"))))?;
        Ok(Self { current, standard })
    }

    /// Whether there is anything to check with.
    pub(super) fn is_given(&self) -> bool {
        self.current.is_some()
    }

    /// Checks both signatures.
    pub(super) fn judge(&self, name: &ServiceName, arrival: &Arrival, now: Time) -> Verdicts {
        Verdicts { hex: self.judge_hex(name, arrival), standard: self.judge_standard(arrival, now) }
    }

    fn judge_hex(&self, name: &ServiceName, arrival: &Arrival) -> Verdict {
        let Some(secret) = &self.current else { return Verdict::Unchecked };
        match arrival.header(name.signature_header().name().as_str()) {
            None => Verdict::Wrong("the header is missing"),
            Some(value) if is_hex_sha256(secret.expose_secret().as_bytes(), &arrival.body, value) => Verdict::Right,
            Some(_) => Verdict::Wrong("another secret, or another body"),
        }
    }

    fn judge_standard(&self, arrival: &Arrival, now: Time) -> Verdict {
        let Some(signer) = &self.standard else { return Verdict::Unchecked };
        let header = |name| arrival.header(name);
        let (Some(id), Some(timestamp), Some(value)) =
            (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"))
        else {
            return Verdict::Wrong("a header is missing");
        };
        let Ok(timestamp) = timestamp.parse::<i64>() else { return Verdict::Wrong("the timestamp is no number") };
        if !signer.verify(id, timestamp, &arrival.body, value) {
            return Verdict::Wrong("another secret, or another id, timestamp or body");
        }
        let apart = Duration::from_secs(now.as_seconds().abs_diff(timestamp));
        if apart > TOLERANCE { Verdict::Wrong("the timestamp is over five minutes off") } else { Verdict::Right }
    }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
