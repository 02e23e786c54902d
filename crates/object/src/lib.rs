//! Ruby's objects as they lie in the heap: values, headers, shapes, the layouts of the core
//! classes' objects and the operations on them that must be atomic.
//!
//! Nothing here calls Ruby code or knows a method. Operations take the thread's `Mutator`, because
//! they may allocate and because changing an object needs its ownership (see [`ownership`]); what
//! takes none is lock-free. A `v` must be of the module's type: the VM checks before it calls, and
//! debug builds assert it.
//!
//! What every module relies on: a word that two threads can touch is an atomic of one size; what a
//! word reveals is stored before it (Release) and loaded after it (Acquire); backing stores are
//! heap cells that are replaced, never shrunk or reused, so that a reader who loaded one may use it
//! until its next safepoint. The bytes of a String are the exception: they are plain memory, only
//! touched by the owner, under the object's lock, or when they cannot change any more.

pub mod address_hash;
pub mod array;
pub mod bigint;
pub mod builtin;
mod cells;
pub mod class;
pub mod classes;
pub mod data;
pub mod error;
pub mod float;
pub mod hash;
pub mod holders;
pub mod ivars;
pub mod moved;
pub mod numeric;
pub mod object;
pub mod ownership;
pub mod range;
pub mod shape;
pub mod side_table;
pub mod space;
#[cfg(test)]
mod stress_tests;
pub mod string;
pub mod structs;
pub mod symbol_table;
#[cfg(test)]
mod test_vm;
#[cfg(test)]
mod tests;
pub mod trace;
pub mod types;
pub mod value;
mod walkers;

pub use asterism_heap::header::{DYNAMIC_SYMBOL, DYNAMIC_SYMBOL_MASK};
pub use asterism_symbol::{AnySym, Sym};
pub use cells::{class_field, set_class, store_value as store};
pub use error::{ObjError, Result};
pub use space::{ClassTable, Space, WellKnown, class, space};
pub use types::Type;
pub use value::{AtomicValue, Value};
