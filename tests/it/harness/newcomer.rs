//! A newcomer with a page of the documents: writes its files, and types its lines into a shell.

use super::needs::Need;
use super::ports::free_port;
use super::runner::eventually;
use super::temp::TempDir;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;

const PROGRAM: &str = env!("CARGO_BIN_EXE_doorward");

/// The blocks of code of a page in a language, in their order.
pub fn blocks(page: &'static str, language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().expect("its end")).collect()
}

/// A folder, an environment, and a port for the service instead of 8080.
pub struct Newcomer {
    /// Where the files are, and where the lines run.
    pub folder: TempDir,
    pub port: u16,
    variables: BTreeMap<&'static str, String>,
}

impl Newcomer {
    /// A newcomer whose `doorward` is the program under test.
    pub fn new() -> Self {
        let port = free_port();
        let programs = Path::new(PROGRAM).parent().expect("a folder").display();
        let variables = BTreeMap::from([
            ("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap())),
            ("SVC_LISTEN", format!("127.0.0.1:{port}")),
            ("SVC_BASE_URL", format!("http://localhost:{port}")),
        ]);
        Self { folder: TempDir::new("newcomer"), port, variables }
    }

    pub fn set(mut self, variable: &'static str, value: String) -> Self {
        self.variables.insert(variable, value);
        self
    }

    pub fn variable(&self, name: &str) -> &str {
        &self.variables[name]
    }

    /// Finds the programs of a folder before all others.
    pub fn with_programs(self, folder: &str) -> Self {
        let path = format!("{folder}:{}", self.variables["PATH"]);
        self.set("PATH", path)
    }

    /// Whether the programs are there that pages take for granted.
    pub fn has(programs: &[Need]) -> bool {
        programs.iter().all(|program| program.is_met())
    }

    /// Adds text to a file, which is made if there is none.
    pub fn append(&self, name: &str, text: &str) {
        let mut file = File::options().create(true).append(true).open(self.folder.path().join(name)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// A file that the page's lines made for a secret; only its owner may read it.
    pub fn secret(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        std::fs::read_to_string(path).unwrap()
    }

    pub async fn run(&self, lines: &str) -> Output {
        let mut shell = self.shell(lines);
        tokio::task::spawn_blocking(move || shell.output().unwrap()).await.unwrap()
    }

    /// Starts the service in a terminal of its own.
    pub async fn serve(&self, lines: &str) -> Terminal {
        self.open("service", lines, self.port).await
    }

    /// Starts lines in a terminal of their own, and waits until they listen.
    pub async fn open(&self, name: &str, lines: &str, port: u16) -> Terminal {
        let output = self.folder.path().join(format!("{name}.output"));
        let mut file = File::create(&output).unwrap();
        let (mut screen, printed) = std::io::pipe().unwrap();
        let errors = printed.try_clone().unwrap();
        let shell = self.shell(lines).process_group(0).stdout(printed).stderr(errors).spawn().unwrap();
        let screen = std::thread::spawn(move || _ = std::io::copy(&mut screen, &mut file));
        let terminal = Terminal { shell: RefCell::new(shell), screen: Some(screen), port, output };
        eventually("it listens", async || terminal.is_listening().then_some(())).await;
        terminal
    }

    fn shell(&self, lines: &str) -> Command {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", lines])
            .current_dir(self.folder.path())
            .env_clear()
            .envs(&self.variables)
            .stdin(Stdio::null());
        shell
    }
}

/// A shell and all that it started, ended when this is dropped: by SIGTERM, as a test run in the background ignores
/// SIGINT, and its children with it.
pub struct Terminal {
    shell: RefCell<Child>,
    /// Copies what is printed, and ends with the last process that may print: a shell ends before its children, and who
    /// started the service again at once would meet the one that is ending.
    screen: Option<JoinHandle<()>>,
    port: u16,
    output: PathBuf,
}

impl Terminal {
    pub fn output(&self) -> String {
        std::fs::read_to_string(&self.output).unwrap()
    }

    fn is_listening(&self) -> bool {
        let ended = self.shell.borrow_mut().try_wait().unwrap();
        assert!(ended.is_none(), "it ended with {ended:?}: {}", self.output());
        // Some servers of frameworks listen on one address of the name alone.
        TcpStream::connect(("localhost", self.port)).is_ok()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let group = format!("-{}", self.shell.get_mut().id());
        let _ = Command::new("kill").args(["-s", "TERM", "--", &group]).status();
        let _ = self.shell.get_mut().wait();
        let _ = self.screen.take().map(JoinHandle::join);
    }
}
