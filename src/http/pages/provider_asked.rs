//! A login with a provider that waits for an answer, and the pages that ask for it (docs/reference/browser.md 8.5).

use super::login;
use super::page_context::PageContext;
use super::whose_account::{self, AnswerFields, AskedFor};
use crate::crypto::token_hash::LinkToken;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::provider_login::claim_account;
use crate::domain::provider_login::mailed_code;
use crate::domain::provider_login::pending::PendingProviderLogin;
use crate::domain::provider_login::types::Question;
use crate::http::departure::WITH;
use crate::http::form::{FormErrors, ShownTo};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CarriedSecret, ConnectStep, ProviderConnectPage, ProviderDetailsPage};
use crate::http::{provider_login_cookie, return_to};
use crate::messages::Message;
use crate::model::mail_domain;
use crate::settings::SignupUsername;
use crate::store::ProviderRow;
use axum::http::StatusCode;
use axum::response::Response;
use std::sync::Arc;

/// A login that waits for an answer of this browser.
pub(super) struct AskedLogin {
    pub(super) provider: Arc<ProviderRow>,
    pub(super) pending: PendingProviderLogin,
    pub(super) state: String,
}

impl AskedLogin {
    fn action(&self) -> String {
        let page = match self.pending.question {
            Question::Connect => "connect",
            Question::ClaimAccount => "whose",
            Question::Details => "address",
        };
        format!("{WITH}{}/{page}", self.provider.provider.name)
    }

    pub(super) fn link(&self) -> String {
        return_to::with_query(&self.action(), "state", &self.state)
    }

    pub(super) fn shown_to(&self) -> ShownTo {
        ShownTo::ProviderLogin(self.pending.id())
    }

    fn label(&self) -> &str {
        &self.provider.provider.label
    }

    fn email(&self) -> &str {
        self.pending.identity.email.as_deref().unwrap_or_default()
    }
}

/// Shows what the login of this state waits for.
pub(super) async fn ask_again(
    context: &PageContext,
    provider: &Arc<ProviderRow>,
    state: &str,
) -> Result<Response, PageError> {
    ask(context, &find_pending(context, provider, state).await?).await
}

pub(super) async fn ask(context: &PageContext, asked: &AskedLogin) -> Result<Response, PageError> {
    let errors = FormErrors::default();
    // The question waits longer than the login did.
    if let Some(browser) =
        provider_login_cookie::read(&context.app.settings, &context.headers).and_then(LinkToken::parse)
    {
        context.set_provider_login_secret(&browser);
    }
    match asked.pending.question {
        Question::Connect => {
            let live = context.session().await?;
            connect_page(context, asked, live.as_ref(), &errors).await
        }
        Question::ClaimAccount => claim_page(context, asked, &AnswerFields::default(), &errors).await,
        Question::Details => details_page(context, asked, &errors),
    }
}

/// The login of this state; [`void`] if it does not wait in this browser.
pub(super) async fn find_pending(
    context: &PageContext,
    provider: &Arc<ProviderRow>,
    state: &str,
) -> Result<AskedLogin, PageError> {
    let secret = provider_login_cookie::read(&context.app.settings, &context.headers);
    match PendingProviderLogin::find(&context.app, &context.anonymous(), provider, state, secret).await? {
        Some(pending) => Ok(AskedLogin { provider: provider.clone(), pending, state: state.to_owned() }),
        None => Err(void(context).await?.into()),
    }
}

/// The login page, for a question that is over or was asked in another browser.
pub(super) async fn void(context: &PageContext) -> Result<Response, PageError> {
    let errors = FormErrors::default().and_form(Message::new("connect-void")).with_status(StatusCode::UNAUTHORIZED);
    login::page_after_provider(context, &errors, None).await
}

pub(super) async fn connect_page(
    context: &PageContext,
    asked: &AskedLogin,
    live: Option<&LiveSession>,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let (action, link) = (asked.action(), asked.link());
    let log_in = return_to::append("/auth/login", Some(&link));
    let is_own = |live: &LiveSession| {
        let address = asked.pending.verified.as_ref().map(EmailAddress::key);
        address.is_some_and(|address| mail_domain::key(&live.view.email) == address)
    };
    let code = match live {
        None => mailed_code::offered(&context.app, &context.anonymous(), &asked.pending).await?,
        Some(_) => None,
    };
    let step = match live {
        None => code.as_ref().map_or(ConnectStep::LogIn(&log_in), |code| {
            ConnectStep::MailedCode(context.mailed_code_field(code, errors.of("code")))
        }),
        Some(live) if is_own(live) => ConnectStep::Connect(live.view.label().called()),
        Some(live) => ConnectStep::OtherAccount(live.view.label().account()),
    };
    let mut layout = context.layout().shown_to(live.map_or(asked.shown_to(), ShownTo::from));
    layout.return_path = &link;
    let view = ProviderConnectPage {
        layout: &context.shell(layout, errors.form())?,
        action: &action,
        state: &asked.state,
        provider: asked.label(),
        email: asked.email(),
        step,
    };
    Ok(views::page(errors.status(), &view))
}

pub(super) async fn claim_page(
    context: &PageContext,
    asked: &AskedLogin,
    answer: &AnswerFields,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let Some(account) = claim_account::question(&context.app, &context.anonymous(), &asked.pending).await? else {
        // Verified, released or deleted since: the login goes on without the question.
        return void(context).await;
    };
    let (action, link) = (asked.action(), asked.link());
    let secret = CarriedSecret::State { action: &action, state: &asked.state };
    let asked_for = AskedFor { email: asked.email(), secret, answer, shown_to: asked.shown_to() };
    let mut layout = context.layout();
    layout.return_path = &link;
    whose_account::page(context, layout, asked_for, &account, errors)
}

pub(super) fn details_page(
    context: &PageContext,
    asked: &AskedLogin,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let (action, link) = (asked.action(), asked.link());
    let setting = context.app.settings.accounts.signup_username;
    let asks_for_address = asked.pending.identity.email.is_none();
    let asks_for_username =
        setting == SignupUsername::Required || (asks_for_address && setting != SignupUsername::Hidden);
    let mut layout = context.layout().shown_to(asked.shown_to());
    layout.return_path = &link;
    let view = ProviderDetailsPage {
        layout: &context.shell(layout, errors.form())?,
        action: &action,
        state: &asked.state,
        provider: asked.label(),
        email: asks_for_address.then(|| errors.field("email")),
        username: asks_for_username.then(|| errors.field("username")),
        requires_username: setting == SignupUsername::Required,
    };
    Ok(views::page(errors.status(), &view))
}
