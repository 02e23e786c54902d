//! Objects that wrap memory of C: `Data_Wrap_Struct` and typed data.
//!
//! ```text
//!   [hdr][class][descriptor][data][type][mark][free] …
//! ```
//!
//! The header's macros read and write `data` where it lies, `type` where it is read only.

use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use asterism_core::objspace::gather;
use asterism_heap::{Marker, Mutator};
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::{Value, array};
use asterism_vm::{Ec, Res};

use crate::entry::{call_c, with_marker};
use crate::lock;
use crate::part::{Extensions, Frees, part};
use crate::types::{Func, In, Opaque};

/// `rb_data_type_t`
#[repr(C)]
pub struct DataType {
    name: *const c_char,
    mark: Func,
    free: Func,
    size: Func,
    compact: Func,
    reserved: *const c_void,
    parent: *const DataType,
    data: *mut c_void,
    flags: u64,
}

/// The free function that is `xfree`.
const DEFAULT_FREE: usize = usize::MAX;
/// The mark function is a list of offsets.
const DECL_MARKING: u64 = 1 << 14;
/// Several Ractors may have a frozen one.
const FROZEN_SHAREABLE: u64 = 1 << 8;
/// The memory lies in the object.
const EMBEDDABLE: u64 = 1 << 13;

/// What the header's macros find in the cells of such objects, and in no others.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a name of the C interface")]
pub static rb_asterism_data_kind: data::Kind<InC> = data::Kind::new();

/// The flags that are the program's.
const USER: u64 = !((1 << crate::object::FIRST_USER) - 1);
const _: () = assert!(std::mem::offset_of!(InC, user) == 40, "`flags` of `struct RBasic` lies there");

/// What the cell holds.
#[repr(C)]
pub struct InC {
    /// Written by C code.
    data: *mut c_void,
    /// Null: an untyped one.
    ty: *const DataType,
    mark: Func,
    free: Func,
    frees: Arc<Frees>,
    /// The flags `FL_USER0` and up, where `struct RBasic` of the header has them; what is below them is what C was shown last.
    user: AtomicU64,
    /// The memory that `data` leads to was allocated with the object, and goes with it.
    own: Option<Box<[u64]>>,
}

// SAFETY: what `data` leads to is touched by functions of the extension, which see to that.
unsafe impl Send for InC {}
// SAFETY: as above.
unsafe impl Sync for InC {}

impl InC {
    /// The type's flags.
    fn flags(&self) -> u64 {
        // SAFETY: a type is static data of an extension, which is not unloaded before the object has gone (`Frees::copies`).
        unsafe { self.ty.as_ref() }.map_or(0, |ty| ty.flags)
    }

    /// Is there something to be freed?
    fn has_free(&self) -> bool {
        !self.data.is_null() && !self.free.is_null()
    }

    /// Is it freed by `xfree`?
    fn is_default_free(&self) -> bool {
        self.free.0.expose_provenance() == DEFAULT_FREE
            || std::ptr::eq(self.free.0, crate::memory::ruby_xfree as *const ())
    }

    /// The extension's function that frees the memory, and what it is called with, if it need not be called as the object dies.
    fn free_in_c(&self) -> Option<(Func, u64)> {
        let elsewhere = self.has_free() && !self.is_default_free() && self.own.is_none();
        elsewhere.then(|| (self.free, self.data.expose_provenance() as u64))
    }
}

impl DataObject for InC {
    const NAME: &'static str = "Data";
    const INLINE: bool = true;

    fn shared(&self) -> Shared {
        if self.flags() & FROZEN_SHAREABLE != 0 { Shared::Frozen } else { Shared::Never }
    }

    fn trace(&self, marker: &mut Marker) {
        // SAFETY: the cell's word, which C code writes whole.
        let data = unsafe { (&raw const self.data).read_volatile() };
        if self.mark.is_null() || data.is_null() {
            return;
        }
        let _alone = self.frees.marking.lock();
        if self.flags() & DECL_MARKING != 0 {
            let mut offset = self.mark.0.cast::<usize>();
            // SAFETY: the flag says that `mark` is a list of offsets into the memory, of words that are values, with a
            // largest number at its end.
            unsafe {
                while *offset != usize::MAX {
                    marker.mark_conservative(data.byte_add(*offset).cast::<u64>().read_volatile());
                    offset = offset.add(1);
                }
            }
            return;
        }
        // SAFETY: the extension gave the function for this memory. It calls nothing but what marks.
        let mark = unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn(*mut c_void)>(self.mark.0) };
        with_marker(marker, || {
            // SAFETY: as above.
            unsafe { mark(data) };
        });
    }
}

