//! What can be done: every change and every read of the database is one of these.

use super::rule::Rule;
use crate::model::api_key::Scope;
use crate::model::names::listed;
use crate::model::organization::MemberRole;
use crate::model::roles::PlatformRole;

listed! {
    /// An operation. Who may do it, [`Operation::rule`] says.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Operation {
        FindUsers,
        CreateUser,
        /// Change a user's name or details, disable or enable the account.
        ChangeUser,
        /// Set a user's email address, or whether it is verified.
        SetEmail,
        SetRoles,
        SetPassword,
        /// Have a link mailed with which a user sets a password.
        SendPasswordReset,
        /// Have a link and a code mailed with which a user verifies an address.
        SendVerification,
        /// Take back what refuses the logins of an account now.
        UnlockUser,
        /// Remove a user's second factors and passkeys.
        ResetTwoFactor,
        /// Connect accounts at providers with a user's account, and remove them.
        SetIdentities,
        ListSessions,
        EndSessions,
        DeleteUser,
        /// Read the audit log of an account.
        ReadActivity,
        /// Export everything that is stored about a user.
        ExportUser,
        /// See one's own account and session.
        ReadOwnAccount,
        /// Change one's own name, address, password, language.
        ChangeOwnAccount,
        /// Show a credential of one's own again.
        Reauthenticate,
        /// Add and remove one's own passkeys, authenticator app, recovery codes, trusted devices.
        ChangeFactors,
        /// List organizations, and find one by its name.
        ListOrganizations,
        /// See an organization, its members and invitations.
        ReadOrganization,
        /// Create a team, whose owner is this account.
        CreateOrganization,
        RenameOrganization,
        DeleteOrganization,
        /// Make a user a member without asking them.
        AddMember,
        SetMemberRole,
        RemoveMember,
        LeaveOrganization,
        /// Make an organization the active one of a session.
        SwitchOrganization,
        /// Invite to a team, and send an invitation again.
        Invite,
        RevokeInvitation,
        /// Accept an invitation with one's own account.
        AcceptInvitation,
        /// Log in, the second factor included.
        LogIn,
        SignUp,
        /// Refresh a session, and see whether one is live.
        Refresh,
        /// End the sessions whose tokens are shown.
        LogOut,
        /// See what a mailed link, a code or a pending login is for, or whether doctor's nonce is right.
        PresentSecret,
        DeclineInvitation,
        /// Ask for a mail to reset a password or to verify an address.
        RequestMail,
        PresentApiKey,
        /// Verify the address of an account or of a signup.
        VerifyAddress,
        /// Set a new password by a mailed link.
        ResetPassword,
        /// Undo a change of the email address by a mailed link.
        UndoEmailChange,
        /// Give an account that has no email address one.
        EnterAddress,
        /// Complete a login with the second factor.
        CompleteLogin,
        /// See counts of the service: its metrics and the state of deliveries.
        ReadOverview,
        /// See events and mails, and what became of them.
        ReadDeliveries,
        /// Read the text of a mail, with its links.
        ReadMailContent,
        /// Have failed events and mails sent again.
        ReplayDeliveries,
        ReadApiKeys,
        /// Create and rotate API keys.
        ManageApiKeys,
        RevokeApiKey,
        /// See the providers that people log in with, without their secrets.
        ReadProviders,
        ManageProviders,
        /// See the settings and where each came from, without secrets.
        ReadSettings,
        /// List signing keys, and check the secret key.
        ReadKeys,
        /// Create, rotate and reseal signing keys and what the secret key seals.
        ManageKeys,
        /// Make setup links, development sessions, changes after a restore or with a lost secret key.
        ManageInstance,
        /// Check the database and the service, as doctor does.
        Diagnose,
        /// Claim, deliver and settle events and mails.
        Deliver,
        /// Mail the password reset links that were asked for.
        SendResetLinks,
        CountAttempts,
        /// Remove what has expired.
        CleanUp,
        /// Tell other processes about this one, and read what they tell.
        TellProcesses,
        /// Convert stored addresses of older versions, and write the words of people that they left out.
        ConvertAddresses,
        /// End what was made for development, when the service is for other machines.
        EndDevelopment,
    }
}

impl Operation {
    /// Whether it changes an account or its memberships, and not only an organization.
    pub const fn changes_account(self) -> bool {
        !matches!(
            self,
            Operation::RenameOrganization
                | Operation::DeleteOrganization
                | Operation::Invite
                | Operation::RevokeInvitation
        )
    }

