//! The link with which an operator makes the first administrator, whatever `SVC_SIGNUP` is (docs/reference/browser.md
//! 10.3).

use super::form::{self, SignupForm, SignupTerms};
use super::new_account::{IfTaken, SignupError};
use super::sign_up;
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::crypto::token_hash::LinkToken;
use crate::domain::change::Change;
use crate::domain::login::complete::ClientContext;
use crate::domain::mailed_token::token::IssueOptions;
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::metrics::SignupResult;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::{PlatformRole, Roles};
use crate::model::time::Time;
use crate::model::verification::TokenPurpose;
use crate::refusal::ChangeError;
use crate::settings::{EmailVerification, SignupUsername};
use crate::store::{Conn, Store, Tx};
use std::time::Duration;

const LINK_TTL: Duration = Duration::from_hours(1);

/// Whether the instance has no administrator yet.
pub async fn is_needed(store: &Store, principal: &Principal) -> Result<bool, Error> {
    Ok(!store.read(principal, Operation::Diagnose).await?.administrator_exists(None).await?)
}

/// Makes a link, which voids the one before; made are its token and when it expires. `None`: there is an administrator.
pub struct IssueLink;

impl Change for IssueLink {
    const OPERATION: Operation = Operation::ManageInstance;
    type Made = Option<(LinkToken, Time)>;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<Self::Made, ChangeError> {
        if tx.administrator_exists(None).await? {
            return Ok(None);
        }
        let token = LinkToken::generate()?;
        let expires_at = app.clock.now() + LINK_TTL;
        tx.setup_link_set(&app.secret_keys.hash_token(TokenPurpose::Setup, token.text()), expires_at).await?;
        Ok(Some((token, expires_at)))
    }
}

/// Whether a link still makes an administrator.
pub async fn is_valid(app: &App, principal: &Principal, token: &str) -> Result<bool, Error> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    Ok(current_hash(app, &mut conn, token).await?.is_some() && !conn.administrator_exists(None).await?)
}

/// The hash under which a link is stored.
async fn current_hash(app: &App, conn: &mut Conn, token: &str) -> Result<Option<[u8; 32]>, Error> {
    if !LinkToken::has_form_of(token) {
        return Ok(None);
    }
    for hash in app.secret_keys.token_hashes(TokenPurpose::Setup, token) {
        if conn.setup_link_exists(&hash).await? {
            return Ok(Some(hash));
        }
    }
    Ok(None)
}

/// Creates the administrator and opens the first session. `None`: the link is not valid any more.
pub async fn sign_up(
    app: &App,
    token: &str,
    form: SignupForm,
    client: &ClientContext,
) -> Result<Option<OpenedSession>, SignupError> {
    let signed_up = attempt(app, token, form, client).await;
    let result = match &signed_up {
        Ok(Some(_)) => SignupResult::Created,
        Ok(None) => SignupResult::Refused,
        Err(error) => error.result(),
    };
    app.metrics.auth.signups.count(result);
    signed_up
}

async fn attempt(
    app: &App,
    token: &str,
    form: SignupForm,
    client: &ClientContext,
) -> Result<Option<OpenedSession>, SignupError> {
    let accounts = &app.settings.accounts;
    let username = if accounts.has_usernames() { &form.username } else { "" };
    // The holder of the link runs the service, and may be told which addresses have accounts.
    let terms = SignupTerms {
        operation: Operation::SignUp,
        roles: Roles::NONE.with(PlatformRole::Admin),
        verification: EmailVerification::Off,
        username_required: accounts.signup_username == SignupUsername::Required,
        if_taken: IfTaken::Refuse,
        language: Some(form.locale),
        requester: Requester::client(None, &client.device),
    };
    let anonymous = client.anonymous();
    let (account, _) =
        form::validate(app, &anonymous, &form.email, username, form.credential.password(), terms).await?;
    // Where no account is without a verified address, the operator vouches for it.
    let verified = accounts.email_verification == EmailVerification::Required;
    let (mut tx, inserted) = sign_up::insert(app, &anonymous, terms.operation, &account, None, verified).await?;
    if !take(app, &mut tx, token).await? || tx.administrator_exists(Some(inserted.user.id)).await? {
        return Ok(None);
    }
    let options = IssueOptions { return_to: form.return_to.as_deref(), locale: form.locale };
    let opened = sign_up::open(app, &mut tx, &inserted, &form.credential, options, client).await?;
    tx.commit().await?;
    Ok(Some(opened))
}

/// Uses the link up: of two requests with it, one gets `true`.
async fn take(app: &App, tx: &mut Tx, token: &str) -> Result<bool, Error> {
    match current_hash(app, tx, token).await? {
        Some(hash) => Ok(tx.setup_link_take(&hash).await?),
        None => Ok(false),
    }
}
