//! Where compiled code finds things, in bytes.

use asterism_object::space::WellKnown;

pub use super::of_ec::{DICE_FACTOR, DICE_STEP};
use crate::interp::calls::blocks::{PROC_CALL, PROC_SPREAD};
use crate::interp::calls::{NEW_BOUND, NEW_OBJECT, NEW_STRUCT, plain};

/// Of an `Ec`.
pub mod ec {
    use std::mem::offset_of;
    use std::sync::Arc;

    use asterism_heap::Mutator;

    use crate::ec::Ec;
    use crate::fiber::RunningFiber;
    use crate::jit::OfEc;
    use crate::ractor::Ractor;
    use crate::thread::RunningThread;
    use crate::worker::Worker;

    const fn of_fiber(offset: usize) -> i32 {
        (offset_of!(Ec, fiber) + offset) as i32
    }

    const fn of_worker(offset: usize) -> i32 {
        (offset_of!(Ec, worker) + offset) as i32
    }

    const fn of_jit(offset: usize) -> i32 {
        of_worker(offset_of!(Worker, jit) + offset)
    }

    /// The mutator's address.
    pub const MUTATOR: i32 = Ec::MUTATOR as i32;
    /// The current frame.
    pub const FRAME: i32 = of_fiber(offset_of!(RunningFiber, frame));
    /// The VM stack's end.
    pub const STACK_END: i32 = of_fiber(offset_of!(RunningFiber, stack_end));
    /// The poll word's address.
    pub const POLL_WORD: i32 = of_worker(offset_of!(Worker, poll_word));
    /// The lowest address native code may use.
    pub const MACHINE_LIMIT: i32 = of_worker(offset_of!(Worker, machine_limit));
    /// The gate's address.
    pub const GATE: i32 = of_jit(offset_of!(OfEc, gate));
    /// When the innermost compiled code was entered, by the gate's epoch.
    pub const ENTERED: i32 = of_jit(offset_of!(OfEc, entered));
    /// The address of what is known of redefined operators.
    pub const BASIC_OPS: i32 = of_jit(offset_of!(OfEc, basic_ops));
    /// The address of the serial of the constants.
    pub const CONST_SERIAL: i32 = of_jit(offset_of!(OfEc, const_serial));
    /// The Ractor that the thread is in; 0 in the main one.
    pub const RACTOR: i32 = {
        assert!(size_of::<Option<Arc<Ractor>>>() == size_of::<usize>());
        (offset_of!(Ec, thread) + offset_of!(RunningThread, ractor)) as i32
    };
    /// The state of random numbers in tests, 32 bits.
    pub const DICE: i32 = of_jit(offset_of!(OfEc, dice));
    /// The address of the table of classes.
    pub const CLASSES: i32 = of_jit(offset_of!(OfEc, classes));
    /// The answers to what is an instance of what.
    pub const CLASS_MATCHES: i32 = of_worker(offset_of!(Worker, class_matches));
    /// In the mutator: what headers of the thread's own objects are compared with.
    pub const OWNER_BITS: i32 = Mutator::OWNER_BITS as i32;
}

/// Of what is known of instances: a table of answers in the Ec.
pub mod class_matches {
    use std::mem::{offset_of, size_of};

    use crate::cache::{self, Answer};

    /// Which of them it is, see `Answer::index`.
    pub const SPREAD: u64 = cache::SPREAD;
    /// See `SPREAD`.
    pub const ASKED_BITS: u32 = cache::ASKED_BITS;
    /// See `SPREAD`.
    pub const SPREAD_BITS: u32 = cache::SPREAD_BITS;
    /// Bytes of an answer.
    pub const BYTES: usize = size_of::<Answer>();
    /// In an answer: the serial of the object's class.
    pub const OF: i32 = offset_of!(Answer, of) as i32;
    /// That of the class that is asked.
    pub const ASKED: i32 = offset_of!(Answer, asked) as i32;
    /// That of its class.
    pub const META: i32 = offset_of!(Answer, meta) as i32;
    /// A byte: 0 is no, 1 is yes.
    pub const ANSWER: i32 = offset_of!(Answer, answer) as i32;
    // SAFETY: a bool and what is none of it fit a byte, of which the bools are 0 and 1.
    const _: () = unsafe {
        assert!(size_of::<Option<bool>>() == 1);
        assert!(std::mem::transmute::<Option<bool>, u8>(Some(false)) == 0);
        assert!(std::mem::transmute::<Option<bool>, u8>(Some(true)) == 1);
    };
}

/// Of a `Gate`.
pub mod gate {
    use crate::jit::Gate;

    /// The word that is compared with.
    pub const WORD: i32 = Gate::WORD as i32;
    /// The epoch.
    pub const EPOCH: i32 = Gate::EPOCH as i32;
    /// What the word is while code may run that tells no frames, and while code may run that does.
    pub const PLAIN: u32 = Gate::PLAIN;
    /// See `PLAIN`.
    pub const TELLING: u32 = Gate::TELLING;
}

