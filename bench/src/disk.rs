//! Disk space of the large databases, reported before they are created.

use crate::Args;
use crate::instance::Engine;
use crate::outcome::{Outcome, progress};
use crate::parts::growth;
use std::path::PathBuf;
use std::process::Command;

/// Prints the required and the free space; fails if there is too little.
pub fn announce(args: &Args) -> Outcome<()> {
    let need = [Engine::Sqlite, Engine::Postgres].map(|engine| growth::needs(engine, args.full));
    let place = args.keep.clone().or_else(|| args.dir.clone()).unwrap_or_else(std::env::temp_dir);
    let free = free_megabytes(place.clone());
    progress(&format!(
        "large databases in {}: about {} MB on SQLite and {} MB on PostgreSQL; free: {} MB",
        place.display(),
        need[0],
        need[1],
        free.map_or_else(|| "unknown".to_owned(), |free| free.to_string())
    ));
    // Databases that an earlier run kept exist already.
    let makes_all = args.keep.as_ref().is_none_or(|keep| !keep.exists());
    if makes_all && free.is_some_and(|free| free < need[0] + need[1]) {
        return Err("there is not enough room for the large databases; --dir or --keep name another place".into());
    }
    Ok(())
}

/// Free space by `df`, of the nearest existing parent directory.
fn free_megabytes(mut place: PathBuf) -> Option<u64> {
    while !place.is_dir() {
        place = place.parent()?.to_owned();
    }
    let output = Command::new("df").args(["--output=avail", "--block-size=1M"]).arg(&place).output().ok()?;
    String::from_utf8(output.stdout).ok()?.lines().last()?.trim().parse().ok()
}
