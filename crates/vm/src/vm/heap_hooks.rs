//! What the heap asks of a VM: what its cells and roots refer to, and what has died.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Hooks, Liveness, Marker};
use asterism_object::types::{STORES, Type, type_of};

use super::Vm;
use crate::backtrace::Allocations;
use crate::block::{Env, Proc};
use crate::cache::InlineCache;
use crate::ec::Ec;
use crate::iseq::Iseq;

pub(super) static HOOKS: Hooks = Hooks {
    trace: trace_cell,
    stores: &STORES,
    drop_cell,
    trace_vm_roots,
    trace_mutator: trace_ec,
    abandon,
    clear_weak,
    after_gc,
    place,
    allocated,
};

unsafe fn trace_cell(cell: &Cell, marker: &mut Marker) {
    // SAFETY: called by the collector on live cells with the world stopped, which is what each needs.
    unsafe {
        match type_of(cell) {
            Type::Iseq => Iseq::trace(cell, marker),
            Type::Proc => {
                Proc::trace(cell, marker);
                asterism_object::trace::trace(cell, marker);
            }
            Type::Env => Env::trace(cell, marker),
            Type::InlineCache => InlineCache::trace(cell, marker),
            Type::Method => {
                for i in 0..6 {
                    if i != 2 {
                        marker.mark(cell.word(i).load(Ordering::Relaxed));
                    }
                }
            }
            Type::Cref => {
                for i in 0..3 {
                    marker.mark(cell.word(i).load(Ordering::Relaxed));
                }
            }
            Type::Unwind => {
                let kind = cell.word(0).load(Ordering::Relaxed);
                if kind == 3 {
                    marker.mark(cell.word(1).load(Ordering::Relaxed));
                }
                marker.mark(cell.word(2).load(Ordering::Relaxed));
            }
            _ => asterism_object::trace::trace(cell, marker),
        }
    }
}

unsafe fn drop_cell(cell: &Cell) -> usize {
    // SAFETY: called by the sweep once for each dead hooked cell.
    unsafe {
        match type_of(cell) {
            Type::Iseq => Iseq::drop_cell(cell),
            _ => asterism_object::trace::drop_cell(cell),
        }
    }
}

unsafe fn trace_vm_roots(vm: *const (), marker: &mut Marker) {
    // SAFETY: `vm` is the `vm_data` given to `Heap::new`, a `Vm` that outlives its heap's collections.
    let vm = unsafe { &*vm.cast::<Vm>() };
    vm.space.trace(marker);
    for word in vm.exceptions.iter().chain(&vm.roots) {
        word.mark(marker);
    }
    vm.gvars.trace(marker);
    vm.threads.trace(marker);
    if let Some(from) = vm.from_image.get() {
        from.trace(marker);
    }
    vm.parts.trace(marker);
    vm.profiler.trace(marker);
    if let Some(stats) = vm.heap.get().and_then(|heap| heap.lock_stats()) {
        stats.each_class(|class| marker.mark(class));
    }
}

unsafe fn place(data: *const ()) -> Option<(Arc<str>, u32)> {
    // SAFETY: `data` is the address of the calling thread's Ec, whose frames are active.
    unsafe { (*data.cast::<Ec>()).caller_location() }
}

unsafe fn allocated(data: *const (), address: u64) {
    // SAFETY: `data` is the address of the calling thread's Ec, which is in the middle of an allocation.
    let ec = unsafe { &*data.cast::<Ec>() };
    ec.vm().part::<Allocations>().note(ec, address);
}

unsafe fn trace_ec(data: *const (), marker: &mut Marker) {
    // SAFETY: `data` is the Ec's address, given to `attach`; the world is stopped.
    unsafe { Ec::trace(data, marker) }
}

unsafe fn abandon(data: *const (), liveness: &Liveness) -> bool {
    // SAFETY: as in `trace_ec`; marking is done.
    unsafe { Ec::abandon_fibers(data, liveness) }
}

unsafe fn clear_weak(vm: *const (), liveness: &Liveness) {
    // SAFETY: as in `trace_vm_roots`.
    let vm = unsafe { &*vm.cast::<Vm>() };
    vm.space.clear_weak(liveness);
    if vm.classes.lock().clear_dead(liveness) {
        vm.const_locations.lock().retain(|(class, _), _| liveness.is_live_word(*class));
        vm.autoloads.lock().promised.retain(|(class, _), _| liveness.is_live_word(*class));
    }
    vm.parts.clear_weak(liveness);
    vm.races.clear_weak(liveness);
}

fn after_gc(vm: *const ()) -> bool {
    // SAFETY: as in `trace_vm_roots`.
    let vm = unsafe { &*vm.cast::<Vm>() };
    let waiting = vm.parts.after_gc();
    if waiting {
        vm.finalizers_wait.store(true, Ordering::Release);
    }
    waiting
}
