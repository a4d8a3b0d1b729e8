//! `/auth/account/passkeys`: lists, adds, renames and removes passkeys.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, StepUp, WithId};
use super::page_context::PageContext;
use super::paths;
use super::required::not_found;
use super::shared_fields::{NameFields, PasskeyFields};
use crate::domain::change;
use crate::domain::mfa::passkey;
use crate::domain::mfa::passkey::add::{self, AddPasskey, PasskeyName};
use crate::domain::mfa::passkey::registered;
use crate::http::device;
use crate::http::form::{Form, FormErrors, FromAnywhere, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, NewPasskeyPage, PasskeyLine, PasskeyPage, PasskeysPage, RemovePasskeyPage};
use crate::model::ids::PasskeyId;
use crate::model::visible::is_invisible;
use crate::rate_limit::ChangeKind;
use crate::store::PasskeyRow;
use axum::http::StatusCode;

const PATH: &str = paths::PASSKEYS;
const NEW_PATH: &str = "/auth/account/passkeys/new";

pub async fn list(context: PageContext) -> PageResult {
    let live = context.require_login(PATH).await?;
    let by = LoggedIn { context: &context, live: &live };
    let rows = registered::list(&by.app, &by.principal(), by.user()).await?;
    let shell = by.shell(paths::SECURITY, None)?;
    let challenge = if by.recently_proved(&live) {
        add::registration_challenge(&by.app, &by.principal(), by.user(), &shell.csrf).await?
    } else {
        None
    };
    let lines: Vec<PasskeyLine<'_>> = rows.iter().map(passkey_line).collect();
    let notice = by.done_message(&[
        ("added", "passkeys-added"),
        ("renamed", "passkeys-renamed"),
        ("removed", "passkeys-removed"),
    ]);
    let view = PasskeysPage {
        layout: &shell,
        passkeys: &lines,
        supported: passkey::are_supported(&by.app),
        challenge: challenge.as_ref(),
        notice: notice.as_ref(),
    };
    Ok(views::page(StatusCode::OK, &view))
}

pub struct CreatePasskey;

impl ChangeForm for CreatePasskey {
    type Target = OwnAccount;
    type Sent = Submitted<PasskeyFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::Recent;

    fn home(_: &PageContext) -> &str {
        NEW_PATH
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        // A script fills in the fields.
        let shell = by.shell(paths::SECURITY, errors.form_or_other_than(&[]))?;
        let challenge = add::registration_challenge(&by.app, &by.principal(), by.user(), &shell.csrf).await?;
        let Some(challenge) = challenge else { return Ok(by.redirect(Some(PATH))) };
        let view = NewPasskeyPage { layout: &shell, challenge: &challenge };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<PasskeyFields>) -> ChangeResult {
        let name = name_for(by.context, &form.name);
        let change = AddPasskey::verified(&by.app, by.user(), &name, &form.response())?;
        change::run(&by.app, &by.principal(), change).await?;
        Ok(by.redirect(Some("/auth/account/passkeys?done=added")))
    }
}

async fn row(by: LoggedIn<'_>, id: PasskeyId) -> Result<PasskeyRow, PageError> {
    registered::find(&by.app, &by.principal(), by.user(), id).await?.ok_or_else(not_found)
}

pub struct RenamePasskey;

impl ChangeForm for RenamePasskey {
    type Target = WithId<PasskeyId>;
    type Sent = FromAnywhere<NameFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Names);

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, WithId(id): &WithId<PasskeyId>, errors: &FormErrors) -> PageResult {
        let row = row(by, *id).await?;
        let view = PasskeyPage {
            layout: &by.shell(paths::SECURITY, errors.form())?,
            passkey: passkey_line(&row),
            name: errors.field_or("name", &row.name),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, WithId(id): &WithId<PasskeyId>, form: &Form<NameFields>) -> ChangeResult {
        let name = PasskeyName::parse(&form.name)?;
        change::run(&by.app, &by.principal(), registered::RenamePasskey { id: *id, name }).await?;
        Ok(by.redirect(Some("/auth/account/passkeys?done=renamed")))
    }
}

pub struct RemovePasskey;

impl ChangeForm for RemovePasskey {
    type Target = WithId<PasskeyId>;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::Recent;

    async fn page(by: LoggedIn<'_>, WithId(id): &WithId<PasskeyId>, errors: &FormErrors) -> PageResult {
        let row = row(by, *id).await?;
        let view =
            RemovePasskeyPage { layout: &by.shell(paths::SECURITY, errors.form())?, passkey: passkey_line(&row) };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, WithId(id): &WithId<PasskeyId>, _: &Form<NoFields>) -> ChangeResult {
        let providers = by.app.store.providers().await?;
        change::run(&by.app, &by.principal(), registered::RemovePasskey { id: *id, providers }).await?;
        Ok(by.redirect(Some("/auth/account/passkeys?done=removed")))
    }
}

/// What a new passkey is called: by its device, unless a name was given.
fn name_for(context: &PageContext, given: &str) -> String {
    if given.trim().is_empty() {
        let device = device::display_name(context.layout().messages, context.device().user_agent());
        // Messages mark where the direction of writing changes; a name has no such marks.
        return device.chars().filter(|c| !is_invisible(*c)).take(add::MAX_NAME_LEN).collect();
    }
    given.to_owned()
}

fn passkey_line(row: &PasskeyRow) -> PasskeyLine<'_> {
    PasskeyLine {
        id: row.id,
        name: &row.name,
        backed_up: row.backed_up,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}
