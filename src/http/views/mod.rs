//! The pages as data: one file per page with what it shows, no database and no request.
//!
//! A handler fills a page's struct and answers with [`page`]. Values are escaped by the templates.

mod account;
mod activity;
mod chrome;
mod confirm;
mod disabled;
mod email;
mod error;
mod invitation;
mod login;
mod logout;
mod markup;
mod member;
mod message;
mod organization;
mod organizations;
mod passkeys;
mod password;
mod qr;
mod recovery_codes;
mod refused_by_application;
mod second_factor;
mod security;
mod sessions;
mod signup;
mod signup_refused;
mod two_factor;
pub mod words;

pub use account::{AccountPage, Membership, Person, Section, account_sections};
pub use activity::{ActivityLine, ActivityPage};
pub use chrome::{Chrome, Field, Viewer};
pub use confirm::ConfirmPage;
pub use disabled::DisabledPage;
pub use email::{AccountEmailPage, ConfirmEmailPage, PendingEmail, ProofAsk, UndoEmailPage, VerifyEmailPage};
pub use error::{ErrorPage, Problem};
pub use invitation::{Guest, InvitationPage};
pub use login::LogInPage;
pub use logout::LogOutPage;
pub use markup::Markup;
pub use member::{DeleteAccountPage, DeleteOrganizationPage, LeaveOrganizationPage, MemberPage};
pub use message::{Link, MessagePage};
pub use organization::{InvitationLine, Invitations, MemberLine, NewLink, OrganizationPage, Place};
pub use organizations::{OrganizationLine, OrganizationsPage};
pub use passkeys::{NewPasskeyPage, PasskeyLine, PasskeyPage, PasskeysPage};
pub use password::{ForgotPasswordPage, LinkOutcome, LinkOutcomePage, ResetPasswordPage, UnprovedAccount};
pub use qr::QrCode;
pub use recovery_codes::RecoveryCodesPage;
pub use refused_by_application::RefusedByApplicationPage;
pub use second_factor::{Ask, SecondFactorPage};
pub use security::{ExportPage, PasswordPage, SecurityLine, SecurityPage, UsernamePage};
pub use sessions::{SessionLine, SessionsPage};
pub use signup::SignUpPage;
pub use signup_refused::{SignUpRefusal, SignUpRefusedPage};
pub use two_factor::{RemoveTwoFactorPage, Setup, TwoFactorPage, TwoFactorState};

use crate::messages::Message;
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// The sentence above a form whose CSRF token did not fit (contract.md 7): nothing was changed, send it again.
pub static STALE_FORM: Message = Message::new("form-stale");

/// Beside the password that is asked for once more.
pub const WRONG_PASSWORD: Message = Message::new("password-wrong");

/// The rendered page, never cached: pages carry a CSRF token and say who is logged in.
pub fn page(status: StatusCode, view: &impl Template) -> Response {
    let Ok(html) = view.render() else {
        // A template of plain data fails only when a value's Display does; none of ours can.
        return (StatusCode::INTERNAL_SERVER_ERROR, "The page could not be shown.\n").into_response();
    };
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")], html).into_response()
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod samples_account;
#[cfg(test)]
mod samples_addresses;
#[cfg(test)]
mod samples_factors;
#[cfg(test)]
mod samples_organizations;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wording_tests;
