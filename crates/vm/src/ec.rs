//! `Ec`, the execution context: what runs Ruby code. It is passed as an argument and never fetched from a global.

use std::mem::{MaybeUninit, offset_of};
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::Arc;

use asterism_heap::{Charge, Marker, Mutator};
use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;

use crate::fiber::RunningFiber;
use crate::frame::{self, Frame};
use crate::jit::OfEc;
pub use crate::pending::Pending;
use crate::profile::Watched;
pub use crate::raised::{Raised, Res};
use crate::stack::Stack;
use crate::thread::{RubyThread, RunningThread};
use crate::vm::Vm;
use crate::worker::Worker;

/// The execution context: a native thread, and the Ruby thread that it runs with the fiber that runs in that. Each part says what is its
/// own; a new field goes where it would have to be if the Ruby thread went on in another native thread.
///
/// In this order, with what is hot first in each part: code finds it at small offsets. No native is under way when an Ec ends, so the
/// fiber's `root_vecs` are empty; then comes the mutator, and what the collector would look at is dropped after that.
#[repr(C)]
pub struct Ec {
    /// The running fiber; exchanged by a switch.
    pub fiber: RunningFiber,
    /// The native thread.
    pub worker: Worker,
    /// The Ruby thread.
    pub thread: RunningThread,
    pub(crate) vm: Arc<Vm>,
}

impl Deref for Ec {
    type Target = Mutator;
    #[inline(always)]
    fn deref(&self) -> &Mutator {
        &self.worker.mutator
    }
}

impl DerefMut for Ec {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Mutator {
        &mut self.worker.mutator
    }
}

impl Ec {
    /// Where the address of the mutator lies in it, in bytes, for compiled code.
    pub(crate) const MUTATOR: usize = offset_of!(Ec, worker) + offset_of!(Worker, mutator);

    /// Attaches the current native thread to `vm`, to run `ruby_thread` on `stack`.
    pub fn new(vm: Arc<Vm>, ruby_thread: Arc<RubyThread>, stack: Stack) -> Box<Ec> {
        Self::new_on(vm, ruby_thread, stack, asterism_heap::stack_bounds())
    }

    /// As `new` for who knows where the native thread's machine stack lies, which takes system calls to find out.
    pub(crate) fn new_on(
        vm: Arc<Vm>,
        ruby_thread: Arc<RubyThread>,
        mut stack: Stack,
        bounds: (usize, usize),
    ) -> Box<Ec> {
        let mut place: Box<MaybeUninit<Ec>> = Box::new_uninit();
        let mut mutator = vm.heap().attach_on(place.as_mut_ptr() as *const (), bounds.1);
        let number = ruby_thread.number;
        mutator.set_lane_number(number);
        let watched = Watched::new(vm.profiler.clone(), number);
        let charges = [(); 2].map(|()| Charge::new(vm.heap().account()));
        let counts = charges[0].counts();
        let stack_end = if counts { stack.first_end() } else { stack.end() };
        let fiber = RunningFiber::new(stack.bottom(), stack_end, number);
        let ec = place.as_mut_ptr();
        // SAFETY: all fields of `place` are written, one by one because the caches are large: a whole would be copied once more. From
        // attach to here this thread reached no safepoint, so the collector has not looked at it.
        unsafe {
            (&raw mut (*ec).worker).write(Worker::new(mutator, watched, OfEc::new(&vm), bounds, counts));
            (&raw mut (*ec).fiber).write(fiber);
            (&raw mut (*ec).thread).write(RunningThread::new(
                ruby_thread,
                stack,
                charges,
                crate::fiber::mark_of(number),
            ));
            (&raw mut (*ec).vm).write(vm);
            place.assume_init()
        }
    }

    /// Detaches the native thread; what is left is the stack.
    pub fn detach(self: Box<Ec>) -> Stack {
        let Ec { worker: Worker { watched, mutator, .. }, thread: RunningThread { stack, .. }, .. } = *self;
        // Samples end first: their frames lie on the stack. The other fields are dropped last, when the collector does not look at
        // them any more.
        drop(watched);
        drop(mutator);
        stack
    }

