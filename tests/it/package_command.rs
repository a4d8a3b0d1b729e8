//! `doorwardctl`, the command of the package: whom it drops to, and what it hands on.

use crate::harness::TempDir;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

single_run![
    root_runs_it_as_the_user_of_the_service,
    anybody_else_is_refused_without_what_they_typed,
    documents_of_the_package_name_it,
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the script does where `id` says that this user runs it, and `runuser` prints what it is asked for.
fn run_as(name: &str, number: u32, arguments: &[&str]) -> Output {
    let folder = TempDir::new("package");
    let id = format!("#!/bin/sh\nif [ \"$1\" = -un ]; then echo {name}; else echo {number}; fi\n");
    for (program, text) in [("id", id.as_str()), ("runuser", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")] {
        let path = folder.path().join(program);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let script = root().join("deploy/debian/doorwardctl");
    Command::new("/bin/sh").arg(script).args(arguments).env("PATH", folder.path()).output().unwrap()
}

async fn root_runs_it_as_the_user_of_the_service() {
    let output = run_as("root", 0, &["user", "show", "a b@example.com", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let expected =
        "-u\ndoorward\n--\n/usr/bin/doorward\n--env-file\n/etc/doorward.env\nuser\nshow\na b@example.com\n--json\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

async fn anybody_else_is_refused_without_what_they_typed() {
    let output = run_as("eve", 1000, &["user", "set-password", "ada@example.com", "opensesame"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("become root first: sudo doorwardctl") && !message.contains("opensesame"), "{message}");
}

/// A shell would read a value with a blank otherwise than systemd does.
async fn documents_of_the_package_name_it() {
    for file in ["docs/start/install.md", "deploy/debian/doorward.env"] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains("sudo doorwardctl ") && !text.contains("sudo -u doorward doorward"), "{file}");
    }
}
