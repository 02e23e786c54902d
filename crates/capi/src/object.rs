//! Objects: what they are, their instance variables, comparison and conversion.

use std::ffi::{c_char, c_int, c_long};

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::{self, Type};
use asterism_object::{Value, hash, ivars, ownership, string, structs};
use asterism_vm::{Ec, Exc, Res};

use crate::call::named;
use crate::entry::call_c;
use crate::lock::in_ruby;
use crate::types::{Func, Id, In, Out, Text};

/// `RUBY_T_STRUCT`
const T_STRUCT: c_int = 9;
/// `RUBY_FL_FREEZE`
const FROZEN: u64 = 1 << 11;
/// `RUBY_FL_USHIFT`
pub const FIRST_USER: u32 = 12;

/// `T_…` of the header, by the layout type of a cell. What a native object is, `rb_asterism_data_type` says.
const fn builtin_type(t: Type) -> u8 {
    match t {
        Type::Object => 1,
        Type::Class => 2,
        Type::Module => 3,
        Type::Float => 4,
        Type::String => 5,
        Type::Array => 7,
        Type::Hash => 8,
        Type::Struct | Type::Range => 9,
        Type::BigInt => 10,
        Type::Complex => 14,
        Type::Rational => 15,
        Type::Proc | Type::Data => 12,
        Type::Free => 0,
        Type::IncludeClass => 28,
        _ => 26,
    }
}

/// `T_…` by the low byte of a cell's header: what the header's macros read.
#[unsafe(no_mangle)]
pub static rb_asterism_types: [u8; 256] = {
    let mut all = [26u8; 256];
    let mut i = 0;
    while i < types::ALL.len() {
        all[types::ALL[i] as usize] = builtin_type(types::ALL[i]);
        i += 1;
    }
    all[0] = 0;
    all
};

/// `T_…` of a native object.
fn data_type(ec: &Ec, v: Value) -> c_int {
    if crate::data::is_data(v) {
        return 12;
    }
    if asterism_core::regexp::hooks::is_regexp(ec, v) {
        return 6;
    }
    if asterism_core::regexp::match_data::is_match(v) {
        return 13;
    }
    if ec.is_kind_of(v, ec.class(WellKnown::IO)) {
        return 11;
    }
    12
}

/// `T_…` of any value.
pub fn type_of(ec: &Ec, v: Value) -> c_int {
    match v.cell() {
        Some(cell) => match types::type_of(cell) {
            Type::Data => data_type(ec, v),
            t => c_int::from(builtin_type(t)),
        },
        None if v.is_fixnum() => 21,
        None if v.is_flonum() => 4,
        None if v.is_sym() => 20,
        None if v.is_nil() => 17,
        None if v == Value::TRUE => 18,
        None if v == Value::FALSE => 19,
        None => 22,
    }
}

/// The name of a `T_…`.
fn type_name(t: c_int) -> &'static str {
    match t {
        1 => "Object",
        2 => "Class",
        3 => "Module",
        4 => "Float",
        5 => "String",
        6 => "Regexp",
        7 => "Array",
        8 => "Hash",
        9 => "Struct",
        10 => "Integer",
        11 => "File",
        12 => "Data",
        13 => "MatchData",
        14 => "Complex",
        15 => "Rational",
        17 => "nil",
        18 => "true",
        19 => "false",
        20 => "Symbol",
        21 => "Integer",
        _ => "unknown",
    }
}

/// The error of an object of another type than the wanted one.
pub fn unexpected(ec: &mut Ec, v: Value, t: c_int) -> asterism_vm::Raised {
    let found = ec.describe_for_conversion(v);
    ec.type_error(format!("wrong argument type {found} (expected {})", type_name(t)))
}

