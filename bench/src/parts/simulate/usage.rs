//! Resource usage of the service and its database: processor time, memory, disk.

use crate::instance::Instance;
use crate::outcome::Outcome;
use crate::process::{cpu_seconds, resident_megabytes};
use sqlx::{Connection, PgConnection};
use std::fs;

/// Usage since the start of the processes.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    /// Processor seconds of the service.
    pub service_cpu: f64,
    /// Processor seconds of the database server, if there is one.
    pub database_cpu: f64,
    /// Bytes written by the service, on SQLite; size of the write-ahead log, on PostgreSQL.
    pub written_bytes: f64,
    /// Size of the database.
    pub database_bytes: f64,
}

/// The usage of both so far; `server` is the database server's main process.
pub async fn measure(instance: &Instance, service: u32, server: Option<u32>) -> Outcome<Usage> {
    let family = server.map(family).unwrap_or_default();
    let mut usage = Usage { service_cpu: cpu_seconds(service)?, ..Usage::default() };
    // A connection's process may end meanwhile.
    usage.database_cpu = family.iter().filter_map(|process| cpu_seconds(*process).ok()).sum();
    usage.written_bytes = written(service);
    if let Some(url) = instance.url() {
        let mut connection = PgConnection::connect(url).await?;
        let sizes = "SELECT pg_database_size(current_database())::float8, \
                     pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8";
        let (database, wal) = sqlx::query_as(sizes).fetch_one(&mut connection).await?;
        usage.database_bytes = database;
        usage.written_bytes = wal;
    } else {
        let size = "SELECT CAST(page_count * page_size AS REAL) FROM pragma_page_count, pragma_page_size";
        let connection = rusqlite::Connection::open(instance.sqlite_file())?;
        usage.database_bytes = connection.query_row(size, [], |row| row.get(0))?;
    }
    Ok(usage)
}

/// Resident memory of the service, and of the database server with shared pages counted once.
pub fn memory(service: u32, server: Option<u32>) -> Outcome<(f64, Option<f64>)> {
    let shared = |process: &u32| {
        let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()
    };
    let server = server.map(|server| family(server).iter().filter_map(shared).sum::<f64>() / 1024.0);
    Ok((resident_megabytes(service)?, server))
}

/// A process and its children.
fn family(first: u32) -> Vec<u32> {
    let mut family = vec![first];
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    family.extend(numbers.filter(|process| parent(*process) == Some(first)));
    family
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in parentheses, which may contain any character.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Bytes written by a process; zero if the system does not report it.
fn written(process: u32) -> f64 {
    let io = fs::read_to_string(format!("/proc/{process}/io")).unwrap_or_default();
    let bytes = io.lines().find_map(|line| line.strip_prefix("write_bytes: ")?.parse().ok());
    bytes.unwrap_or_default()
}
