//! The pages as data: one view struct per page, without database or request.
//!
//! A handler fills a page's struct and answers with [`page`]. Values are escaped by the templates.

mod account;
mod activity;
mod admin;
mod confirm;
mod disabled;
mod email;
mod error;
pub mod format;
mod gate;
mod icon;
mod invitation;
mod layout;
mod login;
mod login_address;
mod logout;
mod markup;
mod member;
mod message;
mod navigation;
mod organization;
mod organization_invitations;
mod organizations;
mod passkeys;
mod password;
mod providers;
mod qr;
mod recovery_codes;
mod refused_by_application;
mod second_factor;
mod security;
mod sessions;
mod shell;
mod signup;
mod signup_refused;
mod two_factor;
mod whose_account;

pub use account::{AccountPage, AddressTask, Profile};
pub use activity::{ActivityLine, ActivityPage, activity_icon};
pub use admin::{
    ActLink, ActParent, AdminActPage, AdminDetailPage, AdminField, AdminFieldKind, AdminListPage, AdminOverviewPage,
    AdminPart, Cell, Cells, Chart, Choice, FilterKind, ListFilter, PartContent, Table, admin_sections,
};
pub use confirm::{ConfirmPage, MailedCodeField};
pub use disabled::DisabledPage;
pub use email::{
    AccountEmailPage, ConfirmEmailPage, CurrentAddress, OwnershipCheck, PendingEmail, UndoEmailPage, VerifyEmailPage,
};
pub use error::{ErrorPage, Problem, Retry, RetryForm};
pub use gate::GatePage;
pub use icon::Icon;
pub use invitation::{InvitationPage, InvitationViewer, InvitedAccount};
pub use layout::{Field, Layout};
pub use login::LoginPage;
pub use login_address::LoginAddressPage;
pub use logout::LogoutPage;
pub use markup::Markup;
pub use member::{DeleteAccountPage, DeleteOrganizationPage, LeaveOrganizationPage, MemberPage, RemoveMemberPage};
pub use message::{Link, MessagePage};
pub use navigation::{NavigationItem, account_sections};
pub use organization::{
    MemberLine, OrganizationHead, OrganizationHeader, OrganizationPage, OrganizationSettingsPage, OrganizationTab,
};
pub use organization_invitations::{InvitationLine, NewInvitationLink, OrganizationInvitationsPage, RefusedAddress};
pub use organizations::{NewOrganizationPage, OrganizationLine, OrganizationsPage};
pub use passkeys::{NewPasskeyPage, PasskeyLine, PasskeyPage, PasskeysPage, RemovePasskeyPage};
pub use password::{ForgotPasswordPage, LinkOutcome, LinkOutcomePage, ResetPasswordPage, ResetSentPage};
pub use providers::{
    ConnectChoice, ConnectStep, ConnectionLine, ConnectionsPage, DeparturePage, ProviderButton, ProviderButtons,
    ProviderConnectPage, ProviderDetailsPage, ProviderStartPage,
};
pub use qr::QrCode;
pub use recovery_codes::RecoveryCodesPage;
pub use refused_by_application::RefusedByApplicationPage;
pub use second_factor::{CodePrompt, SecondFactorPage};
pub use security::{ExportPage, NamePage, PasswordPage, SecurityLine, SecurityPage, UsernamePage};
pub use sessions::{SessionLine, SessionsPage};
pub use shell::Shell;
pub use signup::{Invited, SignupPage};
pub use signup_refused::SignupRefusedPage;
pub use two_factor::{RemoveTwoFactorPage, TwoFactorPage, TwoFactorSetup, TwoFactorState};
pub use whose_account::{AccountQuestion, CarriedSecret, WhoseAccountPage};

use crate::messages::Message;
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// The error of a form whose CSRF token is invalid (docs/reference/browser.md 4.3): nothing was changed, submit it
/// again.
pub static CSRF_FAILED: Message = Message::new("form-stale");

/// The error of a form that its page did not send, or sent too late (docs/reference/browser.md 4.6).
pub static NOT_OF_PAGE: Message = Message::new("form-not-of-page");

/// The error of the field of an app's code that was used.
pub static USED_CODE: Message = Message::new("second-factor-used-code");

/// Renders a page. It is never cached, as it has a CSRF token and the user's name.
pub fn page(status: StatusCode, view: &impl Template) -> Response {
    let Ok(html) = view.render() else {
        // A template fails only if a value's `Display` does; none of ours can.
        return (StatusCode::INTERNAL_SERVER_ERROR, "The page could not be shown.\n").into_response();
    };
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")], html).into_response()
}
