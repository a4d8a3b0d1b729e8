//! All routes.

use super::csrf::Origins;
use super::error::ResponseFormat;
use super::gate::{self, Gate};
use super::middleware::{Surround, Surroundings};
use super::test_double::{self, TestDouble};
use super::{api, assets, doctor, error, pages, probes};
use crate::context::App;
use axum::handler::Handler;
use axum::middleware::from_fn;
use axum::response::Redirect;
use axum::routing::{any, get, post};
use axum::{Extension, Router};
use std::sync::Arc;

/// What applications of `SVC_ALLOWED_ORIGINS` may post from their own pages, and nothing else
/// (docs/reference/browser.md 4.2).
const APPLICATIONS: Extension<Origins> = Extension(Origins::Allowed);

pub fn router(app: &Arc<App>) -> Router {
    with(app, Router::new())
}

/// The router of the test double, which has routes of its own and answers this machine alone.
pub fn of_test_double(app: &Arc<App>, double: TestDouble) -> Router {
    with(app, test_double::routes(double)).layer(from_fn(test_double::refuse_other_hosts))
}

fn with(app: &Arc<App>, more: Router<Arc<App>>) -> Router {
    let surroundings = Surroundings::new(app);
    let group = |format, routes: Router<Arc<App>>| {
        let routes = routes.method_not_allowed_fallback(async move || error::method_not_allowed(format));
        routes.layer(Surround::new(&surroundings, format))
    };
    let programs = group(ResponseFormat::Json, for_programs(app));
    let api = group(ResponseFormat::JsonV2, api::v2::router(app).merge(more));
    let pages = group(ResponseFormat::Html, pages());
    let fallback = error::not_found.layer(Surround::new(&surroundings, None));
    programs.merge(api).merge(pages).fallback(fallback).with_state(app.clone())
}

/// What no person looks at: API v1, keys, the gate, probes, and files.
fn for_programs(app: &Arc<App>) -> Router<Arc<App>> {
    let refresh = || post(api::refresh::submit).options(api::cors::preflight).layer(APPLICATIONS);
    Router::new()
        .route("/auth/api/v1/user", get(api::user::show).options(api::cors::preflight))
        .route("/auth/api/v1/sessions/refresh", refresh())
        .route("/auth/sessions/refresh", refresh())
        .route("/auth/.well-known/jwks.json", get(api::jwks::show))
        .route("/auth/health", get(probes::health))
        .route("/auth/ready", get(probes::ready))
        .route("/auth/version", get(probes::version))
        .route("/auth/doctor/{nonce}", get(doctor::show).post(doctor::show))
        .route("/auth/assets/{file}", get(assets::serve))
        // Only where the whole host is ours does this come here.
        .route("/robots.txt", get(async || "User-agent: *\nDisallow: /\n"))
        .merge(gate(app))
}

fn pages() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(async || Redirect::to("/auth/")))
        // Only where the whole host is ours does this come here.
        .route("/.well-known/change-password", get(async || Redirect::to("/auth/account/password")))
        .route("/auth", get(pages::home::show))
        .route("/auth/", get(pages::home::show))
        .route("/auth/signup", get(pages::signup::show).post(pages::signup::submit))
        .route("/auth/setup/{token}", get(pages::setup::show).post(pages::setup::submit))
        .route("/auth/login", get(pages::login::show).post(pages::login::submit))
        .route("/auth/login/address", get(pages::login_address::show).post(pages::login_address::submit))
        .route("/auth/login/second-factor", get(pages::second_factor::show).post(pages::second_factor::submit))
        .route("/auth/login/passkey", post(pages::passkey_login::submit))
        .merge(providers())
        .route("/auth/logout", get(pages::logout::show))
        .route("/auth/sessions/logout", post(pages::logout::submit).options(api::cors::preflight).layer(APPLICATIONS))
        .route("/auth/sessions/renew", get(pages::sessions_renew::show))
        .route("/auth/language", get(pages::language::choose))
        .merge(account())
        .merge(emailed_links())
        .merge(factors())
        .merge(organizations())
        .merge(administration())
        .merge(administration_of_organizations())
        .merge(administration_of_the_service())
}

fn gate(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/auth/gate", any(gate::answer))
        .route("/auth/gate/unauthorized", any(gate::unauthorized))
        .route("/auth/gate/forbidden", any(gate::forbidden))
        .route_layer(Extension(Gate::new(app)))
}

fn providers() -> Router<Arc<App>> {
    use pages::{provider_questions, provider_return, provider_start};
    Router::new()
        .route("/auth/login/with/{name}", get(provider_start::show).head(provider_start::head))
        .route(
            "/auth/login/with/{name}/return",
            get(provider_return::show).head(provider_start::head).post(provider_return::submit),
        )
        .route("/auth/login/with/{name}/connect", get(provider_questions::show).post(provider_questions::connect))
        .route(
            "/auth/login/with/{name}/address",
            get(provider_questions::show).post(provider_questions::submit_details),
        )
        .route("/auth/login/with/{name}/whose", get(provider_questions::show).post(provider_questions::answer))
}

