//! What every object operation of one VM shares: well-known classes, shapes, ivars of objects
//! without room for them, the hash seed.

use std::sync::atomic::Ordering;

use asterism_heap::{Liveness, Marker, Mutator};

use crate::holders::Holders;
use crate::shape::{ShapePattern, ShapeTable};
use crate::side_table::SideTable;
use crate::value::{AtomicValue, Value};
use crate::walkers::Walkers;

macro_rules! well_known {
    ($($name:ident,)*) => {
        /// The classes that this crate or the VM's fast paths have to find.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(usize)]
        pub enum WellKnown { $($name,)* }

        /// How many well-known classes there are.
        pub const WELL_KNOWN: usize = [$(WellKnown::$name),*].len();

        impl WellKnown {
            /// All of them, with their Ruby names.
            pub const ALL: [(WellKnown, &'static str); WELL_KNOWN] =
                [$((WellKnown::$name, stringify!($name)),)*];
        }
    };
}

well_known! {
    BasicObject, Object, Module, Class, Kernel, Comparable, Enumerable, NilClass, TrueClass,
    FalseClass, Integer, Float, Numeric, Rational, Complex, String, Symbol, Array, Hash, Range,
    Proc, Method, UnboundMethod, Struct, Data, Regexp, MatchData, Exception, StandardError, Thread,
    Fiber, Binding, Time, IO, File, Set, Random, Encoding, Enumerator, Lazy, Ractor, Mutex, Queue,
    ObjectSpace, GC, Process, Math, Marshal,
}

/// The well-known classes' values.
pub struct ClassTable([AtomicValue; WELL_KNOWN]);

impl ClassTable {
    fn new() -> ClassTable {
        ClassTable(std::array::from_fn(|_| AtomicValue::new(Value::NIL)))
    }

    /// The class, nil before the VM has set it.
    #[inline(always)]
    pub fn get(&self, which: WellKnown) -> Value {
        self.0[which as usize].load(Ordering::Acquire)
    }

    /// Where they lie, in the order of `WellKnown`, for compiled code.
    pub fn as_ptr(&self) -> *const AtomicValue {
        self.0.as_ptr()
    }

    /// All of them, in order.
    pub fn words(&self) -> impl Iterator<Item = &AtomicValue> {
        self.0.iter()
    }

    /// Sets the class: once, when it is made.
    pub fn set(&self, which: WellKnown, class: Value) {
        self.0[which as usize].store(class, Ordering::Release);
    }
}

/// A VM's share of this crate's state. It is the first field of the VM's `repr(C)` struct, whose
/// address is the heap's `vm_data`.
pub struct Space {
    /// The well-known classes.
    pub classes: ClassTable,
    /// The tree of shapes.
    pub shapes: ShapeTable,
    /// Instance variables of objects that have no room for them.
    pub side: SideTable,
    /// The cells that hold counted blocks which other VMs may share.
    pub holders: Holders,
    /// The threads that walk over Hashes beside others.
    pub(crate) walkers: Walkers,
    /// What makes hashes of strings unpredictable.
    pub hash_seed: u64,
}

impl Space {
    /// A new VM's.
    pub fn new(hash_seed: u64) -> Space {
        Space {
            classes: ClassTable::new(),
            shapes: ShapeTable::new(),
            side: SideTable::new(),
            holders: Holders::new(),
            walkers: Walkers::default(),
            hash_seed,
        }
    }

    /// That of a VM that begins with these shapes. What it has of others' String hashes is only right with their seed.
    pub fn from_pattern(hash_seed: u64, shapes: &'static ShapePattern) -> Space {
        let shapes = ShapeTable::from_pattern(shapes);
        Space { shapes, ..Space::new(hash_seed) }
    }

    /// Marks the roots: called from the VM's `trace_vm_roots`.
    pub fn trace(&self, marker: &mut Marker) {
        for word in &self.classes.0 {
            word.mark(marker);
        }
    }

    /// Forgets what belonged to dead objects: called from the VM's `clear_weak`.
    pub fn clear_weak(&self, liveness: &Liveness) {
        self.side.clear_dead(liveness);
        self.holders.clear_dead(liveness);
        self.walkers.clear_dead(liveness);
    }
}

/// The space of the VM that `m` is attached to.
#[inline(always)]
pub fn space(m: &Mutator) -> &Space {
    // SAFETY: `vm_data` is the address of the VM's struct, whose first field is its `Space`
    // (`repr(C)`), and the VM outlives its attached threads.
    unsafe { &*m.vm_data().cast::<Space>() }
}

/// A well-known class of the VM that `m` is attached to.
#[inline(always)]
pub fn class(m: &Mutator, which: WellKnown) -> Value {
    space(m).classes.get(which)
}
