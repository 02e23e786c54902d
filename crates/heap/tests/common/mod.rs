//! A toy VM for the heap's tests: three types of cells, roots in a slice a thread, a table of live bodies.

#![allow(dead_code)] // Each test file uses a part of it.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use asterism_heap::{Cell, Config, Heap, Hooks, Liveness, Marker, Mutator, Stores};

/// A cell with two references and a number: words 0, 1, 2.
pub const PAIR: u64 = 1;
/// A cell with a length in word 0 and as many references after it.
pub const LIST: u64 = 2;
/// A cell whose word 0 is a malloc'ed body's size; hooked.
pub const BODY: u64 = 3;
/// As a pair, changed under `Exclusive` only.
pub const NODE: u64 = 4;

/// What the VM pointer leads to.
#[derive(Default)]
pub struct Vm {
    /// Roots.
    pub globals: [AtomicU64; 8],
    /// A weak reference.
    pub weak: AtomicU64,
    /// Bodies dropped.
    pub dropped: AtomicUsize,
    /// Collections seen by `after_gc`.
    pub collections: AtomicUsize,
    /// Whether something impossible was seen.
    pub failed: AtomicBool,
}

/// What a thread's pointer leads to.
#[derive(Default)]
pub struct Roots {
    /// Roots.
    pub slots: [AtomicU64; 16],
}

/// How large the bodies are that `DROPPED` counts. Tests run side by side: only one of them makes such.
pub const COUNTED: usize = 100_000;
/// How many bodies of that size were dropped.
pub static DROPPED: AtomicUsize = AtomicUsize::new(0);

unsafe fn trace(cell: &Cell, marker: &mut Marker<'_>) {
    marker.mark(cell.class.load(Ordering::Relaxed));
    match u64::from(cell.type_id()) {
        PAIR | NODE => {
            for index in 0..2 {
                // SAFETY: pairs have three words.
                marker.mark(unsafe { cell.word(index) }.load(Ordering::Relaxed));
            }
        }
        LIST => {
            // SAFETY: lists have a length word, and as many more as it says.
            let words = unsafe {
                let length = cell.word(0).load(Ordering::Relaxed) as usize;
                std::slice::from_raw_parts(std::ptr::from_ref(cell.word(1)), length)
            };
            marker.mark_slice(words);
        }
        // SAFETY: bodies have one word.
        BODY => marker.live_malloc(unsafe { cell.word(0) }.load(Ordering::Relaxed) as usize),
        other => panic!("a cell of type {other}"),
    }
}

unsafe fn drop_cell(cell: &Cell) -> usize {
    assert_eq!(u64::from(cell.type_id()), BODY);
    // SAFETY: bodies have one word.
    let size = unsafe { cell.word(0) }.load(Ordering::Relaxed) as usize;
    DROPPED.fetch_add(usize::from(size == COUNTED), Ordering::Relaxed);
    size
}

unsafe fn trace_vm_roots(vm: *const (), marker: &mut Marker<'_>) {
    if vm.is_null() {
        return;
    }
    // SAFETY: the pointer is what `heap` gave.
    let vm = unsafe { &*vm.cast::<Vm>() };
    for word in &vm.globals {
        marker.mark(word.load(Ordering::Relaxed));
    }
}

unsafe fn trace_mutator(roots: *const (), marker: &mut Marker<'_>) {
    if roots.is_null() {
        return;
    }
    // SAFETY: the pointer is what was given at attach.
    let roots = unsafe { &*roots.cast::<Roots>() };
    for word in &roots.slots {
        marker.mark(word.load(Ordering::Relaxed));
    }
}

unsafe fn abandon(_roots: *const (), _liveness: &Liveness<'_>) -> bool {
    false
}

unsafe fn clear_weak(vm: *const (), liveness: &Liveness<'_>) {
    if vm.is_null() {
        return;
    }
    // SAFETY: the pointer is what `heap` gave.
    let vm = unsafe { &*vm.cast::<Vm>() };
    if !liveness.is_live_word(vm.weak.load(Ordering::Relaxed)) {
        vm.weak.store(0, Ordering::Relaxed);
    }
}

fn after_gc(vm: *const ()) -> bool {
    if vm.is_null() {
        return false;
    }
    // SAFETY: the pointer is what `heap` gave.
    let vm = unsafe { &*vm.cast::<Vm>() };
    vm.collections.fetch_add(1, Ordering::Relaxed);
    false
}

