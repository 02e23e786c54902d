//! `Ec`, the execution context: what one native thread needs to run Ruby code. It is passed as an
//! argument and never fetched from a global.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering, compiler_fence};

use asterism_compiler::code::Code;
use asterism_heap::{Marker, Mutator};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value};

use crate::cache::{ClassMatches, Entry, MethodCache};
use crate::fiber::{Machine, Mail, Pinned, RED_ZONE};
use crate::frame::{self, Frame};
use crate::interp::trace::Tracing;
use crate::megamorphic::MegamorphicCache;
pub use crate::pending::Pending;
use crate::profile::Watched;
use crate::ractor::Ractor;
use crate::ractor::known::Known;
pub use crate::raised::{Raised, Res};
use crate::stack::{SpareChunks, Stack};
use crate::thread::RubyThread;
use crate::vm::Vm;

/// The execution context of one native thread.
#[repr(C)]
pub struct Ec {
    /// The thread's view of the heap. First, and never replaced.
    mutator: Box<Mutator>,
    /// The current frame; never null while Ruby code runs.
    pub frame: *mut Frame,
    /// The VM stack's end: a callee whose registers would pass it needs the slow path.
    pub stack_end: *mut u64,
    /// The thread's poll word, where the interpreter finds it with one load. It stays there as long as the mutator lives.
    pub(crate) poll_word: *const AtomicU32,
    /// Ends the samples that are taken of the thread, before what they are taken of goes.
    watched: Watched,
    /// The thread's VM stack.
    pub stack: Stack,
    /// How often native code of the running fiber has entered the interpreter's loop on the machine stack in use and not
    /// left it. Not 0 unless that stack is one of the pool.
    pub(crate) depth: usize,
    /// The running fiber; nil until the thread has used one.
    pub(crate) fiber: Value,
    /// The thread's first fiber; nil until then.
    pub(crate) root_fiber: Value,
    /// Tells the running fiber from all other fibers and threads of the VM; what Mutexes are locked by.
    pub fiber_id: u64,
    /// Counts uses of constants that are not to be remembered where they are used: what was looked up meanwhile is not.
    pub(crate) uncached_constants: u64,
    /// The fiber that runs the handler of a signal; 0 while none does.
    pub(crate) trap_fiber: u64,
    /// What the word of a fiber of this thread has of that.
    pub(crate) fiber_mark: u64,
    /// Ids for fibers to come.
    pub(crate) fiber_ids: std::ops::Range<u64>,
    /// The machine stack in use.
    pub(crate) machine: Box<Machine>,
    /// First chunks of fibers that have ended, for those to come.
    pub(crate) spare_chunks: SpareChunks,
    /// How often a site's cache of an instance variable's slot held another shape.
    pub(crate) slot_misses: u32,
    /// Machine stacks without native frames, the one used last at the end. Boxed: a switch saves the stack pointer by address.
    #[expect(clippy::vec_box)]
    pub(crate) idle: Vec<Box<Machine>>,
    /// What the fiber that is being switched to finds.
    pub(crate) mail: Mail,
    vm: Arc<Vm>,
    /// What unwinds, while an `Err(Raised)` is on its way.
    pub pending: Pending,
    /// `$!`
    pub errinfo: Value,
    /// The Thread object.
    pub thread: Value,
    /// The Ruby thread that runs.
    pub ruby_thread: Arc<RubyThread>,
    /// Mutexes the thread holds, for the case that it ends without unlocking them.
    pub held: Vec<Value>,
    /// The leaf native method under way, for backtraces; 0 if none.
    pub leaf: Value,
    /// The code whose literals are being made, for who wants to know where objects come from.
    pub(crate) making_literals_of: Option<Arc<Code>>,
    /// Recently looked up methods.
    pub methods: MethodCache,
    /// What call sites with many classes of receivers found.
    pub(crate) megamorphic: MegamorphicCache<Entry>,
    /// Recent answers of classes.
    pub(crate) class_matches: ClassMatches,
    /// Lowest machine stack address native code may use before SystemStackError.
    pub machine_limit: usize,
    /// Machine stack address below which the interpreter begins its loop anew (`Interp::deep`): the middle of the stack.
    pub(crate) loop_limit: usize,
    /// Objects being inspected, compared or hashed, against endless recursion: an Array of `[tag, a, b]` triples, flat.
    pub recursion: Value,
    /// The frozen object that an error message is being made of; 0 if none is.
    pub(crate) telling_frozen: Value,
    /// `$_`
    pub last_line: Value,
    /// `$?`
    pub last_status: Value,
    /// Values natives keep while they run; see `RootVec`.
    pub(crate) root_vecs: Vec<*const Vec<Value>>,
    /// Fibers of the thread with native frames.
    pub(crate) pinned: Pinned,
    /// `throw` tags in force (an Array), innermost last.
    pub catch_tags: Value,
    /// How the call was written that `method_missing` runs for, for the error of the core's own.
    pub missing_kind: crate::call::CallKind,
    /// The serials of the methods of String and of Array with which this thread found their objects to have no Marshal form of
    /// their own; 0: none. A serial never comes again.
    pub unhooked: [u64; 2],
    /// The memory of searches with regexps, which the thread's next search uses again.
    pub searches: Option<Box<dyn std::any::Any>>,
    /// What the frame that the interpreter's loop was entered with has returned; between a handler and the loop only.
    pub(crate) returned: Value,
    /// Who is told of what the thread does, if anybody is. Boxed: hardly ever is one.
    pub(crate) tracing: Option<Box<Tracing>>,
    /// What compiled code needs of the thread.
    pub(crate) jit: crate::jit::OfEc,
    /// The global variables this Ec used last.
    pub gvars: crate::gvar::Cache,
    /// What the thread knows of functions of C extensions that are under way.
    pub foreign: crate::foreign::Foreign,
    /// The Ractor that the thread is in, unless that is the main one.
    pub ractor: Option<Arc<Ractor>>,
    /// What the thread has of the detector of races, while one is on.
    pub(crate) races: Option<Box<crate::races::OfThread>>,
    /// Until what processor time of the thread what was raised into it waits for an `ensure` clause, if it does.
    pub(crate) put_off: Option<std::time::Duration>,
    /// Accesses are noted: the interpreter's loop uses the handlers that do so.
    pub(crate) notes_races: bool,
    /// They are to be from the VM's second thread on, so whatever may make one returns to the interpreter's loop.
    pub(crate) awaits_threads: bool,
    /// Objects that this thread found to be shareable.
    pub(crate) shareable: Known,
}