fn account() -> Router<Arc<App>> {
    use pages::account_confirm::{ConfirmByCode, ConfirmByPasskey, ConfirmByPassword, MailConfirmationCode};
    use pages::account_connections::{Connect, RemoveConnection};
    use pages::account_delete::DeleteAccount;
    use pages::account_export::ExportAccount;
    use pages::account_name::ChangeName;
    use pages::account_password::ChangePassword;
    use pages::account_sessions::{EndOtherSessions, EndSession};
    use pages::account_username::ChangeUsername;
    use pages::change_form::{form, show, submit};
    use pages::{account_confirm, account_connections};
    Router::new()
        .route("/auth/account", get(pages::account::show))
        .route("/auth/account/name", form::<ChangeName>())
        .route("/auth/account/username", form::<ChangeUsername>())
        .route("/auth/account/security", get(pages::account_security::show))
        .route("/auth/account/password", form::<ChangePassword>())
        .route("/auth/account/sessions", get(show::<EndOtherSessions>))
        .route("/auth/account/sessions/end-others", post(submit::<EndOtherSessions>))
        .route("/auth/account/sessions/{id}/end", post(submit::<EndSession>))
        .route("/auth/account/activity", get(pages::account_activity::show))
        .route("/auth/account/export", form::<ExportAccount>())
        .route("/auth/account/connections", get(account_connections::show))
        .route("/auth/account/connections/{name}", post(submit::<Connect>))
        .route("/auth/account/connections/{name}/remove", post(submit::<RemoveConnection>))
        .route("/auth/account/confirm", get(account_confirm::show).post(submit::<ConfirmByPassword>))
        .route("/auth/account/confirm/code", post(submit::<ConfirmByCode>))
        .route("/auth/account/confirm/mail", post(submit::<MailConfirmationCode>))
        .route("/auth/account/confirm/passkey", post(submit::<ConfirmByPasskey>))
        .route("/auth/account/delete", form::<DeleteAccount>())
}

/// Email verification, change of address and password reset.
fn emailed_links() -> Router<Arc<App>> {
    use pages::account_email::{CancelNewEmail, ChangeEmail, ConfirmNewEmail, ResendToNewEmail};
    use pages::change_form::{form, submit};
    use pages::{email_link, email_undo, email_verify, password_forgot, password_reset};
    Router::new()
        .route("/auth/email/verify", get(email_verify::show).post(email_verify::submit))
        .route("/auth/email/verify/resend", post(email_verify::resend))
        .route("/auth/email/verify/{token}", get(email_link::show).post(email_link::submit))
        .route("/auth/email/undo/{token}", get(email_undo::show).post(email_undo::submit))
        .route("/auth/password/forgot", get(password_forgot::show).post(password_forgot::submit))
        .route("/auth/password/reset/{token}", get(password_reset::show).post(password_reset::submit))
        .route("/auth/account/email", form::<ChangeEmail>())
        .route("/auth/account/email/confirm", post(submit::<ConfirmNewEmail>))
        .route("/auth/account/email/resend", post(submit::<ResendToNewEmail>))
        .route("/auth/account/email/cancel", post(submit::<CancelNewEmail>))
}

fn factors() -> Router<Arc<App>> {
    use pages::change_form::{form, show, submit};
    use pages::passkeys::{CreatePasskey, RemovePasskey, RenamePasskey};
    use pages::recovery_codes::ReplaceRecoveryCodes;
    use pages::two_factor::{BeginTwoFactor, ConfirmTwoFactor, ForgetDevices, RemoveTwoFactor};
    use pages::{passkeys, two_factor};
    Router::new()
        .route("/auth/account/two-factor", get(two_factor::show).post(submit::<BeginTwoFactor>))
        .route("/auth/account/two-factor/confirm", post(submit::<ConfirmTwoFactor>))
        .route("/auth/account/two-factor/forget-devices", post(submit::<ForgetDevices>))
        .route("/auth/account/two-factor/remove", form::<RemoveTwoFactor>())
        .route("/auth/account/passkeys", get(passkeys::list).post(submit::<CreatePasskey>))
        .route("/auth/account/passkeys/new", get(show::<CreatePasskey>))
        .route("/auth/account/passkeys/{id}", get(show::<RenamePasskey>))
        .route("/auth/account/passkeys/{id}/rename", post(submit::<RenamePasskey>))
        .route("/auth/account/passkeys/{id}/remove", form::<RemovePasskey>())
        .route("/auth/account/recovery-codes", form::<ReplaceRecoveryCodes>())
}

