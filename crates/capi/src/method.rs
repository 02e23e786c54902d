//! Methods that are functions in C.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use asterism_lock::Mutex;
use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value};
use asterism_vm::method::{Body, Method, Visibility};
use asterism_vm::native::NativeFn;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use crate::entry::{FEW_WORDS, MAX_WORDS, call_c, call_c_value, call_c_words, value_of};
use crate::lock;
use crate::part::{Allocator, part};
use crate::types::{Func, Id, Text};

/// A function in C as a native method. `def` is first: a method's body leads to it.
#[repr(C)]
struct InC {
    def: NativeDef,
    function: Func,
    arity: i32,
    /// Takes no lock.
    safe: bool,
}

/// What tells one `InC` from another.
type Key = (Func, i32, Sym, bool);

/// The declarations of all methods in C: a method leads to one for ever. There are as many as extensions define, once a process.
fn declared(function: Func, arity: i32, name: Sym, safe: bool) -> &'static InC {
    static DECLARED: OnceLock<Mutex<HashMap<Key, &'static InC>>> = OnceLock::new();
    let mut table = asterism_lock::once::get_or_init(&DECLARED, Mutex::default).lock();
    table.entry((function, arity, name, safe)).or_insert_with(|| {
        let (min, max) = if arity < 0 { (0, ANY) } else { (arity as i16, arity as i16) };
        let text: &'static str = Box::leak(name.text().into_owned().into_boxed_str());
        let runs = function.0.expose_provenance();
        let def = NativeDef { runs, ..NativeDef::new(text, runner(arity), min, max) };
        Box::leak(Box::new(InC { def, function, arity, safe }))
    })
}

/// What runs functions of that arity.
fn runner(arity: c_int) -> NativeFn {
    match arity {
        -1 => run_any,
        0 => run_few::<0>,
        1 => run_few::<1>,
        2 => run_few::<2>,
        3 => run_few::<3>,
        _ => run,
    }
}

/// Runs a function that takes the receiver and `N` arguments.
fn run_few<const N: usize>(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    run_with(
        ec,
        #[inline(always)]
        |ec, in_c| {
            let Some(argv) = args.slice().first_chunk::<N>() else {
                return Err(ec.fatal("a function in C without its arguments"));
            };
            let mut words = [0; FEW_WORDS];
            words[0] = this.bits();
            for (word, v) in words[1..].iter_mut().zip(argv) {
                *word = v.bits();
            }
            // SAFETY: the function was defined with this arity, and returns a `VALUE`.
            unsafe { call_c_words(ec, in_c.function.0, &words, N + 1).map(|bits| value_of(bits)) }
        },
    )
}

/// Runs a function that takes the arguments' number, their address, and the receiver.
fn run_any(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    run_with(
        ec,
        #[inline(always)]
        |ec, in_c| {
            let argv = args.slice();
            let mut words = [0; FEW_WORDS];
            words[..3].copy_from_slice(&[argv.len() as u64, argv.as_ptr().expose_provenance() as u64, this.bits()]);
            // SAFETY: the function was defined with this arity, and returns a `VALUE`.
            unsafe { call_c_words(ec, in_c.function.0, &words, 3).map(|bits| value_of(bits)) }
        },
    )
}

/// Runs a function of any arity.
fn run(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    run_with(ec, |ec, in_c| match in_c.arity < FEW_WORDS as i32 {
        true => call::<FEW_WORDS>(ec, in_c, this, args),
        false => call::<MAX_WORDS>(ec, in_c, this, args),
    })
}

/// Runs the function of the method whose frame is the current one by `body`.
#[inline(always)]
fn run_with(ec: &mut Ec, body: impl FnOnce(&mut Ec, &InC) -> Res) -> Res {
    // SAFETY: the current frame is active, and that of a method whose body is the first field of an `InC`: only they have
    // the functions that come here.
    let method = unsafe { (*ec.fiber.frame).method };
    let Some(Body::Native(def)) = Method::from_value(method).map(|m| m.body()) else {
        return Err(ec.fatal("a function in C without its method"));
    };
    // SAFETY: as above; the `InC` lives for ever.
    let in_c = unsafe { &*std::ptr::from_ref(def).cast::<InC>() };
    let taken = !in_c.safe && lock::take(ec);
    let result = body(ec, in_c);
    crate::views::release(ec);
    if taken {
        lock::give(ec);
    }
    result
}

