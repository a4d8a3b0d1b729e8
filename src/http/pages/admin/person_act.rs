//! What the acts on a person have in common.

use super::act::{Act, ActError, ActFields, ActWords};
use super::{Administrator, people};
use crate::context::App;
use crate::domain::account::delete::{DeleteError, last_owner_message};
use crate::domain::identity::operator_error::OperatorError;
use crate::http::form::{Form, FormErrors};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::AdminField;
use crate::messages::Message;
use crate::model::ids::UserId;
use crate::model::placeholder_email::address_or;
use crate::model::principal::{Operation, Principal};
use crate::store::UserRow;

/// An act on a person: what differs from one to the next.
pub trait PersonAct: Send + Sync + 'static {
    /// The fields of its form.
    type Fields: ActFields;
    /// What one must be permitted.
    const OPERATION: Operation;
    /// What its page says.
    const WORDS: ActWords;

    /// The command line that does the same.
    fn command(user: UserId) -> String;

    /// Its fields beside the reason.
    fn fields<'a>(_context: &PageContext, _user: &UserRow, _errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        Vec::new()
    }

    /// Where the result is seen.
    fn result(user: UserId) -> String {
        format!("{}/{user}", people::PATH)
    }

    /// Does it.
    fn carry_out(
        app: &App,
        principal: &Principal,
        user: &UserRow,
        form: &Form<Self::Fields>,
    ) -> impl Future<Output = Result<(), ActError>> + Send;
}

/// An act on a person who was found.
pub struct OnPerson<A> {
    user: UserRow,
    act: std::marker::PhantomData<fn() -> A>,
}

/// The person of a path, or the 404 page.
pub(super) async fn find(context: &PageContext, admin: &Administrator, id: &str) -> Result<UserRow, PageError> {
    let id = UserId(parse_id(id)?);
    let mut conn = context.app.store.read(&admin.principal, Operation::FindUsers).await?;
    conn.user_find(id).await?.ok_or_else(not_found)
}

impl<A: PersonAct> Act for OnPerson<A> {
    type Ids = String;
    type Fields = A::Fields;
    const OPERATION: Operation = A::OPERATION;
    const WORDS: ActWords = A::WORDS;

    async fn find(context: &PageContext, admin: &Administrator, id: String) -> Result<Self, PageError> {
        Ok(Self { user: find(context, admin, &id).await?, act: std::marker::PhantomData })
    }

    fn subject(&self) -> Option<&str> {
        Some(address_or(&self.user.username, &self.user.email))
    }

    fn page(&self) -> String {
        format!("{}/{}", people::PATH, self.user.id)
    }

    fn command(&self) -> String {
        A::command(self.user.id)
    }

    fn fields<'a>(&self, context: &PageContext, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        A::fields(context, &self.user, errors)
    }

    async fn carry_out(&self, app: &App, principal: &Principal, form: &Form<A::Fields>) -> Result<String, ActError> {
        A::carry_out(app, principal, &self.user, form).await?;
        Ok(A::result(self.user.id))
    }
}

impl From<OperatorError> for ActError {
    fn from(error: OperatorError) -> Self {
        match error {
            OperatorError::NoSuchUser(_) => Self::Gone,
            OperatorError::OwnAccount => Self::Refused(Message::new("admin-not-yourself")),
            OperatorError::LastAdmin(_) => Self::Refused(Message::new("admin-last-administrator")),
            OperatorError::Fields(errors) => {
                let first = [("email", errors.email), ("username", errors.username), ("password", errors.password)];
                let first = first.into_iter().find_map(|(name, message)| message.map(|message| (name, message)));
                first.map_or(Self::Gone, |(name, message)| Self::Field(name, message))
            }
            OperatorError::TooSoon(wait) => {
                let seconds = usize::try_from(wait.as_secs().max(1)).unwrap_or(usize::MAX);
                Self::Refused(Message::new("admin-mailed-lately").number("seconds", seconds))
            }
            error @ (OperatorError::Ambiguous { .. } | OperatorError::Identity(..) | OperatorError::Protected(_)) => {
                Self::Failed(crate::error::Error::Inconsistent(error.to_string()))
            }
            OperatorError::Failed(error) => Self::Failed(error),
        }
    }
}

impl From<DeleteError> for ActError {
    fn from(error: DeleteError) -> Self {
        match error {
            DeleteError::NoSuchUser => Self::Gone,
            DeleteError::OwnAccount => Self::Refused(Message::new("admin-not-yourself")),
            DeleteError::LastAdmin => Self::Refused(Message::new("admin-last-administrator")),
            DeleteError::LastOwner(organizations) => Self::Refused(last_owner_message(&organizations)),
            error @ DeleteError::Protected => Self::Failed(crate::error::Error::Inconsistent(error.to_string())),
            DeleteError::Failed(error) => Self::Failed(error),
        }
    }
}
