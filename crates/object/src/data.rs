//! Native objects: [hdr][class][type][box]. What a core class implemented in Rust keeps in its
//! instances: a boxed value with a descriptor that tells its type.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{Cell, Marker, Mutator};

use crate::cells::{self, Obj};
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

const DESCRIPTOR: usize = 0;
const BOX: usize = 1;

/// What a type must say of itself to live in a native object. Fields that hold Ruby values are
/// atomic words, written through `store` and marked in `trace`.
pub trait DataObject: Send + Sync + 'static {
    /// The type's name, for messages.
    const NAME: &'static str;

    /// Marks every value it holds.
    fn trace(&self, marker: &mut Marker);

    /// Bytes of memory it holds outside the heap, beyond its own size.
    fn size(&self) -> usize {
        0
    }

    /// What an object of a new VM holds that is made after the pattern of one with this; the values in `words` need not
    /// be set. `None`: there can be no such object in an image.
    fn replica(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The words that hold Ruby values, if it has a replica.
    fn words(&self) -> Vec<&AtomicU64> {
        Vec::new()
    }
}

/// A type as native objects carry it; its address is its identity.
struct Descriptor {
    name: &'static str,
    trace: unsafe fn(*const (), &mut Marker),
    free: unsafe fn(*mut ()) -> usize,
    replica: unsafe fn(*const ()) -> Option<(*mut (), usize)>,
    words: for<'a> unsafe fn(*const (), std::marker::PhantomData<&'a ()>) -> Vec<&'a AtomicU64>,
    id: std::any::TypeId,
}

struct Of<T>(std::marker::PhantomData<T>);

impl<T: DataObject> Of<T> {
    const DESCRIPTOR: &'static Descriptor = &Descriptor {
        name: T::NAME,
        trace: trace_as::<T>,
        free: free_as::<T>,
        replica: replica_as::<T>,
        words: words_as::<T>,
        id: std::any::TypeId::of::<T>(),
    };
}

/// # Safety
/// `object` must point to a live `T`.
unsafe fn trace_as<T: DataObject>(object: *const (), marker: &mut Marker) {
    // SAFETY: the caller's contract.
    let object = unsafe { &*object.cast::<T>() };
    marker.live_malloc(size_of::<T>() + object.size());
    object.trace(marker);
}

/// # Safety
/// `object` must come from `Box::<T>::into_raw` and not be used again.
unsafe fn free_as<T: DataObject>(object: *mut ()) -> usize {
    // SAFETY: the caller's contract.
    let object = unsafe { Box::from_raw(object.cast::<T>()) };
    size_of::<T>() + object.size()
}

/// # Safety
/// `object` must point to a live `T`.
unsafe fn replica_as<T: DataObject>(object: *const ()) -> Option<(*mut (), usize)> {
    // SAFETY: the caller's contract.
    let replica = unsafe { &*object.cast::<T>() }.replica()?;
    let bytes = size_of::<T>() + replica.size();
    Some((Box::into_raw(Box::new(replica)).cast(), bytes))
}

/// # Safety
/// `object` must point to a `T` that lives as long as what is returned is used.
unsafe fn words_as<T: DataObject>(object: *const (), _: std::marker::PhantomData<&()>) -> Vec<&AtomicU64> {
    // SAFETY: the caller's contract.
    unsafe { &*object.cast::<T>() }.words()
}

/// The words of a native object that hold Ruby values; see [`DataObject::words`].
pub fn words(v: &Value) -> Vec<&AtomicU64> {
    let Some(cell) = v.cell().filter(|cell| cells::is(cell, Type::Data)) else { return Vec::new() };
    let raw = Obj(*v).word(BOX).load(Ordering::Acquire) as *const ();
    // SAFETY: `new` or `fill` wrote the box that belongs to the descriptor; it is freed with the cell only, which the
    // borrowed value keeps alive.
    unsafe { (descriptor(cell).words)(raw, std::marker::PhantomData) }
}

/// What the objects hold that are made after one of an image. It belongs to no VM.
pub struct Pattern {
    descriptor: &'static Descriptor,
    value: *mut (),
}

// SAFETY: the value is a `DataObject`, which may be sent and shared, and is only read.
unsafe impl Send for Pattern {}
// SAFETY: as above.
unsafe impl Sync for Pattern {}

impl Drop for Pattern {
    fn drop(&mut self) {
        // SAFETY: the box was made by `replica` and belongs to the pattern.
        unsafe { (self.descriptor.free)(self.value) };
    }
}

