//! Processes of the program, for behavior that only they have.

use super::namespace::Namespace;
use super::runner::{WAIT_TIMEOUT, eventually};
use super::temp::TempDir;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::Duration;
use tokio::time::Instant;

/// The released program that `scripts/old-databases` names, in the place of the one under test.
pub fn released_program() -> Option<String> {
    std::env::var("DOORWARD_TEST_PROGRAM").ok()
}

fn program() -> String {
    released_program().unwrap_or_else(|| env!("CARGO_BIN_EXE_doorward").to_owned())
}

/// A program of the previous version, for stories of both beside each other.
pub fn previous_program() -> Option<String> {
    std::env::var("DOORWARD_TEST_PREVIOUS").ok()
}

/// The program with exactly these arguments and environment variables.
pub fn command(arguments: &[&str], variables: &BTreeMap<String, String>) -> Command {
    command_of(&program(), arguments, variables)
}

fn command_of(program: &str, arguments: &[&str], variables: &BTreeMap<String, String>) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(variables).stdin(Stdio::null());
    command
}

/// A running `doorward serve`; killed when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    folder: TempDir,
}

impl Process {
    /// Starts it without waiting until it is ready.
    pub fn spawn(variables: &BTreeMap<String, String>) -> Self {
        let folder = TempDir::new("process");
        Self::launch(command(&["serve"], variables), folder)
    }

    /// Starts it in a network namespace, without waiting until it is ready. `ip` becomes the program itself.
    pub fn spawn_in(namespace: &Namespace, variables: &BTreeMap<String, String>) -> Self {
        let mut command = namespace.command(&program());
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.arg("serve").env_clear().env("PATH", path).envs(variables).stdin(Stdio::null());
        Self::launch(command, TempDir::new("process"))
    }

    pub fn spawn_command(arguments: &[&str], variables: &BTreeMap<String, String>) -> Self {
        let folder = TempDir::new("process");
        Self::launch(command(arguments, variables), folder)
    }

    /// Starts it in a folder of the test's.
    pub fn spawn_in_folder(working: &Path, arguments: &[&str], variables: &BTreeMap<String, String>) -> Self {
        Self::launch_in_folder(working, arguments, variables, Stdio::null())
    }

    /// Likewise, with a standard input that [`Process::close_input`] closes.
    pub fn spawn_with_input(working: &Path, arguments: &[&str], variables: &BTreeMap<String, String>) -> Self {
        Self::launch_in_folder(working, arguments, variables, Stdio::piped())
    }