/// Calls the function, which is not of arity -1, with `N` words at most.
fn call<const N: usize>(ec: &mut Ec, in_c: &InC, this: Value, args: Args<'_>) -> Res {
    let mut words = [0; N];
    let argv = args.slice();
    let count = match in_c.arity {
        -2 => {
            let list = ec.array(argv)?;
            words[..2].copy_from_slice(&[this.bits(), list.bits()]);
            2
        }
        n => {
            words[0] = this.bits();
            for (word, v) in words[1..].iter_mut().zip(argv) {
                *word = v.bits();
            }
            n as usize + 1
        }
    };
    // SAFETY: the function was defined with this arity, and returns a `VALUE`.
    unsafe { call_c_words(ec, in_c.function.0, &words, count).map(|bits| value_of(bits)) }
}

/// Defines a method.
///
/// # Errors
/// ArgumentError for an arity that there is not; NoMemoryError.
pub fn define(ec: &mut Ec, class: Class, name: Sym, function: Func, arity: c_int, visibility: Visibility) -> Res<()> {
    if !(-2..=15).contains(&arity) {
        return Err(ec.arg_error(format!("arity out of range: {arity} for -2..15")));
    }
    let hidden = matches!(
        name.bytes(),
        b"initialize" | b"initialize_copy" | b"initialize_clone" | b"initialize_dup" | b"respond_to_missing?"
    );
    let visibility = if hidden { Visibility::Private } else { visibility };
    let safe = part(ec).safe.load(Ordering::Relaxed);
    let in_c = declared(function, arity, name, safe);
    let method = Method::new(ec, class.0, name, visibility, Body::Native(&in_c.def), Value::NIL)?;
    ec.add_method(class, name, method)?;
    added(ec, class, name)
}

/// Calls the hook that a class's owner may have defined.
fn added(ec: &mut Ec, class: Class, name: Sym) -> Res<()> {
    if class.is_singleton() {
        let object = class.module();
        crate::call::named(ec, object, "singleton_method_added", &[Value::sym(name)])?;
    } else {
        crate::call::named(ec, class.0, "method_added", &[Value::sym(name)])?;
    }
    Ok(())
}

/// The class of a `VALUE` that C passes as one.
///
/// # Errors
/// TypeError.
pub fn class_arg(ec: &mut Ec, v: Value) -> Res<Class> {
    match Class::from_value(v) {
        Some(class) => Ok(class),
        None => {
            let name = ec.class_name_of(v);
            Err(ec.type_error(format!("wrong argument type {name} (expected Class)")))
        }
    }
}

/// Allocates for a class that has a function in C for that.
fn allocate(ec: &mut Ec, class: Class) -> Res {
    let mut at = Some(class);
    while let Some(c) = at {
        let allocator = part(ec).allocators.read().get(&c.0.bits()).copied();
        if let Some(Allocator { function, safe }) = allocator {
            let taken = !safe && lock::take(ec);
            // SAFETY: the function was given to `rb_define_alloc_func`.
            let made = unsafe { call_c_value(ec, function.0, &[class.0.bits()]) };
            if taken {
                lock::give(ec);
            }
            let made = made?;
            if ec.real_class_of(made) != class {
                return Err(ec.type_error("wrong instance allocation"));
            }
            return Ok(made);
        }
        at = c.superclass();
    }
    ec.new_object(class.0)
}

fn singleton(ec: &mut Ec, object: Value) -> Res<Class> {
    ec.singleton_class(object)
}

/// Defines a private instance method and a public one of the module itself.
fn module_function(ec: &mut Ec, module: Value, name: Text, function: Func, arity: c_int) -> Res<()> {
    let class = class_arg(ec, module)?;
    define(ec, class, name.sym(), function, arity, Visibility::Private)?;
    let single = singleton(ec, module)?;
    define(ec, single, name.sym(), function, arity, Visibility::Public)
}

