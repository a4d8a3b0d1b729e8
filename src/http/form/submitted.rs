//! Forms that were sent, and whether they may change anything.

use super::errors::FormErrors;
use super::fields::{self, Fields, FormError};
use super::page_field::{self, ShownTo, SourcePage};
use super::typed::{FILL_IN, Typed};
use crate::context::App;
use crate::http::body_budget::BodyAllowance;
use crate::http::csrf::{self, CsrfRefusal, Origins};
use crate::http::page_notes::{PageNotes, SentForm};
use crate::http::views::NOT_OF_PAGE;
use crate::http::{error, navigation, session};
use crate::messages::Message;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::ops::Deref;
use std::sync::Arc;

pub trait FormFields: DeserializeOwned {
    /// Those that a page may show again: never a password or a code.
    const SHOWN_AGAIN: &'static [&'static str];
}

/// A form that has only buttons.
#[derive(Debug, Default, Deserialize)]
pub struct NoFields {}

impl FormFields for NoFields {
    const SHOWN_AGAIN: &'static [&'static str] = &[];
}

/// A form whose CSRF token and origin were verified for its route. There is no other way to make one.
pub struct Form<T> {
    values: T,
    typed: Typed,
}

impl<T> Deref for Form<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.values
    }
}

impl<T> Form<T> {
    pub fn typed(&self) -> &Typed {
        &self.typed
    }

    /// The form again, as it was sent.
    pub fn again(&self) -> FormErrors {
        FormErrors::of_form(self.typed.clone())
    }

    /// The form again, with what is wrong with all of it.
    pub fn refused(&self, message: Message) -> FormErrors {
        self.again().and_form(message)
    }

    /// The form again, with what is wrong with a field.
    pub fn refused_field(&self, name: &'static str, message: Message) -> FormErrors {
        self.again().and_field(name, message)
    }
}

/// A form that was sent. The handler acts on it once it is verified, as sent from the page that the same person was
/// shown; otherwise it shows the page again.
pub struct Submitted<T> {
    form: FromAnywhere<T>,
    source: SourcePage,
}

impl<T> Submitted<T> {
    pub fn typed(&self) -> &Typed {
        self.form.typed()
    }

    /// The form, or what its page says instead. The viewer must be the one for whom the handler acts.
    pub fn verified(self, viewer: impl Into<ShownTo>) -> Result<Form<T>, FormErrors> {
        let viewer = viewer.into();
        let is_of_page = self.source.is_of_page(viewer);
        match self.form.verified() {
            Ok(form) if is_of_page && !self.source.is_old() => Ok(form),
            Ok(form) if is_of_page => Err(not_of_page(form.typed)),
            // A script chose what it says: a person would send that with the next click.
            Ok(_) => Err(not_of_page(Typed::default())),
            Err(errors) if is_of_page => Err(errors),
            Err(errors) => Err(errors.without_typed()),
        }
    }
}

/// A form that a script on the login's host may send as well. Nothing that lets someone in, ends, gives away or deletes
/// may take one; `application_scripts` has the list of those that do, with the reasons.
pub struct FromAnywhere<T> {
    outcome: Result<T, FormErrors>,
    typed: Typed,
}

impl<T> FromAnywhere<T> {
    pub fn typed(&self) -> &Typed {
        &self.typed
    }

    /// The form, or what its page says instead.
    pub fn verified(self) -> Result<Form<T>, FormErrors> {
        self.outcome.map(|values| Form { values, typed: self.typed })
    }
}

/// A form as it was sent, from its page alone or from anywhere.
pub trait PostedForm: FromRequest<Arc<App>, Rejection = FormError> + Send {
    type Fields: Send + Sync;

    /// The form, or what its page says instead. The viewer is the one for whom the handler acts.
    fn verified_for(self, viewer: ShownTo) -> Result<Form<Self::Fields>, FormErrors>;
}