fn convert(ec: &mut Ec, v: Value, t: c_int, name: Text, method: Text, must: bool) -> Res {
    if type_of(ec, v) == t {
        return Ok(v);
    }
    let sym = method.sym();
    if !in_ruby(ec, |ec| ec.respond_to(v, sym, true))? {
        if !must {
            return Ok(Value::NIL);
        }
        let found = ec.describe_for_conversion(v);
        let implicit = matches!(
            method.bytes(),
            b"to_int"
                | b"to_ary"
                | b"to_str"
                | b"to_sym"
                | b"to_hash"
                | b"to_proc"
                | b"to_io"
                | b"to_a"
                | b"to_s"
                | b"to_i"
                | b"to_f"
                | b"to_r"
        );
        return Err(if implicit && !matches!(method.bytes(), b"to_a" | b"to_s" | b"to_i" | b"to_f" | b"to_r") {
            ec.type_error(format!("no implicit conversion of {found} into {}", name.text()))
        } else {
            ec.type_error(format!("can't convert {found} into {}", name.text()))
        });
    }
    let made = crate::call::method(ec, v, sym, &[])?;
    if made.is_nil() && !must {
        return Ok(made);
    }
    if type_of(ec, made) != t {
        let got = ec.class_name_of(made);
        return Err(ec.conversion_mismatch(v, &name.text(), sym, &got));
    }
    Ok(made)
}

