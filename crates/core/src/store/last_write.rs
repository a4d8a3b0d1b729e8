//! What the last try to write found, for all who ask within a second.

use super::StoreError;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// A result that several are told.
pub(super) type SharedResult = Result<(), Arc<StoreError>>;

/// Whether the last write succeeded, and when it ended. Who asks meanwhile waits for the same answer.
#[derive(Default)]
pub(super) struct LastWrite(pub(super) Mutex<Option<(Instant, SharedResult)>>);
