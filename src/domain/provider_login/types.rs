//! What the steps of a login with a provider hand to each other.

use crate::model::ids::{SessionId, UserId};
use crate::oidc::CallbackParams;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;

/// How long a login may take at the provider, and how long the secret of its browser is kept.
pub const PROVIDER_LOGIN_TTL: Duration = Duration::from_mins(10);

/// The parameters of a callback, besides the state.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct CallbackFields {
    pub code: Option<String>,
    pub error: Option<String>,
    pub iss: Option<String>,
    /// `user`, of Apple only.
    pub user: Option<String>,
}

impl CallbackFields {
    pub(super) fn is_empty(&self) -> bool {
        self.code.is_none() && self.error.is_none()
    }

    pub(super) fn as_params(&self) -> CallbackParams<'_> {
        CallbackParams {
            code: self.code.as_deref(),
            error: self.error.as_deref(),
            iss: self.iss.as_deref(),
            user: self.user.as_deref(),
        }
    }
}

pub struct CallbackRequest<'a> {
    pub state: &'a str,
    /// The secret of the browser; `None` also if it has more than one.
    pub secret: Option<&'a str>,
    pub fields: CallbackFields,
    /// The user and the session that are alive in the browser.
    pub session: Option<(UserId, SessionId)>,
    pub from: IpAddr,
}

/// What a person is asked after a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// To log in to the account that has the address, and to connect the two.
    Connect,
    /// Whose account it is that never verified the address.
    #[serde(rename = "whose")]
    ClaimAccount,
    /// For an email address, or for a username.
    Details,
}
