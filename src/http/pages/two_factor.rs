//! `/auth/account/two-factor`: turns two-factor authentication on and off.

use super::change_form::{ChangeForm, ChangeResult, FormTarget, LoggedIn, OwnAccount, PageResult, StepUp};
use super::page_context::PageContext;
use super::password_prompt::PromptFields;
use super::shared_fields::CodeFields;
use super::{paths, recovery_codes};
use crate::domain::change;
use crate::domain::login::prompt::PasswordPrompt;
use crate::domain::mfa::{status, totp, trusted_devices};
use crate::http::form::{Form, FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, QrCode, RemoveTwoFactorPage, TwoFactorPage, TwoFactorSetup, TwoFactorState};
use crate::model::mail_domain::in_letters;
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal};

const PATH: &str = paths::TWO_FACTOR;

/// Anyone who is logged in sees whether it is on; only what changes it asks who they are.
pub async fn show(context: PageContext) -> PageResult {
    let live = context.require_login(PATH).await?;
    page(LoggedIn { context: &context, live: &live }, &FormErrors::default()).await
}

/// Starts the setup with a new secret.
pub struct BeginTwoFactor;

impl ChangeForm for BeginTwoFactor {
    type Target = OwnAccount;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::Recent;

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, _: &Form<NoFields>) -> ChangeResult {
        change::run(&by.app, &by.principal(), totp::BeginSetup).await?;
        Ok(by.redirect(Some(PATH)))
    }
}

/// Confirms the setup with a code and shows the recovery codes.
pub struct ConfirmTwoFactor;

impl ChangeForm for ConfirmTwoFactor {
    type Target = OwnAccount;
    type Sent = Submitted<CodeFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::Recent;

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<CodeFields>) -> ChangeResult {
        let end_all_but = form.end_others.as_ref().map(|_| by.live.id);
        let change = totp::ConfirmSetup { code: &form.code, end_all_but };
        match change::run(&by.app, &by.principal(), change).await {
            Ok(codes) => Ok(recovery_codes::show_new(by, &codes, true)?),
            Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(by.redirect(Some(PATH))),
            Err(error) => Err(error.into()),
        }
    }
}

pub struct ForgetDevices;

impl ChangeForm for ForgetDevices {
    type Target = OwnAccount;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, _: &Form<NoFields>) -> ChangeResult {
        change::run(&by.app, &by.principal(), trusted_devices::RevokeDevices).await?;
        Ok(by.redirect(Some(PATH)))
    }
}

/// Two-factor authentication that is on. Where it is off, no step-up is needed to learn that.
pub struct EnabledTwoFactor;

impl FormTarget for EnabledTwoFactor {
    type Ids = ();

    async fn find(by: LoggedIn<'_>, (): ()) -> Result<Self, PageError> {
        match status::two_factor(&by.app, &by.principal(), by.user()).await? {
            Some(_) => Ok(Self),
            None => Err(by.redirect(Some(PATH)).into()),
        }
    }
}

pub struct RemoveTwoFactor;

impl ChangeForm for RemoveTwoFactor {
    type Target = EnabledTwoFactor;
    type Sent = Submitted<PromptFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::PasswordInFormAndFactor;

    async fn page(by: LoggedIn<'_>, _: &EnabledTwoFactor, errors: &FormErrors) -> PageResult {
        let view = RemoveTwoFactorPage {
            layout: &by.shell(paths::SECURITY, errors.form())?,
            end_others: errors.typed().is_checked("end_others", true),
            has_password: by.has_password(by.live).await?,
            password_error: errors.of("password"),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &EnabledTwoFactor, form: &Form<PromptFields>) -> ChangeResult {
        by.require_password(form, PasswordPrompt::TwoFactorRemoval).await?;
        let end_all_but = form.end_others.as_ref().map(|_| by.live.id);
        change::run(&by.app, &by.principal(), status::DisableTwoFactor { end_all_but }).await?;
        Ok(by.redirect(Some(PATH)))
    }
}

async fn page(by: LoggedIn<'_>, errors: &FormErrors) -> PageResult {
    let shell = by.shell(paths::SECURITY, errors.form())?;
    let two_factor = status::two_factor(&by.app, &by.principal(), by.user()).await?;
    // The secret is shown only after recent authentication, not to someone at an unattended browser.
    let is_recent = by.recently_proved(by.live);
    let secret = totp::pending_secret(&by.app, &by.principal(), by.user()).await?.filter(|_| is_recent);
    let uri = secret.as_ref().and_then(|secret| secret.uri(&shell.brand.name, &in_letters(&by.live.view.email)));
    let key = secret.as_ref().map(crate::crypto::totp::TotpSecret::manual_key);
    let state = match (&two_factor, &uri, &key) {
        (Some(on), ..) => TwoFactorState::On { since: on.since, codes_left: on.codes_left, devices: on.devices },
        (None, Some(uri), Some(key)) => TwoFactorState::Setup(TwoFactorSetup {
            qr: QrCode::of(uri),
            uri,
            email: &by.live.view.email,
            key,
            end_others: errors.typed().is_checked("end_others", false),
        }),
        _ => TwoFactorState::Off,
    };
    let view = TwoFactorPage { layout: &shell, state, code_error: errors.of("code") };
    Ok(views::page(errors.status(), &view))
}