impl Deref for Ec {
    type Target = Mutator;
    #[inline(always)]
    fn deref(&self) -> &Mutator {
        &self.mutator
    }
}

impl DerefMut for Ec {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Mutator {
        &mut self.mutator
    }
}

impl Ec {
    /// Where the address of the mutator lies in it, in bytes, for compiled code.
    pub(crate) const MUTATOR: usize = std::mem::offset_of!(Ec, mutator);

    /// Attaches the current native thread to `vm`, to run `ruby_thread` on `stack`.
    pub fn new(vm: Arc<Vm>, ruby_thread: Arc<RubyThread>, stack: Stack) -> Box<Ec> {
        Self::new_on(vm, ruby_thread, stack, asterism_heap::stack_bounds())
    }

    /// As `new` for who knows where the native thread's machine stack lies, which takes system calls to find out.
    pub(crate) fn new_on(
        vm: Arc<Vm>,
        ruby_thread: Arc<RubyThread>,
        mut stack: Stack,
        (low, high): (usize, usize),
    ) -> Box<Ec> {
        let mut place: Box<MaybeUninit<Ec>> = Box::new_uninit();
        let mut mutator = vm.heap().attach_on(place.as_mut_ptr() as *const (), high);
        mutator.set_lane_number(ruby_thread.number);
        let frame = stack.bottom();
        let stack_end = stack.end();
        // From attach to here this thread reached no safepoint, so the collector has not looked at `place`.
        place.write(Ec {
            jit: crate::jit::OfEc::new(&vm),
            poll_word: mutator.poll_word(),
            mutator,
            watched: Watched::new(vm.profiler.clone(), ruby_thread.number),
            frame,
            stack_end,
            stack,
            depth: 0,
            fiber: Value::NIL,
            root_fiber: Value::NIL,
            fiber_id: ruby_thread.number,
            uncached_constants: 0,
            trap_fiber: 0,
            fiber_mark: crate::fiber::mark_of(ruby_thread.number),
            fiber_ids: 0..0,
            machine: Box::new(Machine::of_thread(low, high)),
            spare_chunks: SpareChunks::default(),
            slot_misses: 0,
            idle: Vec::new(),
            mail: Mail::Value,
            vm,
            pending: Pending::Nothing,
            errinfo: Value::NIL,
            thread: ruby_thread.object(),
            ractor: ruby_thread.ractor().cloned(),
            ruby_thread,
            held: Vec::new(),
            leaf: Value::NULL,
            making_literals_of: None,
            methods: MethodCache::new(),
            megamorphic: MegamorphicCache::default(),
            class_matches: ClassMatches::default(),
            machine_limit: low + RED_ZONE,
            loop_limit: low + (high - low) / 2,
            recursion: Value::NIL,
            telling_frozen: Value::NULL,
            last_line: Value::NIL,
            last_status: Value::NIL,
            root_vecs: Vec::new(),
            pinned: Pinned::default(),
            catch_tags: Value::NIL,
            missing_kind: crate::call::CallKind::Public,
            unhooked: [0; 2],
            searches: None,
            returned: Value::NIL,
            tracing: None,
            gvars: crate::gvar::Cache::new(),
            foreign: crate::foreign::Foreign::default(),
            races: None,
            notes_races: false,
            awaits_threads: false,
            put_off: None,
            shareable: Known::new(),
        });
        // SAFETY: written just above.
        unsafe { place.assume_init() }
    }

