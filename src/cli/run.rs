//! The one place that says which function carries out a command, and what the command needs.

use super::args::{
    Command, Invocation, KeysCommand, MailCommand, SecretsCommand, TwoFactorCommand, UserCommand, WebhooksCommand,
};
use super::failure::FAILED;
use super::needs::{Access, Needs};
use super::org_args::{InvitationCommand, MembersCommand, OrgCommand};
use super::{config, invitation, keys, mail, org, passwords, serve, user, user_audit, webhooks};
use crate::settings::Environment;
use std::io::Write;

/// Carries out a command; the result is the exit code: 0, 1 if it could not be done, 2 if the arguments or the settings
/// are wrong.
pub fn run(invocation: Invocation, environment: &Environment, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let Invocation { name, json, command } = invocation;
    let needs = Needs { name: &name, environment, json, out: &mut *out, err: &mut *err };
    match command {
        Command::Config => config::run(&name, environment, json, out, err).unwrap_or(FAILED),
        Command::Serve => needs.loaded(async |loaded, out| serve::run(loaded.settings, &loaded.warnings, out).await),
        Command::Keys(command) => run_keys(needs, command),
        Command::User(command) => run_user(needs, command),
        Command::Org(command) => run_org(needs, command),
        Command::Invitation(command) => run_invitation(needs, command),
        Command::Passwords(command) => {
            needs.settings(async |settings, out| passwords::run(&settings, command, out).await)
        }
        Command::Secrets(SecretsCommand::Reseal) => {
            needs.app(Access::Change, async |app, out| keys::reseal(app, out).await)
        }
        Command::Webhooks(command) => run_webhooks(needs, command),
        Command::Mail(command) => run_mail(needs, command),
    }
}

fn run_keys(needs: Needs<'_, impl Write, impl Write>, command: KeysCommand) -> u8 {
    match command {
        KeysCommand::Rotate => needs.app(Access::Change, async |app, out| keys::rotate(app, out).await),
        KeysCommand::List => needs.store(async |context, out| keys::list(context, out).await),
    }
}

fn run_user(needs: Needs<'_, impl Write, impl Write>, command: UserCommand) -> u8 {
    match command {
        UserCommand::Create(new) => {
            needs.app(Access::ChangeOrCreate, async |app, out| user::create(app, new, out).await)
        }
        UserCommand::List => needs.store(async |context, out| user::list(context, out).await),
        UserCommand::Show(which) => needs.app(Access::Read, async |app, out| user::show(app, &which, out).await),
        UserCommand::Audit(which) => needs.store(async |context, out| user_audit::run(context, &which, out).await),
        UserCommand::Disable(which) => {
            needs.app(Access::Change, async |app, out| user::set_disabled(app, &which, true, out).await)
        }
        UserCommand::Enable(which) => {
            needs.app(Access::Change, async |app, out| user::set_disabled(app, &which, false, out).await)
        }
        UserCommand::Grant(roles) => {
            needs.app(Access::Change, async |app, out| user::change_roles(app, &roles, true, out).await)
        }
        UserCommand::Revoke(roles) => {
            needs.app(Access::Change, async |app, out| user::change_roles(app, &roles, false, out).await)
        }
        UserCommand::SetPassword(new) => {
            needs.app(Access::Change, async |app, out| user::set_password(app, &new, out).await)
        }
        UserCommand::TwoFactor(TwoFactorCommand::Reset(which)) => {
            needs.app(Access::Change, async |app, out| user::reset_two_factor(app, &which, out).await)
        }
        UserCommand::Delete(which) => needs.app(Access::Change, async |app, out| user::delete(app, &which, out).await),
    }
}

fn run_org(needs: Needs<'_, impl Write, impl Write>, command: OrgCommand) -> u8 {
    match command {
        OrgCommand::Create(new) => needs.app(Access::Change, async |app, out| org::create(app, &new, out).await),
        OrgCommand::List => needs.store(async |context, out| org::list(&context.store, out).await),
        OrgCommand::Show(which) => needs.store(async |context, out| org::show(&context.store, &which, out).await),
        OrgCommand::Rename(new) => needs.app(Access::Change, async |app, out| org::rename(app, &new, out).await),
        OrgCommand::Delete(which) => needs.app(Access::Change, async |app, out| org::delete(app, &which, out).await),
        OrgCommand::Members(MembersCommand::List(which)) => {
            needs.store(async |context, out| org::list_members(&context.store, &which, out).await)
        }
        OrgCommand::Members(MembersCommand::SetRole(new)) => {
            needs.app(Access::Change, async |app, out| org::set_role(app, &new, out).await)
        }
        OrgCommand::Members(MembersCommand::Remove(which)) => {
            needs.app(Access::Change, async |app, out| org::remove_member(app, &which, out).await)
        }
    }
}

fn run_invitation(needs: Needs<'_, impl Write, impl Write>, command: InvitationCommand) -> u8 {
    match command {
        InvitationCommand::Create(new) => {
            needs.app(Access::Change, async |app, out| invitation::create(app, &new, out).await)
        }
        InvitationCommand::List(of) => needs.store(async |context, out| invitation::list(context, &of, out).await),
        InvitationCommand::Resend(which) => {
            needs.app(Access::Change, async |app, out| invitation::resend(app, &which, out).await)
        }
        InvitationCommand::Revoke(which) => {
            needs.app(Access::Change, async |app, out| invitation::revoke(app, &which, out).await)
        }
    }
}

fn run_webhooks(needs: Needs<'_, impl Write, impl Write>, command: WebhooksCommand) -> u8 {
    let (name, environment) = (needs.name, needs.environment);
    match command {
        WebhooksCommand::List(filter) => needs.store(async |context, out| webhooks::list(context, &filter, out).await),
        WebhooksCommand::Show(which) => needs.store(async |context, out| webhooks::show(context, which.id, out).await),
        WebhooksCommand::Replay(which) => {
            needs.store(async |context, out| webhooks::replay(context, &which, out).await)
        }
        WebhooksCommand::Stats => needs.store(async |context, out| webhooks::stats(&context.store, out).await),
        WebhooksCommand::Ping => needs.settings(async |settings, out| webhooks::ping(&settings, out).await),
        WebhooksCommand::Listen(how) => needs.nothing(async |out| webhooks::listen(name, environment, &how, out).await),
        WebhooksCommand::Window => needs.nothing(async |out| webhooks::window(name, environment, out)),
    }
}

fn run_mail(needs: Needs<'_, impl Write, impl Write>, command: MailCommand) -> u8 {
    match command {
        MailCommand::List(filter) => needs.store(async |context, out| mail::list(context, &filter, out).await),
        MailCommand::Show(which) => needs.app(Access::Read, async |app, out| mail::show(app, which.id(), out).await),
        MailCommand::Link(which) => needs.app(Access::Read, async |app, out| mail::link(app, which.id(), out).await),
        MailCommand::Test(arguments) => {
            needs.settings(async |settings, out| mail::test(&settings, &arguments.to, out).await)
        }
    }
}
