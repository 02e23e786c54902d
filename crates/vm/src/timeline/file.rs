//! The file of a timeline, and the thread that writes it.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use asterism_heap::Recorder;
use asterism_lock::Mutex;

use super::write::Events;

/// How long spans lie before they are written; fewer where there are many of them, so that they stay in the processor's caches.
const WRITE: Duration = Duration::from_millis(50);
const WRITE_MANY: Duration = Duration::from_millis(10);

/// A file that spans are written to.
#[derive(Debug)]
pub struct Timeline {
    pub(super) recorder: Arc<Recorder>,
    over: Arc<AtomicBool>,
    writer: Mutex<Option<JoinHandle<io::Result<()>>>>,
    /// A process that is forked from this one does not write it.
    process: u32,
    file: String,
}

impl Timeline {
    /// Begins one.
    ///
    /// # Errors
    /// What creating the file or its thread fails with.
    pub fn open(file: &str) -> io::Result<Arc<Timeline>> {
        let mut out = File::create(file)?;
        let (recorder, over) = (Arc::new(Recorder::default()), Arc::new(AtomicBool::new(false)));
        let (mut events, done) = (Events::new(Arc::clone(&recorder)), Arc::clone(&over));
        let starting = asterism_lock::gate::starting();
        let writer = std::thread::Builder::new().name("timeline".into()).spawn(move || {
            let _running = starting.begin();
            loop {
                let last = done.load(Ordering::Acquire);
                let mut many = false;
                events.tell(last, |text| {
                    many |= text.is_long();
                    let written = out.write_all(text.bytes());
                    text.clear();
                    written
                })?;
                if last {
                    return Ok(());
                }
                std::thread::park_timeout(if many { WRITE_MANY } else { WRITE });
            }
        })?;
        let writer = Mutex::new(Some(writer));
        Ok(Arc::new(Timeline { recorder, over, writer, process: std::process::id(), file: file.to_string() }))
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// What writing the file has failed with; `Other` if its thread has panicked.
    pub fn close(&self) -> io::Result<()> {
        if self.process != std::process::id() {
            return Ok(());
        }
        self.over.store(true, Ordering::Release);
        let Some(writer) = self.writer.lock().take() else { return Ok(()) };
        writer.thread().unpark();
        writer.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes has failed")))
    }

    /// Its file's name.
    pub fn file(&self) -> &str {
        &self.file
    }
}