fn organizations() -> Router<Arc<App>> {
    use pages::change_form::{form, show, submit};
    use pages::organization_delete::DeleteOrganization;
    use pages::organization_invitations::{Invite, ResendInvitation, RevokeInvitation};
    use pages::organization_members::{Leave, RemoveMember, SetMemberRole};
    use pages::organization_settings::Rename;
    use pages::organizations::{CreateOrganization, SwitchOrganization};
    use pages::{invitation, organization, organizations};
    Router::new()
        .route("/auth/organizations", get(organizations::show).post(submit::<CreateOrganization>))
        .route("/auth/organizations/new", get(show::<CreateOrganization>))
        .route("/auth/organizations/{id}", get(organization::show))
        .route("/auth/organizations/{id}/settings", get(show::<Rename>))
        .route("/auth/organizations/{id}/rename", post(submit::<Rename>))
        .route("/auth/organizations/{id}/switch", post(submit::<SwitchOrganization>).layer(APPLICATIONS))
        .route("/auth/organizations/{id}/leave", form::<Leave>())
        .route("/auth/organizations/{id}/delete", form::<DeleteOrganization>())
        .route("/auth/organizations/{id}/members/{user}", get(show::<SetMemberRole>))
        .route("/auth/organizations/{id}/members/{user}/role", post(submit::<SetMemberRole>))
        .route("/auth/organizations/{id}/members/{user}/remove", form::<RemoveMember>())
        .route("/auth/organizations/{id}/invitations", form::<Invite>())
        .route("/auth/organizations/{id}/invitations/{invitation}/resend", post(submit::<ResendInvitation>))
        .route("/auth/organizations/{id}/invitations/{invitation}/revoke", post(submit::<RevokeInvitation>))
        .route("/auth/invitations/{token}", get(invitation::show))
        .route("/auth/invitations/{token}/accept", post(invitation::accept))
        .route("/auth/invitations/{token}/decline", post(invitation::decline))
}

fn administration() -> Router<Arc<App>> {
    use pages::admin::jobs::ReplayAll;
    use pages::admin::person_new::NewPerson;
    use pages::admin::person_parts::{DisconnectIdentity, EndSession};
    use pages::admin::{audit, jobs, overview, people, person, person_acts};
    use pages::change_form::form;
    Router::new()
        .route("/auth/admin", get(overview::show))
        .route("/auth/admin/audit", get(audit::show))
        .route("/auth/admin/audit/export", get(audit::export))
        .route("/auth/admin/deliveries/replay", form::<ReplayAll>())
        .route("/auth/admin/jobs/{id}", get(jobs::show))
        .route("/auth/admin/people", get(people::show))
        .route("/auth/admin/people/new", form::<NewPerson>())
        .route("/auth/admin/people/{id}", get(person::show))
        .route("/auth/admin/people/{id}/sessions/{session}/end", form::<EndSession>())
        .route("/auth/admin/people/{id}/identities/{key}/remove", form::<DisconnectIdentity>())
        .merge(person_acts::routes())
}

fn administration_of_organizations() -> Router<Arc<App>> {
    use pages::admin::member_acts::{RemoveMember, RevokeInvitation, SetMemberRole};
    use pages::admin::organization_acts::{DeleteOrganization, RenameOrganization};
    use pages::admin::{organization, organizations};
    use pages::change_form::form;
    Router::new()
        .route("/auth/admin/organizations", get(organizations::show))
        .route("/auth/admin/organizations/{id}", get(organization::show))
        .route("/auth/admin/organizations/{id}/rename", form::<RenameOrganization>())
        .route("/auth/admin/organizations/{id}/delete", form::<DeleteOrganization>())
        .route("/auth/admin/organizations/{id}/members/{user}/role", form::<SetMemberRole>())
        .route("/auth/admin/organizations/{id}/members/{user}/remove", form::<RemoveMember>())
        .route("/auth/admin/organizations/{id}/invitations/{invitation}/revoke", form::<RevokeInvitation>())
}

/// The pages of administrators about what the service sends, whom it lets in and how it is set.
fn administration_of_the_service() -> Router<Arc<App>> {
    use pages::admin::api_keys::{self, RevokeApiKey};
    use pages::admin::delivery::{self, ReplayOne};
    use pages::admin::{deliveries, providers, settings};
    use pages::change_form::form;
    Router::new()
        .route("/auth/admin/deliveries", get(deliveries::show))
        .route("/auth/admin/deliveries/{id}", get(delivery::show))
        .route("/auth/admin/deliveries/{id}/replay", form::<ReplayOne>())
        .route("/auth/admin/api-keys", get(api_keys::show))
        .route("/auth/admin/api-keys/{id}/revoke", form::<RevokeApiKey>())
        .route("/auth/admin/providers", get(providers::show))
        .route("/auth/admin/settings", get(settings::show))
}
