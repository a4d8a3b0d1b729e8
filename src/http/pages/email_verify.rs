//! `/auth/email/verify`: asks a logged-in user, or one who has just signed up, for the code of the verification email
//! (docs/reference/browser.md 10.4).

use super::done::AccountNotice;
use super::page_context::PageContext;
use super::paths;
use super::whose_account::{self, AnswerFields, AskedFor};
use crate::domain::mailed_token::link;
use crate::domain::mailed_token::request::{self, NOTHING_PENDING};
use crate::domain::mailed_token::token::RESEND_INTERVAL;
use crate::domain::mailed_token::token_check::{MailedSecret, VerifyError, VerifyOutcome};
use crate::domain::verification::verify_email::{self, OwnershipEvidence};
use crate::http::form::{FormErrors, FormFields, FromAnywhere, NoFields, ShownTo, Submitted, Typed};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CarriedSecret, LinkOutcome, LinkOutcomePage, VerifyEmailPage};
use crate::http::{pending_verification, return_to, sealed_address};
use crate::messages::{Key, Message};
use crate::model::ids::AccountTokenId;
use crate::model::placeholder_email::is_placeholder;
use crate::model::time::{Time, whole_seconds};
use crate::model::verification::CODE_TTL;
use crate::refusal::{ChangeError, Refusal};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

const PATH: &str = "/auth/email/verify";
static SPENT_CODE: Message = Message::new("verify-code-over");

struct PendingAddress {
    live: Option<LiveSession>,
    email: String,
    /// The token of the last email, if it is still valid.
    token_id: Option<AccountTokenId>,
    sent_at: Option<Time>,
    has_account: bool,
}

impl PendingAddress {
    /// Evidence that this browser created or owns the account.
    fn holder(&self, context: &PageContext, id: AccountTokenId) -> OwnershipEvidence {
        match &self.live {
            Some(live) => OwnershipEvidence::Session(context.principal(live)),
            None => OwnershipEvidence::Browser(id),
        }
    }

    fn shown_to(&self) -> ShownTo {
        match (&self.live, self.token_id) {
            (Some(live), _) => live.into(),
            (None, Some(id)) => ShownTo::Verification(id),
            (None, None) => ShownTo::Anyone,
        }
    }

    /// Whether the code of the last email has expired. The link may work longer.
    fn has_spent_code(&self, now: Time) -> bool {
        self.sent_at.is_some_and(|sent_at| sent_at + CODE_TTL <= now)
    }

    /// Seconds until another email may be requested.
    fn resend_after(&self, now: Time) -> u64 {
        resend_after(self.sent_at, now)
    }
}

/// Seconds until another email may be requested, after one at this time.
pub(super) fn resend_after(sent_at: Option<Time>, now: Time) -> u64 {
    let next = sent_at.map(|sent_at| sent_at + RESEND_INTERVAL).filter(|next| now < *next);
    next.map_or(0, |next| whole_seconds(next.since(now)))
}

/// The form, and the one that brings the code again with an answer.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct VerifyFields {
    code: String,
    #[serde(flatten)]
    answer: AnswerFields,
}

impl FormFields for VerifyFields {
    const SHOWN_AGAIN: &'static [&'static str] = &[];
}

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let pending = find_pending(&context).await?;
    page(&context, &pending, &FormErrors::default())
}

pub async fn submit(context: PageContext, submitted: Submitted<VerifyFields>) -> Result<Response, PageError> {
    let pending = find_pending(&context).await?;
    let form = match submitted.verified(pending.shown_to()) {
        Ok(form) => form,
        Err(errors) => return page(&context, &pending, &errors),
    };
    let Some(id) = pending.token_id else { return page(&context, &pending, &FormErrors::default()) };
    let (client, secret) = (context.client().await?, CarriedSecret::Code(&form.code));
    let (shown_to, answer) = (pending.shown_to(), &form.answer);
    let asked_for = AskedFor { email: &pending.email, secret, answer, shown_to };
    let secret = MailedSecret::Code { id, typed: &form.code, from: context.address };
    match verify_email::verify(&context.app, secret, pending.holder(&context, id), form.answer.answer(), &client).await
    {
        Ok(outcome) => verified_response(&context, pending.live.is_some(), (id, asked_for), outcome),
        Err(error) => match code_error_message(&error) {
            Some(message) => page(&context, &pending, &form.refused_field("code", message)),
            None => verify_error_response(&context, error),
        },
    }
}

/// Sends a new code and a new link.
pub async fn resend(context: PageContext, submitted: FromAnywhere<NoFields>) -> Result<Response, PageError> {
    let pending = find_pending(&context).await?;
    if let Err(errors) = submitted.verified() {
        return page(&context, &pending, &errors);
    }
    let locale = context.language.locale;
    let result = match (&pending.live, pending.token_id) {
        (Some(live), _) => request::resend_to_own(&context.app, &context.principal(live), locale).await,
        (None, Some(id)) => request::resend(&context.app, &context.anonymous(), id, locale).await,
        (None, None) => Err(NOTHING_PENDING.into()),
    };
    resend_response(&context, result, PATH)
}

