//! The operations by which two builds are compared.

use clap::ValueEnum;

/// An operation of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ComparedOperation {
    /// `GET /auth/api/v1/user`.
    User,
    /// The gate, by an access cookie.
    GateByAccess,
    /// The gate, by a refresh token alone.
    GateByRefresh,
    /// `GET /session` of API v2.
    Session,
    /// `GET /users/{id}` of API v2, with an API key.
    UserById,
    /// A refresh that replaces the token.
    Refresh,
    /// The signup of a new person, then their login. Nearly all of it is the two password hashes, which are real: no
    /// setting makes them cheaper.
    #[value(name = "login-and-signup")]
    SignUpAndLogIn,
}

impl ComparedOperation {
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "GET /user",
            Self::GateByAccess => "gate by access cookie",
            Self::GateByRefresh => "gate by refresh token",
            Self::Session => "GET /session",
            Self::UserById => "GET /users/{id}",
            Self::Refresh => "refresh",
            Self::SignUpAndLogIn => "login and signup",
        }
    }
}
