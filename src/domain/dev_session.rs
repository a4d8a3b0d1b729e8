//! Sessions for those who build an application, without a login. Only while the service is for its own machine, and only
//! of accounts that were made here and that no person has taken: a mistake must open no door to a person's account.

use super::account::create::NewUser;
use super::account::details::AccountDetails;
use super::change::{self, Change, Runnable};
use super::identity::identifiers::EmailAddress;
use super::login::complete;
use super::session::lifecycle::{CookieToken, OpenedSession};
use crate::context::App;
use crate::crypto::csrf;
use crate::error::Error;
use crate::model::auth_method::{AuthMethod, AuthMethods};
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::mail_domain;
use crate::model::organization::MemberRole;
use crate::model::principal::{AccountTarget, Operation, Principal};
use crate::model::roles::Roles;
use crate::model::session::EndReason;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::settings::{Origin, Settings};
use crate::store::{Conn, Tx, UserRow};
use secrecy::SecretString;
use std::time::Duration;

/// What sessions and the audit log show instead of a browser and a way to log in.
const LABEL: &str = "doorward dev session";

pub struct DevSession {
    pub user: UserRow,
    /// Whether the account was made for this session.
    pub is_new: bool,
    pub opened: OpenedSession,
}

/// A cookie as a browser would have it after a login.
pub struct DevCookie<'a> {
    pub name: &'a str,
    pub value: SecretString,
    pub max_age: Duration,
    pub http_only: bool,
}

impl DevSession {
    pub fn cookies<'a>(&self, settings: &'a Settings) -> Result<[DevCookie<'a>; 3], Error> {
        let (name, OpenedSession { access, refresh, .. }) = (&settings.name, &self.opened);
        let of_token = |name, token: &CookieToken| DevCookie {
            name,
            value: token.token.clone(),
            max_age: token.max_age,
            http_only: true,
        };
        let (name_of_csrf, value, max_age) =
            (name.csrf_cookie(), csrf::generate()?.into(), settings.sessions.session_ttl);
        Ok([
            of_token(name.access_cookie(), access),
            of_token(name.refresh_cookie(), refresh),
            DevCookie { name: name_of_csrf, value, max_age, http_only: false },
        ])
    }
}

/// What a test of an application wants of a session.
pub struct TestSession<'a> {
    pub email: &'a str,
    /// The active organization; `None`: the one that sessions begin in.
    pub organization: Option<OrganizationId>,
    /// Whether a second factor counts as shown.
    pub second_factor: bool,
}

/// Notes the base URL of a service that starts. If that is not on this machine, what was made for development ends.
pub async fn note_base_url(app: &App) -> Result<(), Error> {
    let url = app.settings.server.base_url.as_str();
    let process = Principal::process(&[Operation::TellProcesses]);
    let mut conn = app.store.read(&process, Operation::TellProcesses).await?;
    let noted = conn.instance_base_url().await?;
    drop(conn);
    if !app.settings.server.base_url.is_this_machine() {
        end_development(app).await?;
    }
    if noted.as_deref() == Some(url) {
        return Ok(());
    }
    let mut tx = app.store.begin(&process, Operation::TellProcesses).await?;
    tx.instance_set_base_url(url).await?;
    Ok(tx.commit().await?)
}

/// An address that was typed counts as verified, and a cookie may lie in any file: neither is for other machines. The
/// reader of the mailbox can verify the address, and begin with a new password.
async fn end_development(app: &App) -> Result<(), Error> {
    let process = Principal::process(&[Operation::EndDevelopment]);
    let marked = app.store.read(&process, Operation::EndDevelopment).await?.dev_accounts().await?;
    if marked.is_empty() {
        return Ok(());
    }
    let mut sessions = 0;
    for user in &marked {
        sessions += change::run_as_process(app, EndDevelopmentOf(*user)).await?;
    }
    tracing::warn!(
        accounts = marked.len(),
        sessions,
        "the base URL is not on this machine: the sessions of accounts that `doorward dev session` made were ended, and \
         their addresses no longer count as verified"
    );
    Ok(())
}

/// Also of an account that a person has taken: its sessions may be older than that. Made is how many were ended.
struct EndDevelopmentOf(UserId);

impl Change<Error> for EndDevelopmentOf {
    const OPERATION: Operation = Operation::EndDevelopment;
    type Made = u64;

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<u64, Error> {
        let Some(user) = tx.user_lock(self.0).await? else { return Ok(0) };
        tx.require_account(AccountTarget::new(user.id, user.roles))?;
        if !tx.dev_account_delete(user.id).await? {
            // Another process was first.
            return Ok(0);
        }
        let sessions = tx.sessions_end_of_user(user.id, EndReason::DevelopmentEnded.as_str()).await?;
        if sessions > 0 {
            tx.record_account(user.id, AccountChange::SessionsEnded).await?;
        }
        if user.email_verified_at.is_some() {
            let key = EmailAddress::from_stored(&user.email).key();
            tx.user_set_email_as(user.id, &user.email, &key, false).await?;
            tx.record_account(user.id, AccountChange::EmailUnverified).await?;
        }
        Ok(sessions)
    }
}

/// Opens a session of the account with this email address, which is made if there is none.
pub async fn open(app: &App, principal: &Principal, email: &str) -> Result<DevSession, ChangeError> {
    let mut conn = app.store.read(principal, Operation::ManageInstance).await?;
    require_own_machine(app, &mut conn).await?;
    drop(conn);
    let found = find(app, principal, email).await?;
    let is_new = found.is_none();
    let (tx, user) = match found {
        Some(user) => existing(app, principal, user).await?,
        None => create(app, principal, email).await?,
    };
    let opened = session(app, tx, &user, None, AuthMethods::NONE).await?;
    Ok(DevSession { user, is_new, opened })
}

