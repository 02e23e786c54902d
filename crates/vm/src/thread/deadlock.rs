//! Finding out that all threads wait for one another.
//!
//! The counting is the heap crate's `Census`, with the rules for it. Here is what happens when all wait.

use std::sync::atomic::Ordering;

use asterism_object::Value;
use asterism_object::data;
use asterism_object::space::WellKnown;

use super::Threads;
use super::handle::Status;
use super::interrupt::DEADLOCK;
use crate::backtrace;
use crate::ec::{Ec, Raised, Res};
use crate::vm::Root;

impl Threads {
    /// Lets the main thread raise `fatal` if nobody can run any more.
    pub(crate) fn check_deadlock(&self) {
        if !self.census.all_stuck() || self.ignore_deadlock.load(Ordering::Relaxed) {
            return;
        }
        let found =
            self.with_list(|list| self.census.all_stuck() && list.iter().all(|t| t.is_deadly() && !t.is_interrupted()));
        if found && let Some(main) = self.main_if_made() {
            main.interrupt(DEADLOCK);
        }
    }
}

/// Raises `fatal` with the list of threads, in the main thread.
pub(crate) fn raise(ec: &mut Ec) -> Raised {
    let threads = ec.vm().threads.living();
    let sleeping = threads.iter().filter(|t| t.number != ec.thread.handle.number).filter(|t| t.is_deadly()).count() + 1;
    let main = ec.vm().threads.main().clone();
    let address = |t: &super::RubyThread| std::ptr::from_ref(t) as usize;
    let mut message = format!(
        "No live threads left. Deadlock?\n{} threads, {sleeping} sleeps current:{:#018x} main thread:{:#018x}\n",
        threads.len(),
        address(&ec.thread.handle),
        address(&main),
    );
    for thread in &threads {
        let object = thread.object();
        let shown = if thread.number == ec.thread.handle.number {
            describe_as(ec, thread, "sleep_forever")
        } else {
            ec.describe_thread(thread)
        };
        message.push_str(&format!(
            "* {shown}\n   rb_thread_t:{:#018x} native:{:#018x} int:0\n   ",
            address(thread),
            thread.native_id.load(Ordering::Relaxed),
        ));
        for (i, line) in ec.thread_backtrace(thread).iter().enumerate() {
            if i > 0 {
                message.push_str("\n    from ");
            }
            message.push_str(line);
        }
        message.push('\n');
        asterism_heap::keep_alive(object.bits());
    }
    let class = ec.vm().root(Root::Fatal);
    ec.raise_class(class, message.as_bytes())
}

impl super::RubyThread {
    /// What `Thread#inspect` says of what it is doing.
    pub fn status_name(&self) -> &'static str {
        match self.status() {
            Status::Dead | Status::Failed => "dead",
            Status::Run if self.killed.load(Ordering::Acquire) => "aborting",
            Status::Run => "run",
            Status::Sleep => "sleep",
            Status::SleepForever => "sleep_forever",
        }
    }
}

/// Where the block of a thread begins.
fn body_place(thread: &super::RubyThread) -> Option<String> {
    let iseq = crate::block::Proc::from_value(thread.get(super::Slot::Body)).and_then(|p| p.iseq())?;
    // SAFETY: the Proc, which the thread's slot keeps alive, keeps its code alive.
    Some(unsafe { format!("{}:{}", (&*iseq).code.file, (&*iseq).code.line) })
}

fn describe_as(ec: &mut Ec, thread: &super::RubyThread, status: &str) -> String {
    let object = thread.object();
    let class = ec.class_name_of(object);
    let name = thread.get(super::Slot::Name);
    let name =
        if name.is_nil() { String::new() } else { format!("@{}", asterism_object::string::to_string_lossy(ec, name)) };
    let place = body_place(thread).map_or(String::new(), |place| format!(" {place}"));
    format!("#<{class}:0x{:016x}{name}{place} {status}>", object.bits())
}

impl Ec {
    /// `Thread#inspect`
    pub fn describe_thread(&mut self, thread: &super::RubyThread) -> String {
        describe_as(self, thread, thread.status_name())
    }

    /// A thread's name, or else the place of its block.
    pub(super) fn thread_label(&mut self, thread: &super::RubyThread) -> String {
        match thread.get(super::Slot::Name) {
            Value::NIL => body_place(thread).unwrap_or_default(),
            name => asterism_object::string::to_string_lossy(self, name),
        }
    }

    /// The lines of where a thread is.
    pub fn thread_backtrace(&mut self, thread: &super::RubyThread) -> Vec<String> {
        self.with_locations_of(thread, |ec, locations| locations.iter().map(|l| backtrace::line_text(ec, l)).collect())
    }

    /// Where a thread is, as a native object that holds a [`backtrace::Backtrace`].
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn thread_locations(&mut self, thread: &super::RubyThread) -> Res {
        self.with_locations_of(thread, |ec, locations| {
            let class = ec.class(WellKnown::Object);
            let made = data::new(ec, class, backtrace::Backtrace { locations });
            ec.check(Value::NIL, made)
        })
    }

    /// Calls `then` with where a thread is: another one is looked at with the world stopped for a moment.
    fn with_locations_of<R>(
        &mut self,
        thread: &super::RubyThread,
        then: impl FnOnce(&mut Ec, Vec<backtrace::Location>) -> R,
    ) -> R {
        if thread.number == self.thread.handle.number {
            let locations = backtrace::collect(self, 0);
            return then(self, locations);
        }
        // The thread goes on while the locations are made use of: the methods it was in have to stay.
        let mut methods: Vec<Value> = Vec::new();
        self.fiber.root_vecs.push(&raw const methods);
        let heap = self.heap().clone();
        let locations = heap.stop_the_world(self, |_| {
            let ec = thread.ec();
            if ec.is_null() {
                return Vec::new();
            }
            // SAFETY: the world is stopped; the thread has not taken its Ec back, so it stands at a safepoint or in a
            // blocking region, and its frames stay as they are.
            let locations = unsafe { backtrace::collect_from((*ec).fiber.frame, (*ec).fiber.leaf) };
            methods.extend(locations.iter().map(|l| l.method));
            locations
        });
        let result = then(self, locations);
        self.fiber.root_vecs.pop();
        drop(methods);
        result
    }
}
