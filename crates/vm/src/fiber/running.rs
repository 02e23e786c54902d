//! What an execution context has of the running fiber.

use std::sync::atomic::{Ordering, compiler_fence};

use asterism_heap::Marker;
use asterism_object::{Sym, Value};

use crate::frame::Frame;

/// What the [`Ec`](crate::Ec) has of the fiber that its Ruby thread runs: all that a switch of fibers exchanges. A fiber that does not run
/// has it in its own [`State`](super::State). What is not exchanged is the thread's ([`RunningThread`](crate::thread::RunningThread)).
///
/// It comes first in the Ec, where all code finds it at small offsets.
#[repr(C)]
pub struct RunningFiber {
    /// The current frame; never null while Ruby code runs.
    pub frame: *mut Frame,
    /// The VM stack's end: a callee whose registers would pass it needs the slow path.
    pub stack_end: *mut u64,
    /// Its object; nil until the thread has used a fiber.
    pub(crate) object: Value,
    /// Tells it from all other fibers and threads of the VM; what Mutexes are locked by.
    pub id: u64,
    /// The leaf native method under way, for backtraces; 0 if none.
    pub leaf: Value,
    /// `$!`
    pub errinfo: Value,
    /// Objects being inspected, compared or hashed, against endless recursion: an Array of `[tag, a, b]` triples, flat.
    pub recursion: Value,
    /// `throw` tags in force (an Array), innermost last.
    pub catch_tags: Value,
    /// The exception that code in C has left or handles, which is what `rb_errinfo` says; nil while `$!` is. `$!` may be another
    /// one, which Ruby code around handles, and which is no concern of code in C.
    pub foreign_errinfo: Value,
    /// Vectors of values that natives keep while they run.
    pub(crate) root_vecs: Vec<*const Vec<Value>>,
}

impl RunningFiber {
    /// The first one of a thread, whose stack begins with the frame `bottom`.
    #[inline(always)]
    pub(crate) fn new(bottom: *mut Frame, stack_end: *mut u64, id: u64) -> RunningFiber {
        RunningFiber {
            frame: bottom,
            stack_end,
            object: Value::NIL,
            id,
            leaf: Value::NULL,
            errinfo: Value::NIL,
            recursion: Value::NIL,
            catch_tags: Value::NIL,
            foreign_errinfo: Value::NIL,
            root_vecs: Vec::new(),
        }
    }

    /// Makes a frame the current one whose header is complete, as those of its callers are. A signal handler of this thread may read
    /// them at any instruction (`profile`), so the header is written first: the fence is the compiler's, no instruction.
    #[inline(always)]
    pub fn enter_frame(&mut self, frame: *mut Frame) {
        compiler_fence(Ordering::Release);
        self.frame = frame;
    }

    /// Leads the current frame away from the stack of a fiber that has ended, in front of that being freed, to the thread's bottom frame:
    /// see `enter_frame`. Another fiber's frames are entered next.
    #[inline(always)]
    pub(crate) fn leave_frames(&mut self, bottom: *mut Frame) {
        // SAFETY: the field is this thread's. Volatile, since nothing that the compiler sees reads it.
        unsafe { (&raw mut self.frame).write_volatile(bottom) };
        compiler_fence(Ordering::SeqCst);
    }

    /// The innermost frame of Ruby code, starting with the current one.
    pub fn ruby_frame(&self) -> *mut Frame {
        let mut frame = self.frame;
        // SAFETY: frames from the current one down to the bottom are active; the bottom one has no `prev`.
        unsafe {
            while (*frame).is_native() && !(*frame).prev.is_null() {
                frame = (*frame).prev;
            }
        }
        frame
    }

    /// Name of the method under way, as error messages give it.
    pub fn method_name(&self) -> Option<Sym> {
        // SAFETY: the current frame is active.
        unsafe { (*self.frame).method_name() }
    }

    /// Has it anything of what a [`Rare`] is for? `locals`: its fiber-local variables.
    #[inline(always)]
    pub(super) fn has_rare(&self, locals: Value) -> bool {
        let all = self.errinfo.bits() | self.recursion.bits() | self.catch_tags.bits() | locals.bits();
        all != Value::NIL.bits() || !self.root_vecs.is_empty()
    }

    /// Takes what another fiber has of these things; what it had itself, with its `locals`.
    pub(super) fn exchange(&mut self, locals: Value, then: Rare) -> Rare {
        let Rare { locals: _, errinfo, foreign_errinfo, recursion, catch_tags, root_vecs } = then;
        Rare {
            locals,
            errinfo: std::mem::replace(&mut self.errinfo, errinfo),
            foreign_errinfo: std::mem::replace(&mut self.foreign_errinfo, foreign_errinfo),
            recursion: std::mem::replace(&mut self.recursion, recursion),
            catch_tags: std::mem::replace(&mut self.catch_tags, catch_tags),
            root_vecs: std::mem::replace(&mut self.root_vecs, root_vecs),
        }
    }

    /// Marks what it holds but for its frames.
    ///
    /// # Safety
    /// The thread is stopped.
    pub(crate) unsafe fn trace(&self, marker: &mut Marker) {
        for v in [self.object, self.leaf, self.errinfo, self.foreign_errinfo, self.recursion, self.catch_tags] {
            marker.mark(v.bits());
        }
        // SAFETY: a native that is under way keeps each of the lists where it is, and does not change it now.
        unsafe { trace_lists(&self.root_vecs, marker) };
    }
}

/// What most fibers have nothing of, and so is exchanged only if one of two has: see [`State::rare`](super::State).
pub(crate) struct Rare {
    /// Fiber-local variables (`Thread#[]`), a Hash or nil. Those of the running fiber lie in `Slot::Locals`, where other threads find them.
    pub(super) locals: Value,
    errinfo: Value,
    foreign_errinfo: Value,
    recursion: Value,
    catch_tags: Value,
    root_vecs: Vec<*const Vec<Value>>,
}

impl Rare {
    pub(super) const NONE: Rare = Rare {
        locals: Value::NIL,
        errinfo: Value::NIL,
        foreign_errinfo: Value::NIL,
        recursion: Value::NIL,
        catch_tags: Value::NIL,
        root_vecs: Vec::new(),
    };

    /// Marks what it holds.
    ///
    /// # Safety
    /// The thread of its fiber is stopped.
    pub(super) unsafe fn trace(&self, marker: &mut Marker) {
        for v in [self.locals, self.errinfo, self.foreign_errinfo, self.recursion, self.catch_tags] {
            marker.mark(v.bits());
        }
        // SAFETY: as in `RunningFiber::trace`: the fiber's natives are suspended.
        unsafe { trace_lists(&self.root_vecs, marker) };
    }
}

/// Marks what natives keep.
///
/// # Safety
/// The lists are where they are said to be, and nobody changes them.
unsafe fn trace_lists(lists: &[*const Vec<Value>], marker: &mut Marker) {
    for &list in lists {
        // SAFETY: the caller's contract.
        for v in unsafe { &*list } {
            marker.mark(v.bits());
        }
    }
}
