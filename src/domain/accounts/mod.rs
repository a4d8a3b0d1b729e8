//! Accounts: made by sign-up or by an operator, entered by log-in through the one door in `enter`.

mod change_password;
mod change_username;
mod confirm;
mod delete;
mod enter;
mod export;
mod first_organization;
mod identity;
mod insert;
mod log_in;
mod operator;
mod second_factor;
mod sign_up;
mod sign_up_invited;

pub use change_password::{ChangePasswordError, NewPassword, change_password};
pub use change_username::{ChangeUsernameError, change_username};
pub use confirm::{ConfirmError, Proof, confirm};
pub use delete::{DeleteError, delete, last_owner};
pub use enter::{Arrival, Entered};
pub use export::{audit_entry, export};
pub(in crate::domain) use first_organization::{
    create as create_first_organization, create_all as create_first_organizations,
};
pub(in crate::domain) use identity::fold;
pub use identity::{Email, Username};
pub use log_in::{LogInError, find_id, is_password, log_in};
pub use operator::{NewUser, OperatorError, create, find, grant, list, revoke, set_disabled, set_password};
pub use second_factor::{Finish, FinishError, Finished, finish};
pub use sign_up::{FieldErrors, SignUp, SignUpError, sign_up};
