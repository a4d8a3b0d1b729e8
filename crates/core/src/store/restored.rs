//! What a restored database must forget: it would let in what was ended or used after the backup.

use super::{Queue, Result, Tx};

impl Tx {
    /// Removes every mailed link and code, and every request for one; returns the number of links.
    pub async fn account_tokens_delete_all(&mut self) -> Result<u64> {
        execute!(self, "DELETE FROM reset_requests")?;
        execute!(self, "DELETE FROM account_tokens")
    }

    /// Forgets every trusted device and pending login.
    pub async fn trusted_devices_delete_all(&mut self) -> Result<()> {
        execute!(self, "DELETE FROM half_log_ins")?;
        execute!(self, "DELETE FROM remembered_devices").map(drop)
    }

    /// Removes what waits in a queue, without a trace.
    pub async fn outbox_discard(&mut self, queue: Queue) -> Result<()> {
        execute!(self, "DELETE FROM outbox WHERE channel = $1 AND state = 'pending'", queue.as_str())?;
        execute!(self, "DELETE FROM outbox WHERE channel = $1 AND state = 'processing'", queue.as_str()).map(drop)
    }

    /// Forgets the processes that ran when the backup was made.
    pub async fn instance_forget_processes(&mut self) -> Result<()> {
        execute!(self, "UPDATE instance SET settings = NULL, webhooks_at = NULL WHERE id = 1").map(drop)
    }
}
