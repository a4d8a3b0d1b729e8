//! `/auth/account/delete`: deletes the account after reauthentication (docs/reference/browser.md 10.8).

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, StepUp};
use super::page_context::PageContext;
use super::password_prompt::PromptFields;
use crate::domain::account::delete;
use crate::domain::change;
use crate::domain::login::prompt::PasswordPrompt;
use crate::http::form::{Form, FormErrors, Submitted};
use crate::http::views::{self, DeleteAccountPage, Link, MessagePage};
use crate::messages::{Key, Message};
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal, Rule};
use axum::http::StatusCode;
use axum::response::Response;

pub struct DeleteAccount;

impl ChangeForm for DeleteAccount {
    type Target = OwnAccount;
    type Sent = Submitted<PromptFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::PasswordInForm;

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        let goes = delete::consequences(&by.app, &by.principal(), by.user()).await?;
        // Known before the password is typed.
        let ownerless = (!goes.ownerless.is_empty()).then(|| delete::last_owner_message(&goes.ownerless, true));
        let view = DeleteAccountPage {
            layout: &by.shell("/auth/account", errors.form().or(ownerless.as_ref()))?,
            account: by.live.view.label().account(),
            deleted: &goes.deleted,
            left: &goes.left,
            has_password: by.has_password(by.live).await?,
            password_error: errors.of("password"),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<PromptFields>) -> ChangeResult {
        by.require_password(form, PasswordPrompt::AccountDeletion).await?;
        match change::run(&by.app, &by.principal(), delete::Delete { user: by.user() }).await {
            Ok(()) | Err(ChangeError::Refused(Refusal::NotFound(_))) => {
                by.clear_session();
                by.replace_csrf()?;
                Ok(deleted_page(by.context))
            }
            Err(ChangeError::Refused(Refusal::Rule(rule @ Rule::LastAdministrator, _))) => {
                Err(Refusal::rule(rule, "account-last-admin").into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn deleted_page(context: &PageContext) -> Response {
    let view = MessagePage {
        layout: context.layout(),
        heading: Key("account-deleted"),
        paragraphs: &[Message::new("account-deleted-what")],
        next: Some(Link { href: "/auth/login", label: Key("error-to-log-in") }),
    };
    views::page(StatusCode::OK, &view)
}
