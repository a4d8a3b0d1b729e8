//! `/auth/admin/organizations/{id}`: one organization.

use super::Administrator;
use super::act;
use super::list_query::ListQuery;
use super::organizations::PATH;
use super::people;
use crate::domain::directory::invitation::{self, InvitationFilter, InvitationRecord};
use crate::domain::directory::list::Listing;
use crate::domain::directory::member::{self, MemberRecord};
use crate::domain::directory::organization::{self, OrganizationRecord};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::{self, ActLink, AdminDetailPage, AdminPart, Cell, Cells, PartContent, Table};
use crate::messages::{Key, Message};
use crate::model::ids::OrganizationId;
use crate::model::organization::{InvitationState, OrganizationKind};
use crate::model::principal::Operation;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// The field of the query after which invitation the list goes on.
const INVITED_AFTER: &str = "invited_after";

struct OrganizationView {
    organization: OrganizationRecord,
    members: Listing<MemberRecord>,
    invitations: Listing<InvitationRecord>,
}

/// Shows an organization, its members and its invitations.
pub async fn show(context: PageContext, Path(id): Path<String>) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadOrganization).await?;
    let id = OrganizationId(parse_id(&id)?);
    let path = format!("{PATH}/{id}");
    let query = ListQuery::new(&context, &path, &[]);
    let OrganizationView { organization, members, invitations } = load(&context, &admin, id, &query).await?;
    let creator = people::link(&context, &admin, organization.created_by_user_id).await?;
    let is_team = organization.kind == OrganizationKind::Team;
    let rows = |acts| Rows { admin: &admin, path: &path, acts };
    let mut parts = vec![
        AdminPart {
            id: "organization",
            heading: Key("admin-organization"),
            content: PartContent::Facts(facts(&organization, creator)),
            more: None,
            acts: acts(&admin, &path, Operation::RenameOrganization, "rename", "admin-organization-rename"),
        },
        AdminPart {
            id: "members",
            heading: Key("admin-members"),
            content: PartContent::Table(rows(is_team).members(&members.data)),
            more: query.next("after", members.next).map(|href| (href, Key("admin-next-page"))),
            acts: Vec::new(),
        },
        AdminPart {
            id: "invitations",
            heading: Key("admin-invitations"),
            content: PartContent::Table(rows(true).invitations(&invitations.data)),
            more: query.next(INVITED_AFTER, invitations.next).map(|href| (href, Key("admin-next-page"))),
            acts: Vec::new(),
        },
    ];
    // A personal one stays as long as its owner's account.
    let end = acts(&admin, &path, Operation::DeleteOrganization, "delete", "admin-organization-delete");
    if is_team && !end.is_empty() {
        let heading = Key("admin-access");
        parts.push(AdminPart { id: "end", heading, content: PartContent::Acts, more: None, acts: end });
    }
    let notice = act::notice(&context);
    let view = AdminDetailPage {
        layout: &admin.shell(&context, PATH, None),
        list: (PATH, Key("organizations-section")),
        title: &organization.name,
        tags: &[],
        notice: notice.as_ref(),
        parts: &parts,
        command: &format!("doorward org show {id}"),
        renews: false,
    };
    Ok(views::page(StatusCode::OK, &view))
}

async fn load(
    context: &PageContext,
    admin: &Administrator,
    id: OrganizationId,
    query: &ListQuery<'_>,
) -> Result<OrganizationView, PageError> {
    let mut conn = context.app.store.read(&admin.principal, Operation::ReadOrganization).await?;
    let organization = organization::find(&mut conn, id).await?.ok_or_else(not_found)?;
    let members = member::list(&mut conn, id, None, query.range("after")).await?;
    let (range, now) = (query.range(INVITED_AFTER), context.app.clock.now());
    let invitations = invitation::list(&mut conn, id, InvitationFilter::All, now, range).await?;
    Ok(OrganizationView { organization, members, invitations })
}

