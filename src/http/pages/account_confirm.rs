//! `/auth/account/confirm`: reauthentication (step-up) before security settings change (OWASP ASVS 5.0, 7.5.1).

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, NotDone, OwnAccount, PageResult};
use super::email_verify;
use super::page_context::PageContext;
use super::password_prompt::PromptFields;
use super::paths;
use super::shared_fields::PasskeyFields;
use crate::domain::account::reauthentication::{
    Reauthentication, ReauthenticationError, SendMailedCode, confirm, mailed_code,
};
use crate::domain::change;
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
use crate::http::views::{self, ConfirmPage, MailedCodeField, USED_CODE};
use crate::messages::Message;
use crate::model::login_way::LoginWay;
use crate::rate_limit::{ChangeKind, RateLimit, RefusedUntil};
use crate::refusal::{Refusal, Rule};
use axum::response::Response;
use serde::Deserialize;
use std::time::Duration;

const PATH: &str = paths::CONFIRM;
const ACCOUNT: &str = paths::ACCOUNT;
const NOT_ASKED_FOR: Refusal = Refusal::rule(Rule::Conflict, "confirm-not-asked-for");

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

pub async fn show(context: PageContext) -> PageResult {
    let errors = FormErrors::default();
    // A login counts as reauthentication: return straight to the target.
    let target = context.return_to(errors.typed()).unwrap_or_else(|| ACCOUNT.to_owned());
    let live = context.require_login(&target).await?;
    if Demand::of(&context).is_met(&context, &live) {
        return Ok(redirect_back(&context, errors.typed()));
    }
    page(LoggedIn { context: &context, live: &live }, &errors).await
}

pub struct ConfirmByPassword;

impl ChangeForm for ConfirmByPassword {
    type Target = OwnAccount;
    type Sent = FromAnywhere<PromptFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        ACCOUNT
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<PromptFields>) -> ChangeResult {
        by.begin_password_attempt(by.live).await?;
        let wrong = Refusal::field("password", WRONG_PASSWORD.clone());
        reauthenticate(by, Reauthentication::Password(form.password.clone()), wrong).await?;
        by.password_attempt_succeeded(by.user()).await;
        Ok(go_on(by.context, form.typed()))
    }
}

pub struct ConfirmByPasskey;

impl ChangeForm for ConfirmByPasskey {
    type Target = OwnAccount;
    type Sent = FromAnywhere<PasskeyFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        ACCOUNT
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<PasskeyFields>) -> ChangeResult {
        by.check_rate_limit(RateLimit::PasskeyFrom(by.address)).await?;
        let wrong = Refusal::rule(Rule::Conflict, "confirm-passkey-wrong");
        reauthenticate(by, Reauthentication::Passkey(form.response()), wrong).await?;
        Ok(go_on(by.context, form.typed()))
    }
}

pub struct ConfirmByCode;

impl ChangeForm for ConfirmByCode {
    type Target = OwnAccount;
    type Sent = FromAnywhere<ConfirmCodeFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        ACCOUNT
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<ConfirmCodeFields>) -> ChangeResult {
        let recovery_code = form.recovery_code.as_deref().filter(|code| !code.trim().is_empty());
        let (credential, wrong) = match (&form.mailed_code, recovery_code) {
            // Wrong is one of an account that has other means, and no field.
            (Some(code), _) => (Reauthentication::MailedCode(code), NOT_ASKED_FOR),
            // A second factor proves nobody, so it is taken only where one is asked for.
            _ if !Demand::of(by.context).mfa => return Err(NOT_ASKED_FOR.into()),
            (None, Some(code)) => {
                let wrong = Refusal::field("recovery_code", Message::new("second-factor-wrong-recovery-code"));
                (Reauthentication::Code(SecondFactor::RecoveryCode(code)), wrong)
            }
            (None, None) => {
                let wrong = Refusal::field("code", Message::new("second-factor-wrong-code"));
                (Reauthentication::Code(SecondFactor::Code(&form.code)), wrong)
            }
        };
        reauthenticate(by, credential, wrong).await?;
        Ok(go_on(by.context, form.typed()))
    }
}

/// Emails a code to someone who has neither password nor passkey.
pub struct MailConfirmationCode;

impl ChangeForm for MailConfirmationCode {
    type Target = OwnAccount;
    type Sent = FromAnywhere<NoFields>;
    const LIMIT: Option<ChangeKind> = None;

