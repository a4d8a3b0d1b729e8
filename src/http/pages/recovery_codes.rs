//! `/auth/account/recovery-codes`: replaces the recovery codes; the response shows the new ones once.

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission};
use super::{account_security, paths};
use crate::crypto::recovery_code::RecoveryCode;
use crate::domain::mfa::{recovery_codes, status};
use crate::http::error::InternalError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, RecoveryCodesPage, account_sections};
use crate::messages::Message;
use crate::rate_limit::ChangeKind;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use zeroize::Zeroizing;

const PATH: &str = "/auth/account/recovery-codes";

/// Asks for confirmation.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_reauthentication(PATH).await?;
    confirmation_page(context, &live, StatusCode::OK, None).await
}

/// Replaces the codes and shows the new ones.
pub async fn create(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, csrf_valid, .. } = context.reauthenticated_submission(body, PATH).await?;
    if !csrf_valid {
        return confirmation_page(context, &live, StatusCode::FORBIDDEN, Some(&CSRF_FAILED)).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let replaced = recovery_codes::replace_recovery_codes(&context.app, &context.actor(&live), live.view.user_id).await;
    match replaced.map_err(|error| InternalError::new(error, context.id))? {
        Some(codes) => show_new(context, &live, &codes, false),
        None => Ok(context.redirect(Some(paths::TWO_FACTOR))),
    }
}

async fn confirmation_page(
    context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let two_factor = status::two_factor(&context.app, live.view.user_id)
        .await
        .map_err(|error| InternalError::new(error, context.id))?;
    match two_factor {
        Some(two_factor) => page(
            context,
            live,
            status,
            &RecoveryCodesView { codes_left: two_factor.codes_left, error, ..RecoveryCodesView::default() },
        ),
        None => Ok(context.redirect(Some(paths::TWO_FACTOR))),
    }
}

/// The page with new codes.
pub(super) fn show_new(
    context: PageContext,
    live: &LiveSession,
    codes: &[RecoveryCode],
    just_enabled: bool,
) -> Result<Response, EarlyResponse> {
    let codes: Vec<Zeroizing<String>> = codes.iter().map(RecoveryCode::formatted).collect();
    page(
        context,
        live,
        StatusCode::OK,
        &RecoveryCodesView { codes: &codes, just_enabled, ..RecoveryCodesView::default() },
    )
}

/// The content of the page.
#[derive(Default)]
struct RecoveryCodesView<'a> {
    codes: &'a [Zeroizing<String>],
    just_enabled: bool,
    codes_left: usize,
    error: Option<&'a Message>,
}

fn page(
    mut context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    shown: &RecoveryCodesView<'_>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let view = RecoveryCodesPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        codes: shown.codes,
        just_enabled: shown.just_enabled,
        codes_left: shown.codes_left,
        form_error: shown.error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