    /// The VM.
    #[inline(always)]
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// A share of the VM, for a new thread.
    pub fn vm_arc(&self) -> Arc<Vm> {
        self.vm.clone()
    }

    /// The class the VM knows as `class`.
    #[inline(always)]
    pub fn class(&self, class: WellKnown) -> Value {
        self.vm().space.classes.get(class)
    }

    /// Allocates a cell with `words` payload words, uninitialised: initialise it before anything else.
    /// `hooked`: `drop_cell` is called when it dies.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn alloc_cell(&mut self, ty: Type, words: usize, class: Value, hooked: bool) -> Res {
        let size = 16 + words * 8;
        let made = if hooked {
            self.worker.mutator.alloc_hooked(size, ty as u64, class.bits())
        } else {
            self.worker.mutator.alloc(size, ty as u64, class.bits())
        };
        match made {
            Some(cell) => {
                if hooked {
                    // SAFETY: the cell was just made with `words` > 0 payload words; the hook must not see garbage.
                    unsafe { cell.as_ref().word(0).store(0, std::sync::atomic::Ordering::Relaxed) };
                }
                // SAFETY: just allocated.
                Ok(unsafe { Value::from_new_cell(cell) })
            }
            None => Err(self.no_memory()),
        }
    }

    /// Marks what the thread holds. Called by the collector while the thread is stopped.
    ///
    /// # Safety
    /// `data` is the address given to `attach`, and the world is stopped.
    pub unsafe fn trace(data: *const (), marker: &mut Marker) {
        let ec = data as *mut Ec;
        // SAFETY: the thread is stopped at a safepoint, so its fields and frames are consistent, and nobody
        // else writes them.
        unsafe {
            (*ptr::addr_of_mut!((*ec).worker)).forget_addresses();
            (*ptr::addr_of_mut!((*ec).thread)).trace(marker);
            (*ptr::addr_of!((*ec).fiber)).trace(marker);
            trace_frames((*ec).fiber.frame, marker);
        }
    }
}

/// Marks what a frame and those below it hold.
///
/// # Safety
/// The frames are active, and their thread is stopped or does not run their fiber.
pub(crate) unsafe fn trace_frames(mut frame: *mut Frame, marker: &mut Marker) {
    // SAFETY: the caller's contract.
    unsafe {
        while !frame.is_null() {
            trace_frame(&*frame, frame, marker);
            frame = (*frame).prev;
        }
    }
}

/// Marks what one frame holds.
///
/// # Safety
/// The frame is active and its thread stopped.
unsafe fn trace_frame(frame: &Frame, address: *mut Frame, marker: &mut Marker) {
    marker.mark(frame.self_val.bits());
    marker.mark(frame.method.bits());
    marker.mark(frame.cref.bits());
    marker.mark(frame.backref().bits());
    // An Env leads to the scope around it.
    let scope = frame.env().map_or_else(|| frame.plainly_around(), |env| env.0.bits());
    for word in [frame.block, scope] {
        if word & 1 == 0 {
            marker.mark(word);
        }
    }
    // SAFETY: iseq pointers in a frame belong to live Iseq cells; a frame's registers are all initialised
    // when it is pushed, but for those of compiled code that are no locals: there may be anything.
    unsafe {
        if let Some(code) = frame.block_code.as_ref() {
            marker.mark(code.value().bits());
        }
        if let Some(iseq) = frame.iseq.as_ref() {
            marker.mark(iseq.value().bits());
            let regs = Frame::regs(address);
            let registers = usize::from(iseq.code.registers);
            let written = if frame.has(frame::COMPILED) { iseq.code.locals.len() } else { registers };
            for i in 0..written {
                marker.mark((*regs.add(i)).bits());
            }
            marker.mark_range_conservative(regs.add(written) as usize, regs.add(registers) as usize);
        }
    }
}
