//! Forms with which logged-in people change something: a page by GET, the change by POST, and one order of checks.

use super::page_context::PageContext;
use super::required::parse_id;
use crate::context::App;
use crate::error::Error;
use crate::http::form::{Form, FormErrors, PostedForm};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{Shell, account_sections};
use crate::messages::Message;
use crate::model::ids::UserId;
use crate::model::principal::Principal;
use crate::rate_limit::{ChangeKind, RateLimitError};
use crate::refusal::{ChangeError, Refusal};
use crate::store::StoreError;
use axum::extract::Path;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use serde::de::DeserializeOwned;
use std::ops::Deref;
use std::sync::Arc;
use uuid::Uuid;

pub trait ChangeForm: Sized + Send + Sync + 'static {
    type Target: FormTarget;
    /// How it is read: [`Submitted`](crate::http::form::Submitted) takes it from its own page alone,
    /// [`FromAnywhere`](crate::http::form::FromAnywhere) from scripts of applications as well.
    type Sent: PostedForm;
    /// What it counts as. `None` only of what a thief must not be able to use up, because it takes something back, or of
    /// what has a limit of its own.
    const LIMIT: Option<ChangeKind>;
    /// The step-up that it takes to see the form, and to send it.
    const STEP_UP: StepUp = StepUp::None;

    /// Where a login or a step-up leads back to; of a form without a page of its own, the page that it stands on.
    fn home(context: &PageContext) -> &str {
        context.path()
    }

    /// The page of the form, with what was typed and what is wrong with it.
    fn page(by: LoggedIn<'_>, target: &Self::Target, errors: &FormErrors) -> impl Future<Output = PageResult> + Send;

    /// Refuses what the form itself lacks, before it counts.
    fn check(_form: &Form<FieldsOf<Self>>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Makes the change, and answers where that leads.
    fn change(
        by: LoggedIn<'_>,
        target: &Self::Target,
        form: &Form<FieldsOf<Self>>,
    ) -> impl Future<Output = ChangeResult> + Send;
}

pub type PageResult = Result<Response, PageError>;
pub type ChangeResult = Result<Response, NotDone>;
pub type FieldsOf<F> = <<F as ChangeForm>::Sent as PostedForm>::Fields;
type IdsOf<F> = <<F as ChangeForm>::Target as FormTarget>::Ids;

/// A request of a person who is logged in.
#[derive(Clone, Copy)]
pub struct LoggedIn<'a> {
    pub context: &'a PageContext,
    pub live: &'a LiveSession,
}

impl<'a> LoggedIn<'a> {
    pub fn user(self) -> UserId {
        self.live.view.user_id
    }

    pub fn principal(self) -> Principal {
        self.context.principal(self.live)
    }

    /// What a page in this section of the account has around it; `form_error` is why its form was refused.
    pub fn shell(self, section: &str, form_error: Option<&'a Message>) -> Result<Shell<'a>, PageError> {
        let shell = self.context.shell(self.context.layout_for(self.live), form_error)?;
        Ok(Shell { sections: account_sections(section).into(), ..shell })
    }
}

impl Deref for LoggedIn<'_> {
    type Target = PageContext;

    fn deref(&self) -> &PageContext {
        self.context
    }
}

/// What a form is about.
pub trait FormTarget: Sized + Send + Sync {
    /// The ids in its path.
    type Ids: DeserializeOwned + Clone + Send;

    /// Finds it for this person; the 404 page if they may not see it.
    fn find(by: LoggedIn<'_>, ids: Self::Ids) -> impl Future<Output = Result<Self, PageError>> + Send;
}

/// The account of the person who is logged in.
pub struct OwnAccount;

impl FormTarget for OwnAccount {
    type Ids = ();

    async fn find(_: LoggedIn<'_>, (): ()) -> Result<Self, PageError> {
        Ok(Self)
    }
}

/// What has this id; whether the person has it is seen by the page and by the change.
pub struct WithId<T>(pub T);

impl<T: From<Uuid> + Send + Sync> FormTarget for WithId<T> {
    type Ids = String;

