//! `/auth/account/recovery-codes`: replaces the recovery codes; the response shows the new ones once.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, StepUp};
use super::paths;
use crate::crypto::recovery_code::RecoveryCode;
use crate::domain::change;
use crate::domain::mfa::{recovery_codes, status};
use crate::http::form::{Form, FormErrors, NoFields, Submitted};
use crate::http::views::{self, RecoveryCodesPage};
use crate::rate_limit::ChangeKind;
use zeroize::Zeroizing;

/// Replaces the codes and shows the new ones.
pub struct ReplaceRecoveryCodes;

impl ChangeForm for ReplaceRecoveryCodes {
    type Target = OwnAccount;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Factors);
    const STEP_UP: StepUp = StepUp::Recent;

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        match status::two_factor(&by.app, &by.principal(), by.user()).await? {
            Some(two_factor) => page(by, &CodesShown::Left(two_factor.codes_left), errors),
            None => Ok(by.redirect(Some(paths::TWO_FACTOR))),
        }
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, _: &Form<NoFields>) -> ChangeResult {
        match change::run(&by.app, &by.principal(), recovery_codes::ReplaceCodes).await? {
            Some(codes) => Ok(show_new(by, &codes, false)?),
            None => Ok(by.redirect(Some(paths::TWO_FACTOR))),
        }
    }
}

pub(super) fn show_new(by: LoggedIn<'_>, codes: &[RecoveryCode], just_enabled: bool) -> PageResult {
    let codes = codes.iter().map(RecoveryCode::formatted).collect();
    page(by, &CodesShown::New { codes, just_enabled }, &FormErrors::default())
}

enum CodesShown {
    /// How many codes are left, with the question whether to replace them.
    Left(usize),
    /// New codes.
    New { codes: Vec<Zeroizing<String>>, just_enabled: bool },
}

fn page(by: LoggedIn<'_>, shown: &CodesShown, errors: &FormErrors) -> PageResult {
    let (codes, just_enabled, codes_left) = match shown {
        CodesShown::Left(count) => (&[][..], false, *count),
        CodesShown::New { codes, just_enabled } => (codes.as_slice(), *just_enabled, 0),
    };
    let view =
        RecoveryCodesPage { layout: &by.shell(paths::SECURITY, errors.form())?, codes, just_enabled, codes_left };
    Ok(views::page(errors.status(), &view))
}
