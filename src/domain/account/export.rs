//! The export of everything stored about a user (GDPR, articles 15 and 20): one section for each table, without
//! secrets. A new table that refers to users needs a line in [`Export::read`]; a test detects a missing one.

use crate::context::App;
use crate::domain::change::Change;
use crate::domain::directory::audit::{AuditRecord, as_owner_sees};
use crate::messages::Locale;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{
    AccountTokenRow, AuditRow, Conn, IdentityRow, InvitationRow, KeptUsernameRow, MailFilter, MailRow, MembershipRow,
    OrganizationRow, PasskeyRow, SessionSummary, StoreError, TrustedDeviceRow, Tx, UserDetailsRow, UserRow,
};
use serde_json::{Value, json};

/// Rows per section: more than any user has, to bound the size of the response.
const MAX_ROWS: i64 = 10_000;
const PAGE_SIZE: i64 = 500;

/// What is stored about a user, which is had by running it: that records the export in the audit log.
pub struct Export {
    user: UserId,
    data: Value,
}

impl Export {
    pub async fn read(app: &App, principal: &Principal, user: UserId) -> Result<Self, ChangeError> {
        let mut conn = app.store.read_own(principal, Operation::ExportUser, user).await?;
        let Some(row) = conn.user_find(user).await? else {
            return Err(Refusal::NotFound("user").into());
        };
        // Mail to an address is its owner's data, and only verification shows that the user owns it.
        let (received, mails) = match row.email_verified_at {
            Some(_) => {
                let key = mail_domain::key(&row.email);
                let filter = MailFilter { state: None, recipient_key: Some(&key) };
                let mails = conn.mails_list(&filter, ListPlace::START, MAX_ROWS).await?;
                (conn.invitations_received(&key, MAX_ROWS).await?, mails)
            }
            None => (Vec::new(), Vec::new()),
        };
        let data = json!({
            "exported_at": app.clock.now(),
            "user": account(app, &row, conn.user_details(user).await?),
            "kept_usernames": conn.kept_usernames_of_user(user).await?.iter().map(kept_username).collect::<Vec<_>>(),
            "memberships": conn.memberships_of_user(user).await?.iter().map(membership).collect::<Vec<_>>(),
            "sessions": conn.sessions_latest(user, MAX_ROWS).await?.iter().map(session).collect::<Vec<_>>(),
            "invitations_sent": conn.invitations_sent(user, MAX_ROWS).await?.iter().map(invitation).collect::<Vec<_>>(),
            "invitations_received": received.iter().map(invitation).collect::<Vec<_>>(),
            "invitations_answered":
                conn.invitations_answered(user, MAX_ROWS).await?.iter().map(invitation).collect::<Vec<_>>(),
            "two_factor": two_factor(&mut conn, user).await?,
            "remembered_devices": conn.trusted_devices_of_user(user).await?.iter().map(device).collect::<Vec<_>>(),
            "log_ins_begun": pending_logins(&mut conn, user).await?,
            "mailed_links": conn.account_tokens_of_user(user).await?.iter().map(mailed_link).collect::<Vec<_>>(),
            "mails": mails.iter().map(mail).collect::<Vec<_>>(),
            "organizations_created":
                conn.organizations_created_by(user, MAX_ROWS).await?.iter().map(organization).collect::<Vec<_>>(),
            "identities": conn.identities_of_user(user).await?.iter().map(identity).collect::<Vec<_>>(),
            "passkeys": conn.passkeys_of_user(user).await?.iter().map(passkey).collect::<Vec<_>>(),
            "activity": activity(&mut conn, user).await?,
        });
        Ok(Self { user, data })
    }
}

impl Change for Export {
    const OPERATION: Operation = Operation::ExportUser;
    type Made = Value;

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<Value, ChangeError> {
        tx.require_own(self.user)?;
        tx.record_account(self.user, AccountChange::DataExported).await?;
        Ok(self.data)
    }
}

fn account(app: &App, user: &UserRow, details: Option<UserDetailsRow>) -> Value {
    let metadata = details.as_ref().map(|details| details.metadata.as_str().to_owned());
    json!({
        "id": user.id,
        "email": user.email,
        "email_verified_at": user.email_verified_at,
        "username": user.username,
        "name": user.name,
        "has_password": user.password_hash.is_some(),
        "roles": user.roles.iter().map(|role| app.settings.name.role(role)).collect::<Vec<_>>(),
        "disabled_at": user.disabled_at,
        "created_at": user.created_at,
        "language": user.language.as_ref().map(Locale::tag),
        "external_id": details.and_then(|details| details.external_id),
        // As a text: letter by letter as the application gave it.
        "metadata": metadata,
    })
}

