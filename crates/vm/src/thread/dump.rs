//! What all threads do and wait for, as text: for `kill -QUIT`.

use std::fmt::Write;
use std::sync::Arc;

use asterism_object::{Value, data};

use super::handle::{RubyThread, Slot};
use super::mutex::Mutex;
use crate::ec::Ec;
use crate::ractor;

impl Ec {
    /// Where each thread is, what it waits for, and who holds that. A thread is looked at while all stand still for a moment; between
    /// two of them all go on.
    pub fn describe_threads(&mut self) -> String {
        let threads = self.vm().threads.living();
        let mut text = format!("{} threads\n", threads.len());
        for thread in &threads {
            let object = thread.object();
            let shown = self.describe_thread(thread);
            let native = thread.native_id.load(std::sync::atomic::Ordering::Relaxed);
            let group = thread.ractor().map_or(String::new(), |ractor| format!(" ractor:{}", ractor.id));
            let waits = thread.get(Slot::Waits);
            let _ = writeln!(text, "\n* {shown} native:{native}{group}");
            if waits.is_heap() {
                let what = self.describe_wait(waits, &threads);
                let _ = writeln!(text, "   waits for {what}");
            }
            for line in self.thread_backtrace(thread) {
                let _ = writeln!(text, "    from {line}");
            }
            asterism_heap::keep_alive(object.bits());
        }
        text
    }

    /// What a thread waits for, and who it has to wait for.
    fn describe_wait(&mut self, waits: Value, threads: &[Arc<RubyThread>]) -> String {
        let address = format!("#<{}:0x{:016x}>", self.class_name_of(waits), waits.bits());
        if let Some(mutex) = data::get::<Mutex>(&waits) {
            let owner = mutex.lock.owner();
            return match threads.iter().find(|thread| thread.number == owner) {
                _ if owner == 0 => format!("{address}, which nobody holds"),
                Some(holder) => format!("{address}, which {} holds", self.describe_thread(holder)),
                None => format!("{address}, which a fiber holds"),
            };
        }
        if let Some(thread) = super::of_object(&waits).cloned() {
            return format!("the end of {}", self.describe_thread(&thread));
        }
        if let Some(ractor) = ractor::of_object(&waits) {
            return format!("the end of Ractor #{}", ractor.id);
        }
        address
    }
}
