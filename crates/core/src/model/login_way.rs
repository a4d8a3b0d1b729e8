//! The ways to log in that a browser chooses from.

use super::auth_method::AuthMethod;
use super::authentication::Authentication;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoginWay {
    Password,
    Passkey,
    /// The provider of this name.
    Provider(String),
}

impl LoginWay {
    /// The way that a login began with; `None` of one that no button begins, such as by a mailed code.
    pub fn of(login: &Authentication) -> Option<Self> {
        if let Some(provider) = &login.provider {
            return Some(Self::Provider(provider.as_str().to_owned()));
        }
        [(AuthMethod::Passkey, Self::Passkey), (AuthMethod::Password, Self::Password)]
            .into_iter()
            .find_map(|(method, way)| login.methods.contains(method).then_some(way))
    }
}