    fn launch_in_folder(
        working: &Path,
        arguments: &[&str],
        variables: &BTreeMap<String, String>,
        input: Stdio,
    ) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", "cd \"$0\" && exec \"$@\""]).arg(working).arg(program()).args(arguments);
        command.env_clear().envs(variables).stdin(input);
        Self::launch(command, TempDir::new("process"))
    }

    pub fn close_input(&mut self) {
        drop(self.child.stdin.take());
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn launch(mut command: Command, folder: TempDir) -> Self {
        let file = |name| File::create(folder.path().join(name)).unwrap();
        let child = command.current_dir(folder.path()).stdout(file("stdout")).stderr(file("stderr")).spawn().unwrap();
        Self { child, folder }
    }

    /// Starts it with a limit on the size of the files it writes, in bytes; writing beyond fails as on a full disk.
    pub async fn start_on_small_disk(variables: &BTreeMap<String, String>, bytes: u64) -> Self {
        let folder = TempDir::new("process");
        // An ignored signal stays ignored after `exec`, so the write fails instead.
        let script = format!("trap '' XFSZ; ulimit -S -f {}; exec \"$0\" serve", bytes / 512);
        let mut command = Command::new("sh");
        command.args(["-c", &script, &program()]).env_clear().envs(variables).stdin(Stdio::null());
        let mut process = Self::launch(command, folder);
        process.wait_until_ready(&variables["SVC_LISTEN"]).await;
        process
    }

    /// Removes the limit of [`Process::start_on_small_disk`].
    pub fn free_disk(&self) {
        self.limit_files("unlimited");
    }

    /// Lets every write fail, once it was started by [`Process::start_on_small_disk`].
    pub fn fill_disk(&self) {
        self.limit_files("1:unlimited");
    }

    fn limit_files(&self, bytes: &str) {
        let process = self.child.id().to_string();
        let limit = format!("--fsize={bytes}");
        let status = Command::new("prlimit").args(["--pid", &process, &limit]).status().unwrap();
        assert!(status.success());
    }

    /// Starts it with a limit of open files.
    pub async fn start_with_open_files(variables: &BTreeMap<String, String>, files: u64) -> Self {
        Self::start_with_limit(variables, &format!("-n {files}")).await
    }

    /// Starts it with a limit, as `ulimit` sets it.
    pub async fn start_with_limit(variables: &BTreeMap<String, String>, limit: &str) -> Self {
        let script = format!("ulimit {limit}; exec \"$0\" serve");
        let mut command = Command::new("sh");
        command.args(["-c", &script, &program()]).env_clear().envs(variables).stdin(Stdio::null());
        let mut process = Self::launch(command, TempDir::new("process"));
        process.wait_until_ready(&variables["SVC_LISTEN"]).await;
        process
    }

    /// Starts it and waits until it is ready at `SVC_LISTEN`.
    pub async fn start(variables: &BTreeMap<String, String>) -> Self {
        Self::start_program(&program(), variables).await
    }

    pub async fn start_program(program: &str, variables: &BTreeMap<String, String>) -> Self {
        let mut process = Self::launch(command_of(program, &["serve"], variables), TempDir::new("process"));
        process.wait_until_ready(variables.get("SVC_LISTEN").expect("SVC_LISTEN")).await;
        process
    }

    /// Starts it with a pipe as its standard error, which is not read before the test does.
    pub async fn start_unread(variables: &BTreeMap<String, String>) -> (Self, ChildStderr) {
        let folder = TempDir::new("process");
        let stdout = File::create(folder.path().join("stdout")).unwrap();
        let mut command = command(&["serve"], variables);
        let mut child = command.current_dir(folder.path()).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = child.stderr.take().expect("a pipe");
        let mut process = Self { child, folder };
        process.wait_until_ready(&variables["SVC_LISTEN"]).await;
        (process, stderr)
    }

    /// Starts it and waits until it serves, although it will not be ready.
    pub async fn start_unready(variables: &BTreeMap<String, String>) -> Self {
        let mut process = Self::spawn(variables);
        process.wait_until_ok(variables.get("SVC_LISTEN").expect("SVC_LISTEN"), "/auth/health").await;
        process
    }

    /// Waits until `/auth/ready` answers 200.
    pub async fn wait_until_ready(&mut self, address: &str) {
        self.wait_until_ok(address, "/auth/ready").await;
    }

    async fn wait_until_ok(&mut self, address: &str, path: &str) {
        let url = format!("http://{address}{path}");
        let deadline = Instant::now() + WAIT_TIMEOUT;
        loop {
            if TcpStream::connect(address).is_ok() && reqwest::get(&url).await.is_ok_and(|r| r.status().is_success()) {
                return;
            }
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "it ended with {ended:?}: {}", self.stderr());
            assert!(Instant::now() < deadline, "not ready after {WAIT_TIMEOUT:?}: {}", self.stderr());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Sends a signal: `TERM`, `INT`, `STOP`, `CONT`.
    pub fn signal(&self, signal: &str) {
        let kill = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status().unwrap();
        assert!(kill.success());
    }

    /// Suspends it until `CONT`; returns once it is suspended.
    pub async fn stop(&self) {
        self.signal("STOP");
        let status = format!("/proc/{}/status", self.child.id());
        let is_stopped = async || std::fs::read_to_string(&status).unwrap().contains("State:\tT").then_some(());
        eventually("the process is suspended", is_stopped).await;
    }

    /// Kills it with `kill -9`.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Its limits, as the kernel has them: name, soft, hard and unit.
    pub fn limits(&self) -> String {
        std::fs::read_to_string(format!("/proc/{}/limits", self.child.id())).unwrap()
    }

    pub fn memory_kib(&self) -> u64 {
        self.status_kib("VmRSS:")
    }

    /// Without the pages of the program's file: unoptimized, it is more than twice as large as that of packages.
    pub fn most_memory_kib(&self) -> u64 {
        self.status_kib("VmHWM:") - self.status_kib("RssFile:")
    }

    fn status_kib(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a size");
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    pub fn cpu_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // Skips the name, which may contain anything; utime and stime are the 14th and 15th field (proc(5)).
        let fields = stat.rsplit(')').next().expect("fields").split_whitespace().skip(11).take(2);
        let ticks: u64 = fields.map(|field| field.parse::<u64>().unwrap()).sum();
        // A tick is a hundredth of a second on every Linux.
        Duration::from_millis(ticks * 10)
    }

    pub async fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "it did not end within {WAIT_TIMEOUT:?}: {}", self.stderr());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub fn stdout(&self) -> String {
        self.read("stdout")
    }

    pub fn stderr(&self) -> String {
        self.read("stderr")
    }

    fn read(&self, name: impl AsRef<OsStr>) -> String {
        let bytes = std::fs::read(self.folder.path().join(name.as_ref())).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
