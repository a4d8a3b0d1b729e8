//! The table of commands: what each needs, and the function that runs it.

use super::api_key_args::ApiKeyCommand as ApiKey;
use super::args::{
    Command, IdentitiesCommand as Identities, Invocation, KeysCommand as Keys, MailCommand as Mail, Migrate,
    MigrateCommand, SecretsCommand as Secrets, SessionsCommand as Sessions, TwoFactorCommand as TwoFactor,
    UserCommand as User, WebhooksCommand as Webhooks,
};
use super::dev_args::{Dev, DevCommand, DevService};
use super::org_args::{InvitationCommand as Invitation, MembersCommand as Members, OrgCommand as Org};
use super::output::Output;
use super::provider::args::ProviderCommand as Provider;
use super::proxy_config::{self, Given};
use super::proxy_config_args::ProxyConfig;
use super::runner::CommandRunner;
use super::serve_args::Serve;
use super::{
    api_key, backup, config, dev, dev_echo, dev_provider, dev_service, doctor, documentation, ephemeral, healthcheck,
    invitation, keys, listener, mail, manual, messages, migrate, org, passwords, provider, restore, secrets_reset,
    serve, setup_link, status, user, user_access, user_audit, user_details, user_duplicates, user_identities,
    user_list, user_recover, user_sessions, webhooks,
};
use crate::settings::Settings;

/// Runs a command, and returns the exit code.
pub(super) fn run(invocation: Invocation, out: Output<'_>) -> u8 {
    let Invocation { name, environment, command, .. } = invocation;
    let environment = &environment;
    let runner = CommandRunner { name: &name, environment, out };
    match command {
        Command::Config(how) => runner.alone(async |out| config::run(&name, environment, how.setting(), out)),
        Command::Serve(how) if how.ephemeral => serve_ephemeral(runner, &how),
        Command::Serve(_) => runner.serve(serve::run, environment),
        Command::Healthcheck(which) => runner.keyless(healthcheck::run, which),
        Command::Doctor(how) => runner.alone(async |out| Box::pin(doctor::run(&name, environment, how, out)).await),
        Command::Status => runner.alone(async |out| Box::pin(status::run(&name, environment, out)).await),
        Command::ProxyConfig(how) => print_proxy_config(runner, &how),
        Command::Migrate(Migrate { command: Some(MigrateCommand::Status), .. }) => runner.keyless(migrate::status, ()),
        Command::Migrate(Migrate { dry_run: true, .. }) => runner.keyless(migrate::dry_run, ()),
        Command::Migrate(_) => runner.settings(migrate::run, ()),
        Command::Backup(how) => runner.keyless(backup::run, &how),
        Command::Restore(how) => runner.keyless(restore::run, &how),
        Command::Keys(Keys::Rotate) => runner.change(keys::rotate, ()),
        Command::Keys(Keys::List) => runner.store(keys::list, ()),
        Command::SetupLink => runner.change(setup_link::run, ()),
        Command::User(User::Create(new)) => runner.change(user::create, new),
        Command::User(User::List(filter)) => runner.store(user_list::run, &filter),
        Command::User(User::Duplicates) => runner.store(user_duplicates::run, ()),
        Command::User(User::Show(which)) => runner.read(user::show, &which),
        Command::User(User::Audit(which)) => runner.store(user_audit::run, &which),
        Command::User(User::Disable(which)) => runner.change(user::set_disabled, (&which, true)),
        Command::User(User::Enable(which)) => runner.change(user::set_disabled, (&which, false)),
        Command::User(User::Unlock(which)) => runner.change(user_access::unlock, &which),
        Command::User(User::Grant(roles)) => runner.change(user::grant, &roles),
        Command::User(User::Revoke(roles)) => runner.change(user::revoke, &roles),
        Command::User(User::SetPassword(new)) => runner.change(user::set_password, &new),
        Command::User(User::SendPasswordReset(which)) => runner.change(user_access::send_password_reset, &which),
        Command::User(User::SetEmail(new)) => runner.change(user_access::set_email, new),
        Command::User(User::SendVerification(which)) => runner.change(user_access::send_verification, &which),
        Command::User(User::SetDetails(new)) => runner.change(user_details::set, &new),
        Command::User(User::Sessions(Sessions::List(which))) => runner.store(user_sessions::list, &which),
        Command::User(User::Sessions(Sessions::Revoke(which))) => runner.change(user_sessions::revoke, &which),
        Command::User(User::Identities(Identities::List(which))) => runner.store(user_identities::list, &which),
        Command::User(User::Identities(Identities::Remove(which))) => runner.change(user_identities::remove, &which),
        Command::User(User::TwoFactor(TwoFactor::Reset(which))) => runner.change(user::reset_two_factor, &which),
        Command::User(User::Recover(which)) => runner.change(user_recover::run, &which),
        Command::User(User::Delete(which)) => runner.change(user::delete, &which),
        Command::Org(Org::Create(new)) => runner.change(org::create, &new),
        Command::Org(Org::List(page)) => runner.store(org::list, page),
        Command::Org(Org::Show(which)) => runner.store(org::show, &which),
        Command::Org(Org::Rename(new)) => runner.change(org::rename, &new),
        Command::Org(Org::Delete(which)) => runner.change(org::delete, &which),
        Command::Org(Org::Members(Members::List(which))) => runner.store(org::list_members, &which),
        Command::Org(Org::Members(Members::Add(new))) => runner.change(org::add_member, &new),
        Command::Org(Org::Members(Members::SetRole(new))) => runner.change(org::set_role, &new),
        Command::Org(Org::Members(Members::Remove(which))) => runner.change(org::remove_member, &which),
        Command::Invitation(Invitation::Create(new)) => runner.change(invitation::create, &new),
        Command::Invitation(Invitation::List(of)) => runner.store(invitation::list, &of),
        Command::Invitation(Invitation::Resend(which)) => runner.change(invitation::resend, &which),
        Command::Invitation(Invitation::Revoke(which)) => runner.change(invitation::revoke, &which),
        Command::ApiKey(ApiKey::Create(new)) => runner.change(api_key::create, new),
        Command::ApiKey(ApiKey::List) => runner.store(api_key::list, ()),
        Command::ApiKey(ApiKey::Audit(page)) => runner.store(api_key::audit, page),
        Command::ApiKey(ApiKey::Revoke(which)) => runner.change(api_key::revoke, &which),
        Command::ApiKey(ApiKey::Rotate(which)) => runner.change(api_key::rotate, &which),
        Command::Provider(Provider::Add(new)) => runner.change(provider::add, *new),
        Command::Provider(Provider::List) => runner.store(provider::list, ()),
        Command::Provider(Provider::Show(which)) => runner.store(provider::show, &which),
        Command::Provider(Provider::Update(new)) => runner.change(provider::update, *new),
        Command::Provider(Provider::Check(which)) => runner.read(provider::check::run, &which),
        Command::Provider(Provider::Remove(which)) => runner.change(provider::remove, &which),
        Command::Apply(how) => runner.change(provider::apply::run, (environment, &how)),
        Command::Passwords(command) => runner.settings(passwords::run, command),
        Command::Messages(command) => runner.alone(async |out| messages::run(&name, environment, command, out)),
        Command::Secrets(Secrets::Reseal) => runner.change(keys::reseal, ()),
        Command::Secrets(Secrets::Reset(how)) => runner.settings(secrets_reset::run, how),
        Command::Webhooks(Webhooks::List(filter)) => runner.store(webhooks::list, &filter),
        Command::Webhooks(Webhooks::Show(which)) => runner.store(webhooks::show, which.id),
        Command::Webhooks(Webhooks::Replay(which)) => runner.store(webhooks::replay, &which),
        Command::Webhooks(Webhooks::Ping) => runner.settings(webhooks::ping, ()),
        Command::Webhooks(Webhooks::Stats) => runner.store(webhooks::stats, ()),
        Command::Webhooks(Webhooks::Listen(how)) => {
            runner.alone(async |out| webhooks::listen(&name, environment, &how, out).await)
        }
        Command::Mail(Mail::List(filter)) => runner.store(mail::list, &filter),
        Command::Mail(Mail::Show(which)) => runner.read(mail::show, which.id()),
        Command::Mail(Mail::Link(which)) => runner.read(mail::link, which.id()),
        Command::Mail(Mail::Retry(which)) => runner.change(mail::retry, &which),
        Command::Mail(Mail::Test(arguments)) => runner.settings(mail::send_test, arguments),
        Command::Dev(Dev { command: Some(DevCommand::Session(whose)), .. }) => runner.change(dev::session, &whose),
        Command::Dev(Dev { command: Some(DevCommand::Echo(how)), .. }) => {
            runner.alone(async |out| dev_echo::run(&how, out).await)
        }
        Command::Dev(Dev { command: Some(DevCommand::Provider(how)), .. }) => {
            runner.alone(async |out| dev_provider::run(&how, out).await)
        }
        Command::Dev(Dev { command: None, service }) => serve_developer(runner, &service),
        Command::Docs(which) => runner.alone(async |out| documentation::docs(&which, out)),
        Command::Explain(which) => runner.alone(async |out| documentation::explain(which, out)),
        Command::Completions(which) => runner.alone(async |out| manual::completions(&name, which, out)),
        Command::Man(to) => runner.alone(async |out| manual::man(&name, &to, out)),
        Command::Version => runner.alone(async |out| manual::version(out)),
    }
}

