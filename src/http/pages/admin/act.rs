//! Acts of administrators: each is a form by GET and the act itself by POST, at one path.

use super::Administrator;
use crate::context::App;
use crate::error::Error;
use crate::http::form::{Form, FormErrors, FormFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::return_to;
use crate::http::views::{self, ActParent, AdminActPage, AdminField, Problem};
use crate::messages::{Key, Message};
use crate::model::principal::{Operation, Principal, Reason, ReasonFault};
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal};
use crate::store::StoreError;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// What the page of an act says.
pub struct ActWords {
    pub title: Key,
    pub explanation: Key,
    pub button: Key,
    pub is_dangerous: bool,
}

impl ActWords {
    /// The words of these keys, of an act that gives, changes or asks.
    pub const fn new(title: &'static str, explanation: &'static str, button: &'static str) -> Self {
        Self { title: Key(title), explanation: Key(explanation), button: Key(button), is_dangerous: false }
    }

    /// The same of an act that takes something away.
    #[must_use]
    pub const fn dangerous(self) -> Self {
        Self { is_dangerous: true, ..self }
    }
}

pub trait ActFields: FormFields + Send + Sync {
    /// Why it is done, as typed.
    fn reason(&self) -> &str;
}

/// The form of an act that asks for nothing but the reason.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ReasonFields {
    reason: String,
}

impl FormFields for ReasonFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["reason"];
}

impl ActFields for ReasonFields {
    fn reason(&self) -> &str {
        &self.reason
    }
}

/// What an act is about: a person, a session, an organization.
pub trait ActTarget: Sized + Send + Sync {
    type Ids: DeserializeOwned + Send;

    /// Finds it; the 404 page if it is not there.
    fn find(
        context: &PageContext,
        admin: &Administrator,
        ids: Self::Ids,
    ) -> impl Future<Output = Result<Self, PageError>> + Send;

    /// What it is called, as people typed it; `None`: something new.
    fn name(&self) -> Option<&str>;

    fn page(&self) -> String;

    fn parent(&self) -> ActParent<'_>;
}

pub trait Act: Send + Sync + 'static {
    type Target: ActTarget;
    type Fields: ActFields;
    const OPERATION: Operation;
    const WORDS: ActWords;

    /// The command line that does the same, by ids only.
    fn command(target: &Self::Target) -> String;

    /// Its fields beside the reason, with what was typed into them.
    fn fields<'a>(_context: &PageContext, _target: &Self::Target, _errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        Vec::new()
    }

    /// Does it; what is made is the page that shows the result.
    fn carry_out(
        app: &App,
        by: &Principal,
        target: &Self::Target,
        form: &Form<Self::Fields>,
    ) -> impl Future<Output = Result<String, ChangeError>> + Send;
}

/// The address of a page that says that it was done.
pub(super) fn done(page: &str) -> String {
    return_to::with_query(page, "done", "act")
}

pub(super) fn notice(context: &PageContext) -> Option<Message> {
    context.done_message(&[("act", "admin-done")])
}

/// The ids in the path of an act.
type IdsOf<A> = <<A as Act>::Target as ActTarget>::Ids;

pub async fn show<A: Act>(context: PageContext, Path(ids): Path<IdsOf<A>>) -> Result<Response, PageError> {
    let admin = context.administrator(A::OPERATION).await?;
    let target = A::Target::find(&context, &admin, ids).await?;
    admin.require_confirmation(&context)?;
    Ok(page::<A>(&context, &admin, &target, &FormErrors::default()))
}

pub async fn submit<A: Act>(
    context: PageContext,
    Path(ids): Path<IdsOf<A>>,
    submitted: Submitted<A::Fields>,
) -> Result<Response, PageError> {
    let admin = context.administrator(A::OPERATION).await?;
    let target = A::Target::find(&context, &admin, ids).await?;
    let verified = submitted.verified(&admin.live);
    // Also before the page of a form that failed verification.
    admin.require_confirmation(&context)?;
    let form = match verified {
        Ok(form) => form,
        Err(errors) => return Ok(page::<A>(&context, &admin, &target, &errors)),
    };
    let reason = match Reason::parse(form.reason()) {
        Ok(reason) => reason,
        Err(fault) => return Ok(page::<A>(&context, &admin, &target, &form.refused_field("reason", of_reason(fault)))),
    };
    context.check_change_limit(&admin.live, ChangeKind::Administration).await?;
    let errors = match A::carry_out(&context.app, &admin.principal.because(reason), &target, &form).await {
        Ok(result) => return Ok(context.redirect(Some(&result))),
        Err(ChangeError::Failed(Error::Store(StoreError::Denied(_)))) => {
            context.record_refusal(admin.live.view.user_id, A::OPERATION);
            return Err(Problem::NotPermitted.into());
        }
        Err(ChangeError::Refused(Refusal::TooSoon(wait))) => form.refused(mailed_lately(wait)),
        Err(error) => form.again().refused(error)?.with_status(StatusCode::UNPROCESSABLE_ENTITY),
    };
    Ok(page::<A>(&context, &admin, &target, &errors))
}

fn mailed_lately(wait: Duration) -> Message {
    let seconds = usize::try_from(wait.as_secs().max(1)).unwrap_or(usize::MAX);
    Message::new("admin-mailed-lately").number("seconds", seconds)
}

fn of_reason(fault: ReasonFault) -> Message {
    Message::new(match fault {
        ReasonFault::Missing => "admin-reason-missing",
        ReasonFault::TooLong => "admin-reason-long",
        ReasonFault::Control => "admin-reason-control",
    })
}

fn page<A: Act>(context: &PageContext, admin: &Administrator, target: &A::Target, errors: &FormErrors) -> Response {
    let (words, back) = (A::WORDS, target.page());
    let fields = A::fields(context, target, errors);
    let placed: Vec<&str> = fields.iter().map(|field| field.name).chain(["reason"]).collect();
    let view = AdminActPage {
        layout: admin.layout(context),
        csrf: admin.csrf(),
        sections: &admin.sections(&back),
        action: context.path(),
        title: words.title,
        subject: target.name(),
        explanation: words.explanation,
        fields: &fields,
        reason: errors.field("reason"),
        form_error: errors.form_or_other_than(&placed),
        button: words.button,
        is_dangerous: words.is_dangerous,
        back: &back,
        parent: target.parent(),
        command: &A::command(target),
    };
    views::page(errors.status(), &view)
}
