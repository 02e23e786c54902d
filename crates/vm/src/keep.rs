//! What the parts of the core library keep in each VM.
//!
//! A part names its place ([`Place`]) by implementing [`Keep`]. What it keeps is made when it is first asked for; [`Vm::part`] finds it
//! with a load and a comparison, without a lock. The collector and the boot image ask every part that is there; nobody has to know
//! them all.

use std::any::{Any, TypeId};
use std::sync::OnceLock;

use asterism_heap::{Liveness, Marker};
use asterism_object::{AtomicValue, Sym, Value};

use crate::ec::{Ec, Res};
use crate::image::{Recording, Word};
use crate::vm::Vm;

/// Where a VM keeps what belongs to a part: one place a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
#[allow(missing_docs)]
pub enum Place {
    Allocators,
    Encodings,
    Strings,
    Regexps,
    Onces,
    Random,
    ErrorHelp,
    Script,
    Warnings,
    Finalizers,
    WeakMaps,
    ObjectIds,
    Streams,
    Load,
    Environment,
    Signals,
    TimeZone,
    Directory,
    Vms,
    Handles,
    TracePoints,
    Extensions,
    Coverage,
    SymbolProcs,
    Allocations,
    Children,
    Count,
}

/// What a part has put into an image; its type is the part's own.
pub type Recorded = dyn Any + Send + Sync;

/// What one part of the core library keeps in each VM. It protects itself: all threads of the VM share it.
pub trait Keep: Any + Default + Send + Sync {
    /// Its place, which no other type has.
    const PLACE: Place;

    /// Marks the values in it (world stopped).
    fn trace(&self, _marker: &mut Marker) {}

    /// Forgets what has died (inside the pause).
    fn clear_weak(&self, _liveness: &Liveness) {}

    /// Runs on the collecting thread after a collection, with the world running: is something waiting for `CoreHooks::finalize`?
    fn after_gc(&self) -> bool {
        false
    }

    /// `GC.start` has collected: gives memory that is kept for later back to the system.
    fn release_memory(&self, _ec: &mut Ec) {}

    /// In a process that was forked: it has only the calling thread, and none of the system's that is its process's alone.
    fn after_fork(&self, _ec: &mut Ec) {}

    /// What an image needs of it, after boot; `None` for what is as it was when it was made.
    fn record(&self, _vm: &Vm, _recording: &mut Recording<'_>) -> Option<Box<Recorded>> {
        None
    }

    /// Makes it in a VM that is being made from an image what it was when it was recorded; `word` tells what a word is there.
    ///
    /// # Errors
    /// NoMemoryError.
    fn replay(&self, _ec: &mut Ec, _recorded: &Recorded, _word: &dyn Fn(Word) -> Value) -> Res<()> {
        Ok(())
    }
}

/// [`Keep`] without its type.
trait Kept: Any + Send + Sync {
    fn trace(&self, marker: &mut Marker);
    fn clear_weak(&self, liveness: &Liveness);
    fn after_gc(&self) -> bool;
    fn release_memory(&self, ec: &mut Ec);
    fn after_fork(&self, ec: &mut Ec);
    fn record(&self, vm: &Vm, recording: &mut Recording<'_>) -> Option<Box<Recorded>>;
    fn replay(&self, ec: &mut Ec, recorded: &Recorded, word: &dyn Fn(Word) -> Value) -> Res<()>;
}

impl<T: Keep> Kept for T {
    fn trace(&self, marker: &mut Marker) {
        Keep::trace(self, marker);
    }

    fn clear_weak(&self, liveness: &Liveness) {
        Keep::clear_weak(self, liveness);
    }

    fn after_gc(&self) -> bool {
        Keep::after_gc(self)
    }

    fn release_memory(&self, ec: &mut Ec) {
        Keep::release_memory(self, ec);
    }

    fn after_fork(&self, ec: &mut Ec) {
        Keep::after_fork(self, ec);
    }

    fn record(&self, vm: &Vm, recording: &mut Recording<'_>) -> Option<Box<Recorded>> {
        Keep::record(self, vm, recording)
    }

