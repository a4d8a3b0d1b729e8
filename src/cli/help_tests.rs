#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::cli::args::described;

#[test]
fn every_command_is_in_one_group() {
    let command = described(&ServiceName::parse(ServiceName::DEFAULT).unwrap());
    let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    grouped.sort_unstable();
    all.sort_unstable();
    assert_eq!(grouped, all);
}
