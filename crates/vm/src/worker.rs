//! `Worker`: what an execution context has of the native thread.

use std::any::Any;
use std::ops::Range;
use std::sync::atomic::AtomicU32;

use asterism_heap::Mutator;
use asterism_object::Value;

use crate::cache::{ClassMatches, Entry, MethodCache};
use crate::fiber::{Machine, RED_ZONE};
use crate::frame::Frame;
use crate::gvar;
use crate::jit::OfEc;
use crate::megamorphic::MegamorphicCache;
use crate::profile::Watched;
use crate::ractor::known::Known;
use crate::stack::SpareChunks;

/// What belongs to a native thread, whichever Ruby thread it runs: a Ruby thread that went on in another native thread of the VM, from a
/// safepoint on, would leave all of this behind and find that one's.
///
/// So here is what serves the native thread itself (the mutator, machine stacks, the sampler), what may be forgotten at any time (caches,
/// memory kept for reuse), and what nobody keeps over a safepoint.
#[repr(C)]
pub struct Worker {
    /// Its view of the heap. The first field, so that nothing that the collector looks at is dropped before it; never replaced. It owns
    /// what is allocated, and says how the thread is interrupted: both go by the Ruby thread, for which they would be set anew.
    pub(crate) mutator: Box<Mutator>,
    /// The poll word, where the interpreter finds it with one load. It stays there as long as the mutator lives.
    pub(crate) poll_word: *const AtomicU32,
    /// How often native code of the running fiber has entered the interpreter's loop on the machine stack in use and not
    /// left it. Not 0 unless that stack is one of the pool. A fiber that leaves the stack takes it along (`State::machine`).
    pub(crate) depth: usize,
    /// Lowest machine stack address native code may use before SystemStackError.
    pub machine_limit: usize,
    /// Machine stack address above which what native code uses is counted, if the thread's memory is limited, else that limit.
    pub(crate) machine_counted: usize,
    /// Machine stack address below which the interpreter begins its loop anew (`Interp::deep`): the middle of the stack.
    pub(crate) loop_limit: usize,
    /// What compiled code needs.
    pub(crate) jit: OfEc,
    /// The frame whose compiled code waits for what it has called, in the innermost loop of the interpreter within compiled code
    /// (see `jit::run::interpret`), or null.
    pub(crate) awaited: *mut Frame,
    /// How many such loops there are.
    pub(crate) loops_within: u32,
    /// The address of what the innermost call of a function in C is left by, which lies on the machine stack in use; 0 outside
    /// of C. Whoever goes back into C sets it to what it was, so that each machine stack has its own.
    pub c_record: usize,
    /// How often a site's cache of an instance variable's slot held another shape.
    pub(crate) slot_misses: u32,
    /// What the frame that the interpreter's loop was entered with has returned; between a handler and the loop only.
    pub(crate) returned: Value,
    /// The machine stack in use.
    pub(crate) machine: Box<Machine>,
    /// Machine stacks without native frames, the one used last at the end. Boxed: a switch saves the stack pointer by address.
    #[expect(clippy::vec_box)]
    pub(crate) idle: Vec<Box<Machine>>,
    /// First chunks of fibers that have ended, for those to come.
    pub(crate) spare_chunks: SpareChunks,
    /// Ids for fibers to come.
    pub(crate) fiber_ids: Range<u64>,
    /// Ends the samples that are taken of the native thread, before what they are taken of goes.
    pub(crate) watched: Watched,
    /// Recently looked up methods.
    pub methods: MethodCache,
    /// What call sites with many classes of receivers found.
    pub(crate) megamorphic: MegamorphicCache<Entry>,
    /// The memory of searches with regexps, which the next search uses again.
    pub searches: Option<Box<dyn Any>>,
    /// The serials of the methods of String and of Array with which it was found that their objects have no Marshal form of
    /// their own; 0: none. A serial never comes again.
    pub unhooked: [u64; 2],
    /// Recent answers of classes.
    pub(crate) class_matches: ClassMatches,
    /// The global variables used last.
    pub gvars: gvar::Cache,
    /// Objects that were found to be shareable.
    pub(crate) shareable: Known,
}

impl Worker {
    /// That of the calling native thread, whose machine stack lies between two addresses, and counts if its memory is limited.
    #[inline(always)]
    pub(crate) fn new(
        mutator: Box<Mutator>,
        watched: Watched,
        jit: OfEc,
        (low, high): (usize, usize),
        counts: bool,
    ) -> Worker {
        let machine = Machine::of_thread(low, high, counts);
        Worker {
            poll_word: mutator.poll_word(),
            mutator,
            depth: 0,
            machine_limit: low + RED_ZONE,
            machine_counted: machine.counted,
            loop_limit: low + (high - low) / 2,
            jit,
            awaited: std::ptr::null_mut(),
            loops_within: 0,
            c_record: 0,
            slot_misses: 0,
            returned: Value::NIL,
            machine: Box::new(machine),
            idle: Vec::new(),
            spare_chunks: SpareChunks::default(),
            fiber_ids: 0..0,
            watched,
            methods: MethodCache::new(),
            megamorphic: MegamorphicCache::default(),
            searches: None,
            unhooked: [0; 2],
            class_matches: ClassMatches::default(),
            gvars: gvar::Cache::new(),
            shareable: Known::new(),
        }
    }

    /// Bytes of machine stack left above the limit.
    pub(crate) fn stack_left(&self) -> usize {
        let here = 0u8;
        (std::ptr::from_ref(&here) as usize).saturating_sub(self.machine_limit)
    }

    /// Forgets what is known of objects by their addresses: the collector frees some. Called by it while the thread is stopped.
    pub(crate) fn forget_addresses(&mut self) {
        self.methods.clear();
        self.megamorphic.clear();
        self.shareable.clear();
    }
}
