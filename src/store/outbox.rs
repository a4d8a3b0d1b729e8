//! The outbox: deliveries, from the transaction that causes them until their clean-up.
//!
//! pending → (claim) processing → (settle) delivered, failed, or pending again with a later `due_at`. Each claim raises
//! `lease`, and whoever changes a claimed delivery names the lease it was given: no row changed means that the claim
//! was lost to the reaper, and nothing is written. All moments come from one clock (`now_sql!`).

use super::{Channel, Result, Tx};
use crate::domain::events::Event;
use crate::domain::ids::EventId;
use crate::random;

impl Tx {
    /// Records an event in this transaction, if its kind is one that is sent; there is no other way to record one.
    pub async fn outbox_push(&mut self, event: &Event) -> Result<()> {
        if !self.stores(event.kind()) {
            return Ok(());
        }
        let created_at = self.now();
        let id = EventId(random::uuid_v7_at(created_at, self.next_event())?);
        let payload = event.envelope(id, created_at)?;
        changed!(
            self,
            now_sql!(
                "INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, \
                 due_at, created_at) VALUES ($2, 'webhook', $3, $4, 'pending', 0, 0, FALSE, FALSE, ",
                ", $5)"
            ),
            |sql, now| {
                sqlx::query(sql)
                    .bind(now)
                    .bind(id)
                    .bind(event.kind().as_str())
                    .bind(payload.as_slice())
                    .bind(created_at)
            }
        )?;
        self.ring_outbox_on_commit(Channel::Webhook);
        Ok(())
    }
}
