//! Programs that tests need. Where one is missing, the test is skipped and a line says so, unless
//! `DOORWARD_TEST_REQUIRE_ALL` is set: then the test fails.

use super::{browser, postgres};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Postgres,
    /// Chromium and its driver.
    Browser,
    /// OpenSSL's command, for self-signed certificates.
    OpenSsl,
    Compiler,
    Node,
    Python,
    /// A Python 3 with `PyJWT`.
    PyJwt,
    Php,
    Ruby,
    Nginx,
    Caddy,
    /// The newest Caddy, which `scripts/newest-caddy` brings where it can.
    NewestCaddy,
    /// Traefik, which `scripts/traefik` brings where it can.
    Traefik,
    /// Envoy, which `scripts/envoy` brings where it can.
    Envoy,
    /// What tries the API by its description, which `scripts/api-tools` brings where it can.
    ApiTools,
    /// Generators of clients, which `scripts/generators` brings where it can.
    Generators,
    /// Providers of others, which `scripts/providers` brings where it can.
    Providers,
    /// The languages of the client libraries and the frameworks of the quick starts, which `scripts/clients` brings where
    /// it can.
    Clients,
    HaProxy,
    /// What makes and starts images, and the right to, which only root has, and not in every container.
    Image,
    SystemdAnalyze,
    /// systemd's library, and Python to call it.
    SystemdLibrary,
    /// Go; half a gigabyte for one example, so it is used where installed and never required.
    Go,
    /// The right to make network namespaces, which only root has, and not in every container.
    Namespace,
}

impl Need {
    /// Whether it is installed. Reports each missing program once.
    pub fn is_met(self) -> bool {
        static MISSING: [OnceLock<Option<String>>; 24] = [const { OnceLock::new() }; 24];
        let missing = MISSING[self as usize].get_or_init(|| {
            let missing = self.find_missing()?;
            let remedy = if self.is_installed_by_script() { " scripts/test installs it." } else { "" };
            report(&format!("SKIPPED: every test that needs {}: {missing}.{remedy}", self.name()));
            Some(missing)
        });
        if let Some(missing) = missing {
            let all = std::env::var_os("DOORWARD_TEST_REQUIRE_ALL").is_some_and(|value| !value.is_empty());
            assert!(!(all && self.is_installed_by_script()), "{} is required here: {missing}", self.name());
        }
        missing.is_none()
    }

    fn is_installed_by_script(self) -> bool {
        !matches!(
            self,
            Need::NewestCaddy
                | Need::Traefik
                | Need::Envoy
                | Need::ApiTools
                | Need::Generators
                | Need::Providers
                | Need::Clients
                | Need::Go
                | Need::Namespace
                | Need::Image
        )
    }

    fn name(self) -> &'static str {
        match self {
            Need::Postgres => "PostgreSQL",
            Need::Browser => "a browser",
            Need::OpenSsl => "OpenSSL's command",
            Need::Compiler => "a C compiler",
            Need::Node => "Node",
            Need::Python => "Python",
            Need::PyJwt => "PyJWT",
            Need::Php => "PHP",
            Need::Ruby => "Ruby",
            Need::Nginx => "nginx",
            Need::Caddy => "Caddy",
            Need::NewestCaddy => "the newest Caddy",
            Need::Traefik => "Traefik",
            Need::Envoy => "Envoy",
            Need::ApiTools => "schemathesis and its like",
            Need::Generators => "generators of clients",
            Need::Providers => "providers of others",
            Need::Clients => "the tools of client libraries",
            Need::HaProxy => "HAProxy",
            Need::Image => "umoci and runc",
            Need::SystemdAnalyze => "systemd-analyze",
            Need::SystemdLibrary => "systemd's library",
            Need::Go => "Go",
            Need::Namespace => "network namespaces",
        }
    }

    fn find_missing(self) -> Option<String> {
        match self {
            Need::Postgres => postgres::programs().is_none().then(|| "no initdb and postgres were found".to_owned()),
            Need::Browser => browser::find_missing(),
            Need::OpenSsl => find_missing_program("openssl", "version"),
            Need::Compiler => find_missing_program("cc", "--version"),
            Need::Node => find_missing_program("node", "--version"),
            Need::Python => find_missing_program("python3", "--version"),
            Need::PyJwt => python_with_jwt().is_none().then(|| "no python3 can import jwt and cryptography".to_owned()),
            Need::Php => find_missing_program("php", "--version"),
            Need::Ruby => find_missing_program("ruby", "--version"),
            Need::Nginx => find_missing_program("nginx", "-v"),
            Need::Caddy => find_missing_program("caddy", "version"),
            Need::NewestCaddy => newest_caddy().is_none().then(|| "DOORWARD_TEST_CADDY names no program".to_owned()),
            Need::Traefik => traefik().is_none().then(|| "DOORWARD_TEST_TRAEFIK names no program".to_owned()),
            Need::Envoy => envoy().is_none().then(|| "DOORWARD_TEST_ENVOY names no program".to_owned()),
            Need::ApiTools => {
                api_tools().is_none().then(|| "DOORWARD_TEST_API_TOOLS names no folder with them".to_owned())
            }
            Need::Generators => {
                generators().is_none().then(|| "DOORWARD_TEST_GENERATORS names no folder with them".to_owned())
            }
            Need::Providers => {
                providers().is_none().then(|| "DOORWARD_TEST_PROVIDERS names no folder with them".to_owned())
            }
            Need::Clients => clients().is_none().then(|| "DOORWARD_TEST_CLIENTS names no folder with them".to_owned()),
            Need::HaProxy => find_missing_program("haproxy", "-v"),
            Need::Image => find_missing_program("umoci", "--version").or_else(find_missing_container),
            Need::SystemdAnalyze => find_missing_program("systemd-analyze", "--version"),
            Need::SystemdLibrary => {
                let missing = systemd_library().is_none().then(|| "no libsystemd-shared was found".to_owned());
                missing.or_else(|| find_missing_program("python3", "--version"))
            }
            Need::Go => find_missing_program("go", "version"),
            Need::Namespace => find_missing_namespace(),
        }
    }
}

