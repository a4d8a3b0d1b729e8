//! Accounts: made by sign-up or by an operator, entered by log-in through the one door in `enter`.

mod change_password;
mod change_username;
mod confirm;
mod credentials;
mod delete;
mod enter;
mod export;
mod first_organization;
mod identity;
mod insert;
mod log_in;
mod new_password;
mod operator;
mod second_factor;
mod sign_up;
mod sign_up_invited;

pub use change_password::{ChangePasswordError, NewPassword, change_password};
pub use change_username::{ChangeUsernameError, change_username};
pub use confirm::{ConfirmError, Proof, confirm};
pub(in crate::domain) use credentials::{credentials_remove_since, take_over};
pub use delete::{DeleteError, delete, last_owner};
pub(in crate::domain) use delete::{give_way, lock_holder};
pub(in crate::domain) use enter::open as open_first;
pub use enter::{Arrival, Entered};
pub(in crate::domain) use enter::{Shown, enter};
pub use export::{audit_entry, export};
pub(in crate::domain) use first_organization::{
    create as create_first_organization, create_all as create_first_organizations,
};
pub(in crate::domain) use identity::fold;
pub use identity::{Email, Username};
pub(in crate::domain) use insert::{InsertError, Inserted, MAX_TRIES, insert_direct};
pub use log_in::{LogInError, find_by_login, is_password, log_in};
pub use new_password::password_problem;
pub use operator::{NewUser, OperatorError, create, find, grant, list, revoke, set_disabled, set_password};
pub use second_factor::{Finish, FinishError, Finished, finish};
pub(in crate::domain) use sign_up::Account;
pub use sign_up::{FieldErrors, SignUp, SignUpError, SignedUp, sign_up};
pub(in crate::domain) use sign_up_invited::insert_invited;