fn facts(organization: &OrganizationRecord, creator: Cells) -> Vec<(Key, Cells)> {
    vec![
        (Key("name"), Cell::typed(Some(&organization.name))),
        (
            Key("account-organization-kind"),
            vec![Cell::Words(Message::new("kind").text("kind", organization.kind.as_str()))],
        ),
        (Key("admin-members"), vec![Cell::Number(organization.members)]),
        (Key("admin-created"), vec![Cell::Moment(organization.created_at)]),
        (Key("admin-created-by"), creator),
        (Key("admin-id"), vec![Cell::Code(organization.id.to_string())]),
    ]
}

/// An act on the organization, if it may be done.
fn acts(admin: &Administrator, path: &str, operation: Operation, act: &str, label: &'static str) -> Vec<ActLink> {
    let is_dangerous = operation == Operation::DeleteOrganization;
    let link = || ActLink { href: format!("{path}/{act}"), label: Key(label), is_dangerous };
    admin.may(operation).then(link).into_iter().collect()
}

/// The rows of the tables, with links to acts where there are any.
struct Rows<'a> {
    admin: &'a Administrator,
    path: &'a str,
    acts: bool,
}

impl Rows<'_> {
    fn act(&self, operation: Operation, act: &str, words: &'static str) -> Option<Cell> {
        let permitted = self.acts && self.admin.may(operation);
        permitted.then(|| Cell::Page { href: format!("{}/{act}", self.path), words: Message::new(words) })
    }

    fn members(&self, members: &[MemberRecord]) -> Table {
        let row = |member: &MemberRecord| {
            let (user, role) = (member.user_id, format!("members/{}/role", member.user_id));
            let person = Cell::Link {
                href: format!("{}/{user}", super::people::PATH),
                text: member.label().account().to_owned(),
            };
            let acts = [
                self.act(Operation::SetMemberRole, &role, "admin-member-role"),
                self.act(Operation::RemoveMember, &format!("members/{user}/remove"), "admin-remove"),
            ];
            vec![
                vec![person],
                Cell::typed(member.name.as_deref()),
                vec![Cell::Words(Message::new("role").text("role", member.role.as_str()))],
                Cell::ago(Some(member.joined_at)),
                acts.into_iter().flatten().collect(),
            ]
        };
        let table = Table {
            caption: Key("admin-members"),
            columns: ["email", "display-name", "role-label", "admin-joined", "admin-act"].map(Key).to_vec(),
            rows: members.iter().map(row).collect(),
            empty: Message::new("admin-members-none"),
        };
        table.with_acts(self.acts && self.admin.may(Operation::SetMemberRole))
    }

    fn invitations(&self, invitations: &[InvitationRecord]) -> Table {
        let row = |invitation: &InvitationRecord| {
            let is_open = matches!(invitation.state, InvitationState::Pending | InvitationState::Expired);
            let path = format!("invitations/{}/revoke", invitation.id);
            let revoke = self.act(Operation::RevokeInvitation, &path, "admin-revoke");
            vec![
                Cell::typed(Some(&invitation.email)),
                vec![Cell::Words(Message::new("admin-invitation-state").text("state", invitation.state.as_str()))],
                vec![Cell::Words(Message::new("role").text("role", invitation.role.as_str()))],
                Cell::ago(Some(invitation.created_at)),
                vec![Cell::Moment(invitation.expires_at)],
                revoke.filter(|_| is_open).into_iter().collect(),
            ]
        };
        let table = Table {
            caption: Key("admin-invitations"),
            columns: ["email", "admin-state", "role-label", "admin-created", "admin-ends", "admin-act"]
                .map(Key)
                .to_vec(),
            rows: invitations.iter().map(row).collect(),
            empty: Message::new("admin-invitations-none"),
        };
        table.with_acts(self.acts && self.admin.may(Operation::RevokeInvitation))
    }
}