    /// Detaches the native thread; what is left is the stack.
    pub fn detach(self: Box<Ec>) -> Stack {
        // The other fields, the mutator first, are dropped here. Samples end before that: their frames lie on the stack.
        let Ec { stack, watched, .. } = *self;
        drop(watched);
        stack
    }

    /// The VM. It outlives the Ec, which holds a share of it; do not keep the reference beyond.
    #[inline(always)]
    pub fn vm<'a>(&self) -> &'a Vm {
        // SAFETY: the Arc lives as long as the Ec, and callers use the reference only while they have the Ec.
        unsafe { &*Arc::as_ptr(&self.vm) }
    }

    /// Makes a frame the current one whose header is complete, as those of its callers are. A signal handler of this thread may read
    /// them at any instruction (`profile`), so the header is written first: the fence is the compiler's, no instruction.
    #[inline(always)]
    pub fn enter_frame(&mut self, frame: *mut Frame) {
        compiler_fence(Ordering::Release);
        self.frame = frame;
    }

    /// Leads the current frame away from the stack of a fiber that has ended, in front of that being freed: see `enter_frame`. Another
    /// fiber's frames are entered next.
    #[inline(always)]
    pub(crate) fn leave_frames(&mut self) {
        let bottom = self.stack.bottom();
        // SAFETY: the field is this thread's. Volatile, since nothing that the compiler sees reads it.
        unsafe { (&raw mut self.frame).write_volatile(bottom) };
        compiler_fence(Ordering::SeqCst);
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
            self.mutator.alloc_hooked(size, ty as u64, class.bits())
        } else {
            self.mutator.alloc(size, ty as u64, class.bits())
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
    pub fn current_method_name(&self) -> Option<Sym> {
        // SAFETY: the current frame is active.
        unsafe { (*self.frame).method_name() }
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
            for v in [
                (*ec).errinfo,
                (*ec).thread,
                (*ec).leaf,
                (*ec).recursion,
                (*ec).telling_frozen,
                (*ec).last_line,
                (*ec).last_status,
                (*ec).catch_tags,
                (*ec).fiber,
                (*ec).root_fiber,
            ] {
                marker.mark(v.bits());
            }
            for v in &*ptr::addr_of!((*ec).held) {
                marker.mark(v.bits());
            }
            (*ptr::addr_of!((*ec).pending)).trace(marker);
            (*ptr::addr_of!((*ec).foreign)).trace(marker);
            (*ptr::addr_of_mut!((*ec).methods)).clear();
            (*ptr::addr_of_mut!((*ec).megamorphic)).clear();
            (*ptr::addr_of_mut!((*ec).shareable)).clear();
            if let Some(races) = &mut *ptr::addr_of_mut!((*ec).races) {
                races.forget_addresses();
            }
            for list in &*ptr::addr_of!((*ec).root_vecs) {
                for v in &**list {
                    marker.mark(v.bits());
                }
            }
            if let Some(tracing) = &*ptr::addr_of!((*ec).tracing) {
                tracing.trace(marker);
            }
            trace_frames((*ec).frame, marker);
            (*ptr::addr_of!((*ec).pinned)).trace(marker);
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
