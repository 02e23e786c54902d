//! Where the profile of a program goes.

use std::time::{Duration, Instant};

use asterism_lock::Mutex;
use asterism_support::profile::symbols::Symbols;
use asterism_support::profile::{Format, Profile};

/// Where the profile of a program goes: that of all its VMs.
#[derive(Debug)]
pub struct Sink {
    pub(super) file: String,
    pub(super) period: Duration,
    pub(super) begun: Instant,
    /// A process that is forked from this one does not write it.
    pub(super) process: u32,
    pub(super) profile: Mutex<Profile>,
    /// The process's native functions, which all VMs look up.
    pub(super) symbols: Mutex<Symbols>,
}

impl Sink {
    /// One for a file, whose name says in which format.
    pub fn new(file: String, period: Duration) -> Sink {
        let profile = Mutex::new(Profile::new(period));
        let symbols = Mutex::new(Symbols::of_process());
        Sink { file, period, begun: Instant::now(), process: std::process::id(), profile, symbols }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// What creating or writing the file fails with.
    pub fn write(&self) -> std::io::Result<()> {
        if self.process != std::process::id() {
            return Ok(());
        }
        let mut profile = self.profile.lock();
        profile.took = self.begun.elapsed();
        std::fs::write(&self.file, profile.write(Format::of(&self.file), &format!("Profile {}", self.file)))
    }

    /// Its file's name.
    pub fn file(&self) -> &str {
        &self.file
    }
}
