//! What `Marshal.load` makes by way of a class that the bytes name: plain objects, Structs, Ranges, exceptions, Regexps, and what
//! a class loads itself.

use asterism_object::class::Alloc;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, numeric, range, string, structs};
use asterism_symbol::{BINARY, intern, sym};
use asterism_vm::{Ec, Res};

use super::super::{classes, is_exception};
use super::{Envelope, Reader};
use asterism_core::regexp::pattern;

impl Reader<'_> {
    pub(super) fn plain_regexp(&mut self, ec: &mut Ec) -> Res {
        let n = self.reserve(ec)?;
        let source = self.bytes(ec)?;
        let options = u32::from(self.byte(ec)?);
        let source = ec.str_enc(&without_escapes(&source), BINARY)?;
        let v = new_regexp(ec, source, options)?;
        self.enter_at(ec, n, v)
    }

    pub(super) fn regexp(&mut self, ec: &mut Ec, envelope: &mut Envelope) -> Res {
        let v = self.unfinished_regexp(ec, envelope)?;
        self.leave(ec, v)
    }

    /// The same for one whose class is to be set.
    pub(super) fn unfinished_regexp(&mut self, ec: &mut Ec, envelope: &mut Envelope) -> Res {
        let n = self.reserve(ec)?;
        let source = self.bytes(ec)?;
        let options = u32::from(self.byte(ec)?);
        let source = ec.str_enc(&source, BINARY)?;
        if std::mem::replace(envelope, Envelope::None) == Envelope::Open {
            self.variables(ec, source)?;
        }
        if string::encoding(source) == BINARY {
            let old = string::to_vec(ec, source);
            let done = string::replace_bytes(ec, source, &without_escapes(&old), BINARY);
            ec.check(source, done)?;
        }
        let v = new_regexp(ec, source, options)?;
        self.enter_at(ec, n, v)?;
        for name in asterism_object::ivars::names(ec, source) {
            if let Some(value) = asterism_object::ivars::get(ec, source, name) {
                ec.ivar_put(v, name, value)?;
            }
        }
        Ok(v)
    }

    pub(super) fn structure(&mut self, ec: &mut Ec, envelope: Envelope, modules: &mut Value) -> Res {
        let n = self.reserve(ec)?;
        let path = self.unique(ec)?;
        let class = classes::class(ec, &path)?;
        let length = self.length(ec)?;
        let name = ec.class_name(class);
        if class.alloc() != Alloc::Struct {
            return Err(ec.type_error(format!("class {name} not a struct")));
        }
        let v = ec.allocate(class)?;
        let members = asterism_core::structs::members_of_instance(ec, v)?;
        if array::len(members) != length {
            return Err(ec.type_error(format!("struct {name} not compatible (struct size differs)")));
        }
        self.enter_at(ec, n, v)?;
        self.extend(ec, v, modules)?;
        for i in 0..length {
            let member = self.symbol(ec)?;
            let wanted = array::at(members, i).and_then(Value::as_sym);
            if wanted != Some(member) {
                let wanted = wanted.map_or(String::new(), |w| w.text().to_string());
                let given = member.text();
                return Err(ec.type_error(format!("struct {name} not compatible (:{given} for :{wanted})")));
            }
            let value = self.object(ec)?;
            let done = structs::set(ec, v, i, value);
            ec.check(v, done)?;
        }
        if class.inherits_from(ec.known(WellKnown::Data)) && envelope == Envelope::None {
            ec.freeze(v)?;
        }
        self.leave_unless(ec, v, envelope)
    }

    pub(super) fn plain(&mut self, ec: &mut Ec, envelope: Envelope, modules: &mut Value) -> Res {
        let n = self.reserve(ec)?;
        let path = self.unique(ec)?;
        let class = classes::class(ec, &path)?;
        if class.is_singleton() {
            return Err(ec.type_error("can't create instance of singleton class"));
        }
        // CRuby wrote these as plain objects once.
        for (core, names) in
            [(WellKnown::Rational, ["@numerator", "@denominator"]), (WellKnown::Complex, ["@real", "@image"])]
        {
            if class == ec.known(core) {
                return self.old_number(ec, n, core, names);
            }
        }
        let v = match class.alloc() {
            Alloc::Object => ec.new_object(class.0)?,
            Alloc::Range => ec.allocate(class)?,
            Alloc::Undefined => {
                let name = ec.class_name(class);
                return Err(ec.type_error(format!("allocator undefined for {name}")));
            }
            _ => return Err(ec.arg_error("dump format error")),
        };
        self.enter_at(ec, n, v)?;
        self.extend(ec, v, modules)?;
        if v.is_type(Type::Range) {
            self.range(ec, v)?;
        } else if is_exception(ec, v) {
            self.exception(ec, v)?;
        } else {
            self.variables(ec, v)?;
        }
        self.leave_unless(ec, v, envelope)
    }

    fn old_number(&mut self, ec: &mut Ec, n: usize, core: WellKnown, names: [&str; 2]) -> Res {
        let parts = ec.array(&[Value::fixnum(0), Value::fixnum(1)])?;
        for _ in 0..self.length(ec)? {
            let name = self.symbol(ec)?;
            let value = self.object(ec)?;
            if let Some(at) = names.iter().position(|known| known.as_bytes() == name.bytes()) {
                let done = array::set(ec, parts, at, value);
                ec.check(parts, done)?;
            }
        }
        let v = number(ec, core, parts)?;
        self.enter_at(ec, n, v)?;
        self.leave(ec, v)
    }

    fn range(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        let mut parts = [Value::NIL; 3];
        for _ in 0..self.length(ec)? {
            let name = self.symbol(ec)?;
            let value = self.object(ec)?;
            match name.bytes() {
                b"excl" => parts[0] = value,
                b"begin" => parts[1] = value,
                b"end" => parts[2] = value,
                _ => self.variable(ec, v, name, value)?,
            }
        }
        let [exclusive, low, high] = parts;
        range::init(ec, v, low, high, exclusive.truthy());
        if ec.class_of(v) == ec.known(WellKnown::Range) {
            ec.freeze(v)?;
        }
        Ok(())
    }

    fn exception(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        for _ in 0..self.length(ec)? {
            let name = self.symbol(ec)?;
            let value = self.object(ec)?;
            match name.bytes() {
                b"mesg" => ec.ivar_put(v, sym::message_ivar, value)?,
                b"bt" if value.is_nil() => {}
                b"bt" => {
                    ec.call(v, sym::set_backtrace, &[value])?;
                }
                b"cause" if is_exception(ec, value) => {
                    let mut at = value;
                    while is_exception(ec, at) {
                        if at == v {
                            return Err(ec.arg_error("circular causes"));
                        }
                        at = asterism_object::ivars::get(ec, at, sym::cause_ivar).unwrap_or(Value::NIL);
                    }
                    ec.ivar_put(v, sym::cause_ivar, value)?
                }
                b"cause" | b"bt_locations" => {}
                b"status" | b"errno" | b"signo" if !value.is_fixnum() => {
                    return Err(ec.type_error("wrong argument type (expected Integer)"));
                }
                _ => self.variable(ec, v, name, value)?,
            }
        }
        Ok(())
    }

    pub(super) fn user_defined(&mut self, ec: &mut Ec, envelope: &mut Envelope) -> Res {
        let path = self.unique(ec)?;
        let class = classes::class(ec, &path)?;
        let load = intern("_load");
        if !ec.respond_to(class.0, load, true)? {
            let name = ec.class_name(class);
            return Err(ec.type_error(format!("class {name} needs to have method '_load'")));
        }
        let bytes = self.bytes(ec)?;
        let data = ec.str_enc(&bytes, BINARY)?;
        if std::mem::replace(envelope, Envelope::None) == Envelope::Open {
            self.variables(ec, data)?;
        }
        let v = ec.call(class.0, load, &[data])?;
        self.enter(ec, v)?;
        self.leave_partial(ec, v)
    }

    pub(super) fn user_marshal(&mut self, ec: &mut Ec, envelope: Envelope, modules: &mut Value) -> Res {
        let path = self.unique(ec)?;
        let class = classes::class(ec, &path)?;
        if let Some(core) = [WellKnown::Rational, WellKnown::Complex].into_iter().find(|w| ec.known(*w) == class) {
            let n = self.reserve(ec)?;
            let parts = self.object(ec)?;
            let v = number(ec, core, parts)?;
            self.enter_at(ec, n, v)?;
            return self.leave_unless(ec, v, envelope);
        }
        let v = ec.allocate(class)?;
        let lacks = |ec: &mut Ec| format!("instance of {} needs to have method 'marshal_load'", ec.class_name(class));
        let data = self.load_by(ec, v, modules, "marshal_load", lacks)?;
        // As CRuby has it: the instance variables of what was dumped become the object's own, but for those that it has.
        for name in asterism_object::ivars::names(ec, data) {
            if name.bytes().first() == Some(&b'@')
                && asterism_object::ivars::get(ec, v, name).is_none()
                && let Some(value) = asterism_object::ivars::get(ec, data, name)
            {
                ec.ivar_put(v, name, value)?;
            }
        }
        if envelope == Envelope::Open { Ok(v) } else { self.leave_partial(ec, v) }
    }

    pub(super) fn native_data(&mut self, ec: &mut Ec, envelope: Envelope, modules: &mut Value) -> Res {
        let path = self.unique(ec)?;
        let class = classes::class(ec, &path)?;
        let v = ec.allocate(class)?;
        if !v.is_type(Type::Data) {
            return Err(ec.arg_error("dump format error"));
        }
        let lacks = |ec: &mut Ec| format!("class {} needs to have instance method '_load_data'", ec.class_name(class));
        self.load_by(ec, v, modules, "_load_data", lacks)?;
        self.leave_unless(ec, v, envelope)
    }

    /// Hands the fresh object `v` what was dumped of it, by its method `hook`; what that was. `lacks`: the message if there is no
    /// such method.
    fn load_by(
        &mut self,
        ec: &mut Ec,
        v: Value,
        modules: &mut Value,
        hook: &str,
        lacks: impl FnOnce(&mut Ec) -> String,
    ) -> Res {
        self.enter(ec, v)?;
        self.extend(ec, v, modules)?;
        let load = intern(hook);
        if !ec.respond_to(v, load, true)? {
            let message = lacks(ec);
            return Err(ec.type_error(message));
        }
        let data = self.object(ec)?;
        ec.call(v, load, &[data])?;
        Ok(data)
    }
}

