//! Reads and transactions of the operator, for what no use case does.

use doorward::model::change::{AccountChange, Change};
use doorward::model::ids::UserId;
use doorward::model::principal::{Operation, Principal};
use doorward::store::{Conn, Queue, Store, Tx};

const EVERYTHING: Operation = Operation::ManageInstance;

pub async fn read(store: &Store) -> Conn {
    store.read(&Principal::operator(), EVERYTHING).await.unwrap()
}

pub async fn begin(store: &Store) -> Tx {
    store.begin(&Principal::operator(), EVERYTHING).await.unwrap()
}

/// A transaction of at most one changing statement.
pub async fn begin_autocommit(store: &Store) -> Tx {
    store.begin_autocommit(&Principal::operator(), EVERYTHING).await.unwrap()
}

pub async fn begin_claim(store: &Store, queue: Queue) -> Tx {
    store.begin_claim(&Principal::operator(), EVERYTHING, queue).await.unwrap()
}

/// Puts the event of a new account into the outbox, without the account and its entry in the audit log.
pub async fn push_event(tx: &mut Tx, user: UserId) {
    tx.record_all(&[Change::Account(user, AccountChange::Created)]).await.unwrap();
}
