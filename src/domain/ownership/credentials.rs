//! The end of what someone else may hold of an account ([`ways_in`](super::ways_in) has the list).

use super::ways_in::{self, EndedWays};
use crate::context::App;
use crate::domain::identity::visible_name;
use crate::domain::organization::revoke_pending;
use crate::error::Error;
use crate::model::session::EndReason;
use crate::store::{Tx, UserRow};

/// Hands an account with an unverified address to the user who has just verified it: ends every way in of the account's
/// creator, also links of invitations that they sent, and the display name, which mails to the user would say; marks the
/// address as verified.
pub(in crate::domain) async fn claim_unverified_account(app: &App, tx: &mut Tx, user: &UserRow) -> Result<(), Error> {
    ways_in::end(tx, user.id, EndedWays::All, EndReason::EmailVerified).await?;
    visible_name::set(tx, user, None).await?;
    for membership in tx.memberships_of_user(user.id).await? {
        revoke_pending::revoke_above_role(app, tx, membership.organization_id, user.id, None, None).await?;
    }
    Ok(tx.user_set_email_verified(user.id).await?)
}
