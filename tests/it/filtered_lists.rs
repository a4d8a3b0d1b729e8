//! Lists of the outbox by state and by what each has besides. Each filter has a statement of its own, so all run on both
//! databases.

use crate::harness::{Engine, TestDatabase, begin, read};
use crate::outbox::fixture::{Outbox, seconds};
use doorward::model::ids::MailId;
use doorward::model::list_place::ListPlace;
use doorward::random;
use doorward::store::{DeliveryFilter, DeliveryRow, DeliveryState, MailFilter, MailRow, NewMail, Queue, Result};
use std::fmt::Debug;
use std::time::Duration;

both_engines![deliveries_are_listed_by_state_and_kind, mails_are_listed_by_state_and_recipient];

/// Of each state there are this many, the first half of one kind or recipient.
const OF_STATE: usize = 4;
const HALF: usize = OF_STATE / 2;
const COUNT: usize = OF_STATE * DeliveryState::ALL.len();

/// Gives the rows of the outbox their states, in the order of their ids.
async fn spread(database: &TestDatabase) {
    for (number, state) in DeliveryState::ALL.into_iter().enumerate() {
        let offset = number * OF_STATE;
        let update = format!(
            "UPDATE outbox SET state = '{}', leased_at = due_at, finished_at = due_at \
             WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT {OF_STATE} OFFSET {offset})",
            state.as_str()
        );
        database.execute(&update).await;
    }
}

/// Each state and none, with the first half, and with all.
fn filters() -> impl Iterator<Item = (Option<DeliveryState>, bool)> {
    let states = DeliveryState::ALL.into_iter().map(Some).chain([None]);
    states.flat_map(|state| [(state, true), (state, false)])
}

/// How many rows such a filter finds.
fn expected_count(state: Option<DeliveryState>, is_half: bool) -> usize {
    let of_states = if state.is_some() { OF_STATE } else { COUNT };
    if is_half { of_states / 2 } else { of_states }
}

/// Fails unless pages of two rows each have these rows in this order.
async fn expect_pages<R, T: PartialEq + Debug>(
    page: impl AsyncFn(ListPlace) -> Result<Vec<R>>,
    place: impl Fn(&R) -> ListPlace,
    key: impl Fn(&R) -> T,
    expected: &[T],
    filter: &impl Debug,
) {
    let (mut found, mut after) = (Vec::new(), ListPlace::START);
    loop {
        let rows = page(after).await.unwrap();
        assert!(rows.len() <= 2, "{filter:?}");
        found.extend(rows.iter().map(&key));
        let Some(last) = rows.last() else { break };
        after = place(last);
    }
    assert_eq!(found, expected, "{filter:?}");
}

async fn deliveries_are_listed_by_state_and_kind(engine: Engine) {
    const KIND: &str = "user.updated";
    let outbox = Outbox::new(engine).await;
    outbox.push(COUNT).await;
    spread(&outbox.database).await;
    for number in 0..DeliveryState::ALL.len() {
        let offset = number * OF_STATE;
        let of_kind = format!(
            "UPDATE outbox SET kind = '{KIND}' \
             WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT {HALF} OFFSET {offset})"
        );
        outbox.database.execute(&of_kind).await;
    }
    let list = async |filter: &DeliveryFilter<'_>, after, limit| {
        read(&outbox.store).await.outbox_list(filter, after, limit).await
    };
    let since = Duration::from_mins(30);
    let everything = DeliveryFilter { state: None, kind: None, since };
    let all = list(&everything, ListPlace::START, 100).await.unwrap();
    assert!(all.len() == COUNT && all.is_sorted_by(|one, next| one.id.0 > next.id.0), "{all:?}");
    for (state, of_kind) in filters() {
        let filter = DeliveryFilter { state, kind: of_kind.then_some(KIND), since };
        let fits = |row: &&DeliveryRow| {
            state.is_none_or(|state| row.state == state) && filter.kind.is_none_or(|kind| row.kind == kind)
        };
        let expected: Vec<_> = all.iter().filter(fits).map(|row| row.id).collect();
        assert_eq!(expected.len(), expected_count(state, of_kind), "{filter:?}");
        let page = async |after| list(&filter, after, 2).await;
        expect_pages(page, DeliveryRow::place, |row| row.id, &expected, &filter).await;
    }
    outbox.clock.advance(since + seconds(1));
    for (state, of_kind) in filters() {
        let filter = DeliveryFilter { state, kind: of_kind.then_some(KIND), since };
        assert!(list(&filter, ListPlace::START, 100).await.unwrap().is_empty(), "{filter:?}");
    }
}

async fn mails_are_listed_by_state_and_recipient(engine: Engine) {
    const RECIPIENT: &str = "ada@example.com";
    let outbox = Outbox::new(engine).await;
    for number in 0..COUNT {
        // The times of two transactions differ then.
        outbox.clock.advance(Duration::from_millis(1));
        let now = outbox.clock.now();
        let recipient = if number % OF_STATE < HALF { RECIPIENT } else { "bob@example.com" };
        let mail = NewMail {
            id: MailId(random::uuid_v7(now).unwrap()),
            queue: if number % 2 == 0 { Queue::Mail } else { Queue::Notice },
            kind: "password-changed",
            payload: b"sealed",
            recipient,
            recipient_key: recipient,
            subject: "Your password was changed",
            message_id: "<1@example.com>",
            about: None,
            expires_at: now + Duration::from_hours(1),
        };
        let mut tx = begin(&outbox.store).await;
        tx.mail_push(&mail).await.unwrap();
        tx.commit().await.unwrap();
    }
    spread(&outbox.database).await;
    let list =
        async |filter: &MailFilter<'_>, after, limit| read(&outbox.store).await.mails_list(filter, after, limit).await;
    let everything = MailFilter { state: None, recipient_key: None };
    let all = list(&everything, ListPlace::START, 100).await.unwrap();
    assert!(all.len() == COUNT && all.is_sorted_by(|one, next| one.id.0 > next.id.0), "{all:?}");
    for (state, of_recipient) in filters() {
        let filter = MailFilter { state, recipient_key: of_recipient.then_some(RECIPIENT) };
        let fits = |row: &&MailRow| {
            state.is_none_or(|state| row.state == state) && filter.recipient_key.is_none_or(|to| row.recipient == to)
        };
        let expected: Vec<_> = all.iter().filter(fits).map(|row| row.id).collect();
        assert_eq!(expected.len(), expected_count(state, of_recipient), "{filter:?}");
        let page = async |after| list(&filter, after, 2).await;
        expect_pages(page, MailRow::place, |row| row.id, &expected, &filter).await;
    }
}