api! {
    fn rb_asterism_data_type(ec, v: Value) -> c_int {
        Ok(data_type(ec, v))
    }

    fn rb_type_of(ec, v: Value) -> c_int {
        Ok(type_of(ec, v))
    }

    fn rb_check_type(ec, v: Value, t: c_int) {
        if type_of(ec, v) == t && !v.is_undef() {
            if t == 12 && crate::data::is_typed(v) {
                let found = ec.class_name_of(v);
                return Err(ec.type_error(format!("wrong argument type {found} (expected Data)")));
            }
            return Ok(());
        }
        Err(unexpected(ec, v, t))
    }

    /// C: NORETURN(void rb_unexpected_type(VALUE obj, int expected));
    fn rb_unexpected_type(ec, v: Value, t: c_int) {
        Err(unexpected(ec, v, t))
    }

    fn rb_class_of(ec, v: Value) -> Value {
        Ok(ec.class_of(v).0)
    }

    fn rb_obj_class(ec, v: Value) -> Value {
        Ok(ec.real_class_of(v).0)
    }

    fn rb_obj_classname(ec, v: Value) -> In<c_char> {
        let class = ec.real_class_of(v);
        let name = ec.class_name(class);
        Ok(crate::symbol::c_name(ec, crate::types::symbol(name.as_bytes())))
    }

    fn rb_class2name(ec, class: Value) -> In<c_char> {
        let name = match Class::from_value(class) {
            Some(class) if class.is_singleton() => {
                let real = ec.real_class_of(class.module());
                ec.class_name(real)
            }
            Some(class) => ec.class_name(class),
            None => String::new(),
        };
        Ok(crate::symbol::c_name(ec, crate::types::symbol(name.as_bytes())))
    }

    fn rb_obj_frozen_p(_ec, v: Value) -> Value {
        Ok(Value::bool(!v.is_heap() || ownership::is_frozen(v)))
    }

    fn rb_asterism_freeze(ec, v: Value) -> Value {
        ec.freeze(v)
    }

    fn rb_obj_freeze_inline(ec, v: Value) {
        ec.freeze(v)?;
        Ok(())
    }

    fn rb_obj_is_instance_of(ec, v: Value, class: Value) -> Value {
        named(ec, v, "instance_of?", &[class])
    }

    fn rb_obj_is_kind_of(ec, v: Value, class: Value) -> Value {
        if Class::from_value(class).is_none() {
            return Err(ec.type_error("class or module required"));
        }
        Ok(Value::bool(ec.is_kind_of(v, class)))
    }

    fn rb_obj_as_string(ec, v: Value) -> Value {
        if v.is_type(Type::String) {
            return Ok(v);
        }
        in_ruby(ec, |ec| ec.to_s(v))
    }

    fn rb_inspect(ec, v: Value) -> Value {
        in_ruby(ec, |ec| ec.inspect(v))
    }

    fn rb_any_to_s(ec, v: Value) -> Value {
        let text = ec.any_to_s(v);
        ec.str(text)
    }

    fn rb_equal(ec, a: Value, b: Value) -> Value {
        Ok(Value::bool(in_ruby(ec, |ec| ec.eq(a, b))?))
    }

    fn rb_eql(ec, a: Value, b: Value) -> c_int {
        Ok(c_int::from(in_ruby(ec, |ec| ec.eql(a, b))?))
    }

    fn rb_obj_id(ec, v: Value) -> Value {
        named(ec, v, "object_id", &[])
    }

    fn rb_memory_id(ec, v: Value) -> Value {
        named(ec, v, "object_id", &[])
    }

    fn rb_obj_hide(_ec, v: Value) -> Value {
        Ok(v)
    }

    fn rb_obj_reveal(_ec, v: Value, _class: Value) -> Value {
        Ok(v)
    }

    fn rb_obj_init_copy(ec, v: Value, from: Value) -> Value {
        if v == from {
            return Ok(v);
        }
        ec.check_frozen(v)?;
        if ec.real_class_of(v) != ec.real_class_of(from) || type_of(ec, v) != type_of(ec, from) {
            return Err(ec.type_error("initialize_copy should take same class object"));
        }
        Ok(v)
    }

    fn rb_obj_remove_instance_variable(ec, v: Value, name: Value) -> Value {
        named(ec, v, "remove_instance_variable", &[name])
    }

    fn rb_iv_set(ec, v: Value, name: Text, x: Value) -> Value {
        ec.ivar_put(v, name.sym(), x)?;
        Ok(x)
    }

    fn rb_ivar_set(ec, v: Value, name: Id, x: Value) -> Value {
        if !v.is_heap() {
            return Err(ec.frozen_error(v));
        }
        ec.ivar_put(v, name.sym(), x)?;
        Ok(x)
    }

    fn rb_ivar_defined(ec, v: Value, name: Id) -> Value {
        Ok(Value::bool(ivars::defined(ec, v, name.sym())))
    }

    fn rb_ivar_count(ec, v: Value) -> usize {
        Ok(ivars::count(ec, v))
    }

    /// C: void rb_ivar_foreach(VALUE obj, int (*func)(ID name, VALUE val, st_data_t arg), st_data_t arg);
    fn rb_ivar_foreach(ec, v: Value, function: Func, data: u64) {
        for name in ivars::names(ec, v) {
            let Some(x) = ivars::get(ec, v, name) else { continue };
            // SAFETY: the function is one for `rb_ivar_foreach`.
            let how = unsafe { call_c(ec, function.0, &[Id::of(name).0, x.bits(), data]) }?;
            if how as c_int == 1 {
                break;
            }
        }
        Ok(())
    }

    fn rb_copy_generic_ivar(ec, to: Value, from: Value) {
        let done = ivars::copy(ec, from, to);
        ec.check(to, done)
    }

    fn rb_free_generic_ivar(ec, v: Value) {
        for name in ivars::names(ec, v) {
            let done = ivars::remove(ec, v, name);
            ec.check(v, done)?;
        }
        Ok(())
    }

    fn rb_convert_type(ec, v: Value, t: c_int, name: Text, method: Text) -> Value {
        convert(ec, v, t, name, method, true)
    }

    fn rb_check_convert_type(ec, v: Value, t: c_int, name: Text, method: Text) -> Value {
        if type_of(ec, v) == t && t != 12 {
            return Ok(v);
        }
        convert(ec, v, t, name, method, false)
    }

    fn rb_p(ec, v: Value) {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "p", &[v])?;
        Ok(())
    }

    fn rb_extend_object(ec, v: Value, module: Value) {
        named(ec, module, "extend_object", &[v])?;
        Ok(())
    }

    /// The flags of `RBasic`: those that there are.
    fn rb_asterism_flags(ec, v: Value) -> u64 {
        let frozen = if !v.is_heap() || ownership::is_frozen(v) { FROZEN } else { 0 };
        Ok(type_of(ec, v) as u64 | frozen | crate::data::user_flags(v))
    }

    /// Sets them; what is frozen stays so.
    fn rb_asterism_set_flags(ec, v: Value, flags: u64) {
        if flags & FROZEN != 0 {
            ec.freeze(v)?;
        } else if ownership::is_frozen(v) {
            return Err(ec.not_implemented("RBASIC_SET_FLAGS that thaws an object"));
        }
        crate::data::set_user_flags(v, flags);
        Ok(())
    }

    /// What `RBASIC` gives.
    /// C: struct RBasic *rb_asterism_basic(VALUE v);
    fn rb_asterism_basic(ec, v: Value) -> crate::types::Opaque {
        let frozen = if v.is_heap() && ownership::is_frozen(v) { FROZEN } else { 0 };
        let others = type_of(ec, v) as u64 | frozen;
        crate::data::with_flags(v, others).ok_or_else(|| {
            let name = ec.describe_for_conversion(v);
            ec.not_implemented(format!("RBASIC of {name}: only objects that wrap memory of C have flags there"))
        })
    }

    fn rb_obj_frozen(_ec, v: Value) -> c_int {
        Ok(c_int::from(!v.is_heap() || ownership::is_frozen(v)))
    }

    fn rb_struct_size(ec, v: Value) -> Value {
        // A Range is a struct of three to C.
        match v.is_type(Type::Struct) {
            true => ec.size(structs::len(v)),
            false if v.is_type(Type::Range) => ec.int(3),
            false => Err(unexpected(ec, v, T_STRUCT)),
        }
    }

    fn rb_struct_aref(ec, v: Value, key: Value) -> Value {
        if v.is_type(Type::Range) {
            let name = match key.fixnum_value() {
                Some(0) => "begin",
                Some(1) => "end",
                Some(2) => "exclude_end?",
                _ => return Err(ec.raise(asterism_vm::Exc::IndexError, "a Range has three members in C")),
            };
            return named(ec, v, name, &[]);
        }
        named(ec, v, "[]", &[key])
    }

    fn rb_struct_aset(ec, v: Value, key: Value, x: Value) -> Value {
        named(ec, v, "[]=", &[key, x])
    }

    fn rb_struct_getmember(ec, v: Value, name: Id) -> Value {
        named(ec, v, "[]", &[Value::sym(name.sym())])
    }

    fn rb_struct_alloc(ec, class: Value, values: Value) -> Value {
        let values = crate::demand::elements(ec, values)?;
        named(ec, class, "new", asterism_object::array::private_slice(&values))
    }

    fn rb_struct_initialize(ec, v: Value, values: Value) -> Value {
        crate::demand::a_struct(ec, v)?;
        let values = crate::demand::elements(ec, values)?;
        let all = asterism_object::array::private_slice(&values);
        if all.len() > structs::len(v) {
            return Err(ec.arg_error("struct size differs"));
        }
        for i in 0..structs::len(v) {
            let done = structs::set(ec, v, i, all.get(i).copied().unwrap_or(Value::NIL));
            ec.check(v, done)?;
        }
        // As in CRuby, what it returns means nothing.
        Ok(Value::NIL)
    }

    fn rb_struct_alloc_noinit(ec, class: Value) -> Value {
        let class = crate::method::class_arg(ec, class)?;
        ec.allocate(class)
    }

    /// The class that `rb_struct_define` makes of member names; under `scope` if that is a class.
    fn rb_asterism_struct_define(ec, superclass: Value, name: Text, scope: Value, members: In<Value>, n: c_long) -> Value {
        let superclass = if superclass.bits() == 0 || superclass.is_nil() { ec.class(WellKnown::Struct) } else { superclass };
        let made = if n == 0 { empty_struct(ec, superclass)? } else { named(ec, superclass, "new", members.slice(n))? };
        if !name.is_null() && !name.bytes().is_empty() {
            let scope = Class::from_value(scope).unwrap_or(Class(superclass));
            ec.set_constant(scope, name.sym(), made)?;
        }
        crate::part::keep(ec, made);
        Ok(made)
    }

    fn rb_asterism_data_define(ec, superclass: Value, members: In<Value>, n: c_long) -> Value {
        let superclass = if superclass.bits() == 0 || superclass.is_nil() { ec.class(WellKnown::Data) } else { superclass };
        let made = named(ec, superclass, "define", members.slice(n))?;
        crate::part::keep(ec, made);
        Ok(made)
    }

    fn rb_range_new(ec, low: Value, high: Value, exclusive: c_int) -> Value {
        asterism_core::range::check_ends(ec, low, high)?;
        ec.range(low, high, exclusive != 0)
    }

    fn rb_range_values(ec, v: Value, low: Out<Value>, high: Out<Value>, exclusive: Out<c_int>) -> c_int {
        Ok(c_int::from(range_parts(ec, v, low, high, exclusive)?))
    }

    fn rb_range_beg_len(ec, v: Value, start: Out<c_long>, count: Out<c_long>, len: c_long, how: c_int) -> Value {
        range_beg_len(ec, v, start, count, len, how)
    }

    fn rb_arithmetic_sequence_beg_len_step(ec, v: Value, start: Out<c_long>, count: Out<c_long>, step: Out<c_long>, len: c_long, how: c_int) -> Value {
        let object = ec.known(WellKnown::Object);
        let enumerator = ec.own_constant(object, asterism_symbol::intern("Enumerator")).and_then(Class::from_value);
        let sequence = enumerator.and_then(|e| ec.own_constant(e, asterism_symbol::intern("ArithmeticSequence")));
        let sequence = sequence.unwrap_or(Value::NIL);
        if !sequence.is_nil() && ec.is_kind_of(v, sequence) {
            let n = named(ec, v, "step", &[])?;
            let n = ec.to_i64(n)?;
            step.set(n);
            let (low, high) = (named(ec, v, "begin", &[])?, named(ec, v, "end", &[])?);
            let exclusive = named(ec, v, "exclude_end?", &[])?.truthy();
            let (low, high) = if n < 0 { (high, low) } else { (low, high) };
            let how = if n.abs() > 1 && how == 1 { 1 } else { how };
            let range = ec.range(low, high, exclusive && n > 0)?;
            return range_beg_len(ec, range, start, count, len, how);
        }
        step.set(1);
        range_beg_len(ec, v, start, count, len, how)
    }

    fn rb_asterism_sequence_extract(ec, v: Value, parts: Out<Value>) -> c_int {
        let sequence = crate::class::known_by_name(ec, "rb_cArithSeq")?;
        let is = ec.is_kind_of(v, sequence);
        // An object with the methods of a Range will do.
        for name in ["begin", "end", "exclude_end?"] {
            let name = asterism_symbol::intern(name);
            if !is && !v.is_type(Type::Range) && !crate::lock::in_ruby(ec, |ec| ec.respond_to(v, name, true))? {
                return Ok(0);
            }
        }
        for (i, name) in ["begin", "end"].into_iter().enumerate() {
            let part = named(ec, v, name, &[])?;
            parts.set_at(i, part);
        }
        let step = if is { named(ec, v, "step", &[])? } else { ec.int(1)? };
        parts.set_at(2, step);
        let exclusive = named(ec, v, "exclude_end?", &[])?;
        parts.set_at(3, exclusive);
        Ok(1)
    }

    fn rb_get_kwargs(ec, h: Value, names: In<Id>, required: c_int, optional: c_int, values: Out<Value>) -> c_int {
        kwargs(ec, h, names, required, optional, values)
    }

    fn rb_set_new(ec) -> Value {
        let class = ec.class(WellKnown::Set);
        named(ec, class, "new", &[])
    }

    fn rb_set_new_capa(ec, _n: usize) -> Value {
        let class = ec.class(WellKnown::Set);
        named(ec, class, "new", &[])
    }

    fn rb_set_lookup(ec, set: Value, v: Value) -> bool {
        Ok(named(ec, set, "include?", &[v])?.truthy())
    }

    fn rb_set_add(ec, set: Value, v: Value) -> bool {
        Ok(!named(ec, set, "add?", &[v])?.is_nil())
    }

    fn rb_set_delete(ec, set: Value, v: Value) -> bool {
        Ok(!named(ec, set, "delete?", &[v])?.is_nil())
    }

    fn rb_set_size(ec, set: Value) -> usize {
        Ok(named(ec, set, "size", &[])?.as_fixnum() as usize)
    }

    /// C: void rb_set_foreach(VALUE set, int (*func)(VALUE element, VALUE arg), VALUE arg);
    fn rb_set_foreach(ec, set: Value, function: Func, data: Value) {
        let list = named(ec, set, "to_a", &[])?;
        let mut i = 0;
        while let Some(v) = asterism_object::array::at(list, i) {
            i += 1;
            // SAFETY: the function is one for `rb_set_foreach`.
            match unsafe { call_c(ec, function.0, &[v.bits(), data.bits()]) }? as c_int {
                1 => break,
                2 => {
                    named(ec, set, "delete", &[v])?;
                }
                _ => {}
            }
        }
        asterism_heap::keep_alive(list.bits());
        Ok(())
    }
}

