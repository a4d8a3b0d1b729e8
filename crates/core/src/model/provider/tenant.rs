//! Whose Microsoft accounts log in.

use std::fmt;
use uuid::Uuid;

/// The tenant of every personal account.
const CONSUMERS: Uuid = Uuid::from_u128(0x9188_040d_6c67_4c5b_b112_36a3_04b6_6dad);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tenant {
    /// One organization.
    Id(Uuid),
    /// Every account.
    Common,
    /// The accounts of every organization, and no personal ones.
    Organizations,
    /// Personal accounts only.
    Consumers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The tenant is the id of one (a UUID), common, organizations or consumers.")]
pub struct TenantError;

impl Tenant {
    pub fn parse(text: &str) -> Result<Self, TenantError> {
        match text {
            "common" => Ok(Self::Common),
            "organizations" => Ok(Self::Organizations),
            "consumers" => Ok(Self::Consumers),
            id => Uuid::try_parse(id).map(Self::Id).map_err(|_| TenantError),
        }
    }

    /// Whether an account of the tenant with this id may log in.
    pub fn permits(self, tid: Uuid) -> bool {
        match self {
            Self::Id(id) => tid == id,
            Self::Common => true,
            Self::Organizations => tid != CONSUMERS,
            Self::Consumers => tid == CONSUMERS,
        }
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Common => f.write_str("common"),
            Self::Organizations => f.write_str("organizations"),
            Self::Consumers => f.write_str("consumers"),
        }
    }
}
