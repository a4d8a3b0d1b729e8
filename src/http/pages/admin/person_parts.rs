//! The acts on what belongs to a person: one session, one identity.

use super::act::{Act, ActError, ActWords, ReasonFields};
use super::{Administrator, people, person_act};
use crate::context::App;
use crate::domain::account::identities;
use crate::domain::directory::identity::{self, IdentityRecord};
use crate::domain::directory::session::{self, SessionRecord};
use crate::domain::session::active;
use crate::http::device;
use crate::http::form::Form;
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::messages::Key;
use crate::model::ids::{IdentityId, SessionId, UserId};
use crate::model::principal::{Operation, Principal};

/// Ends one session.
pub struct EndSession {
    user: UserId,
    session: SessionRecord,
    device: String,
}

impl Act for EndSession {
    type Ids = (String, String);
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::EndSessions;
    const WORDS: ActWords = ActWords {
        title: Key("admin-end-session"),
        explanation: Key("admin-end-session-what"),
        button: Key("admin-end-session-button"),
        is_dangerous: true,
    };

    async fn find(context: &PageContext, admin: &Administrator, (id, session): Self::Ids) -> Result<Self, PageError> {
        let user = person_act::find(context, admin, &id).await?;
        let session = SessionId(parse_id(&session)?);
        let app = &context.app;
        let mut conn = app.store.read(&admin.principal, Operation::ListSessions).await?;
        let found = session::find(&mut conn, &app.settings, app.clock.now(), user.id, session).await?;
        let session = found.ok_or_else(not_found)?;
        let device = device::display_name(context.layout().messages, &session.user_agent);
        Ok(Self { user: user.id, session, device })
    }

    fn subject(&self) -> Option<&str> {
        Some(&self.device)
    }

    fn page(&self) -> String {
        format!("{}/{}", people::PATH, self.user)
    }

    fn command(&self) -> String {
        format!("doorward user sessions revoke {} {}", self.user, self.session.id)
    }

    async fn carry_out(&self, app: &App, by: &Principal, _: &Form<ReasonFields>) -> Result<String, ActError> {
        active::end(app, by, self.user, self.session.id).await?;
        Ok(self.page())
    }
}

/// Removes an account at a provider from an account.
pub struct DisconnectIdentity {
    user: UserId,
    identity: IdentityRecord,
}

impl Act for DisconnectIdentity {
    type Ids = (String, String);
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::SetIdentities;
    const WORDS: ActWords = ActWords {
        title: Key("admin-remove-identity"),
        explanation: Key("admin-remove-identity-what"),
        button: Key("admin-remove-identity-button"),
        is_dangerous: true,
    };

    async fn find(context: &PageContext, admin: &Administrator, (id, key): Self::Ids) -> Result<Self, PageError> {
        let user = person_act::find(context, admin, &id).await?;
        let key = IdentityId(parse_id(&key)?);
        let mut conn = context.app.store.read(&admin.principal, Operation::FindUsers).await?;
        let found = identity::of_user(&mut conn, user.id).await?.into_iter().find(|identity| identity.id == key);
        Ok(Self { user: user.id, identity: found.ok_or_else(not_found)? })
    }

    fn subject(&self) -> Option<&str> {
        Some(&self.identity.provider)
    }

    fn page(&self) -> String {
        format!("{}/{}", people::PATH, self.user)
    }

    fn command(&self) -> String {
        format!("doorward user identities remove {} {}", self.user, self.identity.id)
    }

    async fn carry_out(&self, app: &App, by: &Principal, _: &Form<ReasonFields>) -> Result<String, ActError> {
        let removed = identities::remove(app, by, self.user, self.identity.id).await?;
        removed.map(|_| self.page()).ok_or(ActError::Gone)
    }
}
