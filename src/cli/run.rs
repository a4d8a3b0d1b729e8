//! Maps each command to its function and to the context it needs.

use super::api_key_args::ApiKeyCommand;
use super::args::{
    Command, IdentitiesCommand, Invocation, KeysCommand, MailCommand, Migrate, MigrateCommand, SecretsCommand,
    SessionsCommand, TwoFactorCommand, UserCommand, WebhooksCommand,
};
use super::dev_args::{Dev, DevCommand};
use super::org_args::{InvitationCommand, MembersCommand, OrgCommand};
use super::output::Output;
use super::provider::args::ProviderCommand;
use super::proxy_config::{self, Given};
use super::proxy_config_args::ProxyConfig;
use super::runner::{Access, CommandRunner, refuse_missing_database};
use super::serve_args::Serve;
use super::{
    api_key, backup, config, dev, dev_echo, dev_provider, dev_service, doctor, documentation, ephemeral, healthcheck,
    invitation, keys, listener, mail, manual, messages, migrate, org, passwords, provider, restore, secrets_reset,
    serve, setup_link, status, user, user_access, user_audit, user_details, user_duplicates, user_identities,
    user_list, user_recover, user_sessions, webhooks,
};
use crate::settings::{LogFormat, Settings};

/// Runs a command, and returns the exit code.
pub(super) fn run(invocation: Invocation, out: Output<'_>) -> u8 {
    let Invocation { name, json, environment, command, .. } = invocation;
    let environment = &environment;
    let mut runner = CommandRunner { name: &name, environment, out };
    match command {
        Command::Config(how) => match config::run(&name, environment, how.setting(), &mut runner.out) {
            Ok(code) => code,
            Err(failure) => runner.exit_code(Err(failure)),
        },
        Command::Serve(how) if how.ephemeral => run_ephemeral(runner, &how, json),
        Command::Serve(_) => runner.with_loaded_settings(async |mut loaded, out| {
            set_log_format(&mut loaded.settings, json);
            Box::pin(serve::run(loaded.settings, environment, &loaded.warnings, out)).await
        }),
        Command::Healthcheck(which) => {
            runner.with_keyless_settings(async |settings, out| healthcheck::run(&settings, which, out).await)
        }
        Command::Doctor(how) => {
            runner.without_context(async |out| Box::pin(doctor::run(&name, environment, how, out)).await)
        }
        Command::Status => runner.without_context(async |out| Box::pin(status::run(&name, environment, out)).await),
        Command::ProxyConfig(how) => run_proxy_config(runner, &how),
        Command::Migrate(how) => run_migrate(runner, how),
        Command::Backup(how) => runner.with_keyless_settings(async |settings, out| {
            refuse_missing_database(&settings)?;
            backup::run(&settings, &how, out).await
        }),
        Command::Restore(how) => {
            runner.with_keyless_settings(async |settings, out| Box::pin(restore::run(settings, &how, out)).await)
        }
        Command::Keys(command) => run_keys(runner, command),
        Command::SetupLink => runner.with_app(Access::Change, async |app, out| setup_link::run(app, out).await),
        Command::User(command) => run_user(runner, command),
        Command::Org(command) => run_org(runner, command),
        Command::Invitation(command) => run_invitation(runner, command),
        Command::ApiKey(command) => run_api_key(runner, command),
        Command::Provider(command) => run_provider(runner, command),
        Command::Apply(how) => {
            runner.with_app(Access::Change, async |app, out| provider::apply::run(app, environment, &how, out).await)
        }
        Command::Passwords(command) => {
            runner.with_settings(async |settings, out| passwords::run(&settings, command, out).await)
        }
        Command::Messages(command) => {
            runner.without_context(async |out| messages::run(&name, environment, command, out))
        }
        Command::Secrets(SecretsCommand::Reseal) => {
            runner.with_app(Access::Change, async |app, out| keys::reseal(app, out).await)
        }
        Command::Secrets(SecretsCommand::Reset(how)) => runner.with_settings(async |settings, out| {
            refuse_missing_database(&settings)?;
            Box::pin(secrets_reset::run(&settings, how.yes, out)).await
        }),
        Command::Webhooks(command) => run_webhooks(runner, command),
        Command::Mail(command) => run_mail(runner, command),
        Command::Dev(Dev { command: Some(command), .. }) => run_dev(runner, command),
        Command::Dev(Dev { service, .. }) => {
            let environment = dev_service::environment(&name, environment, &service);
            let runner = CommandRunner { environment: &environment, ..runner };
            runner.with_loaded_settings(async |mut loaded, out| {
                set_log_format(&mut loaded.settings, json);
                Box::pin(dev_service::run(loaded, &environment, service.app.as_ref(), out)).await
            })
        }
        Command::Docs(which) => runner.without_context(async |out| documentation::docs(&which, out)),
        Command::Explain(which) => runner.without_context(async |out| documentation::explain(which, out)),
        Command::Completions(which) => runner.without_context(async |out| manual::completions(&name, which, out)),
        Command::Man(to) => runner.without_context(async |out| manual::man(&name, &to, out)),
        Command::Version => runner.without_context(async |out| manual::version(out)),
    }
}