/// A Struct class without members, which `Struct.new` makes of none since Ruby 3.3.
fn empty_struct(ec: &mut Ec, superclass: Value) -> Res {
    named(ec, superclass, "new", &[])
}

fn range_parts(ec: &mut Ec, v: Value, low: Out<Value>, high: Out<Value>, exclusive: Out<c_int>) -> Res<bool> {
    if !v.is_type(Type::Range) {
        for name in ["begin", "end", "exclude_end?"] {
            if !in_ruby(ec, |ec| ec.respond_to(v, asterism_symbol::intern_static(name), false))? {
                return Ok(false);
            }
        }
    }
    let (a, b) = (named(ec, v, "begin", &[])?, named(ec, v, "end", &[])?);
    low.set(a);
    high.set(b);
    exclusive.set(c_int::from(named(ec, v, "exclude_end?", &[])?.truthy()));
    Ok(true)
}

fn range_beg_len(ec: &mut Ec, v: Value, start: Out<c_long>, count: Out<c_long>, len: c_long, how: c_int) -> Res {
    if !v.is_type(Type::Range) {
        return Ok(Value::FALSE);
    }
    let (low, high) = (asterism_object::range::begin(v), asterism_object::range::end(v));
    let mut a = if low.is_nil() { 0 } else { ec.to_i64(low)? };
    let mut b = if high.is_nil() { -1 } else { ec.to_i64(high)? };
    let exclusive = !high.is_nil() && asterism_object::range::exclude_end(v);
    let outside = |ec: &mut Ec| -> Res {
        if how == 0 || how == 2 {
            return Ok(Value::NIL);
        }
        let shown = ec.inspect(v)?;
        let shown = string::to_string_lossy(ec, shown);
        Err(ec.range_error(format!("{shown} out of range")))
    };
    if a < 0 {
        a += len;
        if a < 0 {
            return outside(ec);
        }
    }
    if b < 0 {
        b += len;
    }
    if !exclusive {
        b += 1;
    }
    if how == 0 || how == 2 {
        if a > len {
            return outside(ec);
        }
        b = b.min(len);
    }
    start.set(a);
    count.set((b - a).max(0));
    Ok(Value::TRUE)
}