/// Of a `Frame`.
pub mod frame {
    use std::mem::offset_of;

    use crate::frame::{Cont, Frame};

    /// The caller's frame.
    pub const PREV: i32 = offset_of!(Frame, prev) as i32;
    /// The pc.
    pub const PC: i32 = offset_of!(Frame, pc) as i32;
    /// The code.
    pub const ISEQ: i32 = offset_of!(Frame, iseq) as i32;
    /// `self`
    pub const SELF: i32 = offset_of!(Frame, self_val) as i32;
    /// The method.
    pub const METHOD: i32 = offset_of!(Frame, method) as i32;
    /// The block.
    pub const BLOCK: i32 = offset_of!(Frame, block) as i32;
    /// The nesting.
    pub const CREF: i32 = offset_of!(Frame, cref) as i32;
    /// The scope.
    pub const SCOPE: i32 = Frame::SCOPE as i32;
    /// The code of the literal block of the call under way.
    pub const BLOCK_CODE: i32 = offset_of!(Frame, block_code) as i32;
    /// The state.
    pub const STATE: i32 = offset_of!(Frame, state) as i32;
    /// The registers.
    pub const REGS: i32 = size_of::<Frame>() as i32;
    /// The state of a method's frame that stores its value in register 0 of compiled code.
    pub const CALLED: u64 = crate::frame::state(0, Cont::Store, crate::frame::COMPILED);
    /// The same of a block's.
    pub const YIELDED: u64 = CALLED | crate::frame::BLOCK;
    /// The same of a method's that is made of a block.
    pub const BLOCK_METHOD: u64 = YIELDED | crate::frame::LAMBDA | crate::frame::BMETHOD;
    /// What both have besides where the frame's code is part of its caller's.
    pub const IN_PLACE: u64 = crate::frame::IN_PLACE;
    /// The bits that say what becomes of the value.
    pub const HOW: u64 = crate::frame::HOW & !crate::frame::COMPILED;
    /// Of those, a frame that returns `self`.
    pub const SELF_VALUE: u64 = crate::frame::state(0, Cont::SelfValue, 0);
    /// What is added to those bits so that they are less than `JUMPS`, without a sign, if the frame's value is one that its caller
    /// jumps by, or stores the opposite of.
    pub const FIRST_JUMP: i64 = -(crate::frame::state(0, Cont::JumpIf, 0) as i64);
    /// See `FIRST_JUMP`.
    pub const JUMPS: i64 = 3 << 16;
    const _: () =
        assert!(Cont::JumpUnless as u8 == Cont::JumpIf as u8 + 1 && Cont::StoreNot as u8 == Cont::JumpIf as u8 + 2);
    /// It is a lambda's.
    pub const LAMBDA: u64 = crate::frame::LAMBDA;
    /// The locals are in the heap.
    pub const CAPTURED: u64 = crate::frame::CAPTURED;
}

/// Of an `Iseq`.
pub mod iseq {
    use std::mem::offset_of;

    use crate::iseq::Iseq;
    use crate::jit::OfIseq;
    use crate::jit::site_words::{Additions, Shapes};

    /// The address of the part `Entry`.
    pub const NATIVE: i32 = (offset_of!(Iseq, jit) + offset_of!(OfIseq, native)) as i32;
    // What calls read of it is one cache line.
    const _: () = assert!(NATIVE as usize + size_of::<usize>() == 64 && size_of::<Iseq>() == 7 * 64);
    /// The address of the code that all VMs share.
    pub const CODE: i32 = offset_of!(Iseq, code_at) as i32;
    /// Bytes of a frame, 32 bits.
    pub const FRAME_BYTES: i32 = Iseq::FRAME_BYTES as i32;
    /// `Iseq::simple`, 32 bits.
    pub const SIMPLE: i32 = offset_of!(Iseq, simple) as i32;
    /// `Iseq::plain`, 32 bits.
    pub const PLAIN: i32 = Iseq::PLAIN as i32;
    /// `Iseq::taken`, bytes.
    pub const TAKEN: i32 = Iseq::TAKEN as i32;
    /// The address of the call caches.
    pub const SITES: i32 = offset_of!(Iseq, sites_at) as i32;
    /// The address of the caches of instance variables.
    pub const IVARS: i32 = offset_of!(Iseq, ivars_at) as i32;
    /// The address of the caches of attributes.
    pub const ATTRS: i32 = offset_of!(Iseq, attr_caches) as i32;
    /// The address of the literals.
    pub const LITERALS: i32 = offset_of!(Iseq, literals_at) as i32;
    /// The address of the caches of constants.
    pub const CONSTS: i32 = offset_of!(Iseq, consts_at) as i32;
    /// Where the shapes lie that its sites of instance variables have met besides what their caches say, or 0.
    pub const IVAR_SHAPES: i32 = (offset_of!(Iseq, jit) + offset_of!(OfIseq, ivars) + Shapes::WORDS) as i32;
    /// The same of attributes.
    pub const ATTR_SHAPES: i32 = (offset_of!(Iseq, jit) + offset_of!(OfIseq, attrs) + Shapes::WORDS) as i32;
    /// Where the address of what its call sites add to objects lies.
    pub const ADDITIONS: i32 = (offset_of!(Iseq, jit) + offset_of!(OfIseq, additions) + Additions::WORDS) as i32;
    /// The address of the children.
    pub const CHILDREN: i32 = offset_of!(Iseq, children_at) as i32;
}