/// `--json` is about the log, too.
fn set_log_format(settings: &mut Settings, json: bool) {
    if json {
        settings.log.format = LogFormat::Json;
    }
}

fn run_ephemeral(mut runner: CommandRunner<'_, '_>, how: &Serve, json: bool) -> u8 {
    let prepared = ephemeral::prepare(runner.name, runner.environment, how);
    let (environment, place) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return runner.exit_code(Err(failure)),
    };
    let runner = CommandRunner { environment: &environment, ..runner };
    runner.with_loaded_settings(async |mut loaded, out| {
        set_log_format(&mut loaded.settings, json);
        Box::pin(ephemeral::run(loaded, place, how.until_stdin_closes, out)).await
    })
}

fn run_dev(runner: CommandRunner<'_, '_>, command: DevCommand) -> u8 {
    match command {
        DevCommand::Session(whose) => {
            runner.with_app(Access::Change, async |app, out| dev::session(app, &whose, out).await)
        }
        DevCommand::Echo(how) => runner.without_context(async |out| dev_echo::run(&how, out).await),
        DevCommand::Provider(how) => runner.without_context(async |out| dev_provider::run(&how, out).await),
    }
}

/// Only a listener to fill in needs the settings.
fn run_proxy_config(runner: CommandRunner<'_, '_>, how: &ProxyConfig) -> u8 {
    let name = runner.name;
    match &how.auth {
        Some(text) => {
            let auth = Given { source: "--auth", text };
            runner.without_context(async |out| proxy_config::run(name, how, auth, out))
        }
        None => runner.with_keyless_settings(async |settings, out| {
            let (variable, url) = (name.variable("LISTEN"), format!("http://{}", listener::reachable(&settings)?));
            proxy_config::run(name, how, Given { source: &variable, text: &url }, out)
        }),
    }
}

fn run_migrate(runner: CommandRunner<'_, '_>, how: Migrate) -> u8 {
    match how {
        Migrate { command: Some(MigrateCommand::Status), .. } => {
            runner.with_keyless_settings(async |settings, out| migrate::status(&settings.database, out).await)
        }
        Migrate { dry_run: true, .. } => {
            runner.with_keyless_settings(async |settings, out| migrate::dry_run(&settings.database, out).await)
        }
        Migrate { .. } => runner.with_settings(async |settings, out| migrate::run(settings, out).await),
    }
}

fn run_keys(runner: CommandRunner<'_, '_>, command: KeysCommand) -> u8 {
    match command {
        KeysCommand::Rotate => runner.with_app(Access::Change, async |app, out| keys::rotate(app, out).await),
        KeysCommand::List => runner.with_store(async |context, out| keys::list(context, out).await),
    }
}