    /// Who may do it, beside the operator. The match names each operation, so that a new one without a rule does not
    /// compile.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub const fn rule(self) -> Rule {
        match self {
            Operation::FindUsers => Rule::OPERATOR.scope(Scope::UsersRead).role(PlatformRole::Auditor),
            Operation::CreateUser | Operation::ChangeUser => {
                Rule::OPERATOR.scope(Scope::UsersWrite).role(PlatformRole::Admin)
            }
            Operation::SetEmail
            | Operation::SendPasswordReset
            | Operation::ResetTwoFactor
            | Operation::SetIdentities => Rule::OPERATOR.scope(Scope::UsersSecurity).role(PlatformRole::Admin),
            Operation::SetRoles => Rule::OPERATOR.scope(Scope::PlatformWrite).role(PlatformRole::Admin),
            Operation::SetPassword => Rule::OPERATOR.scope(Scope::UsersSecurity),
            Operation::ListSessions => {
                Rule::OPERATOR.scope(Scope::UsersSecurity).role(PlatformRole::Auditor).own_account()
            }
            Operation::EndSessions => {
                Rule::OPERATOR.scope(Scope::UsersSecurity).role(PlatformRole::Admin).own_account()
            }
            Operation::DeleteUser => Rule::OPERATOR.scope(Scope::UsersWrite).role(PlatformRole::Admin).own_account(),
            Operation::ReadActivity => Rule::OPERATOR.role(PlatformRole::Auditor).own_account(),
            Operation::ExportUser
            | Operation::ChangeOwnAccount
            | Operation::Reauthenticate
            | Operation::ChangeFactors
            | Operation::ReadOwnAccount
            | Operation::AcceptInvitation => Rule::OPERATOR.own_account(),
            Operation::ListOrganizations => Rule::OPERATOR.scope(Scope::OrganizationsRead).role(PlatformRole::Auditor),
            Operation::ReadOrganization => {
                Rule::OPERATOR.scope(Scope::OrganizationsRead).role(PlatformRole::Auditor).member(MemberRole::Member)
            }
            Operation::CreateOrganization => Rule::OPERATOR.scope(Scope::OrganizationsWrite).own_account(),
            Operation::RenameOrganization
            | Operation::SetMemberRole
            | Operation::RemoveMember
            | Operation::RevokeInvitation => {
                Rule::OPERATOR.scope(Scope::OrganizationsWrite).role(PlatformRole::Admin).member(MemberRole::Admin)
            }
            Operation::DeleteOrganization => {
                Rule::OPERATOR.scope(Scope::OrganizationsWrite).role(PlatformRole::Admin).member(MemberRole::Owner)
            }
            Operation::AddMember => Rule::OPERATOR.scope(Scope::OrganizationsWrite),
            Operation::LeaveOrganization | Operation::SwitchOrganization => Rule::OPERATOR.member(MemberRole::Member),
            Operation::Invite => Rule::OPERATOR.scope(Scope::OrganizationsWrite).member(MemberRole::Admin),
            Operation::LogIn => Rule::OPERATOR.everyone("the credential that is shown permits it"),
            Operation::SignUp => Rule::OPERATOR.everyone("SVC_SIGNUP, an invitation or a setup link permits it"),
            Operation::Refresh | Operation::LogOut => Rule::OPERATOR.everyone("the token that is shown permits it"),
            Operation::PresentSecret => {
                Rule::OPERATOR.everyone("the secret that is shown permits it, and wrong codes are counted")
            }
            Operation::DeclineInvitation => {
                Rule::OPERATOR.everyone("the link permits it: an invited person needs no account to decline")
            }
            Operation::RequestMail => {
                Rule::OPERATOR.everyone("the answer is the same with and without an account, and emails are counted")
            }
            Operation::PresentApiKey => Rule::OPERATOR.everyone("the key that is shown permits it"),
            Operation::VerifyAddress => Rule::OPERATOR.own_account().secret_holder(),
            Operation::ResetPassword | Operation::UndoEmailChange => Rule::OPERATOR.secret_holder(),
            Operation::EnterAddress | Operation::CompleteLogin => Rule::OPERATOR.between_factors(),
            Operation::ReadOverview => Rule::OPERATOR.role(PlatformRole::Monitor).process(),
            Operation::ReadDeliveries | Operation::ReadApiKeys | Operation::ReadProviders | Operation::ReadSettings => {
                Rule::OPERATOR.role(PlatformRole::Auditor)
            }
            Operation::ReplayDeliveries => Rule::OPERATOR.role(PlatformRole::Admin).process(),
            Operation::SendVerification | Operation::UnlockUser | Operation::RevokeApiKey => {
                Rule::OPERATOR.role(PlatformRole::Admin)
            }
            Operation::ReadMailContent
            | Operation::ManageApiKeys
            | Operation::ManageProviders
            | Operation::ManageInstance => Rule::OPERATOR,
            Operation::ReadKeys
            | Operation::ManageKeys
            | Operation::Diagnose
            | Operation::Deliver
            | Operation::SendResetLinks
            | Operation::CountAttempts
            | Operation::CleanUp
            | Operation::TellProcesses
            | Operation::ConvertAddresses
            | Operation::EndDevelopment => Rule::OPERATOR.process(),
        }
    }
}