    fn replay(&self, ec: &mut Ec, recorded: &Recorded, word: &dyn Fn(Word) -> Value) -> Res<()> {
        Keep::replay(self, ec, recorded, word)
    }
}

/// What one part keeps, and how that is made in another VM.
struct Entry {
    id: TypeId,
    part: Box<dyn Kept>,
    make: fn(&Vm),
}

impl Entry {
    fn new<T: Keep>() -> Entry {
        Entry { id: TypeId::of::<T>(), part: Box::new(T::default()), make: |vm| _ = vm.part::<T>() }
    }
}

/// The places of a VM. Each is filled once.
#[derive(Default)]
pub(crate) struct Parts {
    places: [OnceLock<Entry>; Place::Count as usize],
}

/// What an image has of a part.
struct PartPattern {
    place: usize,
    make: fn(&Vm),
    recorded: Box<Recorded>,
}

/// What an image has of all parts that differ from what they are when they are made.
pub(crate) struct PartsPattern(Vec<PartPattern>);

impl Parts {
    fn made(&self) -> impl Iterator<Item = &dyn Kept> {
        self.places.iter().filter_map(|place| place.get().map(|entry| &*entry.part))
    }

    pub(crate) fn trace(&self, marker: &mut Marker) {
        self.made().for_each(|part| part.trace(marker));
    }

    pub(crate) fn clear_weak(&self, liveness: &Liveness) {
        self.made().for_each(|part| part.clear_weak(liveness));
    }

    /// Is something waiting for finalizers to run?
    pub(crate) fn after_gc(&self) -> bool {
        self.made().fold(false, |waiting, part| part.after_gc() | waiting)
    }
}

impl Vm {
    /// What a part keeps: its default at first.
    ///
    /// # Panics
    /// If the part shares its place with another one.
    #[inline]
    pub fn part<T: Keep>(&self) -> &T {
        match self.part_if_made() {
            Some(part) => part,
            None => self.make_part(),
        }
    }

    #[cold]
    fn make_part<T: Keep>(&self) -> &T {
        self.parts.places[T::PLACE as usize].get_or_init(Entry::new::<T>);
        self.part_if_made().expect("a place of its own for each part")
    }

    /// What a part keeps, if it has been asked for before.
    #[inline]
    pub fn part_if_made<T: Keep>(&self) -> Option<&T> {
        let entry = self.parts.places[T::PLACE as usize].get()?;
        if entry.id != TypeId::of::<T>() {
            return None;
        }
        // SAFETY: `id` is the type of what `Entry::new` put into the box, which stays there as long as the VM.
        Some(unsafe { &*(&raw const *entry.part).cast::<T>() })
    }

    /// `GC.start` has collected: the parts give memory that they keep for later back to the system.
    pub fn release_memory(ec: &mut Ec) {
        let vm = ec.vm_arc();
        vm.parts.made().for_each(|part| part.release_memory(ec));
    }

    /// The process was forked.
    pub(crate) fn tell_forked(ec: &mut Ec) {
        let vm = ec.vm_arc();
        vm.parts.made().for_each(|part| part.after_fork(ec));
    }

    /// What an image needs of the parts, after boot.
    pub(crate) fn record_parts(&self, recording: &mut Recording<'_>) -> PartsPattern {
        let mut list = Vec::new();
        for (place, entry) in self.parts.places.iter().enumerate().filter_map(|(i, place)| Some((i, place.get()?))) {
            if let Some(recorded) = entry.part.record(self, recording) {
                list.push(PartPattern { place, make: entry.make, recorded });
            }
        }
        PartsPattern(list)
    }
}

impl PartsPattern {
    /// Makes the parts of a VM that is being made from an image what they were.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn install(&self, ec: &mut Ec, word: &dyn Fn(Word) -> Value) -> Res<()> {
        let vm = ec.vm_arc();
        for pattern in &self.0 {
            (pattern.make)(&vm);
            if let Some(entry) = vm.parts.places[pattern.place].get() {
                entry.part.replay(ec, &*pattern.recorded, word)?;
            }
        }
        Ok(())
    }
}

/// The Procs of Symbols that were asked for last: a Symbol's is mostly the same one.
pub struct SymbolProcs([AtomicValue; SYMBOL_PROCS]);

const SYMBOL_PROCS: usize = 64;

impl Default for SymbolProcs {
    fn default() -> Self {
        SymbolProcs([const { AtomicValue::new(Value::NIL) }; SYMBOL_PROCS])
    }
}

impl SymbolProcs {
    /// The place of a Symbol, which other ones may have too.
    pub fn slot(&self, sym: Sym) -> &AtomicValue {
        &self.0[asterism_object::builtin::mix(Value::sym(sym).bits()) as usize % SYMBOL_PROCS]
    }
}

impl Keep for SymbolProcs {
    const PLACE: Place = Place::SymbolProcs;

    fn trace(&self, marker: &mut Marker) {
        for proc in &self.0 {
            proc.mark(marker);
        }
    }
}
