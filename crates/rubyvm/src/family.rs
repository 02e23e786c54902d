//! The VMs of a process: what they know of each other.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use asterism_heap::Charge;
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_system::process::{Receivers, Relay, signals};
use asterism_vm::vm::Memory;
use asterism_vm::{Ec, Keep, Place, Vm};

use super::child::{Child, Spec};
use super::message::Message;
use super::{native, reach};

/// Runs a new VM to its end, on the calling thread.
pub type Launcher = fn(Launch);

/// What a new VM's native thread is given.
pub struct Launch {
    /// The VM to be.
    pub child: Arc<Child>,
    /// The process's VMs.
    pub family: Arc<Family>,
    /// What it is to run.
    pub spec: Box<Spec>,
    /// What `start` was given: an Array.
    pub arguments: Message,
    /// What the VM takes beside its heap, of its creator's memory.
    pub charge: Charge,
}

/// All VMs of a process that descend from one main VM.
#[derive(Default)]
pub struct Family {
    /// The first VM, once it has made or asked for another.
    pub(super) main: OnceLock<Arc<Child>>,
    /// Those that were started. Protected by the lock.
    pub(super) children: Mutex<Vec<Weak<Child>>>,
    pub(super) numbers: AtomicU64,
    /// How the process's signals come to these VMs.
    pub(super) relay: Arc<Relay>,
    /// All channels that these VMs have made.
    pub(crate) channels: Arc<reach::Registry>,
    /// VMs that ended since their threads released memory.
    ended: AtomicUsize,
    /// A VM ended since `GC.start` released memory.
    untidy: AtomicBool,
    pub(super) threads: native::Threads,
}

/// So many VMs must have ended before it is worth while to release what they leave behind.
const WORTH_RELEASING: usize = 32;

impl Family {
    /// A VM's thread is about to end: the last one of many releases the memory that the allocator keeps of them. By then
    /// the others are gone, since each one has waited for the one before.
    pub(super) fn leave(&self, me: native::Thread, memory: Option<&Memory>) {
        let none_left = self.threads.leave(me);
        let ended = self.ended.fetch_add(1, Ordering::AcqRel) + 1;
        self.untidy.store(true, Ordering::Release);
        if none_left && ended >= WORTH_RELEASING {
            self.ended.store(0, Ordering::Release);
            if let Some(memory) = memory {
                (memory.release)();
            }
        }
    }

    /// The same for what a collection has freed of VMs that ended.
    fn tidy_up(&self, memory: Option<&Memory>) {
        self.threads.wait();
        let mut children = self.children.lock();
        children.retain(|child| child.strong_count() > 0);
        children.shrink_to_fit();
        drop(children);
        if let Some(memory) = memory {
            (memory.release)();
        }
    }
}

impl Receivers for Family {
    fn signal(&self, number: i32) {
        let children: Vec<_> = self.children.lock().iter().filter_map(Weak::upgrade).collect();
        for child in children {
            child.signal_trapped(number);
        }
    }

    fn running(&self) -> Vec<(String, Arc<Vm>)> {
        let children: Vec<_> = self.children.lock().iter().filter_map(Weak::upgrade).collect();
        children.iter().filter_map(|child| Some((child.name.clone(), child.vm()?))).collect()
    }
}

/// What a VM knows of itself and the others.
#[derive(Default)]
pub struct Vms {
    pub(super) family: OnceLock<Arc<Family>>,
    pub(super) me: OnceLock<Arc<Child>>,
    pub(super) launcher: OnceLock<Launcher>,
}

impl Keep for Vms {
    const PLACE: Place = Place::Vms;

    /// Frees what channels that nobody can reach hold.
    fn after_gc(&self) -> bool {
        if let Some(family) = self.family.get() {
            family.channels.collect();
        }
        false
    }

    /// The other VMs are the other process's.
    fn after_fork(&self, ec: &mut Ec) {
        let Some(family) = self.family.get() else { return };
        let me = self.me.get();
        if let Some(me) = me {
            me.goes_on_as(ec.thread.handle.clone());
        }
        let children = std::mem::take(&mut *family.children.lock());
        let others = children.iter().filter_map(Weak::upgrade).chain(family.main.get().cloned());
        for other in others.filter(|other| me.is_none_or(|me| !Arc::ptr_eq(me, other))) {
            other.lost_by_fork();
        }
        family.threads.forget_others(me.is_some_and(|me| me.number != 0));
    }

    /// What VMs left behind, if any ended since that was done last.
    fn release_memory(&self, ec: &mut Ec) {
        let Some(family) = self.family.get() else { return };
        if !family.untidy.swap(false, Ordering::AcqRel) {
            return;
        }
        let vm = ec.vm_arc();
        let memory = vm.options.memory;
        vm.heap().release_free_pages(ec);
        ec.blocking(|| family.tidy_up(memory));
    }
}

/// Says how VMs are run; each VM that may make others is told.
pub fn set_launcher(ec: &Ec, launcher: Launcher) {
    // The first one stays: it is the embedder's only one.
    let _ = ec.vm().part::<Vms>().launcher.set(launcher);
}

/// The family of the calling VM.
pub fn family(ec: &Ec) -> Arc<Family> {
    let made = || {
        let family = Arc::new(Family { relay: signals::relay(ec).clone(), ..Family::default() });
        let receivers: Weak<Family> = Arc::downgrade(&family);
        family.relay.set_receivers(receivers);
        family
    };
    ec.vm().part::<Vms>().family.get_or_init(made).clone()
}

/// The calling VM. One that no other has made is the main VM.
pub fn me(ec: &Ec) -> Arc<Child> {
    let family = family(ec);
    let me = ec.vm().part::<Vms>().me.get_or_init(|| {
        let main = Arc::new(Child::new("main".into(), 0, ec.heap().account().is_some(), None));
        main.running(ec);
        // Nobody else in this family is its main VM.
        let _ = family.main.set(main.clone());
        main
    });
    me.clone()
}

/// The name of the calling VM.
pub fn name(ec: &Ec) -> String {
    me(ec).name.to_string()
}

pub fn rubyvm(ec: &mut Ec) -> Class {
    let object = ec.known(WellKnown::Object);
    ec.own_constant(object, intern("RubyVM")).map_or(object, Class)
}

/// How long the main VM waits for the others' ensure clauses.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Ends the VMs that the main VM leaves behind, and waits until they are gone.
pub fn end_family(ec: &mut Ec) {
    let vm = ec.vm_arc();
    let vms = vm.part::<Vms>();
    let Some(family) = vms.family.get() else { return };
    if vms.me.get().is_some_and(|me| me.number != 0) {
        return;
    }
    let left: Vec<_> = std::mem::take(&mut *family.children.lock()).iter().filter_map(Weak::upgrade).collect();
    for child in &left {
        child.kill(false);
    }
    let deadline = Instant::now() + LAST_WORDS;
    for child in left {
        while Instant::now() < deadline && child.outcome().is_none() {
            if child.wait(ec, Some(deadline)).is_err() {
                // What is raised into a thread that ends changes nothing any more.
                ec.take_pending();
            }
        }
    }
    ec.blocking(|| family.threads.wait_for_all(deadline));
}
