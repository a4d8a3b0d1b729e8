//! Issues links and codes; only their hashes are stored.

use crate::context::App;
use crate::crypto::mail_code::MailCode;
use crate::crypto::token_hash::LinkToken;
use crate::domain::identity::identifiers::EmailAddress;
use crate::error::Error;
use crate::messages::Locale;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::verification::AccountTokenKind;
use crate::random;
use crate::store::{AccountTokenRow, Tx};
use std::time::Duration;

/// Minimum time between two emails for the same verification.
pub const RESEND_INTERVAL: Duration = Duration::from_mins(1);
/// A longer one is dropped.
const MAX_RETURN_TO_LEN: usize = 2000;

/// Options of a request that is answered by email.
#[derive(Clone, Copy)]
pub struct IssueOptions<'a> {
    /// Where to redirect afterwards, already validated.
    pub return_to: Option<&'a str>,
    /// The language of the page, and of the email where that of its reader is not known.
    pub locale: Locale,
}

/// A link token and a code in plain text, available only when they are issued.
pub(in crate::domain) struct IssuedToken {
    pub(in crate::domain) row: AccountTokenRow,
    pub(in crate::domain) token: LinkToken,
    pub(in crate::domain) code: MailCode,
    hash: [u8; 32],
}

pub(in crate::domain) fn draft(
    app: &App,
    kind: AccountTokenKind,
    user: Option<UserId>,
    email: &EmailAddress,
    return_to: Option<&str>,
) -> Result<AccountTokenRow, Error> {
    let now = app.clock.now();
    Ok(AccountTokenRow {
        id: AccountTokenId(random::uuid_v7(now)?),
        kind,
        user_id: user,
        email: email.as_str().to_owned(),
        email_key: email.key(),
        code_hash: None,
        wrong_codes: 0,
        sent_at: now,
        created_at: now,
        expires_at: now,
        return_to: return_to.filter(|target| target.len() <= MAX_RETURN_TO_LEN).map(str::to_owned),
        username: None,
        password_hash: None,
        invitation_id: None,
        language: None,
    })
}

impl IssuedToken {
    /// Generates a new link and a new code for a row.
    pub(in crate::domain) fn issue(app: &App, row: AccountTokenRow) -> Result<Self, Error> {
        let ttl = row.kind.link_ttl();
        Self::issue_for(app, row, ttl)
    }

    /// As [`issue`](Self::issue), with a lifetime of its own.
    pub(in crate::domain) fn issue_for(app: &App, mut row: AccountTokenRow, ttl: Duration) -> Result<Self, Error> {
        let (token, code) = (LinkToken::generate()?, MailCode::generate()?);
        let now = app.clock.now();
        row.wrong_codes = 0;
        row.sent_at = now;
        row.expires_at = now + ttl;
        let replaced = row.code_hash.as_deref();
        row.code_hash = row.kind.has_code().then(|| app.secret_keys.hash_mail_code(row.id.0, &code, replaced));
        let hash = app.secret_keys.hash_token(row.kind.purpose(), token.text());
        Ok(Self { row, token, code, hash })
    }

    /// Stores a new row. Returns `false` if the account does not exist.
    pub(in crate::domain) async fn store(&self, tx: &mut Tx) -> Result<bool, Error> {
        Ok(tx.account_token_create(&self.row, &self.hash).await?)
    }

    /// Replaces the link and code that were mailed before.
    pub(in crate::domain) async fn replace(&self, tx: &mut Tx) -> Result<(), Error> {
        Ok(tx.account_token_renew(&self.row, &self.hash).await?)
    }
}