impl Drop for InC {
    fn drop(&mut self) {
        if !self.has_free() {
            return;
        }
        if let Some((free, pointer)) = self.free_in_c() {
            self.frees.push(free, pointer);
        } else if self.own.is_none() {
            // SAFETY: the type says that the memory is freed by `xfree`.
            unsafe { libc::free(self.data) };
        } else if !self.is_default_free() {
            // The memory goes with the object: it cannot wait.
            // SAFETY: the extension gave the function for this memory.
            let free = unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn(*mut c_void)>(self.free.0) };
            // SAFETY: as above.
            unsafe { free(self.data) };
        }
    }
}

/// What an object takes in C: what was allocated with it, and what the `dsize` function of its type says. That runs as a method in C does.
///
/// # Errors
/// What the function raises, by `rb_raise` or in Ruby code that it calls; SystemStackError.
pub fn size_in_c(ec: &mut Ec, v: Value) -> Res<usize> {
    let Some(in_c) = data::get::<InC>(&v) else { return Ok(0) };
    let own = in_c.own.as_ref().map_or(0, |memory| size_of_val(&**memory));
    // SAFETY: a type is static data of an extension, which is not unloaded before its objects.
    let Some(ty) = (unsafe { in_c.ty.as_ref() }) else { return Ok(own) };
    if ty.size.is_null() || in_c.data.is_null() {
        return Ok(own);
    }
    let taken = lock::take(ec);
    // SAFETY: the type says that the function takes the pointer that its objects have.
    let size = unsafe { call_c(ec, ty.size.0, &[in_c.data.expose_provenance() as u64]) };
    if taken {
        lock::give(ec);
    }
    Ok(own + size? as usize)
}

/// Frees what the objects of a VM that ends have in C, in no order, as CRuby does at its end.
///
/// # Errors
/// NoMemoryError; what the functions raise, which they must not.
pub fn free_all(ec: &mut Ec) -> Res<()> {
    if ec.vm().part_if_made::<Extensions>().is_none() {
        return Ok(());
    }
    crate::part::run_frees(ec)?;
    let vm = ec.vm_arc();
    let list = gather(ec, |world, tell| {
        vm.heap().each_live_cell(world, |cell| {
            let v = Value::from_cell(cell);
            if data::get::<InC>(&v).is_some_and(|in_c| in_c.free_in_c().is_some()) {
                tell(v);
            }
        });
    })?;
    for i in 0.. {
        let Some(v) = array::at(list, i) else { break };
        let Some(in_c) = data::get::<InC>(&v) else { continue };
        let Some((free, pointer)) = in_c.free_in_c() else { continue };
        // SAFETY: the cell's word, which C code writes whole; the memory behind it is freed once by that.
        unsafe { (&raw const in_c.data).cast_mut().write_volatile(std::ptr::null_mut()) };
        in_c.frees.push(free, pointer);
    }
    crate::part::run_frees(ec)
}

/// Is it an object that wraps memory of C?
pub fn is_data(v: Value) -> bool {
    data::is::<InC>(v)
}

/// Is it one with a type?
pub fn is_typed(v: Value) -> bool {
    data::get::<InC>(&v).is_some_and(|in_c| !in_c.ty.is_null())
}

/// `RUBY_FL_SINGLETON`, a flag of classes that has the place of one of the program's.
const SINGLETON: u64 = 1 << (crate::object::FIRST_USER + 1);

/// The flags of it that are the program's, or say what kind of class it is.
pub fn user_flags(v: Value) -> u64 {
    if Class::from_value(v).is_some_and(|class| class.is_singleton()) {
        return SINGLETON;
    }
    data::get::<InC>(&v).map_or(0, |in_c| in_c.user.load(Ordering::Relaxed) & USER)
}

/// The object with its flags in the place where `struct RBasic` has them; `None`: it is not one that wraps memory of C.
pub fn with_flags(v: Value, others: u64) -> Option<Opaque> {
    let in_c = data::get::<InC>(&v)?;
    in_c.user.store(in_c.user.load(Ordering::Relaxed) & USER | others, Ordering::Relaxed);
    Some(Opaque(std::ptr::with_exposed_provenance_mut(v.bits() as usize)))
}

/// Sets them.
pub fn set_user_flags(v: Value, flags: u64) {
    if let Some(in_c) = data::get::<InC>(&v) {
        in_c.user.store(flags & USER, Ordering::Relaxed);
    }
}

