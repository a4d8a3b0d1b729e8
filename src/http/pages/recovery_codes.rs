//! `/auth/account/recovery-codes`: new codes, shown once in the answer that makes them.

use super::submission::{Member, Stop, Submission};
use super::two_factor;
use super::visit::Visit;
use crate::crypto::recovery_code::RecoveryCode;
use crate::domain::factors;
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, Chrome, RecoveryCodesPage, STALE_FORM, WRONG_PASSWORD, account_sections};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use zeroize::Zeroizing;

const PATH: &str = "/auth/account/recovery-codes";

/// Asks whether to make new codes.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    ask(visit, &live, StatusCode::OK, None, None).await
}

/// Makes new codes and shows them.
pub async fn create(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    if !meant {
        return ask(visit, &live, StatusCode::FORBIDDEN, None, Some(STALE_FORM)).await;
    }
    if !visit.password_is_right(&live, &fields).await? {
        return ask(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, Some(WRONG_PASSWORD), None).await;
    }
    let made = factors::replace_recovery_codes(&visit.app, live.view.user_id).await;
    match made.map_err(|error| Fault::new(error, visit.id))? {
        Some(codes) => show_new(visit, &live, &codes, false),
        None => Ok(visit.redirect(Some(two_factor::PATH))),
    }
}

/// The page with codes just made.
pub(super) fn show_new(
    mut visit: Visit,
    live: &Live,
    codes: &[RecoveryCode],
    just_turned_on: bool,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let codes: Vec<Zeroizing<String>> = codes.iter().map(RecoveryCode::shown).collect();
    let view = RecoveryCodesPage { codes: &codes, just_turned_on, ..empty(live, &csrf) };
    let page = views::page(StatusCode::OK, &RecoveryCodesPage { sections: &account_sections("/auth/account"), ..view });
    Ok(visit.answer(page))
}

async fn ask(
    mut visit: Visit,
    live: &Live,
    status: StatusCode,
    password_error: Option<&str>,
    form_error: Option<&str>,
) -> Result<Response, Stop> {
    let on = factors::two_factor(&visit.app, live.view.user_id).await.map_err(|error| Fault::new(error, visit.id))?;
    let Some(on) = on else { return Ok(visit.redirect(Some(two_factor::PATH))) };
    let csrf = visit.csrf()?;
    let view = RecoveryCodesPage {
        sections: &account_sections("/auth/account"),
        left: on.codes_left,
        password_error,
        form_error,
        ..empty(live, &csrf)
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}

fn empty<'a>(live: &'a Live, csrf: &'a str) -> RecoveryCodesPage<'a> {
    RecoveryCodesPage {
        chrome: Chrome::new().viewed_by(&live.view.username, csrf),
        csrf,
        sections: &[],
        codes: &[],
        just_turned_on: false,
        left: 0,
        password_error: None,
        form_error: None,
    }
}
