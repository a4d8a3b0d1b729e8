//! The ways into an account, one list: whatever ends "every earlier way in" walks it, so that a new one cannot be left
//! out. `tests/it/ways_in.rs` finds a table with a user's id that is neither in it nor exempt for a reason.
//!
//! API keys are no way into an account: operators make them, and none belongs to a user.

use crate::model::ids::UserId;
use crate::model::names::listed;
use crate::model::session::EndReason;
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use crate::store::{StoreError, Tx};

listed! {
    /// A way into an account, or a part of one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum WayIn {
        Password,
        Passkeys,
        /// Authenticator apps, also one that was lost with the secret key.
        AuthenticatorApps,
        RecoveryCodes,
        TrustedDevices,
        /// Logins that wait for their second factor.
        PendingLogins,
        Identities,
        MailedLinks,
        Sessions,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::domain) enum EndedWays {
    /// All that there are: none is the person's own.
    All,
    /// The password, which a thief may know, sessions, and what was added at this time or later. An earlier second factor
    /// stays: control of the mailbox alone must not remove it.
    Since(Time),
}

impl WayIn {
    pub const fn tables(self) -> &'static [&'static str] {
        match self {
            WayIn::Password => &["users"],
            WayIn::Passkeys => &["passkeys"],
            WayIn::AuthenticatorApps => &["totp", "lost_factors"],
            WayIn::RecoveryCodes => &["recovery_codes"],
            WayIn::TrustedDevices => &["remembered_devices"],
            WayIn::PendingLogins => &["half_log_ins"],
            WayIn::Identities => &["identities"],
            WayIn::MailedLinks => &["account_tokens"],
            WayIn::Sessions => &["sessions"],
        }
    }
}

/// Ends the ways into an account that this transaction has locked.
pub(in crate::domain) async fn end(
    tx: &mut Tx,
    user: UserId,
    ended: EndedWays,
    reason: EndReason,
) -> Result<(), StoreError> {
    let takes_factors = match ended {
        EndedWays::All => true,
        EndedWays::Since(since) => {
            let totp = tx.totp_find(user).await?;
            totp.is_some_and(|totp| totp.confirmed_at.is_none_or(|at| since <= at))
        }
    };
    for way in WayIn::ALL {
        match (way, ended) {
            (WayIn::Password, _) => tx.user_clear_password(user).await?,
            (WayIn::Passkeys, EndedWays::All) => {
                tx.passkeys_delete_of_user(user).await?;
            }
            (WayIn::Passkeys, EndedWays::Since(since)) => {
                tx.passkeys_delete_since(user, since).await?;
            }
            (WayIn::Identities, EndedWays::All) => {
                tx.identities_delete_of_user(user, Time::from_micros(0)).await?;
            }
            (WayIn::Identities, EndedWays::Since(since)) => {
                tx.identities_delete_of_user(user, since).await?;
            }
            (WayIn::MailedLinks, _) => end_links(tx, user, ended).await?,
            (WayIn::Sessions, _) => {
                tx.sessions_end_of_user(user, reason.as_str()).await?;
            }
            (WayIn::PendingLogins, _) => tx.pending_logins_delete_of_user(user).await?,
            (WayIn::AuthenticatorApps, _) if takes_factors => {
                tx.totp_delete(user).await?;
                tx.lost_factor_delete(user).await?;
            }
            (WayIn::RecoveryCodes, _) if takes_factors => tx.recovery_codes_delete(user).await?,
            (WayIn::TrustedDevices, _) if takes_factors => {
                tx.trusted_devices_delete_of_user(user).await?;
            }
            (WayIn::AuthenticatorApps | WayIn::RecoveryCodes | WayIn::TrustedDevices, _) => {}
        }
    }
    Ok(())
}

/// A link that undoes a change of the address is the owner's against a thief: who undoes one says which others end.
async fn end_links(tx: &mut Tx, user: UserId, ended: EndedWays) -> Result<(), StoreError> {
    for kind in [
        AccountTokenKind::EmailChange,
        AccountTokenKind::PasswordReset,
        AccountTokenKind::Verification,
        AccountTokenKind::Confirmation,
    ] {
        tx.account_tokens_delete_of_user(user, kind).await?;
    }
    if ended == EndedWays::All {
        tx.account_tokens_delete_of_user(user, AccountTokenKind::EmailUndo).await?;
    }
    Ok(())
}
