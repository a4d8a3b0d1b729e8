//! What `deploy/` and `scripts/` make of the program: the image, and the unit of the Debian package.

use crate::harness::{Engine, Process, TempDir, eventually, free_port};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

single_run![systemd_is_told_of_start_and_end];
once_on_postgres![systemd_waits_for_a_long_step_of_the_schema];
if_installed![
    Image: image_starts_without_anything_else,
    Image: image_says_whose_its_volume_is,
    SystemdAnalyze: unit_leaves_little_to_attack,
    SystemdAnalyze: unit_is_started_again_without_an_end,
];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// Where a process tells systemd how it is.
struct Supervisor {
    folder: TempDir,
    socket: UnixDatagram,
}

impl Supervisor {
    fn new() -> Self {
        let folder = TempDir::new("notify");
        let socket = UnixDatagram::bind(folder.path().join("socket")).unwrap();
        socket.set_nonblocking(true).unwrap();
        Self { folder, socket }
    }

    /// The variables of a process with this supervisor.
    fn with(&self, variables: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut variables = variables.clone();
        let socket = self.folder.path().join("socket").display().to_string();
        variables.insert("NOTIFY_SOCKET".to_owned(), socket);
        variables
    }

    async fn message(&self) -> String {
        let receive = || {
            let mut text = [0; 64];
            let length = self.socket.recv(&mut text).ok();
            let message = length.map(|length| String::from_utf8_lossy(&text[..length]).trim().to_owned());
            async { message }
        };
        eventually("a message for systemd", receive).await
    }
}

async fn systemd_is_told_of_start_and_end() {
    let supervisor = Supervisor::new();
    let mut process = Process::start(&supervisor.with(Engine::Sqlite.prepare().await.variables())).await;
    assert_eq!(supervisor.message().await, "READY=1");
    process.signal("TERM");
    assert_eq!(supervisor.message().await, "STOPPING=1");
    assert!(process.wait().await.success());
}

/// Otherwise it ends the start after 90 seconds, which rolls the step back, and tries again for ever.
async fn systemd_waits_for_a_long_step_of_the_schema() {
    let supervisor = Supervisor::new();
    let builder = Engine::Postgres.prepare().await;
    builder.database().execute("DELETE FROM _sqlx_migrations WHERE version = 153").await;
    let lock = builder.database().hold_table("limits").await;
    let _process = Process::spawn(&supervisor.with(builder.variables()));
    for _ in 0..2 {
        assert_eq!(supervisor.message().await, "EXTEND_TIMEOUT_USEC=15000000");
    }
    lock.release().await;
    let mut last = supervisor.message().await;
    while last.starts_with("EXTEND_TIMEOUT_USEC=") {
        last = supervisor.message().await;
    }
    assert_eq!(last, "READY=1");
}

/// From 0 to 10, by `systemd-analyze`: what a broken service could do to the machine.
async fn unit_leaves_little_to_attack() {
    let unit = Path::new(ROOT).join("deploy/systemd/doorward.service");
    let output = run(Command::new("systemd-analyze").args(["security", "--offline=true", "--threshold=20"]).arg(&unit));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Overall exposure level"), "{output:?}");
}

/// A name server, a database or room on a disk may come after the service: five starts that fail at once would be the end
/// by systemd's default.
async fn unit_is_started_again_without_an_end() {
    let text = fs::read_to_string(Path::new(ROOT).join("deploy/systemd/doorward.service")).unwrap();
    let section = |name: &str| -> Vec<&str> {
        let lines = text.lines().skip_while(move |line| *line != format!("[{name}]")).skip(1);
        lines.take_while(|line| !line.starts_with('[')).collect()
    };
    assert!(section("Unit").contains(&"StartLimitIntervalSec=0"), "{text}");
    let service = section("Service");
    for line in ["Restart=on-failure", "RestartSec=5"] {
        assert!(service.contains(&line), "{text}");
    }
    assert!(!service.iter().any(|line| line.starts_with("RestartPrevent")), "{text}");
    // systemd passes over what it does not know, such as a name in the wrong section, with a warning.
    let folder = TempDir::new("unit");
    let unit = folder.path().join("doorward.service");
    fs::write(&unit, text.replace("/usr/bin/doorward", env!("CARGO_BIN_EXE_doorward"))).unwrap();
    let output = run(Command::new("systemd-analyze").args(["verify", "--man=no", "--recursive-errors=no"]).arg(&unit));
    let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!warnings.contains("doorward.service"), "{warnings}");
}

/// The image of the program under test, unpacked for `runc`.
struct Bundle {
    folder: TempDir,
    port: u16,
}