/// A Regexp that can still be given instance variables and modules.
fn new_regexp(ec: &mut Ec, source: Value, options: u32) -> Res {
    let class = ec.known(WellKnown::Regexp);
    let v = pattern::allocate(ec, class)?;
    let compiled = pattern::get(ec, source, options & 0x37)?;
    if !pattern::set(ec, v, compiled) {
        return Err(ec.fatal("a new Regexp is initialised"));
    }
    Ok(v)
}

/// A Rational or Complex of its two parts.
fn number(ec: &mut Ec, core: WellKnown, parts: Value) -> Res {
    let name = if core == WellKnown::Rational { "rational" } else { "complex" };
    let (Some(a), Some(b), 2) = (
        parts.is_type(Type::Array).then(|| array::at(parts, 0)).flatten(),
        array_at(parts, 1),
        if parts.is_type(Type::Array) { array::len(parts) } else { 0 },
    ) else {
        return Err(
            ec.arg_error(format!("marshaled {name} must have an array whose length is 2 but {}", size_of(parts)))
        );
    };
    if core == WellKnown::Complex {
        for part in [a, b] {
            let real =
                ec.is_kind_of(part, ec.known(WellKnown::Numeric).0) && ec.call(part, intern("real?"), &[])?.truthy();
            if !real {
                return Err(ec.type_error("not a real"));
            }
        }
        let made = numeric::complex(ec, a, b);
        return ec.check(Value::NIL, made);
    }
    for part in [a, b] {
        if !asterism_object::bigint::is_integer(part) {
            return Err(ec.type_error("not an integer"));
        }
    }
    if b == Value::fixnum(0) {
        return Err(ec.zero_div());
    }
    // In lowest terms, with a denominator above zero, whatever the bytes say.
    let kernel = ec.known(WellKnown::Kernel).0;
    ec.call(kernel, intern("Rational"), &[a, b])
}

fn array_at(v: Value, i: usize) -> Option<Value> {
    if v.is_type(Type::Array) { array::at(v, i) } else { None }
}

fn size_of(v: Value) -> usize {
    if v.is_type(Type::Array) { array::len(v) } else { 0 }
}

/// The source of a Regexp that names no encoding: one of Ruby 1.8, where these escapes stood for the letters.
fn without_escapes(source: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(source.len());
    let mut escaped = false;
    for &byte in source {
        if escaped && b"ghijklmopquyEFHIJKLNOPQRSTUVXY".contains(&byte) {
            plain.pop();
        }
        escaped = byte == b'\\' && !escaped;
        plain.push(byte);
    }
    plain
}
