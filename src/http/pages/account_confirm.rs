//! `/auth/account/confirm`: reauthentication (step-up) before security settings change (OWASP ASVS 5.0, 7.5.1).

use super::email_verify;
use super::page_context::PageContext;
use super::password_prompt::PromptFields;
use super::paths;
use super::shared_fields::PasskeyFields;
use crate::domain::account::reauthentication::{
    Reauthentication, ReauthenticationError, confirm, mailed_code, send_mailed_code,
};
use crate::domain::login::prompt::WRONG_PASSWORD;
use crate::domain::mailed_token::own_code::OwnCode;
use crate::domain::mailed_token::token_check::VerifyError;
use crate::domain::mfa::code::SecondFactor;
use crate::domain::mfa::passkey::reauthentication::reauthentication_challenge;
use crate::domain::mfa::status::two_factor;
use crate::http::form::{Form, FormErrors, FormFields, FromAnywhere, NoFields, Typed};
use crate::http::page_error::PageError;
use crate::http::return_to;
use crate::http::session::LiveSession;
use crate::http::views::{self, ConfirmPage, MailedCodeField, Problem, USED_CODE};
use crate::messages::Message;
use crate::model::login_way::LoginWay;
use crate::rate_limit::RateLimit;
use axum::response::Response;
use serde::Deserialize;
use std::time::Duration;

const PATH: &str = paths::CONFIRM;
const ACCOUNT: &str = paths::ACCOUNT;
static NOT_ASKED_FOR: Message = Message::new("confirm-not-asked-for");

impl PageContext {
    /// A field for a code that is mailed in place of a password.
    pub(super) fn mailed_code_field<'a>(&self, code: &'a OwnCode, error: Option<&'a Message>) -> MailedCodeField<'a> {
        MailedCodeField {
            email: &code.email,
            is_sent: code.sent_at.is_some(),
            resend_after: email_verify::resend_after(code.sent_at, self.app.clock.now()),
            error,
        }
    }
}

/// What an application asks for (docs/reference/gate.md 17), in the query of the page and of its forms.
struct Demand {
    max_age: Option<Duration>,
    mfa: bool,
}

impl Demand {
    fn of(context: &PageContext) -> Self {
        let max_age = context.query.get("max_age").and_then(|seconds| seconds.parse().ok());
        Self { max_age: max_age.map(Duration::from_secs), mfa: context.query.get("mfa") == Some("1") }
    }

    /// Without a demand, as for changes of what protects the account.
    fn is_met(&self, context: &PageContext, live: &LiveSession) -> bool {
        let now = context.app.clock.now();
        match (self.max_age, self.mfa) {
            (None, false) => context.recently_proved(live),
            (None, true) => live.view.methods.has_second_factor(),
            (Some(age), mfa) => live.view.is_proved_within(age, now) && (!mfa || live.view.methods.has_second_factor()),
        }
    }

    /// Whether the page asks for the second factor. It says nothing of the time, so that the rest is asked for after it.
    fn asks_for_factor(&self, live: &LiveSession) -> bool {
        self.mfa && (self.max_age.is_none() || !live.view.methods.has_second_factor())
    }

    /// The page, with the same demand.
    fn page(&self, return_to: Option<&str>) -> String {
        return_to::append(&format!("{PATH}{}", self.query()), return_to)
    }

    fn query(&self) -> String {
        let max_age = self.max_age.map(|age| format!("max_age={}", age.as_secs()));
        let mfa = self.mfa.then(|| "mfa=1".to_owned());
        let query: Vec<_> = max_age.into_iter().chain(mfa).collect();
        if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) }
    }
}

/// The form for a code, which asks for one of the three.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ConfirmCodeFields {
    code: String,
    recovery_code: Option<String>,
    mailed_code: Option<String>,
}