fn run_user(runner: CommandRunner<'_, '_>, command: UserCommand) -> u8 {
    match command {
        UserCommand::Create(new) => runner.with_app(Access::Change, async |app, out| user::create(app, new, out).await),
        UserCommand::List(filter) => {
            runner.with_store(async |context, out| user_list::run(context, &filter, out).await)
        }
        UserCommand::Duplicates => runner.with_store(async |context, out| user_duplicates::run(context, out).await),
        UserCommand::Show(which) => runner.with_app(Access::Read, async |app, out| user::show(app, &which, out).await),
        UserCommand::Audit(which) => {
            runner.with_store(async |context, out| user_audit::run(context, &which, out).await)
        }
        UserCommand::Disable(which) => {
            runner.with_app(Access::Change, async |app, out| user::set_disabled(app, &which, true, out).await)
        }
        UserCommand::Enable(which) => {
            runner.with_app(Access::Change, async |app, out| user::set_disabled(app, &which, false, out).await)
        }
        UserCommand::Unlock(which) => {
            runner.with_app(Access::Change, async |app, out| user_access::unlock(app, &which, out).await)
        }
        UserCommand::Grant(roles) => {
            runner.with_app(Access::Change, async |app, out| user::change_roles(app, &roles, true, out).await)
        }
        UserCommand::Revoke(roles) => {
            runner.with_app(Access::Change, async |app, out| user::change_roles(app, &roles, false, out).await)
        }
        UserCommand::SetPassword(new) => {
            runner.with_app(Access::Change, async |app, out| user::set_password(app, &new, out).await)
        }
        UserCommand::SendPasswordReset(which) => {
            runner.with_app(Access::Change, async |app, out| user_access::send_password_reset(app, &which, out).await)
        }
        UserCommand::SetEmail(new) => {
            runner.with_app(Access::Change, async |app, out| user_access::set_email(app, new, out).await)
        }
        UserCommand::SendVerification(which) => {
            runner.with_app(Access::Change, async |app, out| user_access::send_verification(app, &which, out).await)
        }
        UserCommand::SetDetails(new) => {
            runner.with_app(Access::Change, async |app, out| user_details::set(app, &new, out).await)
        }
        UserCommand::Sessions(SessionsCommand::List(which)) => {
            runner.with_store(async |context, out| user_sessions::list(context, &which, out).await)
        }
        UserCommand::Sessions(SessionsCommand::Revoke(which)) => {
            runner.with_app(Access::Change, async |app, out| user_sessions::revoke(app, &which, out).await)
        }
        UserCommand::Identities(IdentitiesCommand::List(which)) => {
            runner.with_store(async |context, out| user_identities::list(context, &which, out).await)
        }
        UserCommand::Identities(IdentitiesCommand::Remove(which)) => {
            runner.with_app(Access::Change, async |app, out| user_identities::remove(app, &which, out).await)
        }
        UserCommand::TwoFactor(TwoFactorCommand::Reset(which)) => {
            runner.with_app(Access::Change, async |app, out| user::reset_two_factor(app, &which, out).await)
        }
        UserCommand::Recover(which) => {
            runner.with_app(Access::Change, async |app, out| Box::pin(user_recover::run(app, &which, out)).await)
        }
        UserCommand::Delete(which) => {
            runner.with_app(Access::Change, async |app, out| user::delete(app, &which, out).await)
        }
    }
}

fn run_org(runner: CommandRunner<'_, '_>, command: OrgCommand) -> u8 {
    match command {
        OrgCommand::Create(new) => runner.with_app(Access::Change, async |app, out| org::create(app, &new, out).await),
        OrgCommand::List(page) => runner.with_store(async |context, out| org::list(&context.store, page, out).await),
        OrgCommand::Show(which) => runner.with_store(async |context, out| org::show(&context.store, &which, out).await),
        OrgCommand::Rename(new) => runner.with_app(Access::Change, async |app, out| org::rename(app, &new, out).await),
        OrgCommand::Delete(which) => {
            runner.with_app(Access::Change, async |app, out| org::delete(app, &which, out).await)
        }
        OrgCommand::Members(MembersCommand::List(which)) => {
            runner.with_store(async |context, out| org::list_members(&context.store, &which, out).await)
        }
        OrgCommand::Members(MembersCommand::Add(new)) => {
            runner.with_app(Access::Change, async |app, out| org::add_member(app, &new, out).await)
        }
        OrgCommand::Members(MembersCommand::SetRole(new)) => {
            runner.with_app(Access::Change, async |app, out| org::set_role(app, &new, out).await)
        }
        OrgCommand::Members(MembersCommand::Remove(which)) => {
            runner.with_app(Access::Change, async |app, out| org::remove_member(app, &which, out).await)
        }
    }
}

