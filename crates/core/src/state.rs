//! What this crate keeps per VM, and the hooks of the VM that no one class owns.

use std::any::Any;

use asterism_heap::{Liveness, Marker};
use asterism_object::Value;
use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_vm::image::{Recording, Word};
use asterism_vm::vm::CoreState;
use asterism_vm::{Ec, Res, Vm};
use parking_lot::RwLock;

use crate::{encoding, env, io, load, objspace, process, random, string, time};

/// Makes an uninitialised instance of a class or of a class that inherits from it.
pub type Allocator = fn(&mut Ec, Class) -> Res;

/// The core classes' state of one VM. Each field protects itself.
#[derive(Default)]
pub struct State {
    /// What makes instances of classes whose `Alloc` is `Native`. Written at boot.
    allocators: RwLock<Vec<(Class, Allocator)>>,
    /// Streams to be flushed at the end.
    pub io: io::object::IoState,
    /// Files being loaded.
    pub load: load::LoadState,
    /// ENV.
    pub environment: env::Environment,
    /// What `trap` set.
    pub traps: process::Traps,
    /// The categories of warnings.
    pub warnings: io::warning::Warnings,
    /// The generator of `rand`.
    pub random: random::DefaultGenerator,
    /// The time zone of `TZ`.
    pub zone: time::LocalZone,
    /// The Encoding objects and the default encodings.
    pub encodings: encoding::Encodings,
    /// Deduplicated frozen Strings, weakly.
    pub interned: string::dedup::Interned,
    /// Finalizers and weak tables.
    pub objspace: objspace::ObjSpaceState,
    /// What messages of uncaught errors say besides.
    pub error_help: crate::exception::help::ErrorHelp,
    /// The process's other VMs.
    pub vms: crate::rubyvm::Vms,
    /// What a Rust program holds.
    pub handles: std::sync::Arc<crate::handles::Handles>,
    /// Compiled regexps and the time limit of searches.
    pub regexps: crate::regexp::pattern::Regexps,
}

impl State {
    /// The state of the VM.
    ///
    /// # Panics
    /// Before `init`.
    pub fn of(ec: &Ec) -> &'static State {
        State::of_vm(ec.vm()).expect("set when the VM was booted")
    }

    /// The state of a VM, if it has been installed.
    pub fn of_vm(vm: &Vm) -> Option<&State> {
        vm.core.get()?.as_any().downcast_ref()
    }
}

impl CoreState for State {
    fn trace(&self, marker: &mut Marker) {
        self.traps.trace(marker);
        for (class, _) in self.allocators.read().iter() {
            marker.mark(class.0.bits());
        }
        self.encodings.trace(marker);
        self.objspace.trace(marker);
        self.handles.trace(marker);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Installs the state.
///
/// # Errors
/// None so far.
pub fn init(ec: &mut Ec) -> Res<()> {
    // The VM is being booted: nobody set it before.
    let _ = ec.vm().core.set(Box::new(State::default()));
    Ok(())
}

/// What an image has of the state.
struct Recorded {
    allocators: Vec<(Word, Allocator)>,
    encodings: encoding::Recorded,
    streams: Vec<Word>,
}

/// Records what boot left in the state.
pub fn record(vm: &Vm, recording: &mut Recording<'_>) -> Box<dyn Any + Send + Sync> {
    let mut recorded =
        Recorded { allocators: Vec::new(), encodings: encoding::Recorded::default(), streams: Vec::new() };
    if let Some(state) = State::of_vm(vm) {
        let allocators = state.allocators.read();
        recorded.allocators = allocators.iter().map(|(class, make)| (recording.word(class.0.bits()), *make)).collect();
        recorded.encodings = state.encodings.record(recording);
        recorded.streams = io::standard_streams(vm).iter().map(|stream| recording.word(stream.bits())).collect();
    }
    Box::new(recorded)
}

/// Installs the state in a VM that is made from an image.
///
/// # Errors
/// NoMemoryError.
pub fn replay(ec: &mut Ec, recorded: &(dyn Any + Send + Sync), word: &dyn Fn(Word) -> Value) -> Res<()> {
    init(ec)?;
    let Some(recorded) = recorded.downcast_ref::<Recorded>() else {
        return Err(ec.fatal("an image of something else"));
    };
    let state = State::of(ec);
    let allocators = recorded.allocators.iter();
    *state.allocators.write() = allocators.map(|(class, make)| (Class(word(*class)), *make)).collect();
    state.encodings.replay(&recorded.encodings, word);
    let streams: Vec<Value> = recorded.streams.iter().map(|stream| word(*stream)).collect();
    io::open_standard_streams(ec, &streams)?;
    process::install_handler(ec);
    Ok(())
}

/// Says how instances of `class` and of what inherits from it are made; at boot, before classes inherit from it.
pub fn set_allocator(ec: &Ec, class: Class, make: Allocator) {
    class.set_alloc(Alloc::Native);
    State::of(ec).allocators.write().push((class, make));
}

/// Allocates instances of classes with native layouts.
///
/// # Errors
/// TypeError if the class cannot be instantiated; NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    if class.alloc() == Alloc::Struct {
        return crate::structs::allocate(ec, class);
    }
    if class == ec.known(WellKnown::Fiber) {
        // Made by the million.
        return crate::fiber::allocate(ec, class);
    }
    let mut at = Some(class);
    while let Some(c) = at {
        let found = State::of(ec).allocators.read().iter().find(|(known, _)| *known == c).map(|(_, make)| *make);
        if let Some(make) = found {
            return make(ec, class);
        }
        at = c.superclass();
    }
    let name = ec.class_name(class);
    Err(ec.type_error(format!("allocator undefined for {name}")))
}

/// Clears weak tables in the pause.
pub fn clear_weak(vm: &Vm, liveness: &Liveness) {
    if let Some(state) = State::of_vm(vm) {
        state.interned.clear_weak(liveness);
        state.objspace.clear_weak(liveness);
    }
}

/// Runs on the collecting thread after a collection: are there finalizers to run?
pub fn after_gc(vm: &Vm) -> bool {
    State::of_vm(vm).is_some_and(|state| {
        crate::rubyvm::after_gc(&state.vms);
        state.objspace.finalizers_wait()
    })
}
