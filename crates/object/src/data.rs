//! Native objects: [hdr][class][type][box], or [hdr][class][type][value …]. What a core class implemented in Rust keeps in
//! its instances: a value with a descriptor that tells its type, in a box or, if the type says so, in the cell.

use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Marker, Mutator, Stores};

use crate::cells::{self, Obj};
use crate::error::Result;
use crate::types::Type;
use crate::value::{AtomicValue, Value};

const DESCRIPTOR: usize = 0;
/// The address of the box, or where the value begins that lies in the cell.
const BOX: usize = 1;

/// What a type must say of itself to live in a native object. Fields that hold Ruby values are
/// atomic words, written through `store` and marked in `trace`.
pub trait DataObject: Send + Sync + 'static {
    /// The type's name, for messages.
    const NAME: &'static str;

    /// It lies in the cell and not in a box: for small objects that are made by the million. There can be no such object in
    /// an image.
    const INLINE: bool = false;

    /// How minor collections know of the values stored in it. What says nothing here is traced by each of them as long as
    /// it lives, which is always right, and too much for a type that programs have by the thousand.
    const STORES: Stores = Stores::Anywhere;

    /// When several Ractors may have such an object.
    const SHARED: Shared = Shared::Never;

    /// The same, where objects of the type differ in it.
    fn shared(&self) -> Shared {
        Self::SHARED
    }

    /// Marks every value it holds.
    fn trace(&self, marker: &mut Marker);

    /// Calls `f` with each object that a program reaches through one of this type, if it may be shared.
    fn each_part(&self, f: &mut dyn FnMut(Value)) {
        let _ = f;
    }

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
    fn words(&self) -> Vec<&AtomicValue> {
        Vec::new()
    }
}

/// When the objects of a native type may be used by several Ractors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    /// Never: there is one of them in one Ractor, and no copy in another.
    Never,
    /// When it is frozen, and so is what it holds. In a message it is copied.
    Frozen,
    /// Always: it protects itself.
    Always,
}

/// A type as native objects carry it; its address is its identity.
struct Descriptor {
    name: &'static str,
    inline: bool,
    stores: Stores,
    shared: unsafe fn(*const ()) -> Shared,
    each_part: unsafe fn(*const (), &mut dyn FnMut(Value)),
    trace: unsafe fn(*const (), &mut Marker),
    free: unsafe fn(*mut ()) -> usize,
    replica: unsafe fn(*const ()) -> Option<(*mut (), usize)>,
    words: for<'a> unsafe fn(*const (), std::marker::PhantomData<&'a ()>) -> Vec<&'a AtomicValue>,
    id: std::any::TypeId,
}