/// The response after another email was requested on the page at `path`.
pub(super) fn resend_response(
    context: &PageContext,
    result: Result<(), ChangeError>,
    path: &str,
) -> Result<Response, PageError> {
    match result {
        Ok(()) => Ok(context.redirect(Some(&return_to::with_query(path, "notice", "sent")))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(context.redirect(Some(path))),
        Err(error) => Err(error.into()),
    }
}

/// The message beside the code field, if the error concerns the code.
pub(super) fn code_error_message(error: &VerifyError) -> Option<Message> {
    match error {
        VerifyError::WrongCode { remaining } => {
            Some(Message::new("verify-code-wrong").number("left", usize::try_from(*remaining).unwrap_or(0)))
        }
        VerifyError::ReplacedCode => Some(Message::new("verify-code-replaced")),
        VerifyError::CodeInvalidated | VerifyError::CodesRefused => Some(SPENT_CODE.clone()),
        _ => None,
    }
}

/// Whether the message says that the code works no more.
fn is_spent(message: &Message) -> bool {
    *message == SPENT_CODE
}

/// The response to a valid code or link.
pub(super) fn verified_response(
    context: &PageContext,
    logged_in: bool,
    (token_id, asked_for): (AccountTokenId, AskedFor<'_>),
    outcome: VerifyOutcome,
) -> Result<Response, PageError> {
    match outcome {
        VerifyOutcome::Question(account) => {
            // A password that was typed on the page of the link is not asked for again with the answer.
            context.set_pending_verification(token_id);
            whose_account::page(context, context.layout(), asked_for, &account, &FormErrors::default())
        }
        VerifyOutcome::SignedUp { opened, return_to, .. } => {
            context.clear_pending_verification();
            context.set_session_cookies(&opened);
            context.replace_csrf()?;
            let target = return_to.and_then(|target| context.recheck_return_to(&target));
            Ok(context.redirect_done(target.as_deref(), AccountNotice::AddressVerified))
        }
        VerifyOutcome::LoggedIn(opened) => {
            context.clear_pending_verification();
            context.set_session_cookies(&opened);
            context.replace_csrf()?;
            Ok(context.redirect(Some(paths::TWO_FACTOR)))
        }
        VerifyOutcome::Verified { return_to } => {
            context.clear_pending_verification();
            let target = return_to.and_then(|target| context.recheck_return_to(&target));
            if logged_in {
                let target = target.as_deref().unwrap_or(paths::ACCOUNT);
                return Ok(context.redirect_done(Some(target), AccountNotice::AddressVerified));
            }
            let path = sealed_address::append(&context.app, "/auth/login?notice=confirmed", asked_for.email);
            let path = return_to::append(&path, target.as_deref());
            Ok(context.redirect(Some(&path)))
        }
    }
}

/// The response after a failed verification that cannot be retried on the same page.
pub(super) fn verify_error_response(context: &PageContext, error: VerifyError) -> Result<Response, PageError> {
    let (status, outcome) = match error {
        VerifyError::Failed(error) => return Err(error.into()),
        VerifyError::AddressTaken => (StatusCode::CONFLICT, LinkOutcome::AddressTaken),
        VerifyError::InvitationVoid => (StatusCode::FORBIDDEN, LinkOutcome::InvitationVoid),
        VerifyError::NotHolder => (StatusCode::FORBIDDEN, LinkOutcome::OtherAccount),
        VerifyError::Unknown
        | VerifyError::WrongCode { .. }
        | VerifyError::ReplacedCode
        | VerifyError::CodeInvalidated
        | VerifyError::CodesRefused => (StatusCode::NOT_FOUND, LinkOutcome::VerificationLinkInvalid),
    };
    Ok(link_outcome_page(context, status, outcome))
}

/// The page that shows the outcome of a link.
pub(super) fn link_outcome_page(context: &PageContext, status: StatusCode, outcome: LinkOutcome) -> Response {
    let return_to = context.return_to(&Typed::default());
    let view = LinkOutcomePage { layout: context.layout(), outcome, return_to: return_to.as_deref() };
    views::page(status, &view)
}

/// Returns the address that waits for verification; redirects if there is none.
async fn find_pending(context: &PageContext) -> Result<PendingAddress, PageError> {
    if let Some(live) = context.session().await? {
        return pending_of_user(context, live).await;
    }
    let Some(id) = pending_verification::read(&context.app, &context.headers) else {
        return Err(context.redirect_to_login(PATH).into());
    };
    if let Some(row) = link::find(&context.app, &context.anonymous(), id).await? {
        let has_account = row.user_id.is_some();
        let (email, token_id, sent_at) = (row.email, Some(id), Some(row.sent_at));
        return Ok(PendingAddress { live: None, email, token_id, sent_at, has_account });
    }
    context.clear_pending_verification();
    Err(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::VerificationLinkInvalid).into())
}

async fn pending_of_user(context: &PageContext, live: LiveSession) -> Result<PendingAddress, PageError> {
    if is_placeholder(&live.view.email) {
        return Err(context.redirect(Some(paths::ACCOUNT_EMAIL)).into());
    }
    let Some(row) = request::unverified(&context.app, &context.principal(&live), live.view.user_id).await? else {
        return Err(context.redirect(Some("/auth/account")).into());
    };
    let email = live.view.email.to_string();
    let (token_id, sent_at) = (row.as_ref().map(|row| row.id), row.map(|row| row.sent_at));
    Ok(PendingAddress { live: Some(live), email, token_id, sent_at, has_account: true })
}

fn page(context: &PageContext, pending: &PendingAddress, errors: &FormErrors) -> Result<Response, PageError> {
    let view = VerifyEmailPage {
        layout: &context.shell(context.layout().shown_to(pending.shown_to()), errors.form())?,
        email: &pending.email,
        code_sent: pending.token_id.is_some(),
        code_spent: pending.has_spent_code(context.app.clock.now()) || errors.of("code").is_some_and(is_spent),
        resend_after: pending.resend_after(context.app.clock.now()),
        logged_in: pending.live.is_some(),
        has_account: pending.has_account,
        code_error: errors.of("code"),
        notice: context.query.get("notice").filter(|notice| *notice == "sent").map(|_| Key("verify-sent-again")),
    };
    Ok(views::page(errors.status(), &view))
}
