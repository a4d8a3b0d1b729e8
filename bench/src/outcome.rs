//! Errors are reported, not handled.

use std::error::Error;

/// A result whose error is a sentence for the person at the terminal.
pub type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

pub fn progress(line: &str) {
    eprintln!("  {line}");
}