/// Of a Proc.
pub mod proc {
    use crate::block::word;

    const fn at(word: usize) -> i32 {
        super::cell::PAYLOAD + 8 * word as i32
    }

    /// The cell of its code, if it is written in Ruby.
    pub const CODE: i32 = at(word::CODE);
    /// The scope around it.
    pub const ENV: i32 = at(word::ENV);
    /// `self`
    pub const SELF: i32 = at(word::SELF);
    /// The block around it.
    pub const BLOCK: i32 = at(word::BLOCK);
    /// The method around it.
    pub const METHOD: i32 = at(word::METHOD);
    /// The nesting.
    pub const CREF: i32 = at(word::CREF);
    /// What it is like.
    pub const FLAGS: i32 = at(word::FLAGS);
    /// The flag of a lambda.
    pub const LAMBDA: u64 = crate::block::LAMBDA;
    const _: () = assert!(LAMBDA == 1);
}

/// Of cells.
pub mod cell {
    use asterism_object::class::Class;

    /// The class.
    pub const CLASS: i32 = 8;
    /// The payload.
    pub const PAYLOAD: i32 = 16;
    /// A class's flags.
    pub const CLASS_FLAGS: i32 = 16 + 8 * Class::FLAGS_WORD as i32;
    /// The flag of a class that inherits from BasicObject and not from Object.
    pub const BLANK: u64 = asterism_object::class::BLANK;
    /// A class's serial.
    pub const SERIAL: i32 = 16 + 8 * Class::SERIAL_WORD as i32;
    /// The class or module that a method is in; the include class if the module is in the receiver's chain more than once.
    pub const METHOD_OWNER: i32 = 16 + 8 * crate::method::OWNER_WORD as i32;
    /// A method's nesting.
    pub const METHOD_CREF: i32 = 16 + 8 * crate::method::CREF_WORD as i32;
    /// What a method does: its low byte says of which kind that is.
    pub const METHOD_META: i32 = 16 + 8 * crate::method::META_WORD as i32;
    /// Of a method written in Ruby: the cell of its code, whose payload is the code's address. Of one made of a block: the Proc.
    pub const METHOD_BODY: i32 = 16 + 8 * crate::method::RawMethod::BODY as i32;
    /// In a nesting: the refinements in force, or nil.
    pub const CREF_REFINEMENTS: i32 = 16 + 8 * crate::consts::REFINEMENTS_WORD as i32;
    /// Where the first entry of an inline cache lies.
    pub const CACHE_FIRST: i32 = 16 + 8 * crate::cache::ENTRIES as i32;
    /// In the cache of a constant: the serial of the constants.
    pub const CONST_SERIAL: i32 = 16 + 8;
    /// The value.
    pub const CONST_VALUE: i32 = 16 + 2 * 8;
    /// The nesting that it was seen from.
    pub const CONST_CREF: i32 = 16 + 3 * 8;
    /// In an entry: the serial.
    pub const ENTRY_SERIAL: i32 = 0;
    /// The method.
    pub const ENTRY_METHOD: i32 = 8;
    /// Bytes of an entry.
    pub const ENTRY_BYTES: i32 = 8 * crate::cache::ENTRY_WORDS as i32;
    /// In an inline cache: the byte that says how many entries there are.
    pub const CACHE_COUNT: i32 = 16;
    /// The defined class; at a `super` the method that calls.
    pub const ENTRY_DEFINED: i32 = 16;
    /// The kind.
    pub const ENTRY_KIND: i32 = 24;
    /// The target.
    pub const ENTRY_TARGET: i32 = 32;
}

/// Shapes that a site remembers besides the one in its cache.
pub const SHAPES: usize = super::site_words::MOST;