/// A name that was given up, and until when nobody else can have it.
fn kept_username(row: &KeptUsernameRow) -> Value {
    json!({"username": row.username_key, "expires_at": row.expires_at})
}

fn membership(row: &MembershipRow) -> Value {
    json!({
        "organization_id": row.organization_id,
        "organization_name": row.name,
        "organization_kind": row.kind.as_str(),
        "role": row.role.as_str(),
        "created_at": row.created_at,
    })
}

fn session(row: &SessionSummary) -> Value {
    json!({
        "id": row.id,
        "user_agent": row.user_agent,
        "address": row.address,
        "created_at": row.created_at,
        "last_used_at": row.last_used_at,
        "ended_at": row.ended_at,
        "end_reason": row.end_reason,
    })
}

fn invitation(row: &InvitationRow) -> Value {
    json!({
        "id": row.id,
        "organization_id": row.organization_id,
        "email": row.email,
        "role": row.role.as_str(),
        "state": row.state.as_str(),
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "finished_at": row.finished_at,
    })
}

async fn two_factor(conn: &mut Conn, user: UserId) -> Result<Value, StoreError> {
    let Some(row) = conn.totp_find(user).await? else { return Ok(Value::Null) };
    let unused = conn.recovery_codes_unused(user).await?.len();
    Ok(json!({
        "created_at": row.created_at,
        "confirmed_at": row.confirmed_at,
        "wrong_codes": row.failures,
        "last_wrong_code_at": row.failed_at,
        "recovery_codes_left": unused,
    }))
}

fn device(row: &TrustedDeviceRow) -> Value {
    json!({"created_at": row.created_at, "expires_at": row.expires_at})
}

fn passkey(row: &PasskeyRow) -> Value {
    json!({
        "id": row.id,
        "name": row.name,
        "backed_up": row.backed_up,
        "uses": row.counter,
        "created_at": row.created_at,
        "last_used_at": row.last_used_at,
    })
}

fn identity(row: &IdentityRow) -> Value {
    json!({
        "id": row.id,
        "issuer": row.issuer,
        "subject": row.subject,
        "provider": row.provider.as_str(),
        "email": row.email,
        "created_at": row.created_at,
        "last_used_at": row.last_used_at,
    })
}

/// Pending logins, whose second factor is outstanding.
async fn pending_logins(conn: &mut Conn, user: UserId) -> Result<Vec<Value>, StoreError> {
    let pending = conn.pending_logins_of_user(user).await?;
    Ok(pending
        .iter()
        .map(|(created_at, expires_at)| json!({"created_at": created_at, "expires_at": expires_at}))
        .collect())
}

/// What a mailed link or code is for; never the link or the code.
fn mailed_link(row: &AccountTokenRow) -> Value {
    json!({
        "kind": row.kind.as_str(),
        "email": row.email,
        "wrong_codes": row.wrong_codes,
        "return_to": row.return_to,
        "created_at": row.created_at,
        "sent_at": row.sent_at,
        "expires_at": row.expires_at,
    })
}

/// The fields of an email that are kept once it is sent.
fn mail(row: &MailRow) -> Value {
    json!({
        "id": row.id,
        "kind": row.kind,
        "recipient": row.recipient,
        "subject": row.subject,
        "state": row.state.as_str(),
        "created_at": row.created_at,
        "finished_at": row.finished_at,
    })
}

fn organization(row: &OrganizationRow) -> Value {
    json!({"id": row.id, "name": row.name, "kind": row.kind.as_str(), "created_at": row.created_at})
}

async fn activity(conn: &mut Conn, user: UserId) -> Result<Vec<Value>, StoreError> {
    let (mut before, mut entries) = (ListPlace::START, Vec::new());
    loop {
        let page = conn.audit_list_of_user(user, before, PAGE_SIZE).await?;
        let last = page.last().map(AuditRow::place);
        for row in page {
            entries.push(serde_json::to_value(AuditRecord::from(&as_owner_sees(row)))?);
        }
        match last {
            Some(last) if entries.len() < usize::try_from(MAX_ROWS).unwrap_or(usize::MAX) => before = last,
            _ => return Ok(entries),
        }
    }
}
