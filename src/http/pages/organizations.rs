//! `/auth/organizations`: lists organizations, creates teams and switches the active organization.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, WithId};
use super::organization_lines::done_notice;
use super::organization_members::follow_active_organization;
use super::page_context::PageContext;
use super::shared_fields::NameFields;
use crate::domain::change;
use crate::domain::organization::manage;
use crate::domain::organization::refusals::NO_TEAMS;
use crate::http::form::{Form, FormErrors, FromAnywhere, NoFields};
use crate::http::views::{self, NewOrganizationPage, OrganizationLine, OrganizationsPage};
use crate::model::ids::OrganizationId;
use crate::model::principal::Operation;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::http::StatusCode;

const PATH: &str = "/auth/organizations";
/// Default `return_to` after a switch.
const SWITCHED: &str = "/auth/organizations?done=switched";

pub async fn show(context: PageContext) -> PageResult {
    let live = context.require_login(PATH).await?;
    page(LoggedIn { context: &context, live: &live }, &FormErrors::default()).await
}

/// Creates a team, in which the session works from then on.
pub struct CreateOrganization;

impl ChangeForm for CreateOrganization {
    type Target = OwnAccount;
    type Sent = FromAnywhere<NameFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Organizations);

    /// The form; where no one may create a team, the list says so.
    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        if !manage::may_create(&by.app) {
            let errors = match errors.form() {
                Some(_) => errors.clone(),
                None => errors.clone().refused(NO_TEAMS.into())?.with_status(StatusCode::FORBIDDEN),
            };
            return page(by, &errors).await;
        }
        let view = NewOrganizationPage { layout: &by.shell(PATH, errors.form())?, name: errors.field("name") };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<NameFields>) -> ChangeResult {
        by.check_rate_limit(RateLimit::NewTeam(by.user())).await?;
        let organization =
            change::run(&by.app, &by.principal(), manage::CreateTeam { owner: by.user(), name: &form.name }).await?;
        follow_active_organization(by.context, by.live).await?;
        Ok(by.redirect(Some(&format!("{PATH}/{}", organization.id))))
    }
}

pub struct SwitchOrganization;

impl ChangeForm for SwitchOrganization {
    type Target = WithId<OrganizationId>;
    type Sent = FromAnywhere<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Switches);

    fn home(_: &PageContext) -> &str {
        PATH
    }

    async fn page(by: LoggedIn<'_>, _: &WithId<OrganizationId>, errors: &FormErrors) -> PageResult {
        page(by, errors).await
    }

    async fn change(by: LoggedIn<'_>, WithId(org): &WithId<OrganizationId>, form: &Form<NoFields>) -> ChangeResult {
        match change::run(&by.app, &by.principal(), manage::Switch { session: by.live.id, org: *org }).await? {
            Some(subject) => by.reissue_access_token(by.live, &subject)?,
            None => return Ok(by.redirect_to_login(PATH)),
        }
        let return_to = by.return_to(form.typed());
        Ok(by.redirect(Some(return_to.as_deref().unwrap_or(SWITCHED))))
    }
}

async fn page(by: LoggedIn<'_>, errors: &FormErrors) -> PageResult {
    let mut conn = by.app.store.read_own(&by.principal(), Operation::ReadOwnAccount, by.user()).await?;
    let active = conn.membership_of_session(by.live.id).await?;
    let memberships = conn.memberships_of_user_counted(by.user()).await?;
    drop(conn);
    let active_id = active.as_ref().map(|active| active.organization_id);
    let lines: Vec<OrganizationLine<'_>> = memberships
        .iter()
        .map(|membership| OrganizationLine {
            id: membership.organization_id,
            name: &membership.name,
            kind: membership.kind,
            role: membership.role,
            members: membership.members,
            active: active_id == Some(membership.organization_id),
        })
        .collect();
    let return_to = by.return_to(errors.typed());
    let done =
        [("switched", "organization-switched"), ("left", "organization-left"), ("deleted", "organization-deleted")];
    let notice = active.and_then(|active| done_notice(by.context, &done, (active.kind, &active.name)));
    let view = OrganizationsPage {
        layout: &by.shell(PATH, errors.form())?,
        return_to: return_to.as_deref(),
        notice: notice.as_ref(),
        organizations: &lines,
        may_create: manage::may_create(&by.app),
    };
    Ok(views::page(errors.status(), &view))
}
