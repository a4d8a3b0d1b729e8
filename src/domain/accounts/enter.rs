//! The browser somebody comes with, and the session that it gets.

use crate::app::App;
use crate::domain::Error;
use crate::domain::ids::{OrganizationId, SessionId};
use crate::domain::organizations::MemberRole;
use crate::domain::sessions::{self, Device, EndReason, Opened};
use crate::store::{Tx, UserRow};

/// The browser somebody comes with.
pub struct Arrival {
    /// What it says of itself, and its address.
    pub device: Device,
    /// The sessions it has, which end when another one opens.
    pub replaces: Vec<SessionId>,
}

/// Opens a session for an account that has nothing but the password that was set in this transaction.
pub(in crate::domain) async fn open(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    organization: (OrganizationId, MemberRole),
    arrival: &Arrival,
) -> Result<Opened, Error> {
    for session in &arrival.replaces {
        tx.session_end(*session, EndReason::Replaced.as_str()).await?;
    }
    sessions::open(app, tx, (user.id, user.roles), organization, &arrival.device).await
}
