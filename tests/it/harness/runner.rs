//! Turns async functions into tests.
//!
//! A test is an `async fn`; the lists at the top of its file say where it runs and are the file's table of contents:
//! `one_engine![…]` on the database that its name chooses, `both_engines![…]` on SQLite and on PostgreSQL,
//! `once_on_postgres![…]` on PostgreSQL only, `single_run![…]` once, `browser![…]` once where a browser is installed. A
//! function in no list is a dead-code warning.
//!
//! Both databases are for locks, races, plans, migrations and faults. Elsewhere one suffices: the store has one text for
//! both, and `scripts/test` fails on a statement that ran on one of them only.

use super::database::Engine;
use super::needs::Need;
use super::statements;
use std::fs::OpenOptions;
use std::future::Future;
use std::io::Write;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Longer than any test takes on the slowest machine.
const TEST_TIMEOUT: Duration = Duration::from_mins(5);
/// How long a condition may take to become true. Passing tests never wait this long, so it suits any machine.
pub const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
/// The factor for both timeouts when `DOORWARD_TEST_LONG` asks for large numbers.
const LONG_RUN_FACTOR: u32 = 20;

/// Most tests wait, so scripts/test runs more of them at once than there are cores. Browsers compute: more of them at once
/// only slow each other down.
static BROWSER_TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(2, std::num::NonZero::get)));

fn is_long_run() -> bool {
    std::env::var_os("DOORWARD_TEST_LONG").is_some_and(|value| !value.is_empty())
}

fn timeout_for(usual: Duration) -> Duration {
    if is_long_run() { usual * LONG_RUN_FACTOR } else { usual }
}

/// A number that suffices for a run of seconds, or the larger one if `DOORWARD_TEST_LONG` is set.
pub fn scaled<T>(usual: T, long: T) -> T {
    if is_long_run() { long } else { usual }
}

/// Runs each test on both databases; its argument is the engine.
macro_rules! both_engines {
    ($($test:ident),+ $(,)?) => { $(
        mod $test {
            use $crate::harness::{Engine, run};

            #[test]
            fn sqlite() {
                let test = async { super::$test(Engine::Sqlite).await };
                run(module_path!(), "sqlite", Engine::Sqlite.need(), test);
            }

            #[test]
            fn postgres() {
                let test = async { super::$test(Engine::Postgres).await };
                run(module_path!(), "postgres", Engine::Postgres.need(), test);
            }
        }
    )+ };
}

/// Runs each test on one database; its argument is the engine.
macro_rules! one_engine {
    ($($test:ident),+ $(,)?) => { $(
        mod $test {
            #[test]
            fn engine() {
                for engine in $crate::harness::engines_of(module_path!()) {
                    $crate::harness::run(module_path!(), "engine", engine.need(), async { super::$test(engine).await });
                }
            }
        }
    )+ };
}

/// Runs each test once, without arguments.
macro_rules! single_run {
    ($($test:ident),+ $(,)?) => { $(
        mod $test {
            #[test]
            fn once() {
                $crate::harness::run(module_path!(), "once", None, async { super::$test().await });
            }
        }
    )+ };
}

/// Runs each test once, where its language is installed, without arguments.
macro_rules! if_installed {
    ($($need:ident: $test:ident),+ $(,)?) => { $(
        mod $test {
            use $crate::harness::{Need, run};

            #[test]
            fn once() {
                run(module_path!(), "once", Some(Need::$need), async { super::$test().await });
            }
        }
    )+ };
}

/// Runs each test once, where PostgreSQL is installed, without arguments.
macro_rules! once_on_postgres {
    ($($test:ident),+ $(,)?) => { $(
        mod $test {
            use $crate::harness::{Engine, run};

            #[test]
            fn postgres() {
                run(module_path!(), "postgres", Engine::Postgres.need(), async { super::$test().await });
            }
        }
    )+ };
}

/// Runs each test once, where a browser is installed, without arguments.
macro_rules! browser {
    ($($test:ident),+ $(,)?) => { $(
        mod $test {
            use $crate::harness::{Need, run};

            #[test]
            fn browser() {
                run(module_path!(), "browser", Some(Need::Browser), async { super::$test().await });
            }
        }
    )+ };
}

/// The databases on which a test of `one_engine!` runs: the one that `DOORWARD_TEST_ENGINE` names (`sqlite`, `postgres`
/// or `both`), else the one that its name chooses, so that each gets half of the tests.
pub fn engines_of(module: &str) -> Vec<Engine> {
    match std::env::var("DOORWARD_TEST_ENGINE").as_deref() {
        Ok("both") => vec![Engine::Sqlite, Engine::Postgres],
        Ok("sqlite") => vec![Engine::Sqlite],
        Ok("postgres") => vec![Engine::Postgres],
        Ok(other) => panic!("DOORWARD_TEST_ENGINE: {other:?} is none of sqlite, postgres and both"),
        Err(_) if fnv(module) & 1 == 0 => vec![Engine::Sqlite],
        Err(_) => vec![Engine::Postgres],
    }
}

/// FNV-1a, as the standard library's hash may differ between its versions. Its low bit is that of all letters together.
fn fnv(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, letter| (hash ^ u32::from(letter)).wrapping_mul(0x0100_0193)) >> 16
}

/// Runs a test unless the machine lacks what it needs; appends its time to the file that `DOORWARD_TEST_TIMES` names.
pub fn run(module: &str, variant: &str, need: Option<Need>, test: impl Future<Output = ()>) {
    if need.is_some_and(|need| !need.is_met()) {
        return;
    }
    statements::record();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (outcome, took) = runtime.block_on(async {
        let _turn = if need == Some(Need::Browser) { BROWSER_TURNS.acquire().await.ok() } else { None };
        let start = Instant::now();
        (tokio::time::timeout(timeout_for(TEST_TIMEOUT), test).await, start.elapsed())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    record(took, module, variant);
    assert!(outcome.is_ok(), "the test was not finished after {TEST_TIMEOUT:?}");
}

fn record(took: Duration, module: &str, variant: &str) {
    let Some(path) = std::env::var_os("DOORWARD_TEST_TIMES") else { return };
    let line = format!("{:>8} ms  {module}::{variant}\n", took.as_millis());
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}

/// Runs work on a new runtime: resources that tests share must not end with the runtime of the first test.
pub fn block_on_new_runtime<T: Send, F: Future<Output = T>>(work: impl FnOnce() -> F + Send) -> T {
    let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work());
    std::thread::scope(|scope| scope.spawn(run).join()).expect("work on a new runtime")
}

/// Runs a test on one thread and its own runtime, where it can call [`advance_tokio_clock`].
pub async fn on_one_thread<F: Future<Output = ()>>(test: impl FnOnce() -> F + Send + 'static) {
    let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test());
    tokio::task::spawn_blocking(run).await.unwrap();
}

/// Moves tokio's clock forward for everything on the thread of [`on_one_thread`].
pub async fn advance_tokio_clock(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// Waits until `check` returns a value; fails with `what` after [`WAIT_TIMEOUT`].
pub async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, mut check: impl FnMut() -> F) -> T {
    let deadline = Instant::now() + timeout_for(WAIT_TIMEOUT);
    loop {
        if let Some(found) = check().await {
            return found;
        }
        assert!(Instant::now() < deadline, "not within {WAIT_TIMEOUT:?}: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
