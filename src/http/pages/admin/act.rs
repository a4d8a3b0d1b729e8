//! Acts of administrators: each is a [`ChangeForm`] whose target is found for a role, and which asks for the reason.

use crate::context::App;
use crate::error::Error;
use crate::http::form::{Form, FormErrors, FormFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{ChangeForm, ChangeResult, FormTarget, LoggedIn, PageResult, StepUp};
use crate::http::pages::page_context::PageContext;
use crate::http::return_to;
use crate::http::views::{self, ActParent, AdminActPage, AdminField, Shell, admin_sections};
use crate::messages::{Key, Message};
use crate::model::principal::{Operation, Principal, Reason, ReasonFault};
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::StoreError;
use axum::http::Method;
use serde::Deserialize;
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

/// The field of every act beside its own: why it is done.
const REASON: &str = "reason";

/// The form of an act that asks for nothing but the reason.
#[derive(Default, Deserialize)]
pub struct ReasonFields {}

impl FormFields for ReasonFields {
    const SHOWN_AGAIN: &'static [&'static str] = &[REASON];
}

/// What an act is about: a person, a session, an organization. It is found with the roles of the administrator.
pub trait ActTarget: FormTarget {
    /// What it is called, as people typed it; `None`: something new.
    fn name(&self) -> Option<&str>;

    fn page(&self) -> String;

    fn parent(&self) -> ActParent<'_>;
}

/// What an administrator does for others, by a [`ChangeForm`] that asks for the reason.
pub trait Act: Sized + Send + Sync + 'static {
    type Target: ActTarget;
    /// Its own fields, and `reason` among those that are shown again.
    type Fields: FormFields + Send + Sync;
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

/// What an act is about, found for those whose role permits the act.
pub struct Permitted<A: Act>(A::Target);

impl<A: Act> FormTarget for Permitted<A> {
    type Ids = <A::Target as FormTarget>::Ids;

    async fn find(by: LoggedIn<'_>, ids: Self::Ids) -> Result<Self, PageError> {
        by.require_role_for(A::OPERATION)?;
        Ok(Self(A::Target::find(by, ids).await?))
    }
}

impl<A: Act> ChangeForm for A {
    type Target = Permitted<A>;
    type Sent = Submitted<A::Fields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Administration);
    const STEP_UP: StepUp = StepUp::Recent;

    /// A form keeps what its address fills in.
    fn home(context: &PageContext) -> &str {
        if context.method == Method::GET { &context.target } else { context.path() }
    }

    async fn page(by: LoggedIn<'_>, Permitted(target): &Permitted<A>, errors: &FormErrors) -> PageResult {
        let (words, back) = (A::WORDS, target.page());
        let fields = A::fields(by.context, target, errors);
        let placed: Vec<&str> = fields.iter().map(|field| field.name).chain([REASON]).collect();
        let shell = by.context.shell(by.layout_for(by.live), errors.form_or_other_than(&placed))?;
        let view = AdminActPage {
            layout: &Shell { sections: admin_sections(&by.administrator(), &back), ..shell },
            action: by.path(),
            title: words.title,
            subject: target.name(),
            explanation: words.explanation,
            fields: &fields,
            reason: errors.field(REASON),
            button: words.button,
            is_dangerous: words.is_dangerous,
            back: &back,
            parent: target.parent(),
            command: &A::command(target),
        };
        Ok(views::page(errors.status(), &view))
    }

    fn check(form: &Form<A::Fields>) -> Result<(), Refusal> {
        reason(form).map(|_| ())
    }

    async fn change(by: LoggedIn<'_>, Permitted(target): &Permitted<A>, form: &Form<A::Fields>) -> ChangeResult {
        let administrator = by.administrator().because(reason(form)?);
        match A::carry_out(&by.app, &administrator, target, form).await {
            Ok(result) => Ok(by.redirect(Some(&result))),
            Err(ChangeError::Failed(Error::Store(StoreError::Denied(_)))) => Err(by.not_permitted(A::OPERATION).into()),
            Err(ChangeError::Refused(Refusal::TooSoon(wait))) => {
                Err(Refusal::Rule(Rule::Conflict, mailed_lately(wait)).into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn reason<T>(form: &Form<T>) -> Result<Reason, Refusal> {
    let typed = form.typed().get(REASON).unwrap_or_default();
    Reason::parse(typed).map_err(|fault| Refusal::field(REASON, of_reason(fault)))
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
