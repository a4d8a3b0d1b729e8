//! The account page: profile and active organization.

use super::{Icon, OrganizationHeader, Shell};
use crate::messages::Message;
use crate::model::ids::UserId;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use askama::Template;

/// `/auth/account`.
#[derive(Template)]
#[template(path = "account.html")]
pub struct AccountPage<'a> {
    pub layout: &'a Shell<'a>,
    pub user: Profile<'a>,
    pub organization: OrganizationHeader<'a>,
    pub notice: Option<&'a Message>,
    /// What the user is asked to do about the email address.
    pub address_task: Option<AddressTask>,
    /// When refresh token reuse last ended a session of this user, if recent.
    pub stolen_token_at: Option<Time>,
}

/// What the user is asked to do about the email address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressTask {
    Verify,
    /// Add one: the account has none.
    Add,
}

#[derive(Clone, Copy, Debug)]
pub struct Profile<'a> {
    pub id: UserId,
    pub label: UserLabel<'a>,
    /// Whether people choose usernames here.
    pub shows_username: bool,
    pub is_verified: bool,
    /// Platform roles, such as `svc:admin`.
    pub roles: &'a [String],
    pub created_at: Time,
}

impl AccountPage<'_> {
    fn asks(&self, task: AddressTask) -> bool {
        self.address_task == Some(task)
    }

    fn has_second_line(&self) -> bool {
        !self.user.label.is_called_by_address() || self.says_verified() || !self.user.roles.is_empty()
    }

    /// Whether to say if the address is verified: not where no address has to be.
    fn says_verified(&self) -> bool {
        self.user.is_verified || self.asks(AddressTask::Verify)
    }
}
