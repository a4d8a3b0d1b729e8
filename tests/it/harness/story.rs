//! How a story becomes tests.
//!
//! A story is an `async fn`; a list at the top of its file says how it is told, and is the file's table of contents:
//! `both![…]` on SQLite and on PostgreSQL, `once![…]` a single time, `browser![…]` where there is a browser. A story
//! that stands in no list is a warning about dead code.

use super::needs::Need;
use std::fs::OpenOptions;
use std::future::Future;
use std::io::Write;
use std::time::Duration;
use tokio::time::Instant;

/// Longer than any story takes on the slowest machine.
const LIMIT: Duration = Duration::from_mins(5);
/// How long a condition may take to come true: no story waits for it in vain, so it is long enough for any machine.
pub const PATIENCE: Duration = Duration::from_mins(1);
/// How much longer both are where `DOORWARD_TEST_LONG` asks for large numbers.
const LONGER: u32 = 20;

fn is_long() -> bool {
    std::env::var_os("DOORWARD_TEST_LONG").is_some_and(|value| !value.is_empty())
}

fn limit(usual: Duration) -> Duration {
    if is_long() { usual * LONGER } else { usual }
}

/// A number that shows something in seconds, or the larger one if `DOORWARD_TEST_LONG` is set.
pub fn scaled<T>(usual: T, long: T) -> T {
    if is_long() { long } else { usual }
}

/// Tells each story on both databases; it gets the engine.
macro_rules! both {
    ($($story:ident),+ $(,)?) => { $(
        mod $story {
            use $crate::harness::{Engine, run};

            #[test]
            fn sqlite() {
                run(module_path!(), "sqlite", Engine::Sqlite.need(), async { super::$story(Engine::Sqlite).await });
            }

            #[test]
            fn postgres() {
                run(module_path!(), "postgres", Engine::Postgres.need(), async { super::$story(Engine::Postgres).await });
            }
        }
    )+ };
}

/// Tells each story once; it gets nothing.
macro_rules! once {
    ($($story:ident),+ $(,)?) => { $(
        mod $story {
            #[test]
            fn once() {
                $crate::harness::run(module_path!(), "once", None, async { super::$story().await });
            }
        }
    )+ };
}

/// Tells each story once, where there is PostgreSQL; it gets nothing.
macro_rules! once_on_postgres {
    ($($story:ident),+ $(,)?) => { $(
        mod $story {
            use $crate::harness::{Engine, run};

            #[test]
            fn postgres() {
                run(module_path!(), "postgres", Engine::Postgres.need(), async { super::$story().await });
            }
        }
    )+ };
}

/// Tells each story once, where there is a browser; it gets nothing.
macro_rules! browser {
    ($($story:ident),+ $(,)?) => { $(
        mod $story {
            use $crate::harness::{Need, run};

            #[test]
            fn browser() {
                run(module_path!(), "browser", Some(Need::Browser), async { super::$story().await });
            }
        }
    )+ };
}

/// Runs a story to its end, unless the machine lacks what it needs; its time goes to the file that
/// `DOORWARD_TEST_TIMES` names.
pub fn run(module: &str, variant: &str, need: Option<Need>, story: impl Future<Output = ()>) {
    if need.is_some_and(|need| !need.is_met()) {
        return;
    }
    let start = Instant::now();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let outcome = runtime.block_on(async { tokio::time::timeout(limit(LIMIT), story).await });
    runtime.shutdown_timeout(Duration::from_secs(1));
    record(start.elapsed(), module, variant);
    assert!(outcome.is_ok(), "the story was not over after {LIMIT:?}");
}

fn record(took: Duration, module: &str, variant: &str) {
    let Some(path) = std::env::var_os("DOORWARD_TEST_TIMES") else { return };
    let line = format!("{:>8} ms  {module}::{variant}\n", took.as_millis());
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}

/// Does some work to its end on a runtime of its own: what stories share must not end with the first one's.
pub fn apart<T: Send, F: Future<Output = T>>(work: impl FnOnce() -> F + Send) -> T {
    let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work());
    std::thread::scope(|scope| scope.spawn(run).join()).expect("work apart")
}

/// Waits until `check` gives something, and fails with `what` if it does not in good time.
pub async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, mut check: impl FnMut() -> F) -> T {
    let deadline = Instant::now() + limit(PATIENCE);
    loop {
        if let Some(found) = check().await {
            return found;
        }
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