/// `rb_get_kwargs`: takes what is named out of the Hash.
fn kwargs(ec: &mut Ec, h: Value, names: In<Id>, required: c_int, optional: c_int, values: Out<Value>) -> Res<c_int> {
    let rest = optional < 0;
    let optional = if rest { -1 - optional } else { optional };
    let total = required + optional;
    let names = names.slice(i64::from(total));
    if !values.is_null() {
        for i in 0..total as usize {
            values.set_at(i, Value::UNDEF);
        }
    }
    let mut found = 0;
    let mut missing = Vec::new();
    let has = h.is_type(Type::Hash);
    for (i, name) in names.iter().enumerate() {
        let key = Value::sym(name.sym());
        let given = if has { ec.hash_get(h, key)? } else { None };
        match given {
            Some(v) => {
                found += 1;
                if !values.is_null() {
                    values.set_at(i, v);
                    ec.hash_delete(h, key)?;
                }
            }
            None if (i as c_int) < required => missing.push(format!(":{}", name.sym().text())),
            None => {}
        }
    }
    if !missing.is_empty() {
        let plural = if missing.len() > 1 { "s" } else { "" };
        return Err(ec.arg_error(format!("missing keyword{plural}: {}", missing.join(", "))));
    }
    if !rest && has {
        let left = if values.is_null() { hash::len(h) as c_int - found } else { hash::len(h) as c_int };
        if left > 0 {
            let keys = hash::keys(ec, h);
            let keys = ec.check(h, keys)?;
            let mut shown = Vec::new();
            let mut i = 0;
            while let Some(key) = asterism_object::array::at(keys, i) {
                i += 1;
                if !names.iter().any(|n| Value::sym(n.sym()) == key) {
                    let text = ec.inspect(key)?;
                    shown.push(string::to_string_lossy(ec, text));
                }
            }
            let plural = if shown.len() > 1 { "s" } else { "" };
            return Err(ec.raise(Exc::ArgumentError, format!("unknown keyword{plural}: {}", shown.join(", "))));
        }
    }
    Ok(found)
}

methods! {
    fn rb_obj_instance_variables(v) = "instance_variables";
    fn rb_struct_members(v) = "members";
    fn rb_struct_s_members(v) = "members";
    fn rb_set_clear(v) = "clear";
}
