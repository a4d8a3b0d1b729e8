//! Where an instance for tests is: a free port, and a folder that is gone at its end.

use crate::boot::EphemeralDir;
use crate::cli::failure::Failure;
use crate::cli::serve_args::Serve;
use crate::error::Error;
use crate::model::this_machine::LOCALHOST;
use crate::random;
use crate::settings::{Environment, ServiceName, Variable};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// What belongs to an instance elsewhere. The variables that follow a database are of no use without it.
const IGNORED: [&str; 7] =
    ["DATABASE_URL", "DATABASE_PASSWORD_FILE", "SECRET_KEY", "SMTP_URL", "APPLY_FILE", "METRICS_LISTEN", "MIGRATE"];

pub struct Place {
    pub(super) listener: TcpListener,
    pub(super) webhook_secret: Zeroizing<String>,
    _folder: EphemeralDir,
}

/// Takes a place, and says by which variables the instance is there.
pub fn prepare(name: &ServiceName, given: &Environment, how: &Serve) -> Result<(Environment, Place), Failure> {
    let listener = listen(how.port.unwrap_or(0))?;
    let address = listener.local_addr().map_err(Failure::Output)?;
    let folder = EphemeralDir::create(&folders(given));
    let folder =
        folder.map_err(|error| Failure::Operator(format!("no folder for --ephemeral can be made: {error}")))?;
    let [url, secret, previous] =
        ["WEBHOOK_URL", "WEBHOOK_SECRET", "WEBHOOK_SECRET_PREVIOUS"].map(|suffix| name.variable(suffix));
    let webhook_secret = match given.get(&secret) {
        Variable::Text(text) => Zeroizing::new(text.to_owned()),
        Variable::Unset | Variable::NotUnicode => make_secret()?,
    };
    let mut changes: Vec<_> = IGNORED.map(|suffix| (name.variable(suffix), None)).into();
    changes.extend([
        (name.variable("LISTEN"), Some(address.to_string())),
        (name.variable("BASE_URL"), Some(format!("http://{LOCALHOST}:{}", address.port()))),
        (name.variable("DATA_DIR"), Some(folder.path().display().to_string())),
    ]);
    if given.get(&url) == Variable::Unset {
        changes.extend([(secret, None), (previous, None)]);
    } else {
        changes.push((secret, Some(webhook_secret.to_string())));
    }
    Ok((given.clone().with(changes), Place { listener, webhook_secret, _folder: folder }))
}

fn listen(port: u16) -> Result<TcpListener, Failure> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = bound.map_err(|error| Failure::Operator(format!("cannot listen on port {port}: {error}")))?;
    listener.set_nonblocking(true).map_err(Failure::Output)?;
    Ok(listener)
}

/// In memory, where there is such a folder.
fn folders(given: &Environment) -> Vec<PathBuf> {
    let of_user = match given.get("XDG_RUNTIME_DIR") {
        Variable::Text(path) => Some(PathBuf::from(path)),
        Variable::Unset | Variable::NotUnicode => None,
    };
    of_user.into_iter().chain([PathBuf::from("/dev/shm"), std::env::temp_dir()]).collect()
}

fn make_secret() -> Result<Zeroizing<String>, Failure> {
    let key: Zeroizing<[u8; 32]> = Zeroizing::new(random::bytes().map_err(Error::from)?);
    Ok(Zeroizing::new(format!("whsec_{}", STANDARD.encode(*key))))
}