unsafe fn place(_: *const ()) -> Option<(std::sync::Arc<str>, u32)> {
    None
}

unsafe fn not_told(_: *const (), _: u64) {}

static STORES: [Stores; 256] = {
    let mut stores = [Stores::None; 256];
    stores[NODE as usize] = Stores::Guarded;
    stores[PAIR as usize] = Stores::Anywhere;
    stores[LIST as usize] = Stores::Anywhere;
    stores
};

pub static HOOKS: Hooks = Hooks {
    trace,
    stores: &STORES,
    drop_cell,
    trace_vm_roots,
    trace_mutator,
    abandon,
    clear_weak,
    after_gc,
    place,
    allocated: not_told,
};

static KEPT_VMS: Mutex<Vec<&'static Vm>> = Mutex::new(Vec::new());
static KEPT_ROOTS: Mutex<Vec<&'static Roots>> = Mutex::new(Vec::new());

/// Runs `f` on another thread with a mutator of its own, so that this thread's stack learns nothing of what it does.
pub fn elsewhere<R: Send>(heap: &Arc<Heap>, mutator: &mut Mutator, f: impl FnOnce(&mut Mutator) -> R + Send) -> R {
    mutator.blocking(|| {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| f(&mut heap.attach(std::ptr::null())));
            thread.join().expect("no panic")
        })
    })
}

/// A heap for a VM that outlives it (leaked).
pub fn heap(config: Config) -> (Arc<Heap>, &'static Vm) {
    let vm: &'static Vm = Box::leak(Box::default());
    // Reachable, so that a leak checker does not complain.
    KEPT_VMS.lock().expect("no panic").push(vm);
    let heap = Heap::new(config, &HOOKS, std::ptr::from_ref(vm).cast()).expect("address space");
    (heap, vm)
}

/// Attaches with leaked roots.
pub fn attach(heap: &Arc<Heap>) -> (Box<Mutator>, &'static Roots) {
    let roots: &'static Roots = Box::leak(Box::default());
    KEPT_ROOTS.lock().expect("no panic").push(roots);
    (heap.attach(std::ptr::from_ref(roots).cast()), roots)
}

pub fn word_of(cell: NonNull<Cell>) -> u64 {
    cell.as_ptr().expose_provenance() as u64
}

/// The cell a word points at.
pub fn cell(word: u64) -> &'static Cell {
    // SAFETY: the tests only pass words of cells that they keep alive.
    unsafe { &*std::ptr::with_exposed_provenance(word as usize) }
}

/// Word `index` of the cell a word points at.
pub fn slot(word: u64, index: usize) -> &'static AtomicU64 {
    // SAFETY: the tests keep to the sizes they asked for.
    unsafe { cell(word).word(index) }
}

/// A pair; `left` and `right` must be rooted.
pub fn pair(mutator: &mut Mutator, left: u64, right: u64, number: u64) -> u64 {
    let word = word_of(mutator.alloc(40, PAIR, 0).expect("memory"));
    slot(word, 0).store(left, Ordering::Relaxed);
    slot(word, 1).store(right, Ordering::Relaxed);
    slot(word, 2).store(number, Ordering::Relaxed);
    word
}

/// A node; `left` and `right` must be rooted.
pub fn node(mutator: &mut Mutator, left: u64, right: u64) -> u64 {
    let word = word_of(mutator.alloc(40, NODE, 0).expect("memory"));
    slot(word, 0).store(left, Ordering::Relaxed);
    slot(word, 1).store(right, Ordering::Relaxed);
    word
}

/// A list of `length` nils.
pub fn list(mutator: &mut Mutator, length: usize) -> u64 {
    let word = word_of(mutator.alloc(24 + 8 * length, LIST, 0).expect("memory"));
    for index in 0..length {
        slot(word, 1 + index).store(4, Ordering::Relaxed);
    }
    slot(word, 0).store(length as u64, Ordering::Release);
    word
}

/// A hooked cell with a body of `bytes`.
pub fn body(mutator: &mut Mutator, bytes: usize) -> u64 {
    let word = word_of(mutator.alloc_hooked(24, BODY, 0).expect("memory"));
    slot(word, 0).store(bytes as u64, Ordering::Relaxed);
    mutator.account_malloc(bytes as isize);
    word
}

/// Overwrites the part of the machine stack that earlier calls have left values in.
#[inline(never)]
pub fn scrub_stack() {
    let mut area = [0_u64; 2048];
    std::hint::black_box(&mut area);
}
