//! What functions demand of an object that C gives them: that it is of their type.

use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::{Ec, Raised, Res};

#[inline(always)]
fn demand(ec: &mut Ec, v: Value, ty: Type, name: &str) -> Res<()> {
    if v.is_type(ty) { Ok(()) } else { Err(wrong(ec, v, name)) }
}

#[cold]
#[inline(never)]
fn wrong(ec: &mut Ec, v: Value, name: &str) -> Raised {
    let found = ec.describe_for_conversion(v);
    ec.type_error(format!("wrong argument type {found} (expected {name})"))
}

/// An Array.
///
/// # Errors
/// TypeError.
#[inline]
pub fn an_array(ec: &mut Ec, v: Value) -> Res<()> {
    demand(ec, v, Type::Array, "Array")
}

/// A Hash.
///
/// # Errors
/// TypeError.
#[inline]
pub fn a_hash(ec: &mut Ec, v: Value) -> Res<()> {
    demand(ec, v, Type::Hash, "Hash")
}

/// A String.
///
/// # Errors
/// TypeError.
#[inline]
pub fn a_string(ec: &mut Ec, v: Value) -> Res<()> {
    demand(ec, v, Type::String, "String")
}

/// A Struct.
///
/// # Errors
/// TypeError.
#[inline]
pub fn a_struct(ec: &mut Ec, v: Value) -> Res<()> {
    demand(ec, v, Type::Struct, "Struct")
}

/// A copy of what an Array holds.
///
/// # Errors
/// TypeError, NoMemoryError.
pub fn elements(ec: &mut Ec, v: Value) -> Res {
    an_array(ec, v)?;
    array::snapshot(ec, v).map_err(|e| ec.object_error(v, e))
}
