//! The way of the log's lines to standard error, by a thread of its own: a reader that does not read them must not stop
//! the requests that write them.

use std::io::{Result, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Lines that wait for a reader; beyond them lines are lost, and counted.
const MAX_WAITING: usize = 2048;
/// The end of the process waits this long for lines that are not written yet.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

enum Message {
    Line(Vec<u8>),
    Flush(SyncSender<()>),
}

#[derive(Clone)]
pub(super) struct LogWriter {
    messages: SyncSender<Message>,
    lost: Arc<AtomicU64>,
}

impl LogWriter {
    pub(super) fn start() -> Result<Self> {
        let (messages, waiting) = sync_channel(MAX_WAITING);
        let writer = Self { messages, lost: Arc::default() };
        let lost = writer.lost.clone();
        thread::Builder::new().name("log".to_owned()).spawn(move || write_lines(&waiting, &lost))?;
        Ok(writer)
    }

    /// Waits until the lines so far are written, unless nothing reads them.
    pub(super) fn wait_until_written(&self) {
        let (done, written) = sync_channel(1);
        if self.messages.try_send(Message::Flush(done)).is_ok() {
            let _ = written.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

fn write_lines(waiting: &Receiver<Message>, lost: &AtomicU64) {
    while let Ok(message) = waiting.recv() {
        match message {
            Message::Line(line) => {
                // One that a closed stream, or a full disk behind it, does not take is lost: there is no place to say so.
                let _ = stderr().write_all(&line);
            }
            Message::Flush(done) => {
                // The end of the process may wait no longer.
                let _ = done.send(());
            }
        }
        let lines = lost.swap(0, Ordering::Relaxed);
        if lines > 0 {
            tracing::warn!(lines, "lines of the log were lost, as nothing read them");
        }
    }
}

impl Write for LogWriter {
    /// Takes a whole line, as the log hands it over.
    fn write(&mut self, line: &[u8]) -> Result<usize> {
        if self.messages.try_send(Message::Line(line.to_vec())).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
