//! Applications that read headers as CGI does, where `-` and `_` are one.

use super::raw_client::{RawClient, RawReply};
use super::site::Program;
use crate::harness::{TempDir, free_port, python_with_radicale, report};
use serde_json::Value;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What asks Radicale who is there.
const WHO: &str = "<propfind xmlns=\"DAV:\"><prop><current-user-principal/></prop></propfind>";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    Wsgi,
    Radicale,
    Php,
}

/// What a reader took for the headers, each under its name.
pub type Read = Vec<(&'static str, String)>;

/// The names that they are asked for, and where CGI has them.
const NAMES: [(&str, &str); 4] = [
    ("X-Svc-User-Id", "HTTP_X_SVC_USER_ID"),
    ("X-Svc-User-Roles", "HTTP_X_SVC_USER_ROLES"),
    ("Remote-User", "HTTP_REMOTE_USER"),
    ("X-Remote-User", "HTTP_X_REMOTE_USER"),
];

impl Reader {
    pub fn names(self) -> Vec<&'static str> {
        let all = NAMES.map(|(name, _)| name);
        if self == Self::Radicale { vec![all[3]] } else { all.to_vec() }
    }

    /// Sends a request with these headers; what it read.
    pub async fn ask(self, client: &mut RawClient, lines: &str) -> Read {
        if self == Self::Radicale {
            let own = "Depth: 0\r\nContent-Type: text/xml\r\nAccept-Encoding: identity\r\n";
            let lines = format!("{lines}{own}Content-Length: {}\r\n", WHO.len());
            return principal(&client.send("PROPFIND /dav/", &lines, WHO).await);
        }
        let reply = client.send("GET /", lines, "").await;
        assert_eq!(reply.status, 200, "{lines}: {reply:?}");
        let read: Value = serde_json::from_str(&reply.body).unwrap();
        let text = |key: &str| read[key].as_str().unwrap_or_default().to_owned();
        NAMES.iter().map(|(name, key)| (*name, text(key))).collect()
    }
}

/// Radicale names the person in the address of their collection.
fn principal(reply: &RawReply) -> Read {
    // The first address is that of what was asked for.
    let name = reply.body.split("<href>/dav/").nth(2).and_then(|rest| rest.split('/').next());
    assert!([207, 401, 403].contains(&reply.status), "{reply:?}");
    vec![("X-Remote-User", name.unwrap_or_default().to_owned())]
}

pub struct Applications {
    /// wsgiref, with Radicale under `/dav/`.
    pub python: SocketAddr,
    pub php: SocketAddr,
    pub has_radicale: bool,
    _programs: [Program; 2],
    _folder: TempDir,
}

impl Applications {
    pub async fn start() -> Self {
        let folder = TempDir::new("cgi");
        let python_with_radicale = python_with_radicale();
        if python_with_radicale.is_none() {
            report("SKIPPED: Radicale behind the gate: DOORWARD_TEST_API_TOOLS names no folder with it.");
        }
        let [python, php] = [free_port(), free_port()].map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
        let mut command = Command::new(python_with_radicale.as_deref().unwrap_or("python3"));
        command.arg(source("cgi.py")).arg(python.port().to_string());
        if python_with_radicale.is_some() {
            command.arg("radicale").arg(folder.path());
        }
        let wsgi = Program::start(command, python).await;
        let mut command = Command::new("php");
        command.arg("-S").arg(php.to_string()).arg(source("cgi.php"));
        let has_radicale = python_with_radicale.is_some();
        let programs = [wsgi, Program::start(command, php).await];
        Self { python, php, has_radicale, _programs: programs, _folder: folder }
    }
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/proxies").join(name)
}
