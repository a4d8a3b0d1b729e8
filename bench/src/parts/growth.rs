//! Whether operations get slower as the database grows.

use super::growth_operations::{OPERATIONS, Subject};
use crate::Args;
use crate::instance::{Engine, Instance};
use crate::mass;
use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::stats::{median, millis};
use crate::table::Table;
use serde::Serialize;

/// The first size is the baseline of the others.
const SIZES: [u64; 3] = [1_000, 10_000, 100_000];
const MORE_SIZES: [u64; 2] = [1_000_000, 10_000_000];
const STARTS: usize = 5;
const AIM_TIMES: f64 = 1.5;

/// Every size of every engine.
#[derive(Serialize)]
pub struct Growth {
    databases: Vec<DatabaseStats>,
    aim_times: f64,
}

#[derive(Serialize)]
struct DatabaseStats {
    server: String,
    people: u64,
    megabytes: f64,
    /// In microseconds, medians, in the order of the columns.
    operations_us: [f64; OPERATIONS.len()],
    /// The two lookups of a session by SQLite alone, with the file mapped into memory.
    bare_us: Option<f64>,
    /// The largest ratio of an operation to that of the smallest database.
    times: f64,
    start_ms: f64,
    /// Ratio to the start on a database without users.
    start_times: f64,
}

fn sizes(args: &Args) -> Vec<u64> {
    if args.full { [&SIZES[..], &MORE_SIZES].concat() } else { SIZES.to_vec() }
}

/// Creates the databases that `measure` needs.
pub async fn seed(rig: &Rig, args: &Args) -> Outcome<()> {
    for engine in rig.engines() {
        for people in sizes(args) {
            rig.filled_database(engine, people).await?;
        }
    }
    Ok(())
}

/// Measures every engine at every size; seeds what is missing.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Growth> {
    let sizes = sizes(args);
    let mut databases = Vec::new();
    for engine in rig.engines() {
        let mut subjects = Vec::new();
        for people in &sizes {
            subjects.push(Subject::open(rig.filled_database(engine, *people).await?, *people).await?);
        }
        for round in 1..=args.rounds() {
            for subject in &mut subjects {
                subject.measure().await?;
            }
            progress(&format!("growth, round {round}: {}", engine.name()));
        }
        let empty = starts(&rig.filled_database(engine, 0).await?).await?;
        let smallest = subjects.first().map(Subject::medians).unwrap_or_default();
        for subject in subjects {
            databases.push(figures(subject, &smallest, empty).await?);
        }
    }
    Ok(Growth { databases, aim_times: AIM_TIMES })
}

async fn figures(subject: Subject, smallest: &[f64; OPERATIONS.len()], empty_ms: f64) -> Outcome<DatabaseStats> {
    let (operations_us, bare_us) = (subject.medians(), subject.bare_median());
    let (instance, people) = subject.close().await;
    let start_ms = starts(&instance).await?;
    Ok(DatabaseStats {
        server: instance.engine.name().to_owned(),
        people,
        megabytes: megabytes(&instance).await?,
        times: operations_us.iter().zip(smallest).map(|(own, small)| own / small).fold(0.0, f64::max),
        operations_us,
        bare_us,
        start_ms,
        start_times: start_ms / empty_ms,
    })
}

/// Median of the milliseconds until ready.
async fn starts(instance: &Instance) -> Outcome<f64> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(millis(instance.start().await?.start));
    }
    Ok(median(starts))
}

async fn megabytes(instance: &Instance) -> Outcome<f64> {
    let bytes = match instance.url() {
        None => std::fs::metadata(instance.sqlite_file())?.len(),
        Some(url) => {
            use sqlx::Connection as _;
            let mut connection = sqlx::PgConnection::connect(url).await?;
            let size: i64 =
                sqlx::query_scalar("SELECT pg_database_size(current_database())").fetch_one(&mut connection).await?;
            size.unsigned_abs()
        }
    };
    Ok(f64::from(u32::try_from(bytes >> 10)?) / 1024.0)
}

/// The disk space that the databases of a run need on an engine, in megabytes.
pub fn needs(engine: Engine, full: bool) -> u64 {
    let more: u64 = if full { MORE_SIZES.iter().sum() } else { 0 };
    ((SIZES.iter().sum::<u64>() + more) * mass::bytes_per_person(engine)) >> 20
}

impl Growth {
    /// The table.
    pub fn table(&self) -> Table {
        let cells = |row: &DatabaseStats| {
            let mut cells = vec![format!("{}, {} users", row.server, row.people), format!("{:.0}", row.megabytes)];
            cells.extend(row.operations_us.iter().map(|us| format!("{us:.0}")));
            cells.extend([
                row.bare_us.map_or("-".to_owned(), |us| format!("{us:.1}")),
                format!("{:.2}", row.times),
                format!("{:.0}", row.start_ms),
                format!("{:.2}", row.start_times),
            ]);
            cells
        };
        Table {
            title: format!(
                "As the database grows: microseconds of each operation, one at a time, nothing cached by the service \
                 (aim: at most {AIM_TIMES} times those of {} users; start at most {AIM_TIMES} times that without users)",
                SIZES[0]
            ),
            columns: [
                &["database", "MB"][..],
                &OPERATIONS,
                &["bare SQLite, mapped µs", "most, times", "start ms", "times"],
            ]
            .concat(),
            rows: self.databases.iter().map(cells).collect(),
        }
    }
}