/// A word that cells have which hold a `T`, and no others. There may be several for one type.
#[repr(transparent)]
pub struct Kind<T>(&'static Descriptor, std::marker::PhantomData<fn() -> T>);

impl<T: DataObject> Kind<T> {
    /// One of `T`'s.
    #[inline(always)]
    pub const fn new() -> Kind<T> {
        Kind(Of::<T>::DESCRIPTOR, std::marker::PhantomData)
    }
}

impl<T: DataObject> Default for Kind<T> {
    fn default() -> Kind<T> {
        Kind::new()
    }
}

struct Of<T>(std::marker::PhantomData<T>);

impl<T: DataObject> Of<T> {
    const DESCRIPTOR: &'static Descriptor = &Descriptor {
        name: T::NAME,
        inline: T::INLINE,
        stores: T::STORES,
        shared: shared_as::<T>,
        each_part: each_part_as::<T>,
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
    marker.live_malloc(boxed_size::<T>() + object.size());
    object.trace(marker);
}

/// # Safety
/// `object` must point to a live `T`.
unsafe fn shared_as<T: DataObject>(object: *const ()) -> Shared {
    // SAFETY: the caller's contract.
    unsafe { &*object.cast::<T>() }.shared()
}

/// # Safety
/// `object` must point to a live `T`.
unsafe fn each_part_as<T: DataObject>(object: *const (), f: &mut dyn FnMut(Value)) {
    // SAFETY: the caller's contract.
    unsafe { &*object.cast::<T>() }.each_part(f);
}

/// Bytes of a `T` outside the heap, without what it holds.
const fn boxed_size<T: DataObject>() -> usize {
    if T::INLINE { 0 } else { size_of::<T>() }
}

/// # Safety
/// `object` must come from `Box::<T>::into_raw`, or be the place of a `T` in its cell, and not be used again.
unsafe fn free_as<T: DataObject>(object: *mut ()) -> usize {
    let object = object.cast::<T>();
    // SAFETY: the caller's contract.
    unsafe {
        let bytes = boxed_size::<T>() + (*object).size();
        if T::INLINE {
            object.drop_in_place();
        } else {
            drop(Box::from_raw(object));
        }
        bytes
    }
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
unsafe fn words_as<T: DataObject>(object: *const (), _: std::marker::PhantomData<&()>) -> Vec<&AtomicValue> {
    // SAFETY: the caller's contract.
    unsafe { &*object.cast::<T>() }.words()
}

/// The words of a native object that hold Ruby values; see [`DataObject::words`].
pub fn words(v: &Value) -> Vec<&AtomicValue> {
    let Some(cell) = v.cell().filter(|cell| cells::is(cell, Type::Data)) else { return Vec::new() };
    // SAFETY: the value belongs to the descriptor; it is freed with the cell only, which the borrowed value keeps alive.
    unsafe { (descriptor(cell).words)(place(cell), std::marker::PhantomData) }
}

/// When a native object may be used by several Ractors; `None` for one of another type.
pub fn shared(v: Value) -> Option<Shared> {
    let cell = v.cell().filter(|cell| cells::is(cell, Type::Data))?;
    // SAFETY: the value belongs to the descriptor; whoever asks has the object.
    Some(unsafe { (descriptor(cell).shared)(place(cell)) })
}

/// See [`DataObject::each_part`].
pub fn each_part(v: &Value, f: &mut dyn FnMut(Value)) {
    if let Some(cell) = v.cell().filter(|cell| cells::is(cell, Type::Data)) {
        // SAFETY: the value belongs to the descriptor; the borrowed value keeps the cell, and so it, alive.
        unsafe { (descriptor(cell).each_part)(place(cell), f) }
    }
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
        // SAFETY: the value belongs to the descriptor; the cell is alive.
        let (value, _) = unsafe { (descriptor.replica)(place(cell)) }?;
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
    const { assert!(!T::INLINE) };
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
    if T::INLINE {
        return new_of(m, &Kind::new(), class, value);
    }
    let bytes = size_of::<T>() + value.size();
    let object = cells::alloc_hooked(m, Type::Data, 0, class, 2)?;
    let raw = Box::into_raw(Box::new(value));
    object.word(DESCRIPTOR).store(std::ptr::from_ref(Of::<T>::DESCRIPTOR) as u64, Ordering::Relaxed);
    object.word(BOX).store(raw as u64, Ordering::Release);
    m.account_malloc(bytes as isize);
    Ok(object.0)
}

/// As `new`, for a type that lies in the cell, with this one of its kinds.
pub fn new_of<T: DataObject>(m: &mut Mutator, kind: &Kind<T>, class: Value, value: T) -> Result<Value> {
    let object = new_inline_of(m, kind, class, || value)?;
    m.heap().set_hook(Obj(object).cell());
    Ok(object)
}

/// A new object of `class` that holds, in its cell, what `value` makes, which is called once there is a cell. Nobody drops
/// it until the cell has a drop hook; until then it must own nothing outside the heap.
#[inline(always)]
pub fn new_inline<T: DataObject>(m: &mut Mutator, class: Value, value: impl FnOnce() -> T) -> Result<Value> {
    new_inline_of(m, &Kind::new(), class, value)
}

#[inline(always)]
fn new_inline_of<T: DataObject>(
    m: &mut Mutator,
    kind: &Kind<T>,
    class: Value,
    value: impl FnOnce() -> T,
) -> Result<Value> {
    const { assert!(!T::INLINE || align_of::<T>() <= 8) };
    assert!(T::INLINE);
    let object = cells::alloc(m, Type::Data, 0, class, BOX + size_of::<T>().div_ceil(8))?;
    object.word(DESCRIPTOR).store(std::ptr::from_ref(kind.0) as u64, Ordering::Relaxed);
    // SAFETY: the cell was just made with room for a `T` behind the descriptor; nobody else knows it.
    unsafe { object.word(BOX).as_ptr().cast::<T>().write(value()) };
    Ok(object.0)
}

/// Where the native value of a native object is.
#[inline(always)]
fn place(cell: &Cell) -> *const () {
    // SAFETY: a native object has that word.
    let word = unsafe { cell.word(BOX) };
    if descriptor(cell).inline { word.as_ptr() as *const () } else { word.load(Ordering::Acquire) as *const () }
}

/// Where the native value of a native object is that holds a `T`.
#[inline(always)]
fn place_of<T: DataObject>(cell: &Cell) -> *const T {
    // SAFETY: a native object has that word.
    let word = unsafe { cell.word(BOX) };
    if T::INLINE { word.as_ptr() as *const T } else { word.load(Ordering::Acquire) as *const T }
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
    // SAFETY: the descriptor says that it holds a `T`; that is freed with the cell only, which the borrowed value keeps alive.
    Some(unsafe { &*place_of::<T>(cell) })
}

/// The native value of a native object that holds a `T`.
///
/// # Safety
/// `v` is such an object, and the borrower keeps it alive.
#[inline(always)]
pub unsafe fn get_unchecked<'a, T: DataObject>(v: Value) -> &'a T {
    // SAFETY: the caller's contract; a native object lies in the heap.
    unsafe { &*place_of::<T>(&*v.ptr::<Cell>()) }
}

/// Does `v` hold a `T`?
pub fn is<T: DataObject>(v: Value) -> bool {
    get::<T>(&v).is_some()
}

/// The native type's name.
pub fn type_name(v: Value) -> Option<&'static str> {
    v.cell().filter(|cell| cells::is(cell, Type::Data)).map(|cell| descriptor(cell).name)
}

/// Is it a native object of a type that stores where it likes?
pub(crate) fn stores_anywhere(cell: &Cell) -> bool {
    cells::is(cell, Type::Data) && descriptor(cell).stores == Stores::Anywhere
}

pub(crate) fn trace(cell: &Cell, marker: &mut Marker) {
    if descriptor(cell).stores == Stores::Anywhere {
        marker.stores_anywhere(cell);
    }
    // SAFETY: the value belongs to the descriptor.
    unsafe { (descriptor(cell).trace)(place(cell), marker) }
}

pub(crate) fn free(cell: &Cell) -> usize {
    // SAFETY: the value belongs to the descriptor; the cell is dead, so this is its last use.
    unsafe { (descriptor(cell).free)(place(cell).cast_mut()) }
}