impl Bundle {
    fn make() -> Self {
        let folder = TempDir::new("image");
        let image = folder.path().join("image");
        let script = Path::new(ROOT).join("scripts/image");
        run(Command::new(script).arg(env!("CARGO_BIN_EXE_doorward")).arg(&image));
        let bundle = Self { port: free_port(), folder };
        let tag = format!("{}/oci:doorward:{}", image.display(), env!("CARGO_PKG_VERSION"));
        run(Command::new("umoci").args(["unpack", "--image", &tag]).arg(bundle.path()));
        bundle.configure();
        bundle
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("bundle")
    }

    /// What an engine adds: a read-only root, a volume, and the network, which is the machine's own here.
    fn configure(&self) {
        let path = self.path().join("config.json");
        let mut config: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        config["root"]["readonly"] = json!(true);
        config["process"]["terminal"] = json!(false);
        let listen = json!(format!("SVC_LISTEN=127.0.0.1:{}", self.port));
        config["process"]["env"].as_array_mut().unwrap().push(listen);
        config["linux"]["namespaces"].as_array_mut().unwrap().retain(|namespace| namespace["type"] != "network");
        let mounts = config["mounts"].as_array_mut().unwrap();
        mounts.retain(|mount| !["/data", "/etc/resolv.conf"].contains(&mount["destination"].as_str().unwrap()));
        let options = ["mode=0700", "uid=65532", "gid=65532"];
        mounts.push(json!({"destination": "/data", "type": "tmpfs", "source": "tmpfs", "options": options}));
        fs::write(path, config.to_string()).unwrap();
    }

    fn start(&self) -> Container {
        let id = format!("doorward-test-{}", self.port);
        let log = fs::File::create(self.folder.path().join("log")).unwrap();
        let mut command = Command::new("runc");
        command.args(["run", "--bundle"]).arg(self.path()).arg(&id);
        let child = command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
        Container { id, child }
    }
}

struct Container {
    id: String,
    child: Child,
}

impl Container {
    fn execute(&self, arguments: &[&str]) -> Output {
        Command::new("runc").args(["exec", &self.id]).args(arguments).output().unwrap()
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        let _ = Command::new("runc").args(["delete", "--force", &self.id]).output();
        let _ = self.child.wait();
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            files_below(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

/// A program, what it links to, the authorities that it trusts, and the name of its user.
fn is_expected(file: &Path) -> bool {
    let name = file.file_name().unwrap().to_str().unwrap();
    ["doorward", "ca-certificates.crt", "passwd", "group"].contains(&name) || name.contains(".so")
}

async fn image_starts_without_anything_else() {
    let bundle = Bundle::make();
    let mut files = Vec::new();
    files_below(&bundle.path().join("rootfs"), &mut files);
    assert!(files.len() > 4 && files.iter().all(|file| is_expected(file)), "{files:?}");
    let mut container = bundle.start();
    let url = format!("http://127.0.0.1:{}/auth/ready", bundle.port);
    let is_ready = async || reqwest::get(&url).await.is_ok_and(|reply| reply.status() == 200).then_some(());
    eventually("the container is ready", is_ready).await;
    let health = container.execute(&["/usr/bin/doorward", "healthcheck", "--ready"]);
    assert!(health.status.success(), "{health:?}");
    assert!(!container.execute(&["/bin/sh", "-c", "true"]).status.success(), "there is no shell");
    let status = fs::read_to_string(bundle.folder.path().join("log")).unwrap();
    assert!(status.contains("/data/doorward.db"), "{status}");
    run(Command::new("runc").args(["kill", &container.id, "TERM"]));
    let try_wait = || {
        let status = container.child.try_wait().unwrap();
        async move { status }
    };
    let ended = eventually("the container ends", try_wait).await;
    assert!(ended.success(), "{ended:?}: {status}");
}

/// The volume is root's, as an engine makes it for a folder of the machine.
async fn image_says_whose_its_volume_is() {
    let bundle = Bundle::make();
    let path = bundle.path().join("config.json");
    let config = fs::read_to_string(&path).unwrap();
    let of_root = config.replace("\"mode=0700\",\"uid=65532\",\"gid=65532\"", "\"mode=0755\",\"uid=0\",\"gid=0\"");
    assert_ne!(of_root, config);
    fs::write(&path, of_root).unwrap();
    for key in ["SVC_NOTHING=", "SVC_SECRET_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="] {
        let config = fs::read_to_string(&path).unwrap();
        fs::write(&path, config.replace("\"SVC_LISTEN=127", &format!("\"{key}\",\"SVC_LISTEN=127"))).unwrap();
        let mut container = bundle.start();
        assert!(!container.child.wait().unwrap().success());
        let log = fs::read_to_string(bundle.folder.path().join("log")).unwrap();
        let remedy = "/data belongs to user 0, and this process runs as user 65532: chown -R 65532:65532 /data";
        assert!(log.contains(remedy), "{log}");
    }
}