/// A Python that has `PyJWT`: the one in the path, or the system's, for which packages are installed.
pub fn python_with_jwt() -> Option<&'static str> {
    let has_jwt = |python: &&str| {
        let output = Command::new(python).args(["-c", "import jwt, cryptography"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    ["python3", "/usr/bin/python3"].into_iter().find(has_jwt)
}

/// The library of systemd's programs, which has no other users.
pub fn systemd_library() -> Option<PathBuf> {
    let is_library = |path: &PathBuf| {
        let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with("libsystemd-shared-") && path.extension().is_some_and(|extension| extension == "so")
    };
    let below = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = ["/usr/lib", "/usr/lib64", "/lib"].into_iter().flat_map(|folder| below(folder.into()));
    folders.flat_map(|folder| [folder.clone(), folder.join("systemd")]).flat_map(below).find(is_library)
}

/// The newest Caddy, beside the distribution's.
pub fn newest_caddy() -> Option<String> {
    let program = std::env::var("DOORWARD_TEST_CADDY").ok()?;
    find_missing_program(&program, "version").is_none().then_some(program)
}

/// Traefik, which distributions do not have.
pub fn traefik() -> Option<String> {
    let program = std::env::var("DOORWARD_TEST_TRAEFIK").ok()?;
    find_missing_program(&program, "version").is_none().then_some(program)
}

/// Envoy, which distributions do not have.
pub fn envoy() -> Option<String> {
    let program = std::env::var("DOORWARD_TEST_ENVOY").ok()?;
    find_missing_program(&program, "--version").is_none().then_some(program)
}

/// The folder of the programs that try the API by its description.
pub fn api_tools() -> Option<String> {
    let folder = std::env::var("DOORWARD_TEST_API_TOOLS").ok()?;
    find_missing_program(&format!("{folder}/schemathesis"), "--version").is_none().then_some(folder)
}

/// The folder of the providers of others.
pub fn providers() -> Option<String> {
    finished("DOORWARD_TEST_PROVIDERS")
}

/// The folder of the generators of clients.
pub fn generators() -> Option<String> {
    finished("DOORWARD_TEST_GENERATORS")
}

/// The folder of the tools of client libraries.
pub fn clients() -> Option<String> {
    finished("DOORWARD_TEST_CLIENTS")
}

/// The folder that a variable names, where its script has ended: `scripts/cache` has sealed it.
fn finished(variable: &str) -> Option<String> {
    let folder = std::env::var(variable).ok()?;
    Path::new(&format!("{folder}.sealed")).exists().then_some(folder)
}

/// A Python that has Radicale, which `scripts/api-tools` brings where it can.
pub fn python_with_radicale() -> Option<String> {
    let folder = std::env::var("DOORWARD_TEST_API_TOOLS").ok()?;
    Path::new(&folder).join("radicale").exists().then(|| format!("{folder}/python3"))
}

fn find_missing_program(name: &str, argument: &str) -> Option<String> {
    let output = Command::new(name).arg(argument).output();
    output.err().map(|error| format!("{name}: {error}"))
}

fn find_missing_namespace() -> Option<String> {
    let name = format!("doorward-try-{}", std::process::id());
    let script = format!("ip netns add {name} && ip netns del {name}");
    let output = Command::new("sh").args(["-c", &script]).output();
    let output = output.map_err(|error| error.to_string());
    output.map_or_else(Some, |output| {
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).trim().to_owned())
    })
}

/// Tries one that is empty: it ends where it finds no program.
fn find_missing_container() -> Option<String> {
    let script = "folder=$(mktemp -d) && cd \"$folder\" && mkdir rootfs && runc spec \
        && sed -i 's/\"terminal\": true/\"terminal\": false/' config.json \
        && runc run \"doorward-try-$$\" </dev/null 2>&1; rm -r \"$folder\"";
    let output = Command::new("sh").args(["-c", script]).output();
    let output = output.map_or_else(|error| error.to_string(), |output| String::from_utf8_lossy(&output.stdout).into());
    (!output.contains("executable file not found")).then_some(output)
}

/// Writes past the test runner, which hides the output of passing tests.
pub fn report(line: &str) {
    let mut stderr = std::io::stderr().lock();
    // A lost line is no reason to fail a test.
    let _ = writeln!(stderr, "\n{line}");
}
