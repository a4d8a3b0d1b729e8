#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::roles::PlatformRole;
use crate::settings::table;
use std::os::unix::ffi::OsStringExt;

fn read(line: &str, environment: &Environment) -> Result<Invocation, ParseExit> {
    parse(line.split_whitespace().map(OsString::from), environment)
}

fn command(line: &str) -> Command {
    read(line, &Environment::default()).unwrap().command
}

fn parse_exit(line: &str) -> (u8, String) {
    let parse_exit = read(line, &Environment::default()).unwrap_err();
    (parse_exit.exit_code(), parse_exit.to_string())
}

#[test]
fn clap_definition_is_valid() {
    described(&ServiceName::parse("svc").unwrap()).debug_assert();
}

#[test]
fn name_is_argument_then_variable_then_default() {
    let environment: Environment = [("DOORWARD_NAME", "fromenv")].into_iter().collect();
    let name = |line: &str, environment: &Environment| read(line, environment).unwrap().name.as_str().to_owned();
    assert_eq!(name("doorward --service-name acme serve", &environment), "acme");
    assert_eq!(name("doorward --service-name=acme serve", &environment), "acme");
    assert_eq!(name("doorward serve --service-name acme", &environment), "acme");
    assert_eq!(name("doorward serve", &environment), "fromenv");
    assert_eq!(name("doorward serve", &Environment::default()), "svc");
    let blank: Environment = [("DOORWARD_NAME", "")].into_iter().collect();
    assert_eq!(name("doorward serve", &blank), "svc");
}

#[test]
fn name_is_a_persons_where_one_is_named_and_else_still_the_services() {
    let invocation = |line: &str| read(line, &Environment::default()).unwrap();
    let person = |line: &str| match invocation(line).command {
        Command::User(UserCommand::Create(new)) => new.name,
        Command::User(UserCommand::SetDetails(new)) => new.name,
        _ => None,
    };
    for line in [
        "doorward user create joe@example.com --name joe",
        "doorward user create --name=joe joe@example.com",
        "doorward --json users add joe@example.com --name joe",
        "doorward user set-details joe@example.com --name joe",
    ] {
        let Invocation { name, warnings, .. } = invocation(line);
        assert_eq!((name.as_str(), warnings.len(), person(line).as_deref()), ("svc", 0, Some("joe")), "{line}");
    }
    for line in ["doorward --name acme user create joe@example.com", "doorward user list --name=acme"] {
        let Invocation { name, warnings, .. } = invocation(line);
        assert_eq!(name.as_str(), "acme", "{line}");
        assert_eq!(warnings, ["--name is --service-name now; the old spelling ends with the next version"], "{line}");
    }
    let line = "doorward --json user create joe@example.com --display-name joe";
    assert_eq!(person(line).as_deref(), Some("joe"));
    assert_eq!(
        invocation(line).warnings,
        ["--display-name is --name now; the old spelling ends with the next version"]
    );
    assert_eq!(parse_exit("doorward user list --display-name joe").0, 2);
}

#[test]
fn guessed_names_of_commands_are_the_commands() {
    for (guess, is) in [
        ("start", "serve"),
        ("run", "serve"),
        ("users add a@b.example", "user create a@b.example"),
        ("user rm ada", "user delete ada"),
        ("user revoke ada admin", "user revoke ada admin"),
        ("apikey ls", "api-key list"),
        ("api-key delete ci", "api-key revoke ci"),
        ("organizations get Crew", "org show Crew"),
        ("org member rm Crew ada", "org members remove Crew ada"),
        ("webhook ls", "webhooks list"),
        ("email ls", "mail list"),
        ("providers create google", "provider add google"),
    ] {
        assert_eq!(command(&format!("doorward {guess}")), command(&format!("doorward {is}")), "{guess}");
    }
    for (guess, meant) in [
        ("invite bob@example.com", "invitation create"),
        ("user invite", "invitation create"),
        ("user promote ada", "user grant USER admin"),
        ("key create", "`doorward api-key` or `doorward keys`"),
        ("webhoks list", "'webhooks'"),
    ] {
        let (code, text) = parse_exit(&format!("doorward {guess}"));
        assert!(code == 2 && text.contains("tip: ") && text.contains(meant), "{text}");
        assert_eq!(text.matches("tip: ").count(), 1, "{text}");
    }
}

#[test]
fn platform_role_is_read_as_records_spell_it() {
    assert_eq!(command("doorward user grant ada svc:admin"), command("doorward user grant ada admin"));
    assert!(parse_exit("doorward user grant ada svc:king").1.contains("[possible values: admin,"));
}

