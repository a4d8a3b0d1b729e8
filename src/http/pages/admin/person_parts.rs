//! The acts on what belongs to a person: one session, one identity.

use super::act::{Act, ActTarget, ActWords, ReasonFields};
use crate::context::App;
use crate::domain::account::identities::RemoveIdentity;
use crate::domain::change;
use crate::domain::directory::identity::{self, IdentityRecord};
use crate::domain::directory::session::{self, SessionRecord};
use crate::domain::session::active::{EndSessions, Which};
use crate::http::device;
use crate::http::form::Form;
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::ActParent;
use crate::model::ids::{IdentityId, SessionId};
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::UserRow;

pub struct PersonSession {
    user: UserRow,
    session: SessionRecord,
    device: String,
}

impl FormTarget for PersonSession {
    type Ids = (String, String);

    async fn find(by: LoggedIn<'_>, (id, session): Self::Ids) -> Result<Self, PageError> {
        let user = UserRow::find(by, id).await?;
        let session = SessionId(parse_id(&session)?);
        let app = &by.app;
        let mut conn = app.store.read(&by.administrator(), Operation::ListSessions).await?;
        let found = session::find(&mut conn, &app.settings, app.clock.now(), user.id, session).await?;
        let session = found.ok_or_else(not_found)?;
        let device = device::display_name(by.context.layout().messages, &session.user_agent);
        Ok(Self { user, session, device })
    }
}

impl ActTarget for PersonSession {
    fn name(&self) -> Option<&str> {
        Some(&self.device)
    }

    fn page(&self) -> String {
        self.user.page()
    }

    fn parent(&self) -> ActParent<'_> {
        self.user.parent()
    }
}

pub struct EndSession;

impl Act for EndSession {
    type Target = PersonSession;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::EndSessions;
    const WORDS: ActWords =
        ActWords::new("admin-end-session", "admin-end-session-what", "admin-end-session-button").dangerous();

    fn command(PersonSession { user, session, .. }: &PersonSession) -> String {
        format!("doorward user sessions revoke {} {}", user.id, session.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        PersonSession { user, session, .. }: &PersonSession,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, EndSessions { user: user.id, which: Which::One(session.id) }).await?;
        Ok(user.page())
    }
}

/// An account at a provider that logs in to a person's account.
pub struct PersonIdentity {
    user: UserRow,
    identity: IdentityRecord,
}

impl FormTarget for PersonIdentity {
    type Ids = (String, String);

    async fn find(by: LoggedIn<'_>, (id, key): Self::Ids) -> Result<Self, PageError> {
        let user = UserRow::find(by, id).await?;
        let key = IdentityId(parse_id(&key)?);
        let mut conn = by.app.store.read(&by.administrator(), Operation::FindUsers).await?;
        let found = identity::of_user(&mut conn, user.id).await?.into_iter().find(|identity| identity.id == key);
        Ok(Self { user, identity: found.ok_or_else(not_found)? })
    }
}

impl ActTarget for PersonIdentity {
    fn name(&self) -> Option<&str> {
        Some(&self.identity.provider)
    }

    fn page(&self) -> String {
        self.user.page()
    }

    fn parent(&self) -> ActParent<'_> {
        self.user.parent()
    }
}

/// Removes an account at a provider from an account.
pub struct DisconnectIdentity;

impl Act for DisconnectIdentity {
    type Target = PersonIdentity;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::SetIdentities;
    const WORDS: ActWords =
        ActWords::new("admin-remove-identity", "admin-remove-identity-what", "admin-remove-identity-button")
            .dangerous();

    fn command(PersonIdentity { user, identity }: &PersonIdentity) -> String {
        format!("doorward user identities remove {} {}", user.id, identity.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        PersonIdentity { user, identity }: &PersonIdentity,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, RemoveIdentity { user: user.id, id: identity.id }).await?;
        Ok(user.page())
    }
}