fn new(
    ec: &mut Ec,
    class: Value,
    data: *mut c_void,
    ty: *const DataType,
    mark: Func,
    free: Func,
    own: Option<Box<[u64]>>,
) -> Res {
    crate::part::run_frees(ec)?;
    let class = if class.bits() == 0 { ec.known(asterism_object::space::WellKnown::Object).0 } else { class };
    let frees = part(ec).frees.clone();
    let m: &mut Mutator = ec;
    let made = data::new_of(
        m,
        &rb_asterism_data_kind,
        class,
        InC { data, ty, mark, free, frees, user: AtomicU64::new(0), own },
    );
    ec.check(Value::NIL, made)
}

/// Does `ty` lead to `wanted` through its parents?
fn inherits(mut ty: *const DataType, wanted: *const DataType) -> bool {
    while !ty.is_null() {
        if std::ptr::eq(ty, wanted) {
            return true;
        }
        // SAFETY: types are static data of extensions.
        ty = unsafe { (*ty).parent };
    }
    false
}

fn type_name(ty: *const DataType) -> String {
    // SAFETY: as above; its name is a string.
    unsafe {
        match ty.as_ref() {
            Some(ty) if !ty.name.is_null() => std::ffi::CStr::from_ptr(ty.name).to_string_lossy().into_owned(),
            _ => String::new(),
        }
    }
}

fn check_typed(ec: &mut Ec, v: Value, ty: *const DataType) -> Res<Opaque> {
    let found = match data::get::<InC>(&v) {
        Some(in_c) if !in_c.ty.is_null() => {
            if inherits(in_c.ty, ty) {
                return Ok(Opaque(in_c.data));
            }
            type_name(in_c.ty)
        }
        _ => ec.describe_for_conversion(v),
    };
    Err(ec.type_error(format!("wrong argument type {found} (expected {})", type_name(ty))))
}

api! {
    fn rb_data_object_wrap(ec, class: Value, data: Opaque, mark: Func, free: Func) -> Value {
        new(ec, class, data.0, std::ptr::null(), mark, free, None)
    }

    fn rb_data_object_zalloc(ec, class: Value, size: usize, mark: Func, free: Func) -> Value {
        // SAFETY: any size may be asked for.
        let memory = unsafe { libc::calloc(1, size.max(1)) };
        if memory.is_null() {
            return Err(ec.no_memory());
        }
        new(ec, class, memory, std::ptr::null(), mark, free, None)
    }

    fn rb_data_typed_object_wrap(ec, class: Value, data: Opaque, ty: In<DataType>) -> Value {
        let (mark, free) = (ty.get().mark, ty.get().free);
        new(ec, class, data.0, ty.0, mark, free, None)
    }

    fn rb_data_typed_object_zalloc(ec, class: Value, size: usize, ty: In<DataType>) -> Value {
        let (mark, free) = (ty.get().mark, ty.get().free);
        if ty.get().flags & EMBEDDABLE != 0 {
            let words = size.div_ceil(8).max(1);
            let mut own = Vec::new();
            if own.try_reserve_exact(words).is_err() {
                return Err(ec.no_memory());
            }
            own.resize(words, 0);
            let mut own = own.into_boxed_slice();
            let memory = own.as_mut_ptr().cast();
            return new(ec, class, memory, ty.0, mark, free, Some(own));
        }
        // SAFETY: any size may be asked for.
        let memory = unsafe { libc::calloc(1, size.max(1)) };
        if memory.is_null() {
            return Err(ec.no_memory());
        }
        new(ec, class, memory, ty.0, mark, free, None)
    }

    fn rb_check_typeddata(ec, v: Value, ty: In<DataType>) -> Opaque {
        check_typed(ec, v, ty.0)
    }

    fn rb_typeddata_is_kind_of(_ec, v: Value, ty: In<DataType>) -> c_int {
        Ok(c_int::from(data::get::<InC>(&v).is_some_and(|in_c| !in_c.ty.is_null() && inherits(in_c.ty, ty.0))))
    }

    fn rb_typeddata_inherited_p(_ec, ty: In<DataType>, parent: In<DataType>) -> c_int {
        Ok(c_int::from(inherits(ty.0, parent.0)))
    }

    fn rb_typeddata_is_instance_of(_ec, v: Value, ty: In<DataType>) -> c_int {
        Ok(c_int::from(data::get::<InC>(&v).is_some_and(|in_c| std::ptr::eq(in_c.ty, ty.0))))
    }

    /// Is it typed? What the macros ask.
    fn rb_asterism_typeddata_p(_ec, v: Value) -> c_int {
        Ok(c_int::from(data::get::<InC>(&v).is_some_and(|in_c| !in_c.ty.is_null())))
    }
}
