//! What a restored database must forget: it would let in what was ended or used after the backup.

use super::{Queue, Result, Tx};

impl Tx {
    /// Removes every mailed link and code, and every request for one; returns the number of links.
    pub async fn account_tokens_delete_all(&mut self) -> Result<u64> {
        execute!(self, |c| sqlx::query("DELETE FROM reset_requests"))?;
        execute!(self, |c| sqlx::query("DELETE FROM account_tokens"))
    }

    /// Forgets every trusted device and pending login.
    pub async fn trusted_devices_delete_all(&mut self) -> Result<()> {
        execute!(self, |c| sqlx::query("DELETE FROM half_log_ins"))?;
        execute!(self, |c| sqlx::query("DELETE FROM remembered_devices"))?;
        Ok(())
    }

    /// Removes what waits in a queue, without a trace.
    pub async fn outbox_discard(&mut self, queue: Queue) -> Result<()> {
        execute!(self, |c| {
            sqlx::query("DELETE FROM outbox WHERE channel = $1 AND state = 'pending'").bind(queue.as_str())
        })?;
        execute!(self, |c| {
            sqlx::query("DELETE FROM outbox WHERE channel = $1 AND state = 'processing'").bind(queue.as_str())
        })?;
        Ok(())
    }

    /// Forgets the processes that ran when the backup was made.
    pub async fn instance_forget_processes(&mut self) -> Result<()> {
        execute!(self, |c| sqlx::query("UPDATE instance SET settings = NULL, webhooks_at = NULL WHERE id = 1"))?;
        Ok(())
    }
}
