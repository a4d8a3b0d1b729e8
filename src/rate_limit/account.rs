//! What the limits refuse at one account now, for the page that says why its owner cannot log in, and how it is taken
//! back, for an owner whom strangers keep out.

use super::bucket::LOGINS_TO_ACCOUNT;
use super::codes;
use super::failures::{APP_CODES, RefusedUntil};
use super::limiter::RateLimiter;
use super::login::{CounterIds, names_of};
use crate::model::mail_domain;
use crate::model::time::Time;
use crate::store::{Conn, StoreError, Tx, UserRow};
use std::net::IpAddr;
use uuid::Uuid;

/// A step of a login to an account that a limit refuses now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedLogin {
    pub step: RefusedStep,
    pub until: RefusedUntil,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedStep {
    /// Passwords from all networks that the account does not know.
    FromUnknown,
    From(IpAddr),
    /// From networks that failed and are not among the addresses asked about; of them only hashes are stored.
    FromOthers,
    /// Codes of the authenticator app, from anywhere; recovery codes are accepted.
    AppCode,
}

impl RateLimiter {
    /// Which steps of a login to an account would be refused now. Nothing is counted. The limits of a network for all
    /// accounts together are left out.
    pub async fn refused_logins(
        &self,
        conn: &mut Conn,
        user: &UserRow,
        from: &[IpAddr],
    ) -> Result<Vec<RefusedLogin>, StoreError> {
        let now = self.clock.now();
        let mut refused: Vec<RefusedLogin> = Vec::new();
        if self.enabled {
            let waits = self.passwords_wait(conn, user, from, now).await?.into_iter().filter(|(_, until)| now < *until);
            refused.extend(waits.map(|(step, until)| RefusedLogin { step, until: RefusedUntil::Time(until) }));
        }
        let app = conn.totp_find(user.id).await?.filter(|row| row.confirmed_at.is_some());
        let until = app.and_then(|row| APP_CODES.refused_until((&row).into(), now));
        refused.extend(until.map(|until| RefusedLogin { step: RefusedStep::AppCode, until }));
        Ok(refused)
    }

    /// What a password would wait for: from networks that the account does not know, from each of these addresses, and from
    /// others.
    async fn passwords_wait(
        &self,
        conn: &mut Conn,
        user: &UserRow,
        from: &[IpAddr],
        now: Time,
    ) -> Result<Vec<(RefusedStep, Time)>, StoreError> {
        let refills_at = |row| now + LOGINS_TO_ACCOUNT.take(row, now).err().unwrap_or_default();
        let names = names_of(user);
        let [email_id, username_id] = names.each_ref().map(|name| CounterIds::name_of(&self.key, name));
        let unknown_id = CounterIds::unknown_logins_of(&self.key, user.id);
        let [email, username, unknown_logins] = conn.limits_read([email_id, username_id, unknown_id]).await?;
        let elsewhere = email.at.max(username.at).max(refills_at(unknown_logins));
        let mut waits = vec![(RefusedStep::FromUnknown, elsewhere)];
        let mut shown: Vec<Uuid> = Vec::new();
        for address in from {
            let ids = CounterIds::new(&self.key, *address);
            let [email, username, known, logins] = conn
                .limits_read([
                    ids.name_and_network(&names[0]),
                    ids.name_and_network(&names[1]),
                    ids.known_network(Some(user.id), ""),
                    ids.logins(Some(user.id), ""),
                ])
                .await?;
            let elsewhere = if now < known.at { now } else { elsewhere };
            let until = email.at.max(username.at).max(refills_at(logins)).max(elsewhere);
            waits.push((RefusedStep::From(*address), until));
            shown.extend([email.id, username.id]);
        }
        let rows = conn.limits_at_names([email_id, username_id]).await?;
        let others = rows.iter().filter(|row| !shown.contains(&row.id)).map(|row| row.at).max();
        waits.extend(others.map(|until| (RefusedStep::FromOthers, until)));
        Ok(waits)
    }

    /// Forgets the failures that count against an account: of passwords at both of its names and of each network at them,
    /// of codes of its authenticator app, of codes mailed to its address or typed to confirm; and the count of logins from
    /// unknown networks. What networks and sites count of all accounts together stays: it protects others. Returns
    /// whether anything counted.
    pub async fn forget_failures(&self, tx: &mut Tx, user: &UserRow) -> Result<bool, StoreError> {
        let names = names_of(user).map(|name| CounterIds::name_of(&self.key, &name));
        let unknown_logins = CounterIds::unknown_logins_of(&self.key, user.id);
        let mut counted = tx.limits_delete(names, &[unknown_logins], self.clock.now()).await?;
        counted |= tx.totp_reset_failures(user.id).await?;
        counted |= tx.code_failures_delete(codes::id_of_account(&self.key, user.id)).await?;
        counted |= tx.code_failures_delete(codes::id_of_address(&self.key, &mail_domain::key(&user.email))).await?;
        Ok(counted)
    }
}