impl FormFields for ConfirmCodeFields {
    const SHOWN_AGAIN: &'static [&'static str] = &[];
}

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let errors = FormErrors::default();
    // A login counts as reauthentication: return straight to the target.
    let target = context.return_to(errors.typed()).unwrap_or_else(|| ACCOUNT.to_owned());
    let live = context.require_login(&target).await?;
    if Demand::of(&context).is_met(&context, &live) {
        return Ok(redirect_back(&context, errors.typed()));
    }
    page(&context, &live, &errors).await
}

pub async fn submit(context: PageContext, submitted: FromAnywhere<PromptFields>) -> Result<Response, PageError> {
    let live = context.require_login(ACCOUNT).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.begin_password_attempt(&live).await?;
    let credential = Reauthentication::Password(form.password.clone());
    let outcome = reauthenticate(&context, &live, credential).await;
    if outcome.is_ok() {
        context.password_attempt_succeeded(live.view.user_id).await;
    }
    respond(&context, &live, outcome, form.again(), form.refused_field("password", WRONG_PASSWORD.clone())).await
}

pub async fn submit_passkey(
    context: PageContext,
    submitted: FromAnywhere<PasskeyFields>,
) -> Result<Response, PageError> {
    let live = context.require_login(ACCOUNT).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.check_rate_limit(RateLimit::PasskeyFrom(context.address)).await?;
    let credential = Reauthentication::Passkey(form.response());
    let outcome = reauthenticate(&context, &live, credential).await;
    respond(&context, &live, outcome, form.again(), form.refused(Message::new("confirm-passkey-wrong"))).await
}

pub async fn submit_code(
    context: PageContext,
    submitted: FromAnywhere<ConfirmCodeFields>,
) -> Result<Response, PageError> {
    let live = context.require_login(ACCOUNT).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    if let Some(typed) = &form.mailed_code {
        let credential = Reauthentication::MailedCode(typed);
        let outcome = reauthenticate(&context, &live, credential).await;
        let wrong = match &outcome {
            Err(ReauthenticationError::MailedCode(error)) => refused_own_code(&form, "mailed_code", error),
            // It has other means, and no field.
            _ => form.refused(NOT_ASKED_FOR.clone()),
        };
        return respond(&context, &live, outcome, form.again(), wrong).await;
    }
    // A second factor proves nobody, so it is taken only where one is asked for.
    if !Demand::of(&context).mfa {
        return page(&context, &live, &form.refused(NOT_ASKED_FOR.clone())).await;
    }
    let recovery_code = form.recovery_code.as_deref().filter(|code| !code.trim().is_empty());
    let factor = recovery_code.map_or(SecondFactor::Code(&form.code), SecondFactor::RecoveryCode);
    let wrong = match factor {
        SecondFactor::Code(_) => form.refused_field("code", Message::new("second-factor-wrong-code")),
        SecondFactor::RecoveryCode(_) => {
            form.refused_field("recovery_code", Message::new("second-factor-wrong-recovery-code"))
        }
    };
    let credential = Reauthentication::Code(factor);
    let outcome = reauthenticate(&context, &live, credential).await;
    respond(&context, &live, outcome, form.again(), wrong).await
}

/// Emails a code to someone who has neither password nor passkey.
pub async fn send_code(context: PageContext, submitted: FromAnywhere<NoFields>) -> Result<Response, PageError> {
    let live = context.require_login(ACCOUNT).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    let own = (live.view.user_id, live.id);
    let sent = send_mailed_code(&context.app, &context.person(&live), own, context.language.locale).await;
    let page = Demand::of(&context).page(context.return_to(form.typed()).as_deref());
    email_verify::resend_response(&context, sent, &page)
}

/// The form again after a code that stands for a password, whose email has no link. The field is there only while a code
/// waits.
pub(super) fn refused_own_code<T>(form: &Form<T>, field: &'static str, error: &VerifyError) -> FormErrors {
    match error {
        VerifyError::WrongCode { remaining } => {
            let left = usize::try_from(*remaining).unwrap_or(0);
            form.refused_field(field, Message::new("own-code-wrong").number("left", left))
        }
        VerifyError::ReplacedCode => form.refused_field(field, Message::new("verify-code-replaced")),
        VerifyError::CodeInvalidated => form.refused(Message::new("own-code-over")),
        VerifyError::CodesRefused => form.refused(Message::new("own-codes-refused")),
        _ => form.again(),
    }
}

