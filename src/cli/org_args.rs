//! The arguments of `doorward org` and `doorward invitation`. Doc comments here are the help text.

use super::page::PageArguments;
use crate::model::organization::MemberRole;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

/// `doorward org …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum OrgCommand {
    /// Create a team with its first owner
    Create(CreateOrg),
    /// List organizations, newest first
    List(PageArguments),
    /// Show an organization
    Show(OrgArgument),
    /// Rename an organization
    Rename(RenameOrg),
    /// Delete a team with its memberships and invitations; members keep their accounts
    Delete(OrgToConfirm),
    /// Manage the members of an organization
    #[command(subcommand)]
    Members(MembersCommand),
}

/// `doorward org members …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MembersCommand {
    /// List the members, newest first
    List(MembersOf),
    /// Make a user a member, without asking them
    Add(AddMember),
    /// Change a member's role
    SetRole(SetRole),
    /// Remove a member
    Remove(MemberArgument),
}

/// `doorward invitation …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum InvitationCommand {
    /// Invite a person by email, and print a link for them
    #[command(
        long_about = "Invite a person by email, and print a link for them. The link is not shown again; `invitation \
            resend` creates a new one. Without a mail server, the email waits in the queue: `mail list`."
    )]
    Create(CreateInvitation),
    /// List the invitations of an organization, in any state
    List(InvitationsOf),
    /// Send an invitation again, with a new link; earlier links stop working
    Resend(InvitationArgument),
    /// Revoke an invitation
    Revoke(InvitationArgument),
}

/// Arguments of `doorward org create`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct CreateOrg {
    /// Name of the organization
    pub org_name: String,
    /// Its first owner: email address, username or id
    #[arg(long, value_name = "USER")]
    pub owner: String,
}

/// Which organization.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct OrgArgument {
    /// Id or name of the organization
    pub org: String,
}

/// Whose members.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct MembersOf {
    /// Id or name of the organization
    pub org: String,
    /// Which page
    #[command(flatten)]
    pub range: PageArguments,
}

/// Which organization, for what cannot be undone.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct OrgToConfirm {
    /// Id or name of the organization
    pub org: String,
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}

/// Arguments of `doorward org rename`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RenameOrg {
    /// Id or name of the organization
    pub org: String,
    /// The new name
    pub new_name: String,
}

/// Which member of which organization.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct MemberArgument {
    /// Id or name of the organization
    pub org: String,
    /// Email address, username or id
    pub user: String,
}

/// Arguments of `doorward org members add`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct AddMember {
    /// Id or name of the organization
    pub org: String,
    /// Email address, username or id
    pub user: String,
    /// The role
    #[arg(long, default_value = "member", value_parser = role_parser())]
    pub role: MemberRole,
}

/// Arguments of `doorward org members set-role`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct SetRole {
    /// Id or name of the organization
    pub org: String,
    /// Email address, username or id
    pub user: String,
    /// The new role
    #[arg(value_parser = role_parser())]
    pub role: MemberRole,
}

/// Arguments of `doorward invitation create`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct CreateInvitation {
    /// Id or name of the organization
    #[arg(long, value_name = "ORG")]
    pub org: String,
    /// Email address of the invited person
    #[arg(long)]
    pub email: String,
    /// Role to grant
    #[arg(long, default_value = "member", value_parser = role_parser())]
    pub role: MemberRole,
    /// A JSON object of at most 4 KiB for your application, such as '{"seat":"gold"}'; sent with the events
    #[arg(long, value_name = "JSON", default_value = "{}", hide_default_value = true)]
    pub metadata: String,
}

/// Whose invitations.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct InvitationsOf {
    /// Id or name of the organization
    #[arg(long, value_name = "ORG")]
    pub org: String,
}

/// Which invitation.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct InvitationArgument {
    /// Id of the invitation, or the address that it is for
    pub invitation: String,
}

fn role_parser() -> impl TypedValueParser<Value = MemberRole> {
    PossibleValuesParser::new(["member", "admin", "owner"])
        .try_map(|word| MemberRole::parse(&word).ok_or("not a member's role"))
}
