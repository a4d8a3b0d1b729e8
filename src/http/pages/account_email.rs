//! `/auth/account/email`: changes the email address (docs/reference/browser.md 10.6).

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, StepUp};
use super::email_verify::{code_error_message, resend_after, resend_response, verify_error_response};
use super::page_context::PageContext;
use super::paths;
use super::shared_fields::{AddressFields, CodeFields};
use crate::domain::change;
use crate::domain::mailed_token::request::{self, NOTHING_PENDING};
use crate::domain::mailed_token::token_check::MailedSecret;
use crate::domain::verification::email_change::{self, BeginEmailChange, CancelEmailChange};
use crate::http::form::{Form, FormErrors, NoFields, Submitted, Typed};
use crate::http::views::{self, AccountEmailPage, CurrentAddress, PendingEmail};
use crate::messages::Key;
use crate::model::placeholder_email::is_placeholder;
use crate::rate_limit::{ChangeKind, RateLimit};
use crate::refusal::{ChangeError, Refusal};

const PATH: &str = paths::ACCOUNT_EMAIL;

/// Asks for another address, which is verified before the account has it.
pub struct ChangeEmail;

impl ChangeForm for ChangeEmail {
    type Target = OwnAccount;
    type Sent = Submitted<AddressFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::RecentOrNewLogin;

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<AddressFields>) -> ChangeResult {
        by.check_rate_limit(RateLimit::MailFrom(by.address)).await?;
        let (user, locale) = (by.user(), by.language.locale);
        let change = BeginEmailChange::prepare(&by.app, user, &form.email, locale).await?;
        match change::run(&by.app, &by.principal(), change).await {
            Ok(()) => Ok(by.redirect(Some(PATH))),
            Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(by.redirect_to_login(PATH)),
            Err(error) => Err(error.into()),
        }
    }
}

/// Verifies the new address with the code.
pub struct ConfirmNewEmail;

impl ChangeForm for ConfirmNewEmail {
    type Target = OwnAccount;
    type Sent = Submitted<CodeFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<CodeFields>) -> ChangeResult {
        let (user, principal) = (by.user(), by.principal());
        let Some(pending) = email_change::pending_email_change(&by.app, &principal, user).await? else {
            return Ok(by.redirect(Some(PATH)));
        };
        let secret = MailedSecret::Code { id: pending.id, typed: &form.code, from: by.address };
        match email_change::confirm_email_change(&by.app, secret, user, &principal).await {
            Ok(()) => Ok(by.redirect(Some("/auth/account/email?notice=changed"))),
            Err(error) => match code_error_message(&error) {
                Some(message) => Err(Refusal::field("code", message).into()),
                None => Ok(verify_error_response(by.context, error)?),
            },
        }
    }
}

/// Sends a new code and a new link to the new address.
pub struct ResendToNewEmail;

impl ChangeForm for ResendToNewEmail {
    type Target = OwnAccount;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, _: &Form<NoFields>) -> ChangeResult {
        let principal = by.principal();
        let result = match email_change::pending_email_change(&by.app, &principal, by.user()).await? {
            Some(row) => request::resend(&by.app, &principal, row.id, by.language.locale).await,
            None => Err(NOTHING_PENDING.into()),
        };
        Ok(resend_response(by.context, result, PATH)?)
    }
}

pub struct CancelNewEmail;

impl ChangeForm for CancelNewEmail {
    type Target = OwnAccount;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, _: &Form<NoFields>) -> ChangeResult {
        change::run(&by.app, &by.principal(), CancelEmailChange { user: by.user() }).await?;
        Ok(by.redirect(Some(PATH)))
    }
}

/// The address and a pending change.
async fn page(by: LoggedIn<'_>, errors: &FormErrors) -> PageResult {
    let email = &*by.live.view.email;
    let verified = request::unverified(&by.app, &by.principal(), by.user()).await?.is_none();
    let pending = email_change::pending_email_change(&by.app, &by.principal(), by.user()).await?;
    let return_to = by.return_to(&Typed::default());
    let address = match verified {
        _ if is_placeholder(email) => CurrentAddress::Missing {
            continue_to: return_to.as_deref().unwrap_or(&by.app.settings.server.default_return_to),
        },
        true => CurrentAddress::Verified(email),
        false => CurrentAddress::Unverified(email),
    };
    let code_error = errors.of("code");
    let now = by.app.clock.now();
    let pending = pending.as_ref().map(|row| PendingEmail {
        email: &row.email,
        resend_after: resend_after(Some(row.sent_at), now),
        code_error,
    });
    let view = AccountEmailPage {
        layout: &by.shell("/auth/account", errors.form())?,
        address,
        pending,
        new_email: errors.field("email"),
        notice: by.query.get("notice").and_then(notice),
    };
    Ok(views::page(errors.status(), &view))
}

fn notice(name: &str) -> Option<Key> {
    match name {
        "changed" => Some(Key("account-email-changed")),
        "sent" => Some(Key("verify-sent-again")),
        _ => None,
    }
}
