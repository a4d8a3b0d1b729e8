//! Helper programs that must exit with the test process, even when it is killed.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;
use tokio::time::Instant;

const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Defines `guard PROGRAM…`: runs the program until it exits or this process does. Descriptor 3 is a pipe from this
/// process, which closes even when this process is killed.
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

/// A shell script whose program is ended when this is dropped or this process exits.
#[derive(Debug)]
pub struct Guardian {
    shell: Child,
    pipe: Option<ChildStdin>,
}

impl Guardian {
    /// Starts a script that calls `guard`; its output goes to the file `log`.
    pub fn start(script: &str, arguments: &[&OsStr], log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log).unwrap();
        let mut shell = Command::new("sh")
            .args(["-c", &format!("{GUARD}{script}"), "guardian"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            // Ctrl-C must reach only the test process; `guard` then ends the program.
            .process_group(0)
            .spawn()
            .unwrap();
        let pipe = shell.stdin.take();
        Self { shell, pipe }
    }

    pub fn is_running(&mut self) -> bool {
        matches!(self.shell.try_wait(), Ok(None))
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while self.is_running() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