impl<T: FormFields + Send + Sync> PostedForm for Submitted<T> {
    type Fields = T;

    fn verified_for(self, viewer: ShownTo) -> Result<Form<T>, FormErrors> {
        self.verified(viewer)
    }
}

impl<T: FormFields + Send + Sync> PostedForm for FromAnywhere<T> {
    type Fields = T;

    fn verified_for(self, _: ShownTo) -> Result<Form<T>, FormErrors> {
        self.verified()
    }
}

impl<T: FormFields> FromRequest<Arc<App>> for FromAnywhere<T> {
    type Rejection = FormError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, FormError> {
        let (parts, fields) = read(request, app).await?;
        Self::new(app, &parts, fields)
    }
}

impl<T: FormFields> FromRequest<Arc<App>> for Submitted<T> {
    type Rejection = FormError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, FormError> {
        let (parts, fields) = read(request, app).await?;
        let source = if navigation::sends_mode(&parts.headers) {
            let field = fields.get(page_field::FIELD);
            SourcePage::open(&app.secret_keys, parts.uri.path(), field, app.clock.now())
        } else {
            SourcePage::NotAsked
        };
        Ok(Self { form: FromAnywhere::new(app, &parts, fields)?, source })
    }
}

impl<T: FormFields> FromAnywhere<T> {
    fn new(app: &App, parts: &Parts, fields: Fields) -> Result<Self, FormError> {
        let refusal = csrf_refusal(app, parts, &fields);
        let fields = Arc::new(fields);
        let typed = Typed::new(fields.clone(), T::SHOWN_AGAIN);
        if let Some(refusal) = refusal {
            refusal.log(app);
            return Ok(Self { outcome: Err(refused(typed.clone(), refusal.message(&app.settings))), typed });
        }
        note_sent(parts, &typed);
        if typed.has(FILL_IN) {
            return Ok(Self { outcome: Err(FormErrors::of_form(typed.clone())), typed });
        }
        let values = fields.deserialize().map_err(|_| FormError::WrongFields)?;
        Ok(Self { outcome: Ok(values), typed })
    }
}

async fn read(request: Request, app: &App) -> Result<(Parts, Fields), FormError> {
    let (parts, body) = request.into_parts();
    let fields = match allowance(app, &parts) {
        Some(allowance) => fields::read(&parts.headers, body, &allowance).await?,
        // The method has no body.
        None => Fields::default(),
    };
    Ok((parts, fields))
}

/// What the body may take: strangers of a site do not use up what is for the people there who are logged in.
fn allowance(app: &App, parts: &Parts) -> Option<BodyAllowance> {
    let allowance: BodyAllowance = parts.extensions.get().cloned()?;
    Some(if session::shows_access_token(app, &parts.headers) { allowance.with_credentials() } else { allowance })
}

fn note_sent(parts: &Parts, typed: &Typed) {
    if let (Some(notes), Some(target)) = (parts.extensions.get::<PageNotes>(), parts.uri.path_and_query()) {
        notes.set_sent(SentForm { action: target.as_str().to_owned(), typed: typed.clone() });
    }
}

fn csrf_refusal(app: &App, parts: &Parts, fields: &Fields) -> Option<CsrfRefusal> {
    let origins: Origins = parts.extensions.get().copied().unwrap_or_default();
    csrf::verify(&app.settings, &parts.headers, fields.csrf(), origins).err()
}

/// The page says that nothing was changed (docs/reference/browser.md 4.3).
fn refused(typed: Typed, message: Message) -> FormErrors {
    FormErrors::of_form(typed).and_form(message).with_status(StatusCode::FORBIDDEN)
}

/// The same of a form that its page did not send, or sent too late (docs/reference/browser.md 4.6).
fn not_of_page(typed: Typed) -> FormErrors {
    refused(typed, NOT_OF_PAGE.clone())
}

impl IntoResponse for FormError {
    fn into_response(self) -> Response {
        error::bad_form(self)
    }
}