    fn home(_: &PageContext) -> &str {
        ACCOUNT
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<NoFields>) -> ChangeResult {
        let code = SendMailedCode { session: by.live.id, locale: by.language.locale };
        let sent = change::run(&by.app, &by.principal(), code).await;
        let page = Demand::of(by.context).page(by.return_to(form.typed()).as_deref());
        Ok(email_verify::resend_response(by.context, sent, &page)?)
    }
}

/// What is wrong with a code that stands for a password, whose email has no link; `None` where no code is asked for.
pub(super) fn own_code_refusal(field: &'static str, error: &VerifyError) -> Option<Refusal> {
    match error {
        VerifyError::WrongCode { remaining } => {
            let left = usize::try_from(*remaining).unwrap_or(0);
            Some(Refusal::field(field, Message::new("own-code-wrong").number("left", left)))
        }
        VerifyError::ReplacedCode => Some(Refusal::field(field, Message::new("verify-code-replaced"))),
        VerifyError::CodeInvalidated => Some(Refusal::rule(Rule::Ended, "own-code-over")),
        VerifyError::CodesRefused => Some(Refusal::rule(Rule::Ended, "own-codes-refused")),
        _ => None,
    }
}

/// Gives the session what the credential proves; `wrong` is what the page says of a wrong one.
async fn reauthenticate(by: LoggedIn<'_>, credential: Reauthentication<'_>, wrong: Refusal) -> Result<(), NotDone> {
    let way = match &credential {
        Reauthentication::Password(_) => Some(LoginWay::Password),
        Reauthentication::Passkey(_) => Some(LoginWay::Passkey),
        Reauthentication::MailedCode(_) | Reauthentication::Code(_) => None,
    };
    let refusal = match confirm(&by.app, &by.principal(), (by.user(), by.live.id), credential, &by.device()).await {
        Ok(()) => {
            by.set_last_used(way, by.user());
            return Ok(());
        }
        Err(ReauthenticationError::SessionEnded) => return Err(PageError::from(by.redirect_to_login(ACCOUNT)).into()),
        Err(ReauthenticationError::Failed(error) | ReauthenticationError::MailedCode(VerifyError::Failed(error))) => {
            return Err(error.into());
        }
        Err(ReauthenticationError::Wrong) => wrong,
        Err(ReauthenticationError::MailedCode(error)) => own_code_refusal("mailed_code", &error).unwrap_or(wrong),
        Err(ReauthenticationError::Used) => Refusal::field("code", USED_CODE.clone()),
        Err(ReauthenticationError::Refused(RefusedUntil::Time(until))) => {
            Refusal::TooSoon(until.since(by.app.clock.now()))
        }
        Err(ReauthenticationError::Refused(RefusedUntil::Cleared)) => {
            Refusal::rule(Rule::Full, "confirm-codes-refused")
        }
        Err(ReauthenticationError::Void) => Refusal::rule(Rule::Ended, "passkey-void"),
    };
    Err(refusal.into())
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

async fn page(by: LoggedIn<'_>, errors: &FormErrors) -> PageResult {
    let shell = by.context.shell(by.context.layout(), errors.form())?;
    let return_to = by.return_to(errors.typed());
    let passkey = reauthentication_challenge(&by.app, &by.principal(), by.user(), &shell.csrf).await?;
    let demand = Demand::of(by.context);
    let has_password = by.has_password(by.live).await?;
    let has_app = two_factor(&by.app, &by.principal(), by.user()).await?.is_some();
    // Most people have one of the two, and need not be looked up again.
    let mailed_code = match (has_password, &passkey) {
        (false, None) => mailed_code(&by.app, &by.principal(), (by.user(), by.live.id)).await?,
        _ => None,
    };
    let mailed_code = mailed_code.as_ref().map(|code| by.mailed_code_field(code, errors.of("mailed_code")));
    let view = ConfirmPage {
        layout: &shell,
        return_to: return_to.as_deref(),
        username: by.live.view.label().account(),
        query: &demand.query(),
        asks_for_factor: demand.asks_for_factor(by.live),
        has_app,
        has_password,
        passkey: passkey.as_ref(),
        mailed_code,
        code_error: errors.of("code"),
        recovery_code_error: errors.of("recovery_code"),
        password_error: errors.of("password"),
    };
    Ok(views::page(errors.status(), &view))
}
