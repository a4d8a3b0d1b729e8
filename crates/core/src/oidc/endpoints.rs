//! The addresses of one login, and how the client shows its secret there.

use crate::outbound::ExternalUrl;

/// Where a login begins, and where its code is redeemed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    pub authorization: ExternalUrl,
    pub token: ExternalUrl,
    pub secret_places: SecretPlaces,
    /// Whether every answer says whose it is (RFC 9207, 3).
    pub promises_issuer: bool,
}

/// Where the client's secret stands in a request to the token endpoint (RFC 6749, 2.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretPlace {
    /// In the header `Authorization`: `client_secret_basic`.
    Header,
    /// In the form: `client_secret_post`.
    Form,
}

impl SecretPlace {
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Header => Self::Form,
            Self::Form => Self::Header,
        }
    }
}

/// Where a provider takes the client's secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretPlaces {
    One(SecretPlace),
    /// In both, as its metadata say; of a single client many take it in one of them only, which the metadata do not say.
    Both,
}

impl SecretPlaces {
    /// By what the metadata say of the token endpoint.
    pub(super) fn stated(methods: Option<&[String]>) -> Self {
        let has = |method: &str| methods.is_some_and(|methods| methods.iter().any(|one| one == method));
        match (has("client_secret_basic"), has("client_secret_post")) {
            (true, true) => Self::Both,
            (false, true) => Self::One(SecretPlace::Form),
            // Also the default (`OpenID Connect Discovery`, 3).
            (_, false) => Self::One(SecretPlace::Header),
        }
    }
}