api! {
    /// C: void rb_define_method(VALUE klass, const char *name, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_method(ec, class: Value, name: Text, function: Func, arity: c_int) {
        let class = class_arg(ec, class)?;
        define(ec, class, name.sym(), function, arity, Visibility::Public)
    }

    /// C: void rb_define_method_id(VALUE klass, ID mid, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_method_id(ec, class: Value, name: Id, function: Func, arity: c_int) {
        let class = class_arg(ec, class)?;
        define(ec, class, name.sym(), function, arity, Visibility::Public)
    }

    /// C: void rb_define_private_method(VALUE klass, const char *name, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_private_method(ec, class: Value, name: Text, function: Func, arity: c_int) {
        let class = class_arg(ec, class)?;
        define(ec, class, name.sym(), function, arity, Visibility::Private)
    }

    /// C: void rb_define_protected_method(VALUE klass, const char *name, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_protected_method(ec, class: Value, name: Text, function: Func, arity: c_int) {
        let class = class_arg(ec, class)?;
        define(ec, class, name.sym(), function, arity, Visibility::Protected)
    }

    /// C: void rb_define_singleton_method(VALUE obj, const char *name, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_singleton_method(ec, object: Value, name: Text, function: Func, arity: c_int) {
        let class = singleton(ec, object)?;
        define(ec, class, name.sym(), function, arity, Visibility::Public)
    }

    /// C: void rb_define_module_function(VALUE module, const char *name, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_module_function(ec, module: Value, name: Text, function: Func, arity: c_int) {
        module_function(ec, module, name, function, arity)
    }

    /// C: void rb_define_global_function(const char *name, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_global_function(ec, name: Text, function: Func, arity: c_int) {
        let kernel = ec.class(WellKnown::Kernel);
        module_function(ec, kernel, name, function, arity)
    }

    /// C: void rb_define_method_ts(VALUE klass, const char *name, VALUE (*func)(ANYARGS), int argc);
    fn rb_define_method_ts(ec, class: Value, name: Text, function: Func, arity: c_int) {
        let class = class_arg(ec, class)?;
        let before = part(ec).safe.swap(true, Ordering::Relaxed);
        let result = define(ec, class, name.sym(), function, arity, Visibility::Public);
        part(ec).safe.store(before, Ordering::Relaxed);
        result
    }

    fn rb_define_alloc_func(ec, class: Value, function: Func) {
        let class = class_arg(ec, class)?;
        let safe = part(ec).safe.load(Ordering::Relaxed);
        let known = part(ec).allocators.write().insert(class.0.bits(), Allocator { function, safe }).is_some();
        if known {
            class.set_alloc(Alloc::Native);
        } else {
            asterism_core::allocators::set_allocator(ec, class, allocate);
            // Classes that inherit from it already took what it had before.
            let below = ec.collect_classes(|c| {
                c != class && c.alloc() == Alloc::Object && std::iter::successors(Some(c), |c| c.superclass()).any(|c| c == class)
            })?;
            for i in 0.. {
                let Some(below) = asterism_object::array::at(below, i).and_then(Class::from_value) else { break };
                below.set_alloc(Alloc::Native);
            }
        }
        Ok(())
    }

    fn rb_undef_alloc_func(ec, class: Value) {
        let class = class_arg(ec, class)?;
        class.set_alloc(Alloc::Undefined);
        Ok(())
    }

    fn rb_get_alloc_func(ec, class: Value) -> Func {
        let class = class_arg(ec, class)?;
        if class.alloc() == Alloc::Undefined {
            return Ok(Func(std::ptr::null()));
        }
        let mut at = Some(class);
        while let Some(c) = at {
            if let Some(allocator) = part(ec).allocators.read().get(&c.0.bits()) {
                return Ok(allocator.function);
            }
            at = c.superclass();
        }
        Ok(Func(rb_asterism_allocate as *const ()))
    }

    /// What makes instances for functions in C that ask for the allocator of a class which has none in C: as the nearest class above
    /// those that have one.
    fn rb_asterism_allocate(ec, class: Value) -> Value {
        let class = class_arg(ec, class)?;
        let mut from = class;
        let mut at = Some(class);
        while let Some(c) = at {
            at = c.superclass();
            if part(ec).allocators.read().contains_key(&c.0.bits())
                && let Some(above) = at
            {
                from = above;
            }
        }
        match from.alloc() {
            Alloc::Native => asterism_core::allocators::allocate_from(ec, class, from),
            alloc => ec.allocate_as(class, alloc),
        }
    }

    fn rb_obj_alloc(ec, class: Value) -> Value {
        let class = class_arg(ec, class)?;
        ec.allocate(class)
    }

    fn rb_undef_method(ec, class: Value, name: Text) {
        let class = class_arg(ec, class)?;
        let method = Method::new(ec, class.0, name.sym(), Visibility::Public, Body::Undefined, Value::NIL)?;
        ec.add_method(class, name.sym(), method)
    }

    fn rb_undef(ec, class: Value, name: Id) {
        let class = class_arg(ec, class)?;
        ec.undef_method(class, name.sym())
    }

    fn rb_remove_method(ec, class: Value, name: Text) {
        crate::call::named(ec, class, "remove_method", &[Value::sym(name.sym())])?;
        Ok(())
    }

    fn rb_remove_method_id(ec, class: Value, name: Id) {
        crate::call::named(ec, class, "remove_method", &[Value::sym(name.sym())])?;
        Ok(())
    }

    fn rb_alias(ec, class: Value, new: Id, old: Id) {
        let class = class_arg(ec, class)?;
        ec.alias_method(class, new.sym(), old.sym())
    }

    fn rb_define_alias(ec, class: Value, new: Text, old: Text) {
        let class = class_arg(ec, class)?;
        ec.alias_method(class, new.sym(), old.sym())
    }

    fn rb_define_attr(ec, class: Value, name: Text, read: c_int, write: c_int) {
        let class = class_arg(ec, class)?;
        let (name, text) = (name.sym(), name.text());
        let ivar = asterism_symbol::intern(&format!("@{text}"));
        if read != 0 {
            let method = Method::new(ec, class.0, name, Visibility::Public, Body::AttrReader(ivar), Value::NIL)?;
            ec.add_method(class, name, method)?;
        }
        if write != 0 {
            let setter = asterism_symbol::intern(&format!("{text}="));
            let method = Method::new(ec, class.0, setter, Visibility::Public, Body::AttrWriter(ivar), Value::NIL)?;
            ec.add_method(class, setter, method)?;
        }
        Ok(())
    }

    fn rb_attr(ec, class: Value, name: Id, read: c_int, write: c_int, _honour_visibility: c_int) {
        let how = if read != 0 && write != 0 { "attr_accessor" } else if write != 0 { "attr_writer" } else { "attr_reader" };
        crate::call::named(ec, class, how, &[Value::sym(name.sym())])?;
        Ok(())
    }

    fn rb_method_boundp(ec, class: Value, name: Id, flags: c_int) -> c_int {
        let class = class_arg(ec, class)?;
        let found = ec.find_method(class, name.sym()).1;
        let visible = found.is_some_and(|f| flags & 1 == 0 || f.visibility == Visibility::Public);
        Ok(c_int::from(visible))
    }

    fn rb_ext_ractor_safe(ec, safe: bool) {
        part(ec).safe.store(safe, Ordering::Relaxed);
        Ok(())
    }

    fn rb_ext_thread_safe(ec, safe: bool) {
        part(ec).safe.store(safe, Ordering::Relaxed);
        Ok(())
    }
}

/// Calls a function that an extension's file has for its beginning.
///
/// # Safety
/// `function` is an extension's `Init_` or `InitVM_` function.
///
/// # Errors
/// What the function raises: LoadError, NameError and whatever its file raises; SystemStackError.
pub unsafe fn initialize(ec: &mut Ec, function: Func) -> Res<()> {
    let taken = lock::take(ec);
    let before = part(ec).safe.swap(false, Ordering::Relaxed);
    // SAFETY: the caller's contract.
    let result = unsafe { call_c(ec, function.0, &[]) };
    part(ec).safe.store(before, Ordering::Relaxed);
    if taken {
        lock::give(ec);
    }
    result.map(|_| ())
}
