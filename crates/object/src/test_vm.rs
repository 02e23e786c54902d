//! What the tests of this crate run in: a VM with nothing but a heap, a space and some roots.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Config, Heap, Hooks, Liveness, Marker, Mutator};

use crate::space::{Space, WellKnown};
use crate::trace;
use crate::value::{AtomicValue, Value};

/// A VM for tests; leaked, since heaps are made with its address.
#[repr(C)]
pub(crate) struct TestVm {
    pub(crate) space: Space,
    pub(crate) roots: [AtomicValue; 16],
}

static HOOKS: Hooks = Hooks {
    trace: trace::trace,
    stores: &crate::types::STORES,
    drop_cell: trace::drop_cell,
    trace_vm_roots,
    trace_mutator: no_roots,
    abandon,
    clear_weak,
    after_gc: nothing,
    place,
    allocated: not_told,
};

unsafe fn place(_: *const ()) -> Option<(std::sync::Arc<str>, u32)> {
    None
}

unsafe fn not_told(_: *const (), _: u64) {}

unsafe fn no_roots(_: *const (), _: &mut Marker<'_>) {}

unsafe fn abandon(_: *const (), _: &Liveness<'_>) -> bool {
    false
}

fn nothing(_: *const ()) -> bool {
    false
}

unsafe fn trace_vm_roots(vm: *const (), marker: &mut Marker<'_>) {
    // SAFETY: the heap hands over the pointer of `start`.
    let vm = unsafe { &*vm.cast::<TestVm>() };
    vm.space.trace(marker);
    for root in &vm.roots {
        marker.mark(root.load(Ordering::Relaxed).bits());
    }
}

unsafe fn clear_weak(vm: *const (), liveness: &Liveness<'_>) {
    // SAFETY: as above.
    unsafe { &*vm.cast::<TestVm>() }.space.clear_weak(liveness);
}

impl TestVm {
    /// Sets root `i`.
    pub(crate) fn keep(&self, i: usize, v: Value) {
        self.roots[i].store(v, Ordering::Release);
    }

    /// Root `i`.
    pub(crate) fn root(&self, i: usize) -> Value {
        self.roots[i].load(Ordering::Acquire)
    }
}

/// A VM and its heap, verified after each marking.
pub(crate) fn start(config: Config) -> (&'static TestVm, Arc<Heap>) {
    let vm: &'static TestVm =
        Box::leak(Box::new(TestVm { space: Space::new(0x5eed), roots: [const { AtomicValue::new(Value::NIL) }; 16] }));
    let config = Config { verify: true, ..config };
    let heap = Heap::new(config, &HOOKS, std::ptr::from_ref(vm).cast()).expect("a heap");
    let mut m = heap.attach(std::ptr::null());
    for which in
        [WellKnown::Array, WellKnown::Hash, WellKnown::String, WellKnown::Integer, WellKnown::Float, WellKnown::Range]
    {
        let cell = m.alloc(16 + 8 * crate::class::CLASS_WORDS, crate::types::Type::Class as u64, Value::NIL.bits());
        // SAFETY: just allocated.
        let class = crate::class::Class(unsafe { Value::from_new_cell(cell.expect("room for a class")) });
        class.init(Value::NIL, 0);
        vm.space.classes.set(which, class.0);
    }
    drop(m);
    (vm, heap)
}

/// A heap that collects often.
pub(crate) fn busy() -> Config {
    Config { initial_threshold: 256 << 10, growth_percent: 10, ..Config::default() }
}

/// A heap that collects at every allocation.
pub(crate) fn stress() -> Config {
    Config { gc_stress: true, ..Config::default() }
}

/// Runs `body` on `n` threads, each attached to the heap, and this thread waits.
pub(crate) fn on_threads(heap: &Arc<Heap>, n: usize, body: impl Fn(&mut Mutator, usize) + Sync) {
    std::thread::scope(|scope| {
        for i in 0..n {
            let body = &body;
            scope.spawn(move || {
                let mut m = heap.attach(std::ptr::null());
                body(&mut m, i);
            });
        }
    });
}

/// Keeps tests from depending on `Cell` paths.
pub(crate) fn cell_of(v: &Value) -> &Cell {
    v.cell().expect("a heap value")
}
