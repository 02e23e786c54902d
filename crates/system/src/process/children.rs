//! Which VM has started which child of the process. The kernel knows the process only: without this a VM could wait for the child of
//! another one, and what a VM leaves behind when it ends would stay a zombie for as long as the process.
//!
//! A VM that a program has made waits for the children that it has started, and for no others. The main VM, and one in a Rust program, may wait
//! for those besides that nobody has noted, as code in C starts them. When a VM ends, its children are nobody's: those that have ended are
//! reaped then, the others when they end, by a thread that is there as long as there are any. It asks once in a while, since a descriptor
//! for each child would let VMs use up those of the process.

use std::collections::BTreeMap;
use std::time::Duration;

use asterism_lock::{Mutex, gate};
use asterism_vm::{Ec, Keep, Place};
use rustix::io::{Errno, Result};
use rustix::process::{Pid, WaitOptions, WaitStatus};

static TABLE: Mutex<Table> = Mutex::new(Table::new());

/// How long the thread that reaps waits at first before it asks again, and at most.
const INTERVALS: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

/// Whose children are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The VM of this number.
    Vm(u64),
    /// Its VM has ended.
    Nobody,
}

struct Table {
    /// The number of the newest VM here.
    last: u64,
    /// By number: children that nobody has waited for.
    owners: BTreeMap<i32, Owner>,
    /// Threads that are about to start a child, which is not noted yet.
    starting: usize,
    /// A thread reaps those that are nobody's.
    reaping: bool,
}

type Found = Result<Option<(Pid, WaitStatus)>>;

impl Table {
    const fn new() -> Table {
        Table { last: 0, owners: BTreeMap::new(), starting: 0, reaping: false }
    }

    /// Asks for the state of one child. Under the table's lock, so that a number that is used again is noted after it was forgotten.
    fn ask(&mut self, pid: i32, flags: WaitOptions) -> Found {
        let found = system_wait(pid, flags);
        if matches!(found, Err(Errno::CHILD)) {
            // Code in C has waited for it.
            self.owners.remove(&pid);
        }
        self.forget(found)
    }

    /// Forgets a child that was found to have ended.
    fn forget(&mut self, found: Found) -> Found {
        if let Ok(Some((pid, status))) = &found
            && (status.exited() || status.signaled())
        {
            self.owners.remove(&pid.as_raw_nonzero().get());
        }
        found
    }

    fn list(&self, whose: Owner) -> Vec<i32> {
        self.owners.iter().filter(|&(_, &owner)| owner == whose).map(|(&pid, _)| pid).collect()
    }

    /// Reaps those that are nobody's and have ended; whether some are left.
    fn reap(&mut self) -> bool {
        let list = self.list(Owner::Nobody);
        for &pid in &list {
            // It is forgotten if it has ended; how it did so is nobody's business.
            let _ = self.ask(pid, WaitOptions::empty());
        }
        list.iter().any(|pid| self.owners.contains_key(pid))
    }
}

/// waitpid(2) without waiting.
fn system_wait(pid: i32, flags: WaitOptions) -> Found {
    let flags = flags | WaitOptions::NOHANG;
    match pid {
        -1 => rustix::process::wait(flags),
        pid @ 1.. => rustix::process::waitpid(Pid::from_raw(pid), flags),
        _ => rustix::process::waitpgid(group(pid)?, flags),
    }
}

/// The group that a number that is not positive stands for.
fn group(pid: i32) -> Result<Pid> {
    match pid {
        // The caller's own.
        0 => Ok(rustix::process::getpgrp()),
        pid => pid.checked_neg().and_then(Pid::from_raw).ok_or(Errno::CHILD),
    }
}

/// The children of a VM; when this is dropped, they are nobody's.
pub(super) struct Children(u64);

impl Default for Children {
    fn default() -> Children {
        let mut table = TABLE.lock();
        table.last += 1;
        Children(table.last)
    }
}

impl Keep for Children {
    const PLACE: Place = Place::Children;

