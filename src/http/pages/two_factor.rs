//! `/auth/account/two-factor`: an authenticator app is set up, confirmed and removed here.

use super::submission::{Member, Stop, Submission};
use super::visit::Visit;
use super::{account_security, paths, recovery_codes};
use crate::domain::mfa::totp::{self, BeginError, ConfirmError};
use crate::domain::mfa::{status, trusted_devices};
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::session::Live;
use crate::http::views::{
    self, QrCode, RemoveTwoFactorPage, STALE_FORM, Setup, TwoFactorPage, TwoFactorState, WRONG_PASSWORD,
    account_sections,
};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = paths::TWO_FACTOR;
const REMOVE: &str = "/auth/account/two-factor/remove";
const WRONG_CODE: Message = Message::new("two-factor-wrong-code");

/// What is wrong with what was sent.
#[derive(Clone, Copy, Default)]
struct Wrong<'a> {
    password: Option<&'a Message>,
    code: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Shows what there is.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    page(visit, &live, &Fields::default(), StatusCode::OK, Wrong::default()).await
}

/// Makes a key for an app.
pub async fn begin(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.confirmed_submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live, &fields).await;
    }
    match totp::begin(&visit.app, live.view.user_id).await {
        Ok(()) | Err(BeginError::On) => Ok(visit.redirect(Some(PATH))),
        Err(BeginError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

/// Takes the app into use, and shows the recovery codes.
pub async fn confirm(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.confirmed_submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live, &fields).await;
    }
    let end_others = fields.get("end_others").map(|_| live.id);
    match totp::confirm(&visit.app, &visit.by(&live), live.view.user_id, fields.text("code"), end_others).await {
        Ok(codes) => recovery_codes::show_new(visit, &live, &codes, true),
        Err(ConfirmError::NotBegun) => Ok(visit.redirect(Some(PATH))),
        Err(ConfirmError::WrongCode) => {
            let wrong = Wrong { code: Some(&WRONG_CODE), ..Wrong::default() };
            page(visit, &live, &fields, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
        }
        Err(ConfirmError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

/// Has every remembered device asked again.
pub async fn forget_devices(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live, &fields).await;
    }
    let forgotten = trusted_devices::forget_devices(&visit.app, live.view.user_id).await;
    forgotten.map_err(|error| Fault::new(error, visit.id))?;
    Ok(visit.redirect(Some(PATH)))
}

/// Asks whether to turn it off.
pub async fn ask_to_remove(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    if load(&visit, &live).await?.is_none() {
        return Ok(visit.redirect(Some(PATH)));
    }
    if visit.must_confirm_first(&live).await? {
        return Ok(visit.confirm_first(REMOVE));
    }
    removal_page(visit, &live, true, StatusCode::OK, Wrong::default()).await
}

/// Turns it off.
pub async fn remove(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    let end_others = fields.get("end_others").is_some();
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return removal_page(visit, &live, end_others, StatusCode::FORBIDDEN, wrong).await;
    }
    if visit.must_confirm_first(&live).await? {
        return Ok(visit.confirm_first(REMOVE));
    }
    if !visit.is_proved(&live, &fields).await? {
        let wrong = Wrong { password: Some(&WRONG_PASSWORD), ..Wrong::default() };
        return removal_page(visit, &live, end_others, StatusCode::UNPROCESSABLE_ENTITY, wrong).await;
    }
    let removed = status::remove(&visit.app, &visit.by(&live), live.view.user_id, end_others.then_some(live.id)).await;
    removed.map_err(|error| Fault::new(error, visit.id))?;
    Ok(visit.redirect(Some(PATH)))
}

async fn stale(visit: Visit, live: &Live, fields: &Fields) -> Result<Response, Stop> {
    let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
    page(visit, live, fields, StatusCode::FORBIDDEN, wrong).await
}

async fn load(visit: &Visit, live: &Live) -> Result<Option<status::TwoFactor>, Fault> {
    status::two_factor(&visit.app, live.view.user_id).await.map_err(|error| Fault::new(error, visit.id))
}

async fn page(
    mut visit: Visit,
    live: &Live,
    fields: &Fields,
    status: StatusCode,
    wrong: Wrong<'_>,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let chrome = visit.chrome_of(live, &csrf);
    let user = live.view.user_id;
    let on = load(&visit, live).await?;
    let secret = totp::setup(&visit.app, user).await.map_err(|error| Fault::new(error, visit.id))?;
    // Who only found a browser open is not shown the key.
    let secret = secret.filter(|_| visit.recently_authenticated(live));
    let uri = secret.as_ref().and_then(|secret| secret.uri(&chrome.brand.name, &live.view.email));
    let key = secret.as_ref().map(crate::crypto::totp::TotpSecret::manual_key);
    let state = match (&on, &uri, &key) {
        (Some(on), ..) => TwoFactorState::On { since: on.since, codes_left: on.codes_left, devices: on.devices },
        (None, Some(uri), Some(key)) => TwoFactorState::Setup(Setup {
            qr: QrCode::of(uri),
            uri,
            key,
            end_others: fields.get("end_others").is_some(),
        }),
        _ => TwoFactorState::Off,
    };
    let view = TwoFactorPage {
        chrome,
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        state,
        code_error: wrong.code,
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}

async fn removal_page(
    mut visit: Visit,
    live: &Live,
    end_others: bool,
    status: StatusCode,
    wrong: Wrong<'_>,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let view = RemoveTwoFactorPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        end_others,
        has_password: visit.has_password(live).await?,
        password_error: wrong.password,
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