fn run_invitation(runner: CommandRunner<'_, '_>, command: InvitationCommand) -> u8 {
    match command {
        InvitationCommand::Create(new) => {
            runner.with_app(Access::Change, async |app, out| invitation::create(app, &new, out).await)
        }
        InvitationCommand::List(of) => {
            runner.with_store(async |context, out| invitation::list(context, &of, out).await)
        }
        InvitationCommand::Resend(which) => {
            runner.with_app(Access::Change, async |app, out| invitation::resend(app, &which, out).await)
        }
        InvitationCommand::Revoke(which) => {
            runner.with_app(Access::Change, async |app, out| invitation::revoke(app, &which, out).await)
        }
    }
}

fn run_api_key(runner: CommandRunner<'_, '_>, command: ApiKeyCommand) -> u8 {
    match command {
        ApiKeyCommand::Create(new) => {
            runner.with_app(Access::Change, async |app, out| api_key::create(app, new, out).await)
        }
        ApiKeyCommand::List => runner.with_store(async |context, out| api_key::list(context, out).await),
        ApiKeyCommand::Audit(page) => runner.with_store(async |context, out| api_key::audit(context, page, out).await),
        ApiKeyCommand::Revoke(which) => {
            runner.with_app(Access::Change, async |app, out| api_key::revoke(app, &which, out).await)
        }
        ApiKeyCommand::Rotate(which) => {
            runner.with_app(Access::Change, async |app, out| api_key::rotate(app, &which, out).await)
        }
    }
}

fn run_provider(runner: CommandRunner<'_, '_>, command: ProviderCommand) -> u8 {
    match command {
        ProviderCommand::Add(new) => {
            runner.with_app(Access::Change, async |app, out| provider::add(app, *new, out).await)
        }
        ProviderCommand::List => runner.with_store(async |context, out| provider::list(context, out).await),
        ProviderCommand::Show(which) => {
            runner.with_store(async |context, out| provider::show(context, &which, out).await)
        }
        ProviderCommand::Update(new) => {
            runner.with_app(Access::Change, async |app, out| provider::update(app, *new, out).await)
        }
        ProviderCommand::Check(which) => {
            runner.with_app(Access::Read, async |app, out| provider::check::run(app, &which, out).await)
        }
        ProviderCommand::Remove(which) => {
            runner.with_app(Access::Change, async |app, out| provider::remove(app, &which, out).await)
        }
    }
}

fn run_webhooks(runner: CommandRunner<'_, '_>, command: WebhooksCommand) -> u8 {
    let (name, environment) = (runner.name, runner.environment);
    match command {
        WebhooksCommand::List(filter) => {
            runner.with_store(async |context, out| webhooks::list(context, &filter, out).await)
        }
        WebhooksCommand::Show(which) => {
            runner.with_store(async |context, out| webhooks::show(context, which.id, out).await)
        }
        WebhooksCommand::Replay(which) => {
            runner.with_store(async |context, out| webhooks::replay(context, &which, out).await)
        }
        WebhooksCommand::Stats => runner.with_store(async |context, out| webhooks::stats(&context.store, out).await),
        WebhooksCommand::Ping => runner.with_settings(async |settings, out| webhooks::ping(&settings, out).await),
        WebhooksCommand::Listen(how) => {
            runner.without_context(async |out| webhooks::listen(name, environment, &how, out).await)
        }
    }
}

fn run_mail(runner: CommandRunner<'_, '_>, command: MailCommand) -> u8 {
    match command {
        MailCommand::List(filter) => runner.with_store(async |context, out| mail::list(context, &filter, out).await),
        MailCommand::Show(which) => {
            runner.with_app(Access::Read, async |app, out| mail::show(app, which.id(), out).await)
        }
        MailCommand::Link(which) => {
            runner.with_app(Access::Read, async |app, out| mail::link(app, which.id(), out).await)
        }
        MailCommand::Retry(which) => {
            runner.with_app(Access::Change, async |app, out| mail::retry(app, &which, out).await)
        }
        MailCommand::Test(arguments) => {
            runner.with_settings(async |settings, out| mail::send_test(&settings, &arguments.to, out).await)
        }
    }
}