    async fn find(_: LoggedIn<'_>, id: String) -> Result<Self, PageError> {
        Ok(Self(parse_id(&id)?.into()))
    }
}

#[derive(Clone, Copy, Debug)]
pub enum StepUp {
    None,
    /// A recent login, or the password or passkey once more.
    Recent,
    /// As [`Recent`](Self::Recent), but a login of the last minutes will do for users who could
    /// prove themselves by nothing else.
    RecentOrNewLogin,
    /// As [`Recent`](Self::Recent), but only of accounts without a password: the form asks for it.
    PasswordInForm,
    /// As [`PasswordInForm`](Self::PasswordInForm), and the second factor of who has a platform role.
    PasswordInFormAndFactor,
}

impl StepUp {
    async fn require(self, by: LoggedIn<'_>, home: &str) -> Result<(), PageError> {
        match self {
            StepUp::None => Ok(()),
            StepUp::Recent => by.require_recent_proof(by.live, home),
            StepUp::RecentOrNewLogin => by.require_proof_or_new_login(by.live, home).await,
            StepUp::PasswordInForm => by.require_password_or_proof(by.live, home).await,
            StepUp::PasswordInFormAndFactor => {
                by.require_shown_factor(by.live, home)?;
                by.require_password_or_proof(by.live, home).await
            }
        }
    }
}

/// Why a change was not made.
pub enum NotDone {
    /// The form says why.
    Refused(ChangeError),
    /// Another page does.
    Answered(PageError),
}

impl From<ChangeError> for NotDone {
    fn from(error: ChangeError) -> Self {
        NotDone::Refused(error)
    }
}

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> Self {
        NotDone::Refused(refusal.into())
    }
}

impl From<Error> for NotDone {
    fn from(error: Error) -> Self {
        NotDone::Refused(error.into())
    }
}

impl From<StoreError> for NotDone {
    fn from(error: StoreError) -> Self {
        NotDone::Refused(error.into())
    }
}

impl From<RateLimitError> for NotDone {
    fn from(error: RateLimitError) -> Self {
        NotDone::Answered(error.into())
    }
}

impl From<PageError> for NotDone {
    fn from(answer: PageError) -> Self {
        NotDone::Answered(answer)
    }
}

/// The form by GET and its change by POST, where both have one path.
pub fn form<F: ChangeForm>() -> MethodRouter<Arc<App>> {
    get(show::<F>).post(submit::<F>)
}

pub async fn show<F: ChangeForm>(context: PageContext, Path(ids): Path<IdsOf<F>>) -> PageResult {
    let home = F::home(&context);
    let live = context.require_login(home).await?;
    let by = LoggedIn { context: &context, live: &live };
    let target = F::Target::find(by, ids).await?;
    F::STEP_UP.require(by, home).await?;
    F::page(by, &target, &FormErrors::default()).await
}

/// Checks, in this order: login, target, CSRF and source page, step-up, what the form lacks, limit; then makes the change.
pub async fn submit<F: ChangeForm>(context: PageContext, Path(ids): Path<IdsOf<F>>, sent: F::Sent) -> PageResult {
    let home = F::home(&context);
    let live = context.require_login(home).await?;
    let by = LoggedIn { context: &context, live: &live };
    let target = F::Target::find(by, ids.clone()).await?;
    let verified = sent.verified_for((&live).into());
    // Also before the page of a form that failed verification.
    F::STEP_UP.require(by, home).await?;
    let form = match verified {
        Ok(form) => form,
        Err(errors) => return F::page(by, &target, &errors).await,
    };
    if let Err(refusal) = F::check(&form) {
        return F::page(by, &target, &form.again().refused(refusal.into())?).await;
    }
    if let Some(kind) = F::LIMIT {
        context.check_change_limit(&live, kind).await?;
    }
    match F::change(by, &target, &form).await {
        Ok(response) => Ok(response),
        Err(NotDone::Answered(answer)) => Err(answer),
        Err(NotDone::Refused(error)) => {
            let errors = form.again().refused(error)?;
            // Looked at again: it may be refused because what it is about has changed meanwhile.
            F::page(by, &F::Target::find(by, ids).await?, &errors).await
        }
    }
}
