//! Whether somebody has the second factor; and how often they may be wrong about it.
//!
//! A code of six digits can be guessed: of three that hold at a time, one try in 333,333 hits. So wrong codes of an
//! account are counted in the database, whatever browser they come from: ten are free, then each waits longer, up to an
//! hour, and after a hundred in a row the app's codes are not taken any more (NIST SP 800-63B-4, 3.2.2). All guesses
//! together hit once in 3,333 accounts whose password is known. Recovery codes cannot be guessed, so they stay open to
//! the owner all the while.

use super::{recovery_codes, totp};
use crate::context::App;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::time::Time;
use crate::store::{TotpRow, Tx};
use std::time::Duration;

/// Wrong codes in a row that cost no waiting.
const FREE: i64 = 10;
/// Wrong codes in a row after which no code is taken.
const MOST: i64 = 100;
const FIRST_WAIT: Duration = Duration::from_secs(30);
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// What somebody offers as the second factor.
#[derive(Clone, Copy)]
pub enum Proof<'a> {
    /// A code of the authenticator app.
    Code(&'a str),
    /// A recovery code.
    RecoveryCode(&'a str),
}

/// What a proof is worth.
pub(in crate::domain) enum Worth {
    /// It is right, and used up.
    Right,
    /// It is wrong; the transaction counts that, so it is to be committed.
    Wrong,
    /// Too many were wrong: not looked at.
    Wait(Duration),
    /// Far too many were wrong: not looked at.
    Refused,
}

/// Judges a proof of a user whom the transaction has locked.
pub(in crate::domain) async fn judge(app: &App, tx: &mut Tx, user: UserId, proof: Proof<'_>) -> Result<Worth, Error> {
    let Some(row) = tx.totp_find(user).await?.filter(|row| row.confirmed_at.is_some()) else {
        return Ok(Worth::Wrong);
    };
    match proof {
        Proof::RecoveryCode(typed) => {
            if !recovery_codes::accept(app, tx, user, typed).await? {
                return Ok(Worth::Wrong);
            }
            tx.totp_forgive(user).await?;
            Ok(Worth::Right)
        }
        Proof::Code(_) if row.failures >= MOST => Ok(Worth::Refused),
        Proof::Code(code) => match wait(&row, app.clock.now()) {
            Some(wait) => Ok(Worth::Wait(wait)),
            None if totp::accept(app, tx, &row, code).await? => Ok(Worth::Right),
            None => {
                tx.totp_count_failure(user).await?;
                Ok(Worth::Wrong)
            }
        },
    }
}

/// How long the next code has to wait.
fn wait(row: &TotpRow, now: Time) -> Option<Duration> {
    let failed_at = row.failed_at?;
    let doublings = u32::try_from(row.failures - FREE).ok()?;
    let pause = FIRST_WAIT.saturating_mul(1_u32.checked_shl(doublings).unwrap_or(u32::MAX)).min(LONGEST_WAIT);
    let left = pause.saturating_sub(now.since(failed_at));
    (!left.is_zero()).then_some(left)
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