    /// The new process has no children yet, and of the process's threads the calling one.
    fn after_fork(&self, _ec: &mut Ec) {
        let mut table = TABLE.lock();
        *table = Table { last: table.last, ..Table::new() };
    }
}

/// A child is about to be started: as long as this lives, one that is not noted may be anybody's.
pub(super) struct Starting(());

impl Drop for Starting {
    fn drop(&mut self) {
        let mut table = TABLE.lock();
        // In a process that was forked meanwhile nobody starts any.
        table.starting = table.starting.saturating_sub(1);
    }
}

impl Children {
    /// To be called before a child is started.
    pub(super) fn starting(&self) -> Starting {
        TABLE.lock().starting += 1;
        Starting(())
    }

    /// The VM has started this one.
    pub(super) fn add(&self, pid: u32) {
        if let Ok(pid) = i32::try_from(pid) {
            TABLE.lock().owners.insert(pid, Owner::Vm(self.0));
        }
    }

    /// The VM has got the stream to this one, which another VM has started.
    pub(super) fn adopt(&self, pid: u32) {
        let mut table = TABLE.lock();
        if let Some(owner) = i32::try_from(pid).ok().and_then(|pid| table.owners.get_mut(&pid)) {
            *owner = Owner::Vm(self.0);
        }
    }

    /// Is it one that the VM has started and not waited for?
    pub(super) fn has(&self, pid: i32) -> bool {
        TABLE.lock().owners.get(&pid) == Some(&Owner::Vm(self.0))
    }

    /// waitpid(2) without waiting, as if the process had no children but the VM's own and, where `unnoted` is said, those that nobody has
    /// noted.
    pub(super) fn ask(&self, unnoted: bool, pid: i32, flags: WaitOptions) -> Found {
        let mut table = TABLE.lock();
        let own = Owner::Vm(self.0);
        let (unnoted, later) = (unnoted && table.starting == 0, unnoted && table.starting > 0);
        if unnoted && table.owners.values().all(|&owner| owner == own) {
            let found = system_wait(pid, flags);
            return table.forget(found);
        }
        let mut list = match pid {
            1.. => vec![pid],
            _ => table.list(own),
        };
        if unnoted && pid <= 0 {
            list.extend(children_of_process());
        }
        list.retain(|pid| table.owners.get(pid).map_or(unnoted, |&owner| owner == own));
        if pid <= 0 && pid != -1 {
            let group = group(pid)?;
            list.retain(|&pid| Pid::from_raw(pid).is_some_and(|pid| rustix::process::getpgid(Some(pid)) == Ok(group)));
        }
        // Whose a child is that is being started is known soon.
        let mut result = if later { Ok(None) } else { Err(Errno::CHILD) };
        for child in list {
            match table.ask(child, flags) {
                Ok(None) => result = Ok(None),
                Err(Errno::CHILD) => {}
                other => return other,
            }
        }
        result
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        let own = Owner::Vm(self.0);
        let starts = {
            let mut table = TABLE.lock();
            table.owners.values_mut().filter(|owner| **owner == own).for_each(|owner| *owner = Owner::Nobody);
            let left = table.reap();
            left && !std::mem::replace(&mut table.reaping, left)
        };
        if starts && !start_reaping() {
            // The next VM that ends tries again.
            TABLE.lock().reaping = false;
        }
    }
}

/// Starts the thread that reaps; whether there is one.
fn start_reaping() -> bool {
    let starting = gate::starting();
    let work = move || {
        let _running = starting.begin();
        let [mut interval, most] = INTERVALS;
        loop {
            std::thread::sleep(interval);
            interval = (interval * 2).min(most);
            let mut table = TABLE.lock();
            if !table.reap() {
                table.reaping = false;
                return;
            }
        }
    };
    std::thread::Builder::new().name("children".into()).spawn(work).is_ok()
}

/// The children of the process, whoever has started them; none where the kernel does not list them.
fn children_of_process() -> Vec<i32> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let mut all = Vec::new();
    for list in lists {
        all.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    all
}
