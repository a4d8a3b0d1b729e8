//! Accounts: made by sign-up or by an operator, entered by log-in.

mod first_organization;
mod identity;
mod log_in;
mod operator;
mod sign_up;

pub use identity::{Email, Username};
pub use log_in::{LogInError, log_in};
pub use operator::{NewUser, OperatorError, create, find, grant, list, revoke, set_disabled, set_password};
pub use sign_up::{FieldErrors, SignUp, SignUpError, sign_up};
