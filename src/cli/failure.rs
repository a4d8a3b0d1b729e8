//! Why a command ended without its result, and the exit code that says so.

use crate::boot::StartError;
use crate::error::Error;
use crate::store::StoreError;
use std::io;

/// Exit code for a command that could not be carried out.
pub(super) const FAILED: u8 = 1;
/// Exit code for arguments or settings that cannot be used.
pub(super) const UNUSABLE: u8 = 2;

/// Why a command ended without its result.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings or the surroundings are wrong; a sentence that names what to change.
    #[error("{0}")]
    Operator(String),
    /// The command cannot be carried out as asked.
    #[error("{0}")]
    Refused(String),
    /// The service or its database failed.
    #[error(transparent)]
    Fault(#[from] Error),
    /// Input could not be read, or output not written.
    #[error("{0}")]
    Output(io::Error),
}

impl Failure {
    /// The exit code.
    pub(super) const fn exit_code(&self) -> u8 {
        match self {
            Failure::Operator(_) => UNUSABLE,
            Failure::Refused(_) | Failure::Fault(_) | Failure::Output(_) => FAILED,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Fault(error.into())
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