#[test]
fn options_are_found_in_either_form_before_the_command_and_behind_it() {
    let values = |line: &str| {
        let arguments: Vec<_> = line.split_whitespace().map(OsString::from).collect();
        option_values(&arguments, "--env-file").map(|value| value.to_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        values("--env-file a serve --env-file=b --env-file --env-file -- --env-file c"),
        ["a", "b", "--env-file"]
    );
    assert_eq!(values("serve --env-files a --env-file"), [""; 0]);
}

#[test]
fn invalid_name_exits_with_2_and_lists_allowed() {
    let (code, text) = parse_exit("doorward --service-name Acme-1 serve");
    assert_eq!((code, text.lines().count()), (2, 1));
    assert!(text.starts_with("--service-name: \"Acme-1\"") && text.contains("lower-case letter"), "{text}");
    let environment: Environment = [("DOORWARD_NAME", OsString::from_vec(vec![0xff]))].into_iter().collect();
    let parse_exit = read("doorward serve", &environment).unwrap_err();
    assert_eq!(
        (parse_exit.exit_code(), parse_exit.to_string().as_str()),
        (2, "DOORWARD_NAME: the value is not UTF-8 text")
    );
}

#[test]
fn invalid_arguments_exit_with_2() {
    for line in [
        "doorward",
        "doorward fly",
        "doorward --service-name",
        "doorward serve --service-name a --service-name b",
        "doorward serve extra",
        "doorward user create",
        "doorward user create --email a@b.example --role root",
        "doorward user create --email a@b.example --password x",
        "doorward user grant someone",
        "doorward keys",
        "doorward org create Crew",
        "doorward org show",
        "doorward invitation create --org 00000000-0000-0000-0000-000000000000 --email a@b.example --role king",
        "doorward webhooks",
        "doorward webhooks list --state lost",
        "doorward webhooks list --kind user.exploded",
        "doorward webhooks list --since 5",
        "doorward webhooks list --limit 0",
        "doorward webhooks show",
        "doorward webhooks show 17",
        "doorward webhooks replay",
        "doorward webhooks replay --since 2h",
        "doorward webhooks replay --failed evt_0191d6ab-3f0e-7000-8000-000000000000",
        "doorward webhooks listen --answer 99",
        "doorward webhooks listen --answer 101",
        "doorward webhooks listen --port 70000",
    ] {
        let (code, text) = parse_exit(line);
        assert!(code == 2 && !text.is_empty(), "{line}: {text}");
    }
}

#[test]
fn commands_are_parsed() {
    assert_eq!(command("doorward serve"), Command::Serve(Serve::default()));
    assert_eq!(command("doorward keys rotate"), Command::Keys(KeysCommand::Rotate));
    assert_eq!(command("doorward secrets reseal"), Command::Secrets(SecretsCommand::Reseal));
    let grant = RolesOfUser { user: "a@b.example".into(), roles: vec![PlatformRole::Admin, PlatformRole::Monitor] };
    assert_eq!(command("doorward user grant a@b.example admin monitor"), Command::User(UserCommand::Grant(grant)));
    let create = CreateUser {
        email: None,
        email_option: Some("a@b.example".into()),
        username: Some("a".into()),
        name: None,
        verified: false,
        roles: vec![PlatformRole::Admin, PlatformRole::Auditor],
        external_id: None,
        metadata: None,
        password: PasswordSource { stdin: true },
    };
    let line = "doorward user create --email a@b.example --username a --role admin --role auditor --password-stdin";
    assert_eq!(command(line), Command::User(UserCommand::Create(create)));
}

#[test]
fn json_flag_is_accepted_in_any_position() {
    for line in ["doorward --json config", "doorward config --json", "doorward keys list --json"] {
        assert!(read(line, &Environment::default()).unwrap().json, "{line}");
    }
    assert!(!read("doorward config", &Environment::default()).unwrap().json);
}

#[test]
fn help_of_serve_lists_every_setting_without_values() {
    let given = table::all().map(|spec| (format!("ACME_{}", spec.suffix), "s3cret"));
    let environment: Environment = given.collect();
    for line in ["doorward serve --help --service-name=acme", "doorward --service-name acme help serve"] {
        let parse_exit = read(line, &environment).unwrap_err();
        let text = parse_exit.to_string();
        assert_eq!(parse_exit.exit_code(), 0);
        for spec in table::all() {
            assert!(text.contains(&format!("  ACME_{} [", spec.suffix)), "{} in {text}", spec.suffix);
        }
        assert!(!text.contains("s3cret") && !text.contains("SVC_"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    }
}

#[test]
fn short_help_is_short() {
    let (code, text) = parse_exit("doorward -h");
    assert!(code == 0 && text.lines().count() < 56, "{text}");
    let (code, text) = parse_exit("doorward --version");
    assert_eq!((code, text), (0, concat!("doorward ", env!("CARGO_PKG_VERSION")).to_owned()));
}