fn serve_ephemeral(mut runner: CommandRunner<'_, '_>, how: &Serve) -> u8 {
    match ephemeral::prepare(runner.name, runner.environment, how) {
        Ok((environment, place)) => {
            let runner = CommandRunner { environment: &environment, ..runner };
            runner.serve(ephemeral::run, (place, how.until_stdin_closes))
        }
        Err(failure) => runner.exit_code(Err(failure)),
    }
}

fn serve_developer(runner: CommandRunner<'_, '_>, service: &DevService) -> u8 {
    let environment = dev_service::environment(runner.name, runner.environment, service);
    let runner = CommandRunner { environment: &environment, ..runner };
    runner.serve(dev_service::run, (&environment, service.app.as_ref()))
}

/// Only a listener to fill in needs the settings.
fn print_proxy_config(runner: CommandRunner<'_, '_>, how: &ProxyConfig) -> u8 {
    let name = runner.name;
    let Some(text) = &how.auth else {
        let from_settings = async |settings: Settings, how, out: &mut Output<'_>| {
            let (variable, url) = (name.variable("LISTEN"), format!("http://{}", listener::reachable(&settings)?));
            proxy_config::run(name, how, Given { source: &variable, text: &url }, out)
        };
        return runner.keyless(from_settings, how);
    };
    runner.alone(async |out| proxy_config::run(name, how, Given { source: "--auth", text }, out))
}
