//! `/auth/signup` (docs/reference/browser.md 10.3).

use super::after_login::{login_response, redirect_logged_in};
use super::login;
use super::page_context::PageContext;
use super::provider_buttons::{PassedOn, buttons};
use crate::crypto::hashing_shares::Requester;
use crate::domain::identity::field_errors::FieldErrors;
use crate::domain::registration::admission::{self, Admission, NotAdmitted};
use crate::domain::registration::again::SentSignup;
use crate::domain::registration::form::{SignupCredential, SignupForm};
use crate::domain::registration::new_account::SignupError;
use crate::domain::registration::sign_up::{self, SignedUp};
use crate::error::Error;
use crate::http::form::{Form, FormErrors, FormFields, FromAnywhere, Typed};
use crate::http::page_error::PageError;
use crate::http::views::{self, Field, Invited, Problem, ProviderButtons, SignupPage, SignupRefusedPage};
use crate::http::{csrf, return_to};
use crate::model::ids::AccountTokenId;
use crate::model::login_way::LoginWay;
use crate::model::mail_domain::in_letters;
use crate::rate_limit::RateLimit;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SignupFields {
    pub(super) email: String,
    pub(super) username: String,
    pub(super) password: SecretString,
}

impl FormFields for SignupFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email", "username", "invitation"];
}

/// Shows the form, or redirects a logged-in user.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let errors = FormErrors::default();
    let return_to = context.return_to(errors.typed());
    if let Some(live) = context.session().await? {
        if let Some(token) = context.query.get("invitation").filter(|token| !token.is_empty()).map(sanitize_token) {
            let path = return_to::append(&format!("/auth/invitations/{token}"), return_to.as_deref());
            return Ok(context.redirect(Some(&path)));
        }
        return redirect_logged_in(&context, &live, return_to.as_deref()).await;
    }
    match admit(&context, errors.typed()).await? {
        Ok(admission) => form_page(&context, Entrance::Signup(&admission), &errors).await,
        Err(why) => Ok(refused_page(&context, errors.typed(), why)),
    }
}

/// Creates the account and logs in, or starts the email verification.
pub async fn submit(context: PageContext, submitted: FromAnywhere<SignupFields>) -> Result<Response, PageError> {
    let typed = submitted.typed().clone();
    match (admit(&context, &typed).await?, submitted.verified()) {
        (Ok(admission), Ok(form)) => {
            context.check_rate_limit(RateLimit::SignupFrom(context.address)).await?;
            sign_up(&context, &form, &admission).await
        }
        (Ok(admission), Err(errors)) => form_page(&context, Entrance::Signup(&admission), &errors).await,
        // The first answer to a form uses its invitation up.
        (Err(why), Ok(form)) => {
            let again = sent_again(&context, &form, find_sent(&context, &form).await?.as_ref()).await?;
            Ok(again.unwrap_or_else(|| refused_page(&context, &typed, why)))
        }
        (Err(why), Err(_)) => Ok(refused_page(&context, &typed, why)),
    }
}

async fn sign_up(
    context: &PageContext,
    form: &Form<SignupFields>,
    admission: &Admission,
) -> Result<Response, PageError> {
    let sent = find_sent(context, form).await?;
    if let Some(response) = sent_again(context, form, sent.as_ref()).await? {
        return Ok(response);
    }
    let is_first = sent.as_ref().is_some_and(SentSignup::is_first);
    let input = SignupForm { sent, ..input(context, form) };
    let outcome = sign_up::sign_up(&context.app, admission, input, &context.client().await?).await;
    let may_be_late = matches!(outcome, Ok(SignedUp::Again) | Err(SignupError::Fields(_)));
    if may_be_late
        && is_first
        && let Some(token) = csrf::token(&context.app.settings, &context.headers)
        && let sent = SentSignup::find_meanwhile(&context.app, &context.anonymous(), token, &form.email).await?
        && let Some(response) = sent_again(context, form, Some(&sent)).await?
    {
        return Ok(response);
    }
    match outcome {
        Ok(SignedUp::OpenedSession(opened)) => login_response(context, form.typed(), &opened),
        Ok(SignedUp::VerificationRequired(token_id)) => Ok(ask_for_code(context, token_id)),
        Err(SignupError::Fields(errors)) => {
            form_page(context, Entrance::Signup(admission), &field_errors(form, errors)).await
        }
        Err(SignupError::InvitationVoid) => Ok(refused_page(context, form.typed(), NotAdmitted::InvitationVoid)),
        Err(SignupError::TooSoon(retry_after)) => Err(Problem::TooManyRequests { retry_after }.into()),
        Err(SignupError::Failed(error)) => Err(error.into()),
        Err(other @ SignupError::IdentityTaken) => Err(Error::Inconsistent(other.to_string()).into()),
        Ok(SignedUp::Again) => Err(Error::Inconsistent("a signup that was sent twice made nothing".to_owned()).into()),
    }
}