/// As [`open`], of whichever account: for the test double, which has no person's.
pub async fn open_in_test_double(
    app: &App,
    principal: &Principal,
    wanted: &TestSession<'_>,
) -> Result<DevSession, ChangeError> {
    let (is_new, (mut tx, user)) = enabled_or_new(app, principal, wanted.email).await?;
    let organization = match wanted.organization {
        Some(id) => Some(membership(&mut tx, &user, id).await?),
        None => None,
    };
    let methods = if wanted.second_factor { AuthMethod::Totp.into() } else { AuthMethods::NONE };
    let opened = session(app, tx, &user, organization, methods).await?;
    Ok(DevSession { user, is_new, opened })
}

async fn find(app: &App, principal: &Principal, email: &str) -> Result<Option<UserRow>, ChangeError> {
    let mut conn = app.store.read(principal, Operation::ManageInstance).await?;
    Ok(conn.user_find_by_email(&mail_domain::key(email.trim())).await?)
}

/// The account with this address, and whether it was made because there was none.
async fn enabled_or_new(app: &App, principal: &Principal, email: &str) -> Result<(bool, (Tx, UserRow)), ChangeError> {
    let found = match find(app, principal, email).await? {
        Some(found) => found,
        None => match create(app, principal, email).await {
            // A parallel request may have made it.
            Err(ChangeError::Refused(refusal)) => find(app, principal, email).await?.ok_or(refusal)?,
            made => return Ok((true, made?)),
        },
    };
    let mut tx = app.store.begin(principal, Operation::ManageInstance).await?;
    let locked = tx.user_lock(found.id).await?.filter(|user| user.disabled_at.is_none());
    Ok((false, (tx, locked.ok_or_else(|| disabled(&found.email))?)))
}

async fn membership(
    tx: &mut Tx,
    user: &UserRow,
    organization: OrganizationId,
) -> Result<(OrganizationId, MemberRole), ChangeError> {
    let memberships = tx.memberships_of_user(user.id).await?;
    let found = memberships.into_iter().find(|membership| membership.organization_id == organization);
    let found = found.ok_or(Refusal::NotFound("organization"))?;
    Ok((organization, found.role))
}

/// Others than this machine may be served.
fn not_here(why: &str) -> Refusal {
    Refusal::in_english(Rule::Forbidden, format!("sessions without a login are for development: {why}"))
}

/// A person may stand behind the account.
fn not_own(email: &str) -> Refusal {
    Refusal::in_english(
        Rule::Forbidden,
        format!(
            "\"{email}\" has an account that this command did not make, or that got a password, a second factor, a \
             passkey or a role since; it opens sessions of its own accounts only"
        ),
    )
}

fn disabled(email: &str) -> Refusal {
    Refusal::in_english(Rule::Forbidden, format!("\"{email}\" is disabled"))
}

/// Both the settings of this command and those of the service must say so: a command with other variables than the
/// service must not open its doors.
async fn require_own_machine(app: &App, conn: &mut Conn) -> Result<(), ChangeError> {
    let own = &app.settings.server.base_url;
    if !own.is_this_machine() {
        let variable = app.settings.name.variable("BASE_URL");
        return Err(not_here(&format!("{variable} is {}, not on this machine", own.as_str())).into());
    }
    let noted = conn.instance_base_url().await?;
    match noted {
        Some(url) if Origin::parse(&url).is_some_and(|url| url.is_this_machine()) => Ok(()),
        Some(url) => Err(not_here(&format!("the service on this database was last {url}")).into()),
        None => Err(not_here("no service has started on this database yet").into()),
    }
}

async fn existing(app: &App, principal: &Principal, found: UserRow) -> Result<(Tx, UserRow), ChangeError> {
    let mut tx = app.store.begin(principal, Operation::ManageInstance).await?;
    let locked = tx.user_lock(found.id).await?;
    match locked {
        Some(user) if !tx.dev_account_is_free(user.id).await? => Err(not_own(&user.email).into()),
        Some(user) if user.disabled_at.is_some() => Err(disabled(&user.email).into()),
        Some(user) => Ok((tx, user)),
        None => Err(Refusal::NotFound("user").into()),
    }
}

/// An account with a verified address and a random password, which is not kept.
async fn create(app: &App, principal: &Principal, email: &str) -> Result<(Tx, UserRow), ChangeError> {
    let new = NewUser {
        email: email.to_owned(),
        username: None,
        name: None,
        password: Some(SecretString::from(csrf::generate().map_err(Error::from)?)),
        roles: Roles::NONE,
        verified: true,
        identities: Vec::new(),
        details: AccountDetails::default(),
        send_mail: false,
    };
    let (mut tx, user) = new.make(app, principal).await?;
    tx.dev_account_create(user.id).await?;
    Ok((tx, user))
}

async fn session(
    app: &App,
    mut tx: Tx,
    user: &UserRow,
    organization: Option<(OrganizationId, MemberRole)>,
    methods: AuthMethods,
) -> Result<OpenedSession, ChangeError> {
    let device = Device::new(LABEL, None);
    let opened = complete::open_for_developer(app, &mut tx, user, organization, methods, &device).await?;
    tx.record_account(user.id, AccountChange::DevSessionOpened(LABEL)).await?;
    tx.commit().await?;
    Ok(opened)
}
