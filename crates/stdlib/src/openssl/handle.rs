//! Native objects that hold one of the library's.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};

use asterism_heap::{Charge, Marker, Stores};
use asterism_lock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::{Value, ivars};
use asterism_vm::error::Exc;
use asterism_vm::{Ec, Raised, Res};

use super::functions::Address;
use super::kinds::{KINDS, Kind, Share};
use super::library::openssl;

/// An object of the library's.
pub type Pointer = NonNull<c_void>;

/// A reference to an object of the library's, given up with this.
pub struct Owned {
    kind: Kind,
    pointer: Pointer,
}

// SAFETY: the library's objects belong to no thread; whoever has one that others have too holds its handle's lock.
unsafe impl Send for Owned {}

impl Owned {
    /// # Safety
    /// `pointer` is an object of this kind, and the reference is the caller's.
    pub unsafe fn new(kind: Kind, pointer: Pointer) -> Owned {
        Owned { kind, pointer }
    }

    /// Another reference to what is only lent, or a copy; `None` if there is no memory for it.
    ///
    /// # Safety
    /// `pointer` is an object of this kind, which nobody gives up or changes meanwhile.
    pub unsafe fn share(kind: Kind, pointer: Pointer) -> Option<Owned> {
        let share = openssl().ownership(kind).share;
        let pointer = match (KINDS[kind as usize].share, share) {
            (Share::UpRef(_), Some(function)) => {
                // SAFETY: it is `int X_up_ref(X *)`, and the object one of this kind.
                let counted = unsafe { of_pointer(function)(pointer.as_ptr()) } as i32;
                (counted > 0).then_some(pointer)?
            }
            (Share::Dup(_), Some(function)) => {
                // SAFETY: it is `X *X_dup(const X *)`, and the object one of this kind.
                let copy = unsafe { of_pointer(function)(pointer.as_ptr()) };
                Pointer::new(copy as *mut c_void)?
            }
            (Share::Static, _) => pointer,
            _ => return None,
        };
        Some(Owned { kind, pointer })
    }

    /// The reference, which is the caller's from here on.
    pub fn into_raw(self) -> *mut c_void {
        let pointer = self.pointer.as_ptr();
        std::mem::forget(self);
        pointer
    }

    /// The object.
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(free) = openssl().ownership(self.kind).free {
            // SAFETY: it is `void X_free(X *)`, and the reference is this one's.
            unsafe { of_pointer(free)(self.pointer.as_ptr()) };
        }
    }
}

/// A function of one pointer.
///
/// # Safety
/// There lies one, whose result is a word at most.
unsafe fn of_pointer(function: Address) -> unsafe extern "C" fn(*mut c_void) -> usize {
    // SAFETY: the caller's contract.
    unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(*mut c_void) -> usize>(function) }
}

/// What a Ruby object of the library has in `@__handle`.
pub struct Handle {
    kind: Kind,
    /// Null when what was lent has been taken back, which happens under the lock.
    pointer: AtomicPtr<c_void>,
    /// The reference; none if the object is only lent.
    _owned: Option<Owned>,
    /// Held to read by calls that read the object, to write by calls that change it.
    lock: RwLock<()>,
    #[allow(dead_code, reason = "it stands for the object's memory")]
    charge: Charge,
}

// SAFETY: the library's objects belong to no thread; those that call it hold the lock.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl DataObject for Handle {
    const NAME: &'static str = "OpenSSL::Handle";
    const STORES: Stores = Stores::None;
    const SHARED: Shared = Shared::Always;

    fn trace(&self, _marker: &mut Marker) {}

    fn size(&self) -> usize {
        KINDS[self.kind() as usize].bytes
    }
}

impl Handle {
    /// What kind of object it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The object; the lock says who may do what with it.
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer.load(Ordering::Relaxed)
    }

    /// The lock.
    pub fn lock(&self) -> &RwLock<()> {
        &self.lock
    }
}

