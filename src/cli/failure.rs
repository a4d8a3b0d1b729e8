//! Errors of commands, with their exit codes.

use super::wording::sentence;
use crate::boot::{SecretFileError, StartError};
use crate::error::Error;
use crate::refusal::{ChangeError, Refusal};
use crate::store::StoreError;
use std::io;

pub(super) const FAILED: u8 = 1;
/// Exit code for invalid arguments or settings.
pub(super) const INVALID_USAGE: u8 = 2;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings or the environment are wrong; the message names what to change.
    #[error("{0}")]
    Operator(String),
    /// The settings are unusable: a line for each problem.
    #[error("{0}")]
    Settings(String),
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Fault(#[from] Error),
    /// Input could not be read, or output not written.
    #[error("{0}")]
    Output(io::Error),
}

impl Failure {
    /// Whether the output was closed by its reader.
    pub(super) fn is_unread(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(super) const fn code(&self) -> &'static str {
        match self {
            Failure::Operator(_) => "invalid_usage",
            Failure::Settings(_) => "invalid_settings",
            Failure::Refused(_) => "refused",
            Failure::Fault(_) => "failed",
            Failure::Output(_) => "input_output",
        }
    }

    pub(super) const fn exit_code(&self) -> u8 {
        match self {
            Failure::Operator(_) | Failure::Settings(_) => INVALID_USAGE,
            Failure::Refused(_) | Failure::Fault(_) | Failure::Output(_) => FAILED,
        }
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Refused(refusal) => refusal.into(),
            ChangeError::Failed(error) => Failure::Fault(error),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(match &refusal {
            Refusal::Fields(fields) => {
                fields.iter().map(|(_, message)| sentence(message)).collect::<Vec<_>>().join(" ")
            }
            Refusal::Rule(_, message) => sentence(message),
            Refusal::NotFound(_) | Refusal::TooSoon(_) => refusal.to_string(),
        })
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Fault(error.into())
    }
}

impl From<SecretFileError> for Failure {
    fn from(error: SecretFileError) -> Self {
        Failure::Operator(error.to_string())
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Failed(error) => Failure::Fault(error),
            other => Failure::Operator(other.to_string()),
        }
    }
}
