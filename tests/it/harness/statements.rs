//! Which statement of the store ran on which database: `scripts/test` fails on those that ran on one only.

use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// Where the store's connections tell each statement.
const TARGET: &str = "doorward::sql";

/// Appends each new pair of engine and statement to the file that `DOORWARD_TEST_STATEMENTS` names, if it is set.
pub fn record() {
    static RECORDER: OnceLock<()> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let Some(path) = std::env::var_os("DOORWARD_TEST_STATEMENTS") else { return };
        let file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        let only_statements = tracing_subscriber::filter::filter_fn(|metadata| metadata.target() == TARGET);
        let recorder = Recorder { seen: Mutex::default(), file };
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(only_statements).with(recorder))
            .unwrap();
    });
}

struct Recorder {
    seen: Mutex<HashSet<String>>,
    file: File,
}

/// The engine, and the statement in the dialect of each engine, separated by tabs.
#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_str(&mut self, _: &Field, value: &str) {
        let words = value.split_whitespace().collect::<Vec<_>>().join(" ");
        self.0 += if self.0.is_empty() { "" } else { "\t" };
        self.0 += &words;
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &fmt::format(format_args!("{value:?}")));
    }
}

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut line = Line::default();
        event.record(&mut line);
        let Line(line) = line;
        if self.seen.lock().unwrap().insert(line.clone()) {
            (&self.file).write_all((line + "\n").as_bytes()).unwrap();
        }
    }
}
