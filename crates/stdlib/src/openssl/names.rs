//! Small primitives: names of algorithms, comparison in constant time, memory that the library is about to take.

use std::ffi::{CStr, c_int, c_void};

use asterism_object::{Value, string};
use asterism_vm::{Ec, Res};

use super::functions::ObjectName;
use super::library::openssl;

/// `Primitive.openssl_names(type)`: the names of all digests (1) or ciphers (2).
pub fn names(ec: &mut Ec, args: &[Value]) -> Res {
    unsafe extern "C" fn note(name: *const ObjectName, list: *mut c_void) {
        // SAFETY: the library gives a name, and what it was told to.
        unsafe { (*list.cast::<Vec<Vec<u8>>>()).push(CStr::from_ptr((*name).name).to_bytes().to_vec()) };
    }
    let kind = c_int::try_from(ec.to_i64(args[0])?).unwrap_or(0);
    let mut found: Vec<Vec<u8>> = Vec::new();
    // SAFETY: the function calls back with names and with the list, which is there.
    unsafe { (openssl().core.OBJ_NAME_do_all_sorted)(kind, note, std::ptr::from_mut(&mut found).cast()) };
    strings(ec, &found)
}

/// An Array of Strings.
///
/// # Errors
/// NoMemoryError.
pub fn strings(ec: &mut Ec, texts: &[impl AsRef<[u8]>]) -> Res {
    let list = ec.array_with_capacity(texts.len())?;
    for text in texts {
        let text = ec.str(text)?;
        ec.array_push(list, text)?;
    }
    Ok(list)
}

/// `Primitive.openssl_equal(string, string)`: of the same length; the time tells nothing of where they differ.
pub fn equal(ec: &mut Ec, args: &[Value]) -> Res {
    let (first, second) = (ec.to_str(args[0])?, ec.to_str(args[1])?);
    let (first, second) = (string::read(ec, first), string::read(ec, second));
    let (first, second) = (first.as_bytes(), second.as_bytes());
    if first.len() != second.len() {
        return Ok(Value::FALSE);
    }
    // SAFETY: both are as long as is told.
    let differ = unsafe { (openssl().core.CRYPTO_memcmp)(first.as_ptr().cast(), second.as_ptr().cast(), first.len()) };
    Ok(Value::bool(differ == 0))
}

/// `Primitive.openssl_has(:function)`: is it in this version of the library?
pub fn has(_ec: &mut Ec, args: &[Value]) -> Res {
    let found = args[0].as_sym().and_then(|name| openssl().row(name));
    Ok(Value::bool(found.is_some_and(|found| found.address.is_some())))
}

/// `Primitive.openssl_charge(bytes)`: may the library take so many?
pub fn charge(ec: &mut Ec, args: &[Value]) -> Res {
    let bytes = ec.to_i64(args[0])?;
    let _allowed = ec.charge(usize::try_from(bytes).unwrap_or(0))?;
    Ok(Value::NIL)
}
