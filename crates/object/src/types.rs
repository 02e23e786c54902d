//! The layout types of heap cells: the low byte of the header.

use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Stores};

macro_rules! types {
    ($($(#[doc = $doc:literal])+ $name:ident,)*) => {
        /// What a cell's payload is. It says nothing about the Ruby class: an instance of a subclass
        /// of String is a `String`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Type {
            /// A free cell.
            Free = 0,
            $($(#[doc = $doc])+ $name,)*
        }
        /// All of them.
        /// All of them.
        pub const ALL: [Type; [$(Type::$name),*].len()] = [$(Type::$name),*];
        const COUNT: u8 = ALL.len() as u8;
    };
}

types! {
    /// An object with nothing but instance variables.
    Object,
    /// A class.
    Class,
    /// A module.
    Module,
    /// A module's place in an ancestor chain.
    IncludeClass,
    /// A Float that is no flonum.
    Float,
    /// An Integer beyond fixnum.
    BigInt,
    /// A Rational.
    Rational,
    /// A Complex.
    Complex,
    /// A String.
    String,
    /// The bytes of a String, in the heap.
    Bytes,
    /// A reference to a counted buffer outside all heaps.
    Buffer,
    /// An Array.
    Array,
    /// The elements of an Array.
    ArrayStore,
    /// A Hash.
    Hash,
    /// The entries of a Hash.
    HashTable,
    /// A Range.
    Range,
    /// A Proc.
    Proc,
    /// A scope's locals that left the VM stack.
    Env,
    /// A Struct or Data instance: like an Array of fixed length.
    Struct,
    /// Instance variables that do not fit the object, or belong to one without room.
    IvarStore,
    /// A method as found in a method table.
    Method,
    /// A method, constant or other table keyed by symbol.
    SymbolTable,
    /// What one call, ivar or constant site remembers.
    InlineCache,
    /// Code in one VM: caches and literals.
    Iseq,
    /// A lexical class nesting.
    Cref,
    /// What unwinds the stack when it is no exception.
    Unwind,
    /// A native object: see `data`.
    Data,
    /// A Symbol-keyed companion of a class: its instance variables.
    ClassIvars,
}

/// How a minor collection knows of the references stored in cells of a type. Every store is covered by what stands here:
/// a new type needs an entry, and a new place that stores in cells of a type keeps to the entry that it has.
const fn stores(t: Type) -> Stores {
    match t {
        // Filled before the first safepoint, and never changed.
        Type::Free | Type::Float | Type::BigInt | Type::Rational | Type::Complex | Type::Bytes | Type::Buffer => {
            Stores::None
        }
        Type::Method | Type::InlineCache | Type::Cref | Type::Unwind => Stores::None,
        // Under ownership or lock.
        Type::Object | Type::String | Type::Array | Type::Hash | Type::Range | Type::Struct => Stores::Guarded,
        // Their own words never change, but they may have instance variables and singleton classes.
        Type::Proc => Stores::Guarded,
        // As above. What a native type keeps in it is another matter: `DataObject::STORES`.
        Type::Data => Stores::Guarded,
        // Elements are marked by the Array, which says how many there are.
        Type::ArrayStore | Type::HashTable | Type::IvarStore | Type::SymbolTable | Type::ClassIvars => Stores::Part,
        // Under the class lock.
        Type::Class | Type::Module | Type::IncludeClass => Stores::Anywhere,
        // Slots are written by whatever thread runs a block, without a look at the cell.
        Type::Env => Stores::Anywhere,
        // Literals, caches and children are told one by one.
        Type::Iseq => Stores::None,
    }
}

/// `stores` by the type byte of a header.
pub static STORES: [Stores; 256] = {
    let mut all = [Stores::Anywhere; 256];
    let mut i = 0;
    while i < ALL.len() {
        all[ALL[i] as usize] = stores(ALL[i]);
        i += 1;
    }
    all
};

/// The layout type of a live cell.
#[inline(always)]
pub fn type_of(cell: &Cell) -> Type {
    from_header(cell.header.load(Ordering::Relaxed))
}

/// The layout type a header word names.
#[inline(always)]
pub fn from_header(header: u64) -> Type {
    let byte = header as u8;
    debug_assert!(byte <= COUNT, "invalid cell type {byte}");
    // SAFETY: headers are only written with a `Type` in their low byte (`Mutator::alloc` callers
    // pass `Type as u64`), and free cells have 0.
    unsafe { std::mem::transmute::<u8, Type>(byte) }
}
