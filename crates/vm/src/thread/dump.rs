//! What all threads do and wait for, as text: for `kill -QUIT`.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::{Value, data};

use super::handle::{RubyThread, Slot};
use super::mutex::Mutex;
use super::view::ThreadView;
use crate::ec::Ec;
use crate::ractor;

impl Ec {
    /// The living threads of the VM. A thread is looked at while all stand still for a moment; between two of them all go on.
    pub fn view_threads(&mut self) -> Vec<ThreadView> {
        let threads = self.vm().threads.living();
        let main = self.vm().threads.main().number;
        let mut views = Vec::with_capacity(threads.len());
        for thread in &threads {
            let object = thread.object();
            let waits = thread.get(Slot::Waits);
            views.push(ThreadView {
                shown: self.describe_thread(thread),
                name: (thread.number != main).then(|| self.thread_label(thread)),
                native: thread.native_id.load(Ordering::Relaxed),
                status: thread.status_name(),
                ractor: thread.ractor().map(|ractor| ractor.id),
                waits: waits.is_heap().then(|| self.describe_wait(waits, &threads)),
                lines: self.thread_backtrace(thread),
            });
            asterism_heap::keep_alive(object.bits());
        }
        views
    }

    /// Where each thread is, what it waits for, and who holds that.
    pub fn describe_threads(&mut self) -> String {
        let threads = self.view_threads();
        let mut text = format!("{} threads\n", threads.len());
        for thread in threads {
            let group = thread.ractor.map_or(String::new(), |id| format!(" ractor:{id}"));
            let _ = writeln!(text, "\n* {} native:{}{group}", thread.shown, thread.native);
            if let Some(what) = thread.waits {
                let _ = writeln!(text, "   waits for {what}");
            }
            for line in thread.lines {
                let _ = writeln!(text, "    from {line}");
            }
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
