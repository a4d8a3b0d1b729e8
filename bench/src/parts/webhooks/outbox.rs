//! The outbox, through the library: filling it, and the second limit, its bare statements.

use crate::instance::Instance;
use crate::outcome::Outcome;
use crate::stats::count;
use doorward::clock::Clock;
use doorward::model::change::{AccountChange, Change};
use doorward::model::event::EventKinds;
use doorward::model::ids::UserId;
use doorward::model::principal::{Operation, Principal};
use doorward::random;
use doorward::settings::{ServiceName, Settings};
use doorward::store::{
    Attempt, COUNT_LIMIT, Channel, Claimed, DeliveryState, Look, Next, OUTBOX_BATCH, Queue, Settlement, Store,
};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

const PUSHED_AT_ONCE: u64 = 1000;

/// The store of an instance whose service is not running.
pub async fn open(instance: &Instance) -> Outcome<Store> {
    let settings = Settings::load(&ServiceName::parse(ServiceName::DEFAULT)?, &instance.environment());
    let settings = settings.map_err(|problems| problems.to_string())?.settings;
    Ok(Store::open(&settings.database, Clock::system(), EventKinds::ALL).await?)
}

pub async fn pending(store: &Store) -> Outcome<u64> {
    let mut conn = store.read(&Principal::operator(), Operation::Deliver).await?;
    Ok(conn.outbox_count(Queue::Webhook, DeliveryState::Pending, COUNT_LIMIT).await?)
}

pub async fn fill(store: &Store, events: u64) -> Outcome<()> {
    let mut missing = events.saturating_sub(pending(store).await?);
    while missing > 0 {
        let batch = missing.min(PUSHED_AT_ONCE);
        let mut tx = store.begin(&Principal::operator(), Operation::ManageInstance).await?;
        let mut changes = Vec::new();
        for _ in 0..batch {
            let user = UserId(random::uuid_v7(store.clock().now())?);
            changes.push(Change::Account(user, AccountChange::EmailRespelled));
        }
        tx.record_all(&changes).await?;
        tx.commit().await?;
        missing -= batch;
    }
    Ok(())
}

/// Events per second that are claimed, started and settled in the largest batches, all three concurrently, without
/// sending.
pub async fn statements_per_second(store: &Store, events: usize) -> Outcome<f64> {
    fill(store, u64::try_from(events)?).await?;
    let began = Instant::now();
    let operator = &Principal::operator();
    let (claimed, mut to_start) = mpsc::channel(2);
    let (started, mut to_settle) = mpsc::channel::<Vec<Claimed>>(2);
    let claims = async {
        let mut total = 0;
        while total < events {
            let mut tx = store.begin_claim(operator, Operation::Deliver, Queue::Webhook).await?;
            let batch = tx.outbox_claim(Queue::Webhook, OUTBOX_BATCH, Look::Near).await?.claimed;
            tx.commit().await?;
            total += batch.len();
            claimed.send(batch).await?;
        }
        drop(claimed);
        Outcome::Ok(())
    };
    let starts = async {
        while let Some(batch) = to_start.recv().await {
            let leases: Vec<_> = batch.iter().map(Claimed::lease).collect();
            let mut tx = store.begin_lease(operator, Operation::Deliver).await?;
            tx.outbox_start(&leases).await?;
            tx.commit().await?;
            started.send(batch).await?;
        }
        drop(started);
        Outcome::Ok(())
    };
    let settles = async {
        let mut settled = 0;
        while let Some(batch) = to_settle.recv().await {
            let settlements: Vec<_> = batch.iter().map(|delivery| settlement(store, delivery)).collect();
            let mut tx = store.begin(operator, Operation::Deliver).await?;
            settled += tx.outbox_settle(Channel::Webhook, &settlements).await?.len();
            tx.commit().await?;
        }
        Ok(settled)
    };
    let ((), (), settled) = tokio::try_join!(claims, starts, settles)?;
    Ok(count(settled) / began.elapsed().as_secs_f64())
}

fn settlement(store: &Store, delivery: &Claimed) -> Settlement {
    Settlement {
        lease: delivery.lease(),
        next: Next::Delivered,
        attempt: Attempt {
            number: delivery.attempts + 1,
            started_at: store.clock().now(),
            duration: Duration::from_millis(1),
            outcome: "delivered",
            status: Some(200),
            response: Vec::new(),
        },
    }
}
