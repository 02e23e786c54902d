//! Messages: objects on their way from one VM to another. A message is a table of parts that belong to no heap.
//!
//! Immediates travel as they are (symbols are the process's), long Strings by a share of their bytes and long Arrays that
//! never held a reference by a share of their elements, copy-on-write, the rest structurally: identity and cycles are kept, since a part refers to another by its number. A class travels by its
//! name, an exception as a snapshot. Classes that define a Marshal form of their own are asked for it.

use std::sync::Arc;

use asterism_compiler::Code;
use asterism_heap::Charge;
use asterism_lock::Mutex;
use asterism_object::string::Parcel;
use asterism_object::{Sym, Value, array};
use asterism_symbol::Kept;
use asterism_vm::{Ec, Res};
use num_bigint::BigInt;

use super::channel::Channel;
use asterism_system::io::stream::Stream;
use asterism_system::io_buffer::memory::View;

/// A value in a message: an immediate's bits, or the number of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The same in every VM.
    Immediate(Value),
    /// `Message::parts[n]`.
    Part(u32),
}

/// What a part is; without its instance variables.
pub(super) enum Body {
    /// What could not travel and was left out: nil.
    Nothing,
    /// As in `Content`.
    Float(f64),
    Integer(BigInt),
    String(Parcel),
    Array(Vec<Word>),
    /// An Array of immediates.
    Immediates(array::Parcel),
    /// Pairs, the default value, whether keys are compared by identity.
    Hash(Vec<(Word, Word)>, Word, bool),
    /// Nothing but instance variables.
    Object,
    /// A Struct's or Data's members.
    Struct(Vec<Word>),
    /// Begin, end, exclusive.
    Range(Word, Word, bool),
    Rational(BigInt, BigInt),
    /// Real and imaginary part.
    Complex(Word, Word),
    /// Source and option bits.
    Regexp(Word, u32),
    /// A class or module, by name.
    Module,
    /// A snapshot: message, backtrace, cause. The names of its class and of those above, nearest first.
    Exception {
        ancestors: Vec<String>,
        message: Word,
        backtrace: Word,
        cause: Word,
    },
    /// The class's `marshal_dump` (true) or `_dump`, and what it gave.
    Hooked(bool, Word),
    Channel(Arc<Channel>),
    /// A Proc that refers to nothing around it; whether it is a lambda.
    Proc(Arc<Code>, bool),
    /// A Method, or without its receiver an UnboundMethod: receiver or owner, and name. Found by them where it arrives.
    Method(Word, Sym, bool),
    /// An IO object, which the sender has given up.
    Io(Arc<Stream>),
    /// The memory of an IO::Buffer, which the sender has given up; whoever unpacks the message first takes it out.
    Memory(Mutex<View>),
}

impl Body {
    /// Bytes that it takes beside its part, about.
    fn size(&self) -> usize {
        match self {
            Body::Integer(n) => integer_size(n),
            Body::String(parcel) => parcel.size(),
            Body::Array(words) | Body::Struct(words) => size_of_val(&words[..]),
            Body::Immediates(parcel) => parcel.size(),
            Body::Hash(pairs, _, _) => size_of_val(&pairs[..]),
            Body::Rational(a, b) => integer_size(a) + integer_size(b),
            Body::Exception { ancestors, .. } => ancestors.iter().map(String::len).sum(),
            _ => 0,
        }
    }
}

fn integer_size(n: &BigInt) -> usize {
    usize::try_from(n.bits() / 8).unwrap_or(usize::MAX)
}

impl Part {
    /// Bytes that it takes, about: what finds it while the message is made included.
    pub(super) fn size(&self) -> usize {
        2 * size_of::<Part>() + size_of_val(&self.ivars[..]) + self.body.size()
    }
}

impl Content {
    /// Bytes that the message takes, about; its parts apart.
    pub(super) fn size(&self) -> usize {
        let own = match self {
            Content::Integer(n) => integer_size(n),
            Content::Symbol(symbol) => symbol.size(),
            Content::String(parcel, _) => parcel.size(),
            Content::Immediates(parcel, _) => parcel.size(),
            _ => 0,
        };
        // A queue that grows has room for as many again.
        2 * size_of::<Message>() + own
    }
}

/// One object.
pub(super) struct Part {
    /// `Graph::classes[class]` is the name of its class.
    pub(super) class: u32,
    pub(super) body: Body,
    pub(super) ivars: Vec<(Sym, Word)>,
    pub(super) frozen: bool,
}

/// Objects that refer to each other. The first part is the root.
pub(super) struct Graph {
    pub(super) parts: Vec<Part>,
    /// Names of classes.
    pub(super) classes: Vec<Arc<str>>,
    /// Which parts were extended with modules, by their numbers: the modules, the last one first.
    pub(super) extended: Vec<(u32, Vec<Word>)>,
    /// Some part is a channel.
    pub(super) has_channels: bool,
    /// The symbols among the immediates that could be collected otherwise.
    pub(super) symbols: Vec<Kept>,
}

impl Graph {
    /// The modules that a part's object was extended with, the last one first.
    pub(super) fn extended_with(&self, part: u32) -> &[Word] {
        let at = self.extended.binary_search_by_key(&part, |&(n, _)| n);
        at.map_or(&[], |at| &self.extended[at].1)
    }
}

/// What a message is. The commonest have a form of their own.
pub(super) enum Content {
    Immediate(Value),
    /// A Symbol that may be collected.
    Symbol(Kept),
    /// A Float that is no flonum.
    Float(f64),
    Integer(BigInt),
    /// A String without instance variables; whether it is frozen.
    String(Parcel, bool),
    /// The same of an Array of immediates.
    Immediates(array::Parcel, bool),
    Graph(Box<Graph>),
}

/// A message, and what counts it against the limits of the VM that made it until it is unpacked.
pub struct Message(
    pub(super) Content,
    #[expect(dead_code, reason = "it counts until it is dropped")] pub(super) Charge,
);

/// Counts a message while it is made.
pub(super) struct Scale {
    /// What counts it from then on.
    pub(super) charge: Charge,
    size: usize,
}

impl Scale {
    /// Nothing yet.
    pub(super) fn new(ec: &Ec) -> Scale {
        Scale { charge: ec.new_charge(), size: 0 }
    }

    /// So much more, if it matters.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(super) fn add(&mut self, ec: &mut Ec, size: impl FnOnce() -> usize) -> Res<()> {
        if self.charge.counts() {
            self.size = self.size.saturating_add(size());
            if self.size > self.charge.bytes() {
                // With some in advance: each time it counts for all VMs above.
                ec.recharge(&mut self.charge, self.size.saturating_add(self.size / 4))?;
            }
        }
        Ok(())
    }
}

impl Message {
    /// nil, as a message.
    pub fn nil() -> Message {
        Message(Content::Immediate(Value::NIL), Charge::default())
    }
}
