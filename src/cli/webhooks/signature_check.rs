//! Verification of a received event by both signature schemes (`docs/reference/webhooks.md` 13.2).

use super::receiver::ReceivedRequest;
use crate::cli::failure::Failure;
use crate::crypto::webhook_signature::{StandardSigner, is_hex_sha256};
use crate::model::time::Time;
use crate::settings::{Environment, ServiceName, Variable, WebhookSecret};
use serde::Serialize;
use std::time::Duration;

/// Accepted difference of the timestamp from the clock, against replay (Standard Webhooks 1.0).
const MAX_CLOCK_SKEW: Duration = Duration::from_mins(5);

pub(super) struct Secrets {
    current: Option<WebhookSecret>,
    standard: Option<StandardSigner>,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct SignatureCheck {
    pub(super) reason: Option<&'static str>,
    /// `ok`, `wrong`, or `unchecked` without a secret to check it with.
    pub(super) verdict: &'static str,
}

impl SignatureCheck {
    const RIGHT: Self = Self { reason: None, verdict: "ok" };
    const UNCHECKED: Self = Self { reason: None, verdict: "unchecked" };

    const fn wrong(reason: &'static str) -> Self {
        Self { reason: Some(reason), verdict: "wrong" }
    }
}

pub(super) struct SignatureChecks {
    /// The header named after the service.
    pub(super) hex: SignatureCheck,
    /// The Standard Webhooks headers.
    pub(super) standard: SignatureCheck,
}

impl SignatureChecks {
    pub(super) fn is_wrong(&self) -> bool {
        self.hex.reason.or(self.standard.reason).is_some()
    }
}

impl Secrets {
    /// Reads the secret and, during a rotation, the previous one. The receiver's URL need not be set.
    pub(super) fn read(name: &ServiceName, environment: &Environment) -> Result<Self, Failure> {
        let read = |suffix| {
            let refusal = |reason: String| Failure::Operator(format!("{}: {reason}", name.variable(suffix)));
            match environment.get(&name.variable(suffix)) {
                Variable::Text(text) => WebhookSecret::parse(text)
                    .map(Some)
                    .map_err(|error| refusal(format!("the value (not shown) cannot be used; allowed: {error}"))),
                Variable::Unset => Ok(None),
                Variable::NotUnicode => Err(refusal("not UTF-8 text".to_owned())),
            }
        };
        let (current, previous) = (read("WEBHOOK_SECRET")?, read("WEBHOOK_SECRET_PREVIOUS")?);
        let is_given = current.is_some() || previous.is_some();
        let standard = is_given.then(|| StandardSigner::new(current.iter().chain(&previous)));
        Ok(Self { current, standard })
    }

    pub(super) fn is_given(&self) -> bool {
        self.current.is_some()
    }

    pub(super) fn verify(&self, name: &ServiceName, request: &ReceivedRequest, now: Time) -> SignatureChecks {
        SignatureChecks { hex: self.check_hex(name, request), standard: self.check_standard(request, now) }
    }

    fn check_hex(&self, name: &ServiceName, request: &ReceivedRequest) -> SignatureCheck {
        let Some(secret) = &self.current else { return SignatureCheck::UNCHECKED };
        match request.header(name.signature_header().name().as_str()) {
            None => SignatureCheck::wrong("the header is missing"),
            Some(value) if is_hex_sha256(secret.as_bytes(), &request.body, value) => SignatureCheck::RIGHT,
            Some(_) => SignatureCheck::wrong("another secret, or another body"),
        }
    }

    fn check_standard(&self, request: &ReceivedRequest, now: Time) -> SignatureCheck {
        let Some(signer) = &self.standard else { return SignatureCheck::UNCHECKED };
        let header = |name| request.header(name);
        let (Some(id), Some(timestamp), Some(value)) =
            (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"))
        else {
            return SignatureCheck::wrong("a header is missing");
        };
        let Ok(timestamp) = timestamp.parse::<i64>() else {
            return SignatureCheck::wrong("the timestamp is no number");
        };
        if !signer.verify(id, timestamp, &request.body, value) {
            return SignatureCheck::wrong("another secret, or another id, timestamp or body");
        }
        let skew = Duration::from_secs(now.as_seconds().abs_diff(timestamp));
        if skew > MAX_CLOCK_SKEW {
            SignatureCheck::wrong("the timestamp is over five minutes off")
        } else {
            SignatureCheck::RIGHT
        }
    }
}

#[cfg(test)]
#[path = "signature_check_tests.rs"]
mod tests;
