//! `/auth/account/recovery-codes`: replaces the recovery codes; the response shows the new ones once.

use super::page_context::PageContext;
use super::paths;
use crate::crypto::recovery_code::RecoveryCode;
use crate::domain::mfa::{recovery_codes, status};
use crate::http::form::{FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, RecoveryCodesPage, account_sections};
use crate::rate_limit::ChangeKind;
use axum::response::Response;
use zeroize::Zeroizing;

const PATH: &str = "/auth/account/recovery-codes";

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_reauthentication(PATH).await?;
    confirmation_page(&context, &live, &FormErrors::default()).await
}

/// Replaces the codes and shows the new ones.
pub async fn create(context: PageContext, submitted: Submitted<NoFields>) -> Result<Response, PageError> {
    let live = context.require_reauthentication(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return confirmation_page(&context, &live, &errors).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    match recovery_codes::replace_recovery_codes(&context.app, &context.person(&live), live.view.user_id).await? {
        Some(codes) => show_new(&context, &live, &codes, false),
        None => Ok(context.redirect(Some(paths::TWO_FACTOR))),
    }
}

async fn confirmation_page(
    context: &PageContext,
    live: &LiveSession,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    match status::two_factor(&context.app, &context.person(live), live.view.user_id).await? {
        Some(two_factor) => page(context, live, &CodesShown::Left(two_factor.codes_left), errors),
        None => Ok(context.redirect(Some(paths::TWO_FACTOR))),
    }
}

pub(super) fn show_new(
    context: &PageContext,
    live: &LiveSession,
    codes: &[RecoveryCode],
    just_enabled: bool,
) -> Result<Response, PageError> {
    let codes = codes.iter().map(RecoveryCode::formatted).collect();
    page(context, live, &CodesShown::New { codes, just_enabled }, &FormErrors::default())
}

enum CodesShown {
    /// How many codes are left, with the question whether to replace them.
    Left(usize),
    /// New codes.
    New { codes: Vec<Zeroizing<String>>, just_enabled: bool },
}

fn page(
    context: &PageContext,
    live: &LiveSession,
    shown: &CodesShown,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let (codes, just_enabled, codes_left) = match shown {
        CodesShown::Left(count) => (&[][..], false, *count),
        CodesShown::New { codes, just_enabled } => (codes.as_slice(), *just_enabled, 0),
    };
    let view = RecoveryCodesPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        codes,
        just_enabled,
        codes_left,
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