/// Locks a handle to read; other threads' collections go on meanwhile.
pub fn read<'a>(ec: &mut Ec, handle: &'a Handle) -> RwLockReadGuard<'a, ()> {
    match handle.lock().try_read() {
        Some(guard) => guard,
        None => ec.blocking(|| handle.lock().read()),
    }
}

/// Locks a handle to write, in the same way.
pub fn write<'a>(ec: &mut Ec, handle: &'a Handle) -> RwLockWriteGuard<'a, ()> {
    match handle.lock().try_write() {
        Some(guard) => guard,
        None => ec.blocking(|| handle.lock().write()),
    }
}

/// A native object for a reference.
///
/// # Errors
/// NoMemoryError.
pub fn wrap(ec: &mut Ec, owned: Owned) -> Res {
    let charge = ec.charge(KINDS[owned.kind as usize].bytes)?;
    let (kind, pointer) = (owned.kind, AtomicPtr::new(owned.as_ptr()));
    make(ec, Handle { kind, pointer, _owned: Some(owned), lock: RwLock::new(()), charge })
}

fn make(ec: &mut Ec, handle: Handle) -> Res {
    let class = ec.known(WellKnown::Object).0;
    let made = data::new(ec, class, handle);
    ec.check(Value::NIL, made)
}

/// A native object for what the library only lends to a callback.
///
/// # Errors
/// NoMemoryError.
///
/// # Safety
/// The object is of this kind, and stays until `take_back`.
pub unsafe fn lend(ec: &mut Ec, kind: Kind, pointer: Pointer) -> Res {
    let (charge, pointer) = (ec.charge(0)?, AtomicPtr::new(pointer.as_ptr()));
    make(ec, Handle { kind, pointer, _owned: None, lock: RwLock::new(()), charge })
}

/// What was lent is of no use any more: whoever has the native object finds that it is not initialized.
pub fn take_back(ec: &mut Ec, v: Value) {
    if let Some(handle) = data::get::<Handle>(&v) {
        let _writing = write(ec, handle);
        handle.pointer.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
}

/// The native object of that kind that `v` is, or has.
///
/// # Errors
/// TypeError for anything else; RuntimeError for an object that was not initialized.
pub fn resolve(ec: &mut Ec, v: Value, kind: Kind) -> Res {
    if let Some(handle) = data::get::<Handle>(&v) {
        return if handle.kind() == kind { Ok(v) } else { Err(wrong_type(ec, v, kind)) };
    }
    let held = ivars::get(ec, v, openssl().handle);
    match held {
        Some(handle) if data::get::<Handle>(&handle).is_some_and(|handle| handle.kind() == kind) => Ok(handle),
        Some(none) if none.is_nil() => Err(uninitialized(ec, v, kind)),
        None => Err(uninitialized(ec, v, kind)),
        Some(_) => Err(wrong_type(ec, v, kind)),
    }
}

/// What `resolve` has found.
///
/// # Errors
/// TypeError for anything else.
pub fn get<'a>(ec: &mut Ec, held: &'a Value) -> Res<&'a Handle> {
    data::get::<Handle>(held).ok_or_else(|| ec.type_error("not a handle"))
}

fn wrong_type(ec: &mut Ec, v: Value, kind: Kind) -> Raised {
    let got = ec.describe_for_conversion(v);
    ec.type_error(format!("wrong argument type {got} (expected {})", KINDS[kind as usize].type_name))
}

/// What has no handle is an object of another class, or one of the library's that was not initialized.
fn uninitialized(ec: &mut Ec, v: Value, kind: Kind) -> Raised {
    let mut class = Some(ec.class_of(v));
    while let Some(one) = class {
        if !one.is_include() && ec.class_name(one).starts_with("OpenSSL::") {
            return ec.raise(Exc::RuntimeError, format!("{} wasn't initialized!", KINDS[kind as usize].short));
        }
        class = one.superclass();
    }
    wrong_type(ec, v, kind)
}
