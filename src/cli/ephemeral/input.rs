//! Standard input as a sign of life: it closes when the process that started this one ends, in whatever way.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::thread;
use tokio::sync::oneshot;

/// Returns what standard input closes with itself. A thread reads it: nothing can take back a read, and the process ends
/// beside it.
pub(super) fn watch() -> io::Result<oneshot::Receiver<()>> {
    let (open, closed) = oneshot::channel();
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let _ = io::copy(&mut input, &mut io::sink());
        drop(open);
    })?;
    Ok(closed)
}

/// Completes when standard input closes; never, if it is not watched.
pub(super) async fn closed(watched: Option<oneshot::Receiver<()>>) {
    match watched {
        // An error is the sign.
        Some(closed) => drop(closed.await),
        None => std::future::pending().await,
    }
}
