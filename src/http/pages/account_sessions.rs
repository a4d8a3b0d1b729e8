//! `/auth/account/sessions`: lists and ends sessions.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, WithId};
use super::page_context::PageContext;
use crate::domain::account::overview::recent_token_reuse;
use crate::domain::change;
use crate::domain::directory::session::SessionRecord;
use crate::domain::session::active::{self, ActiveSessions, EndSessions, Which};
use crate::http::device;
use crate::http::form::{Form, FormErrors, NoFields, Submitted};
use crate::http::views::{self, Icon, SessionLine, SessionsPage};
use crate::model::ids::SessionId;
use crate::rate_limit::ChangeKind;

const PATH: &str = "/auth/account/sessions";

/// Ends a session; ending the current one logs out.
pub struct EndSession;

impl ChangeForm for EndSession {
    type Target = WithId<SessionId>;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &WithId<SessionId>, errors: &FormErrors) -> PageResult {
        EndOtherSessions::page(by, &OwnAccount, errors).await
    }

    async fn change(by: LoggedIn<'_>, WithId(session): &WithId<SessionId>, _: &Form<NoFields>) -> ChangeResult {
        let change = EndSessions { user: by.user(), which: Which::One(*session) };
        change::run(&by.app, &by.principal(), change).await?;
        if *session == by.live.id {
            by.clear_session();
            by.replace_csrf()?;
            return Ok(by.redirect(Some("/auth/login")));
        }
        Ok(by.redirect(Some("/auth/account/sessions?done=one")))
    }
}

/// Ends all sessions but the current one.
pub struct EndOtherSessions;

impl ChangeForm for EndOtherSessions {
    type Target = OwnAccount;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        let found = active::list(&by.app, &by.principal(), by.user(), by.live.id).await?;
        let Some(ActiveSessions { current, others }) = found else { return Ok(by.redirect_to_login(PATH)) };
        let stolen_token_at = recent_token_reuse(&by.app, &by.principal(), by.user()).await?;
        let others: Vec<SessionLine> = others.iter().map(|session| session_line(by.context, session)).collect();
        let notice = by.done_message(&[("one", "sessions-ended-one"), ("others", "sessions-ended-others")]);
        let view = SessionsPage {
            layout: &by.shell(PATH, errors.form())?,
            notice: notice.as_ref(),
            stolen_token_at,
            current: session_line(by.context, &current),
            others: &others,
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, _: &Form<NoFields>) -> ChangeResult {
        let change = EndSessions { user: by.user(), which: Which::AllBut(by.live.id) };
        change::run(&by.app, &by.principal(), change).await?;
        Ok(by.redirect(Some("/auth/account/sessions?done=others")))
    }
}

fn session_line(context: &PageContext, row: &SessionRecord) -> SessionLine {
    let messages = context.layout().messages;
    SessionLine {
        id: row.id,
        device: device::display_name(messages, &row.user_agent),
        icon: if device::is_phone(&row.user_agent) { Icon::Phone } else { Icon::Computer },
        place: device::place(messages, &row.address, context.device().address()),
        started_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}