fn ask_for_code(context: &PageContext, token_id: AccountTokenId) -> Response {
    context.set_pending_verification(token_id);
    context.redirect(Some("/auth/email/verify"))
}

/// What this browser made with the address before; `None` of a client without a token of ours.
async fn find_sent(context: &PageContext, form: &Form<SignupFields>) -> Result<Option<SentSignup>, PageError> {
    match csrf::token(&context.app.settings, &context.headers) {
        Some(token) => Ok(Some(SentSignup::find(&context.app, &context.anonymous(), token, &form.email).await?)),
        None => Ok(None),
    }
}

/// The answer to a signup whose first answer got lost; `None` of any other. An account that it made wants its password, as
/// at a login, and counts as one.
async fn sent_again(
    context: &PageContext,
    form: &Form<SignupFields>,
    sent: Option<&SentSignup>,
) -> Result<Option<Response>, PageError> {
    let Some(sent) = sent else { return Ok(None) };
    if let Some(user) = sent.account() {
        let named = context.begin_login_attempt(&form.email).await?;
        return match named.id() {
            Some(found) if found == user => login::log_in(context, &form.again(), named, form.password.clone()).await,
            _ => Ok(None),
        };
    }
    let said = (form.username.as_str(), form.password.clone());
    let requester = Requester::client(None, &context.device());
    let waiting = sent.pending(&context.app, &context.anonymous(), said, requester).await?;
    Ok(waiting.map(|token_id| ask_for_code(context, token_id)))
}

pub(super) fn input(context: &PageContext, form: &Form<SignupFields>) -> SignupForm {
    SignupForm {
        email: form.email.clone(),
        username: form.username.clone(),
        credential: SignupCredential::Password(form.password.clone()),
        return_to: context.return_to(form.typed()),
        locale: context.language.locale,
        sent: None,
    }
}

pub(super) fn field_errors(form: &Form<SignupFields>, errors: FieldErrors) -> FormErrors {
    form.again().and_fields(errors.fields())
}

/// Drops every character that no token contains, as the result becomes part of a path.
fn sanitize_token(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}

/// Whether signup is open, or allowed by the invitation in the form or the query.
async fn admit(context: &PageContext, typed: &Typed) -> Result<Result<Admission, NotAdmitted>, Error> {
    let token = typed.get("invitation").or_else(|| context.query.get("invitation")).filter(|token| !token.is_empty());
    admission::admit(&context.app, &context.anonymous(), token).await
}

#[derive(Clone, Copy)]
pub(super) enum Entrance<'a> {
    /// Signup is open, or there is an invitation.
    Signup(&'a Admission),
    /// The token of the link for the first administrator.
    Setup(&'a str),
}

pub(super) async fn form_page(
    context: &PageContext,
    entrance: Entrance<'_>,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let (admission, setup) = match entrance {
        Entrance::Signup(admission) => (Some(admission), None),
        Entrance::Setup(token) => (None, Some(token)),
    };
    let return_to = context.return_to(errors.typed());
    let email = errors.field("email");
    let address = admission.and_then(Admission::email).map(in_letters);
    let invited = admission.and_then(Admission::invited_by);
    let passed_on = PassedOn {
        return_to: return_to.as_deref(),
        invitation: admission.and_then(Admission::token),
        login_hint: None,
    };
    let providers = match setup {
        None => buttons(context, passed_on, true).await,
        // The link makes an administrator, by a password.
        Some(_) => ProviderButtons::NONE,
    };
    let view = SignupPage {
        layout: &context.shell(context.layout(), errors.form())?,
        return_to: return_to.as_deref(),
        invitation: admission.and_then(Admission::token),
        setup,
        email: Field { value: address.as_deref().unwrap_or(email.value), ..email },
        invited: invited.map(|(organization, inviter)| Invited { organization, inviter }),
        username: errors.field("username"),
        username_setting: context.app.settings.accounts.signup_username,
        numbers_usernames: setup.is_none() && sign_up::numbers_usernames(&context.app),
        password_error: errors.of("password"),
        min_password_length: context.app.settings.accounts.password_min_length,
        providers: &providers,
        password_is_last: setup.is_none() && context.last_used().way == Some(LoginWay::Password),
    };
    Ok(views::page(errors.status(), &view))
}

/// The page that says why signup is refused.
pub(super) fn refused_page(context: &PageContext, typed: &Typed, refusal: NotAdmitted) -> Response {
    let return_to = context.return_to(typed);
    let view = SignupRefusedPage { layout: context.layout(), refusal, return_to: return_to.as_deref() };
    views::page(StatusCode::FORBIDDEN, &view)
}