/// The bits of an ivar cache that are the slot.
pub const SLOT_BITS: u32 = !(crate::iseq::ADDS as u32);
/// Slots below are in the object's own cell; their number is that of a payload word.
pub const INLINE_SLOTS: u32 = 1 << 30;
/// The shape in a header.
pub const SHAPE_MASK: u64 = asterism_heap::header::SHAPE_MASK;
/// The bits of a header that say who may write to an object, and of which shape and type it is.
pub const WRITABLE_MASK: u64 =
    SHAPE_MASK | asterism_heap::header::WRITER_MASK | asterism_heap::header::FROZEN | asterism_heap::header::TYPE_MASK;

/// The bits of an Array's header that are compared with the owner's before an element is stored.
pub const ARRAY_OWN_MASK: u64 = asterism_object::array::OWN_MASK;
/// The bit of an Array's header without which no reference may be stored so.
pub const ARRAY_HOLDS: u64 = asterism_object::array::HOLDS_REFERENCES;
/// Where the body inside an Array begins.
pub const ARRAY_INLINE: i32 = cell::PAYLOAD + 8 * asterism_object::array::INLINE_WORD as i32;
/// Where an Array's header says how many pairs of slots that has, without the first one, and the mask of that. Another body has its number of
/// slots in front of it, as a fixnum.
pub const ARRAY_PAIRS: (u32, u64) = asterism_object::array::PAIRS;

/// Where in the table of classes `class` lies.
pub const fn class(class: WellKnown) -> i32 {
    8 * class as i32
}

/// Of what is known of redefined operators.
pub mod basic_ops {
    use crate::basic_ops::{BasicOp, BasicOps, Classes};

    /// The word of `!`, 32 bits.
    pub const NOT: i32 = BasicOps::word(BasicOp::NOT) as i32;
    /// The word of `nil?`.
    pub const NIL_P: i32 = BasicOps::word(BasicOp::NIL_P) as i32;
    /// The word of `to_s`.
    pub const TO_S: i32 = BasicOps::word(BasicOp::TO_S) as i32;
    /// The bits of a word one of which is set if any class has such a method of its own.
    pub const ANY: u32 = Classes::ANY.bits();
    /// The same without that of what inherits from BasicObject alone.
    pub const NOT_BLANK: u32 = Classes::NOT_BLANK.bits();
    /// The bits of Integer and Symbol.
    pub const INTEGER_OR_SYMBOL: u32 = Classes::INTEGER.and(Classes::SYMBOL).bits();
}

/// The kind of calls of Ruby code, without or with a literal block.
pub fn kind_of_ruby(with_block: bool) -> usize {
    std::ptr::from_ref(if with_block { plain::RUBY_BLOCK } else { plain::RUBY }) as usize
}

/// The kind of calls of Ruby code of a protected method.
pub fn kind_of_protected_ruby() -> usize {
    std::ptr::from_ref(plain::PROTECTED_RUBY) as usize
}

/// The kind of calls of protected attribute readers.
pub fn kind_of_protected_reader() -> usize {
    std::ptr::from_ref(plain::PROTECTED_READER) as usize
}

/// The kind of calls of Ruby code with arguments as they are written.
pub fn kind_of_bound() -> usize {
    std::ptr::from_ref(plain::BOUND) as usize
}

/// The kind of calls of Ruby code with an Array of arguments.
pub fn kind_of_spread() -> usize {
    std::ptr::from_ref(plain::SPREAD) as usize
}

/// The kind of calls of methods made of blocks.
pub fn kind_of_block_method() -> usize {
    std::ptr::from_ref(plain::BLOCK_METHOD) as usize
}

/// The kind of calls of native methods without a frame.
pub fn kind_of_leaf() -> usize {
    std::ptr::from_ref(plain::LEAF) as usize
}

/// The kind of calls of native methods with a frame.
pub fn kind_of_native() -> usize {
    std::ptr::from_ref(plain::NATIVE) as usize
}

/// The kind of calls of `Class#new` that make a plain object.
pub fn kind_of_new() -> usize {
    std::ptr::from_ref(NEW_OBJECT) as usize
}

/// The same, whose `initialize` gets the arguments as they are written.
pub fn kind_of_new_bound() -> usize {
    std::ptr::from_ref(NEW_BOUND) as usize
}

/// The kind of calls of `Proc#call`.
pub fn kind_of_proc_call() -> usize {
    std::ptr::from_ref(PROC_CALL) as usize
}

/// The kind of calls of `Proc#call` with an Array of arguments.
pub fn kind_of_proc_spread() -> usize {
    std::ptr::from_ref(PROC_SPREAD) as usize
}

/// The kind of calls of `Class#new` that make a Struct.
pub fn kind_of_new_struct() -> usize {
    std::ptr::from_ref(NEW_STRUCT) as usize
}

/// The kind of calls of attribute readers.
pub fn kind_of_reader() -> usize {
    std::ptr::from_ref(plain::READER) as usize
}

/// The kind of calls of attribute writers.
pub fn kind_of_writer() -> usize {
    std::ptr::from_ref(plain::WRITER) as usize
}
