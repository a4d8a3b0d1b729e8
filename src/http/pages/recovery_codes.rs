//! `/auth/account/recovery-codes`: new codes, shown once in the answer that makes them.

use super::submission::{Member, Stop, Submission};
use super::visit::Visit;
use super::{account_security, paths};
use crate::crypto::recovery_code::RecoveryCode;
use crate::domain::mfa::{recovery_codes, status};
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, RecoveryCodesPage, STALE_FORM, account_sections};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use zeroize::Zeroizing;

const PATH: &str = "/auth/account/recovery-codes";

/// Asks whether to make new codes.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.confirmed_member(PATH).await?;
    ask(visit, &live, StatusCode::OK, None).await
}

/// Makes new codes and shows them.
pub async fn create(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, meant, .. } = visit.confirmed_submission(body, PATH).await?;
    if !meant {
        return ask(visit, &live, StatusCode::FORBIDDEN, Some(&STALE_FORM)).await;
    }
    let made = recovery_codes::replace_recovery_codes(&visit.app, &visit.by(&live), live.view.user_id).await;
    match made.map_err(|error| Fault::new(error, visit.id))? {
        Some(codes) => show_new(visit, &live, &codes, false),
        None => Ok(visit.redirect(Some(paths::TWO_FACTOR))),
    }
}

async fn ask(visit: Visit, live: &Live, status: StatusCode, error: Option<&Message>) -> Result<Response, Stop> {
    let on = status::two_factor(&visit.app, live.view.user_id).await.map_err(|error| Fault::new(error, visit.id))?;
    match on {
        Some(on) => page(visit, live, status, &Shown { left: on.codes_left, error, ..Shown::default() }),
        None => Ok(visit.redirect(Some(paths::TWO_FACTOR))),
    }
}

/// The page with codes just made.
pub(super) fn show_new(
    visit: Visit,
    live: &Live,
    codes: &[RecoveryCode],
    just_turned_on: bool,
) -> Result<Response, Stop> {
    let codes: Vec<Zeroizing<String>> = codes.iter().map(RecoveryCode::shown).collect();
    page(visit, live, StatusCode::OK, &Shown { codes: &codes, just_turned_on, ..Shown::default() })
}

/// What the page shows.
#[derive(Default)]
struct Shown<'a> {
    codes: &'a [Zeroizing<String>],
    just_turned_on: bool,
    left: usize,
    error: Option<&'a Message>,
}

fn page(mut visit: Visit, live: &Live, status: StatusCode, shown: &Shown<'_>) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let view = RecoveryCodesPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        codes: shown.codes,
        just_turned_on: shown.just_turned_on,
        left: shown.left,
        form_error: shown.error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