impl Pattern {
    /// The pattern of a native object; `None` if its type has none.
    pub fn of(v: Value) -> Option<Pattern> {
        let cell = v.cell().filter(|cell| cells::is(cell, Type::Data))?;
        let descriptor = descriptor(cell);
        let raw = Obj(v).word(BOX).load(Ordering::Acquire) as *const ();
        // SAFETY: `new` wrote the box that belongs to the descriptor; the cell is alive.
        let (value, _) = unsafe { (descriptor.replica)(raw) }?;
        Some(Pattern { descriptor, value })
    }

    /// Gives a native object that came from an image, and has no value yet, its own. Before the VM's first safepoint.
    pub fn fill(&self, m: &Mutator, v: Value) {
        // SAFETY: the value belongs to the descriptor, and lives as long as the pattern.
        if let Some((value, bytes)) = unsafe { (self.descriptor.replica)(self.value) } {
            Obj(v).word(BOX).store(value as u64, Ordering::Release);
            m.account_malloc(bytes as isize);
        }
    }
}

/// Gives a native object that came from an image, and has no value yet, this one. Before the VM's first safepoint.
pub fn fill<T: DataObject>(m: &Mutator, v: Value, value: T) {
    debug_assert!(v.cell().is_some_and(|cell| descriptor(cell).id == std::any::TypeId::of::<T>()));
    let bytes = size_of::<T>() + value.size();
    Obj(v).word(BOX).store(Box::into_raw(Box::new(value)) as u64, Ordering::Release);
    m.account_malloc(bytes as isize);
}

/// Payload word of a native object that an image leaves empty.
pub const VALUE_WORD: usize = BOX;

/// A new object of `class` that holds `value`.
///
/// `value` must not be the only holder of a reference to a heap cell: the allocation may collect,
/// and a `Box` is no root. Keep such values on the stack and store them afterwards.
pub fn new<T: DataObject>(m: &mut Mutator, class: Value, value: T) -> Result<Value> {
    let bytes = size_of::<T>() + value.size();
    let object = cells::alloc_hooked(m, Type::Data, 0, class, 2)?;
    let raw = Box::into_raw(Box::new(value));
    object.word(DESCRIPTOR).store(std::ptr::from_ref(Of::<T>::DESCRIPTOR) as u64, Ordering::Relaxed);
    object.word(BOX).store(raw as u64, Ordering::Release);
    m.account_malloc(bytes as isize);
    Ok(object.0)
}

#[inline(always)]
fn descriptor(cell: &Cell) -> &'static Descriptor {
    // SAFETY: a Data cell's descriptor word is written by `new`, before its first safepoint, with
    // the address of a constant that lives as long as the process.
    unsafe { &*(cell.word(DESCRIPTOR).load(Ordering::Relaxed) as *const Descriptor) }
}

/// The native value, if `v` is a native object that holds a `T`.
#[inline]
pub fn get<T: DataObject>(v: &Value) -> Option<&T> {
    let cell = v.cell()?;
    if !cells::is(cell, Type::Data) {
        return None;
    }
    let descriptor = descriptor(cell);
    // Mostly the very constant; a copy of it in another unit of the program has the same id.
    if !std::ptr::eq(descriptor, Of::<T>::DESCRIPTOR) && descriptor.id != std::any::TypeId::of::<T>() {
        return None;
    }
    let raw = Obj(*v).word(BOX).load(Ordering::Acquire) as *const T;
    // SAFETY: the descriptor says that the box holds a `T`; it is freed with the cell only, which
    // the borrowed value keeps alive.
    Some(unsafe { &*raw })
}

/// The native value of a native object that holds a `T`.
///
/// # Safety
/// `v` is such an object, and the borrower keeps it alive.
#[inline(always)]
pub unsafe fn get_unchecked<'a, T: DataObject>(v: Value) -> &'a T {
    let raw = Obj(v).word(BOX).load(Ordering::Acquire) as *const T;
    // SAFETY: the caller's contract: `new` wrote the box.
    unsafe { &*raw }
}

/// Does `v` hold a `T`?
pub fn is<T: DataObject>(v: Value) -> bool {
    get::<T>(&v).is_some()
}

/// The native type's name.
pub fn type_name(v: Value) -> Option<&'static str> {
    v.cell().filter(|cell| cells::is(cell, Type::Data)).map(|cell| descriptor(cell).name)
}

pub(crate) fn trace(cell: &Cell, marker: &mut Marker) {
    let raw = Obj(Value(cell.address())).word(BOX).load(Ordering::Relaxed) as *const ();
    // SAFETY: `new` wrote the box that belongs to the descriptor.
    unsafe { (descriptor(cell).trace)(raw, marker) }
}

pub(crate) fn free(cell: &Cell) -> usize {
    let raw = Obj(Value(cell.address())).word(BOX).load(Ordering::Relaxed) as *mut ();
    // SAFETY: `new` wrote the box; the cell is dead, so this is its last use.
    unsafe { (descriptor(cell).free)(raw) }
}
