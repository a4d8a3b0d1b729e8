//! Programs beside a test that must end with it, however it ends.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;
use tokio::time::Instant;

const PATIENCE: Duration = Duration::from_secs(10);

/// Defines `guard PROGRAM…`: runs the program until it ends or this process does, which closes the pipe that is
/// descriptor 3 even when it was killed.
const GUARD: &str = r#"
exec 3<&0 </dev/null
guard() {
    "$@" 3<&- &
    program=$!
    ( cat <&3 >/dev/null; kill -"${GUARD_SIGNAL:-TERM}" "$program" ) 2>/dev/null &
    watcher=$!
    wait "$program"
    kill "$watcher" 2>/dev/null
}
"#;

/// A shell script whose program ends when this is dropped or this process is gone.
#[derive(Debug)]
pub struct Guardian {
    shell: Child,
    pipe: Option<ChildStdin>,
}

impl Guardian {
    /// Starts a script that calls `guard`; what it prints goes to the file `log`.
    pub fn start(script: &str, arguments: &[&OsStr], log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log).unwrap();
        let mut shell = Command::new("sh")
            .args(["-c", &format!("{GUARD}{script}"), "guardian"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            // Ctrl-C is for the test; the program then ends in its own way.
            .process_group(0)
            .spawn()
            .unwrap();
        let pipe = shell.stdin.take();
        Self { shell, pipe }
    }

    /// Whether the script still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.shell.try_wait(), Ok(None))
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let deadline = Instant::now() + PATIENCE;
        while self.is_running() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