async fn reauthenticate(
    context: &PageContext,
    live: &LiveSession,
    credential: Reauthentication<'_>,
) -> Result<(), ReauthenticationError> {
    let own = (live.view.user_id, live.id);
    let way = match &credential {
        Reauthentication::Password(_) => Some(LoginWay::Password),
        Reauthentication::Passkey(_) => Some(LoginWay::Passkey),
        Reauthentication::MailedCode(_) | Reauthentication::Code(_) => None,
    };
    confirm(&context.app, &context.person(live), own, credential, &context.device()).await?;
    context.set_last_used(way, live.view.user_id);
    Ok(())
}

/// The response to an outcome; `wrong` is what the page says of a wrong credential.
async fn respond(
    context: &PageContext,
    live: &LiveSession,
    outcome: Result<(), ReauthenticationError>,
    again: FormErrors,
    wrong: FormErrors,
) -> Result<Response, PageError> {
    match outcome {
        Ok(()) => Ok(go_on(context, again.typed())),
        Err(ReauthenticationError::SessionEnded) => Ok(context.redirect_to_login(ACCOUNT)),
        Err(ReauthenticationError::Failed(error) | ReauthenticationError::MailedCode(VerifyError::Failed(error))) => {
            Err(error.into())
        }
        Err(ReauthenticationError::Wrong | ReauthenticationError::MailedCode(_)) => page(context, live, &wrong).await,
        Err(ReauthenticationError::Used) => page(context, live, &again.and_field("code", USED_CODE.clone())).await,
        Err(ReauthenticationError::Throttled(retry_after)) => Err(Problem::TooManyRequests { retry_after }.into()),
        Err(ReauthenticationError::LockedOut) => {
            page(context, live, &again.and_form(Message::new("confirm-codes-refused"))).await
        }
        Err(ReauthenticationError::Void) => page(context, live, &again.and_form(Message::new("passkey-void"))).await,
    }
}

/// Of a demand of two parts, the page itself says whether one is left.
fn go_on(context: &PageContext, typed: &Typed) -> Response {
    let demand = Demand::of(context);
    if demand.mfa && demand.max_age.is_some() {
        return context.redirect(Some(&demand.page(context.return_to(typed).as_deref())));
    }
    redirect_back(context, typed)
}

fn redirect_back(context: &PageContext, typed: &Typed) -> Response {
    let target = context.return_to(typed);
    context.redirect(Some(target.as_deref().unwrap_or(ACCOUNT)))
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let return_to = context.return_to(errors.typed());
    let passkey = reauthentication_challenge(&context.app, &context.person(live), live.view.user_id, &csrf).await?;
    let demand = Demand::of(context);
    let has_password = context.has_password(live).await?;
    let has_app = two_factor(&context.app, &context.person(live), live.view.user_id).await?.is_some();
    // Most people have one of the two, and need not be looked up again.
    let mailed_code = match (has_password, &passkey) {
        (false, None) => mailed_code(&context.app, &context.person(live), (live.view.user_id, live.id)).await?,
        _ => None,
    };
    let mailed_code = mailed_code.as_ref().map(|code| context.mailed_code_field(code, errors.of("mailed_code")));
    let view = ConfirmPage {
        layout: context.layout(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        username: live.view.person().account(),
        query: &demand.query(),
        asks_for_factor: demand.asks_for_factor(live),
        has_app,
        has_password,
        passkey: passkey.as_ref(),
        mailed_code,
        code_error: errors.of("code"),
        recovery_code_error: errors.of("recovery_code"),
        password_error: errors.of("password"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
