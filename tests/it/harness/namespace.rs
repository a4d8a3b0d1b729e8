//! A network namespace with two ways to this machine, each of which can become a black hole: what goes there is lost
//! without a word, as when a host loses its power.

use super::guardian::Guardian;
use super::needs::Need;
use super::temp::TempDir;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::Command;

/// The name of a host that [`Namespace::lead_name_to`] moves.
pub const MOVED_NAME: &str = "database.test";
/// Addresses for measurements (RFC 2544), which no network here uses; each namespace takes a block of eight.
const FIRST_ADDRESS: u32 = u32::from_be_bytes([198, 18, 0, 0]);
const BLOCKS: u32 = 1 << 14;

/// `$1` the namespace, `$2` the start of the links' names, `$3`, `$4` here and there on the first way, `$5`, `$6` on the
/// second. A neighbour that is permanent is not asked for: a lost one would be noticed within three seconds.
const SCRIPT: &str = r#"
make() {
    set -e
    ip netns add "$1"
    ip -n "$1" link set lo up
    for way in 0 1; do
        eval "here=\$$((3 + 2 * way)) there=\$$((4 + 2 * way))"
        ip link add "$2$way" type veth peer name "way$way" netns "$1"
        ip addr add "$here/30" dev "$2$way"
        ip -n "$1" addr add "$there/30" dev "way$way"
        ip link set "$2$way" up
        ip -n "$1" link set "way$way" up
        ip -n "$1" neigh replace "$here" lladdr "$(cat "/sys/class/net/$2$way/address")" dev "way$way" nud permanent
    done
    echo made
}
( make "$@" ) && guard sleep 1000000
ip netns del "$1"
rm -rf "/etc/netns/$1"
"#;

#[derive(Clone, Copy, Debug)]
pub enum Way {
    First,
    Second,
}

/// A network namespace; removed when this is dropped or this process exits.
#[derive(Debug)]
pub struct Namespace {
    name: String,
    links: String,
    block: u32,
    guardian: Guardian,
    folder: TempDir,
}

impl Namespace {
    /// Makes one, where that is possible.
    pub async fn new() -> Option<Self> {
        if !Need::Namespace.is_met() {
            return None;
        }
        let process = std::process::id();
        let (name, links) = (format!("doorward-{process}"), format!("dw{process}-"));
        let block = FIRST_ADDRESS + process % BLOCKS * 8;
        let folder = TempDir::new("namespace");
        let log = folder.path().join("log");
        let addresses: Vec<String> = [1, 2, 5, 6].map(|place| Ipv4Addr::from(block + place).to_string()).into();
        let arguments = [&name, &links].into_iter().chain(&addresses).map(AsRef::as_ref).collect::<Vec<_>>();
        let guardian = Guardian::start(SCRIPT, &arguments, &log);
        let mut namespace = Self { name, links, block, guardian, folder };
        while !namespace.log().contains("made") {
            assert!(namespace.guardian.is_running(), "no namespace: {}", namespace.log());
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        std::fs::create_dir_all(namespace.hosts().parent().expect("a folder")).unwrap();
        namespace.lead_name_to(Way::First);
        Some(namespace)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// What a program in it finds as `/etc/hosts`.
    fn hosts(&self) -> PathBuf {
        PathBuf::from("/etc/netns").join(&self.name).join("hosts")
    }

    pub fn here(&self, way: Way) -> Ipv4Addr {
        Ipv4Addr::from(self.block + 4 * way as u32 + 1)
    }

    pub fn there(&self, way: Way) -> Ipv4Addr {
        Ipv4Addr::from(self.block + 4 * way as u32 + 2)
    }

    /// Lets [`MOVED_NAME`] lead to this machine by a way.
    pub fn lead_name_to(&self, way: Way) {
        // In place: running programs have this very file.
        std::fs::write(self.hosts(), format!("{} {MOVED_NAME}\n", self.here(way))).unwrap();
    }

    /// From now on everything on this way is lost, in both directions.
    pub fn make_black_hole(&self, way: Way) {
        let link = format!("{}{}", self.links, way as u32);
        let done = Command::new("ip").args(["link", "set", &link, "down"]).status().unwrap();
        assert!(done.success());
    }

    /// A command that runs a program in it.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name, program]);
        command
    }
}
