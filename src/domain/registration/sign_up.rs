//! Signup: a new account, its first organization and its first session, in one transaction.

use super::admission::{Admission, PendingInvitation};
use super::again::Made;
use super::form::{SignupCredential, SignupForm, SignupTerms, validate};
use super::new_account::{Account, IfTaken, Inserted, SignupError, UsernameAttempts, insert_direct, unless_name_taken};
use super::{invited, pending};
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::domain::identity::availability::EmailAvailability;
use crate::domain::login::complete::{self, ClientContext};
use crate::domain::mailed_token::request;
use crate::domain::mailed_token::token::IssueOptions;
use crate::domain::ownership::identities;
use crate::domain::session::lifecycle::OpenedSession;
use crate::metrics::SignupResult;
use crate::model::ids::AccountTokenId;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::settings::{EmailVerification, SignupUsername};
use crate::store::Tx;

pub enum SignedUp {
    OpenedSession(OpenedSession),
    VerificationRequired(AccountTokenId),
    /// The same was sent meanwhile, and was first: it has made the account or the signup.
    Again,
}

impl SignedUp {
    const fn result(&self) -> SignupResult {
        match self {
            SignedUp::OpenedSession(_) => SignupResult::Created,
            SignedUp::VerificationRequired(_) => SignupResult::Pending,
            SignedUp::Again => SignupResult::Refused,
        }
    }
}

/// Whether a chosen username that is taken gets a number instead of a refusal. Usernames are often made of addresses:
/// where no answer tells which addresses have accounts, none tells which names are taken.
pub fn numbers_usernames(app: &App) -> bool {
    app.settings.accounts.email_verification == EmailVerification::Required
}

/// Creates an account and opens its first session, which replaces those of the browser; or requests verification of the
/// email address first.
pub async fn sign_up(
    app: &App,
    admission: &Admission,
    form: SignupForm,
    client: &ClientContext,
) -> Result<SignedUp, SignupError> {
    let signed_up = attempt(app, admission, form, client).await;
    app.metrics.auth.signups.count(signed_up.as_ref().map_or_else(SignupError::result, SignedUp::result));
    signed_up
}

async fn attempt(
    app: &App,
    admission: &Admission,
    form: SignupForm,
    client: &ClientContext,
) -> Result<SignedUp, SignupError> {
    let invited = admission.invitation.as_ref();
    let email = invited.map_or(&form.email, |invited| &invited.row.email);
    // The mailed link of an invitation verifies the address, and its page says whether the address has an account.
    let verification = match app.settings.accounts.email_verification {
        _ if invited.is_some_and(|invited| invited.row.proves_address) => EmailVerification::Off,
        setting => setting,
    };
    let requester = Requester::client(None, &client.device);
    let if_taken = if numbers_usernames(app) { IfTaken::Number } else { IfTaken::Refuse };
    let setting = app.settings.accounts.signup_username;
    let username = if setting == SignupUsername::Hidden { "" } else { &form.username };
    let username_required = setting == SignupUsername::Required;
    let (roles, language) = (Roles::NONE, Some(form.locale));
    let operation = Operation::SignUp;
    let terms = SignupTerms { operation, roles, verification, username_required, if_taken, language, requester };
    let anonymous = client.anonymous();
    let (account, availability) = validate(app, &anonymous, email, username, form.credential.password(), terms).await?;
    if verification != EmailVerification::Off {
        let limit = RateLimit::MailTo(&account.email.key());
        if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check(limit).await)? {
            return Err(SignupError::TooSoon(wait));
        }
    }
    let options = IssueOptions { return_to: form.return_to.as_deref(), locale: form.locale };
    if availability != EmailAvailability::Free || verification == EmailVerification::Required {
        let invitation = invited.map(|invited| invited.row.id);
        let sent = form.sent.as_ref();
        let begun =
            pending::begin(app, &anonymous, &account, (form.credential.identity(), sent), invitation, options).await?;
        return Ok(begun.map_or(SignedUp::Again, SignedUp::VerificationRequired));
    }
    let (mut tx, inserted) = insert(app, &anonymous, operation, &account, invited, false).await?;
    if let Some(sent) = &form.sent
        && !sent.note(app, &mut tx, Made::Account(inserted.user.id)).await?
    {
        return Ok(SignedUp::Again);
    }
    let opened = open(app, &mut tx, &inserted, &form.credential, options, client).await?;
    tx.commit().await?;
    Ok(SignedUp::OpenedSession(opened))
}

/// Inserts the account and its organizations, with their events in the order of docs/reference/webhooks.md 12, and
/// accepts the invitation. The caller commits the transaction. `verified` marks the address as verified.
pub(in crate::domain) async fn insert(
    app: &App,
    principal: &Principal,
    operation: Operation,
    account: &Account,
    invited: Option<&PendingInvitation>,
    verified: bool,
) -> Result<(Tx, Inserted), SignupError> {
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let mut tx = app.store.begin(principal, operation).await?;
        let inserted = match invited {
            Some(invited) => invited::accept(app, &mut tx, &invited.token, account, attempt).await,
            None => insert_direct(app, &mut tx, account, attempt, verified).await,
        };
        if let Some(inserted) = unless_name_taken(inserted)? {
            return Ok((tx, inserted));
        }
    }
}

/// Opens the first session of an account created in this transaction, and requests verification of its address. An account
/// at a provider with which the signup began is connected.
pub(super) async fn open(
    app: &App,
    tx: &mut Tx,
    inserted: &Inserted,
    credential: &SignupCredential,
    options: IssueOptions<'_>,
    client: &ClientContext,
) -> Result<OpenedSession, SignupError> {
    let Inserted { user, organization } = inserted;
    if let Some(identity) = credential.identity() {
        identities::connect(app, tx, user.id, identity).await?;
        identities::adopt_name(tx, user.id, identity).await?;
    }
    let authentication = credential.authentication(app.store.database_time());
    let opened = complete::open(app, tx, user, *organization, &authentication, client).await?;
    if user.email_verified_at.is_none() && app.settings.accounts.email_verification != EmailVerification::Off {
        request::request(app, tx, user, options).await?;
    }
    Ok(opened)
}
