//! Symbols and IDs.

use std::ffi::{CString, c_char, c_int, c_long};

use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_symbol::Sym;
use asterism_vm::{Ec, Res};

use crate::types::{Id, In, Out, Text, symbol};

fn name_string(ec: &mut Ec, sym: Sym) -> Res {
    let name = sym.name();
    let made = string::frozen(ec, name.bytes, name.encoding);
    let made = ec.check(Value::NIL, made)?;
    (ec.vm().hooks.intern_string)(ec, made)
}

fn sym_of(ec: &mut Ec, v: Value) -> Res<Sym> {
    match v.as_sym() {
        Some(sym) => Ok(sym),
        None => ec.to_sym(v),
    }
}

/// The name of an ID as a C string, which stays as long as the VM.
pub fn c_name(ec: &Ec, sym: Sym) -> In<c_char> {
    let mut names = crate::part::part(ec).names.lock();
    let name = names.entry(sym).or_insert_with(|| {
        // A NUL in the name ends it.
        let bytes: Vec<u8> = sym.bytes().iter().copied().take_while(|&b| b != 0).collect();
        CString::new(bytes).unwrap_or_default()
    });
    In(name.as_ptr())
}

fn first(id: Id) -> (u8, u8) {
    let bytes = id.sym().bytes();
    (bytes.first().copied().unwrap_or(0), bytes.last().copied().unwrap_or(0))
}

api! {
    fn rb_intern(_ec, name: Text) -> Id {
        Ok(Id::of(name.sym()))
    }

    fn rb_intern2(_ec, name: In<u8>, len: c_long) -> Id {
        Ok(Id::of(symbol(name.slice(len))))
    }

    fn rb_intern_str(ec, v: Value) -> Id {
        crate::demand::a_string(ec, v)?;
        match string::to_sym(ec, v) {
            Some(sym) => Ok(Id::of(sym)),
            None => Err(ec.no_memory()),
        }
    }

    fn rb_id2sym(_ec, id: Id) -> Value {
        Ok(Value::sym(id.sym()))
    }

    fn rb_sym2id(ec, v: Value) -> Id {
        match v.as_sym() {
            Some(sym) => Ok(Id::of(sym)),
            None => {
                let name = ec.class_name_of(v);
                Err(ec.type_error(format!("wrong argument type {name} (expected Symbol)")))
            }
        }
    }

    fn rb_id2name(ec, id: Id) -> In<c_char> {
        if id.is_none() {
            return Ok(In(std::ptr::null()));
        }
        Ok(c_name(ec, id.sym()))
    }

    fn rb_id2str(ec, id: Id) -> Value {
        if id.is_none() {
            return Ok(Value::FALSE);
        }
        name_string(ec, id.sym())
    }

    fn rb_sym2str(ec, v: Value) -> Value {
        let sym = sym_of(ec, v)?;
        name_string(ec, sym)
    }

    fn rb_to_id(ec, v: Value) -> Id {
        Ok(Id::of(sym_of(ec, v)?))
    }

    fn rb_to_symbol(ec, v: Value) -> Value {
        Ok(Value::sym(sym_of(ec, v)?))
    }

    fn rb_check_id(ec, place: Out<Value>) -> Id {
        let v = place.get();
        if let Some(sym) = v.as_sym() {
            return Ok(Id::of(sym));
        }
        let v = if v.is_type(Type::String) { v } else { ec.to_str(v)? };
        place.set(v);
        let (bytes, encoding) = (string::read(ec, v), string::encoding(v));
        let encoding = if bytes.is_ascii() { asterism_symbol::US_ASCII } else { encoding };
        Ok(asterism_symbol::lookup(&bytes, encoding).map_or(Id::NONE, Id::of))
    }

    fn rb_check_symbol(ec, place: Out<Value>) -> Value {
        let v = place.get();
        if v.is_sym() {
            return Ok(v);
        }
        let v = if v.is_type(Type::String) { v } else { ec.to_str(v)? };
        place.set(v);
        let (bytes, encoding) = (string::read(ec, v), string::encoding(v));
        let encoding = if bytes.is_ascii() { asterism_symbol::US_ASCII } else { encoding };
        Ok(asterism_symbol::lookup(&bytes, encoding).map_or(Value::NIL, Value::sym))
    }

    fn rb_is_const_id(_ec, id: Id) -> c_int {
        let (a, z) = first(id);
        Ok(c_int::from(a.is_ascii_uppercase() && !matches!(z, b'=' | b'?' | b'!')))
    }

    fn rb_is_instance_id(_ec, id: Id) -> c_int {
        let bytes = id.sym().bytes();
        Ok(c_int::from(bytes.starts_with(b"@") && !bytes.starts_with(b"@@") && bytes.len() > 1))
    }

    fn rb_is_class_id(_ec, id: Id) -> c_int {
        Ok(c_int::from(id.sym().bytes().starts_with(b"@@")))
    }

    fn rb_is_global_id(_ec, id: Id) -> c_int {
        Ok(c_int::from(first(id).0 == b'$'))
    }

    fn rb_is_local_id(_ec, id: Id) -> c_int {
        let (a, z) = first(id);
        Ok(c_int::from((a.is_ascii_lowercase() || a == b'_' || a >= 128) && !matches!(z, b'=' | b'?' | b'!')))
    }

    fn rb_is_attrset_id(_ec, id: Id) -> c_int {
        let (a, z) = first(id);
        Ok(c_int::from((a.is_ascii_alphabetic() || a == b'_') && z == b'='))
    }

    fn rb_id_attrset(_ec, id: Id) -> Id {
        let mut name = id.sym().bytes().to_vec();
        name.push(b'=');
        Ok(Id::of(symbol(&name)))
    }

    fn rb_sym_all_symbols(ec) -> Value {
        let class = ec.class(asterism_object::space::WellKnown::Symbol);
        crate::call::named(ec, class, "all_symbols", &[])
    }
}
