//! What the table cannot say of keys: reading one of any form, making one, which takes long, and settings by their names.

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};

use asterism_object::{Value, data, string};
use asterism_vm::{Ec, Res};

use super::callback::{InCall, Password};
use super::errors;
use super::functions::{Curve, PasswordFunction};
use super::handle::{self, Handle, Owned, Pointer, read, write};
use super::kinds::Kind;
use super::library::openssl;
use super::names::strings;

/// A BIO of the bytes in memory, given up with this.
struct Bio(*mut c_void);

impl Bio {
    const RESET: c_int = 1;
    const EOF: c_int = 2;
    const TELL: c_int = 133;

    /// The bytes outlive it.
    fn new(bytes: &[u8]) -> Bio {
        // SAFETY: the bytes are there, as the caller promises.
        Bio(unsafe { (openssl().core.BIO_new_mem_buf)(bytes.as_ptr().cast(), bytes.len() as c_int) })
    }

    fn control(&self, command: c_int) -> c_long {
        // SAFETY: it is a BIO, and these commands take no argument.
        unsafe { (openssl().core.BIO_ctrl)(self.0, command, 0, std::ptr::null_mut()) }
    }
}

impl Drop for Bio {
    fn drop(&mut self) {
        // SAFETY: the BIO is this one's, or null, which the function ignores.
        unsafe { (openssl().core.BIO_free)(self.0) };
    }
}

/// `Primitive.openssl_read_key(text, password, error)`: a key or parameters, of any form that the library knows.
pub fn read_key(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.to_str(args[0])?;
    let text = string::read(ec, text);
    let bytes = text.as_bytes();
    if c_int::try_from(bytes.len()).is_err() {
        return Err(ec.arg_error("string is too long"));
    }
    let password = Password::new(ec, args[1])?;
    let mut in_call = InCall::new(ec, args[0], Vec::new(), true);
    let found = in_call.enter(|| decode_any(bytes, &password));
    let ended = in_call.finish();
    let queue = errors::take(found.is_none());
    ended.result(ec)?;
    match found {
        Some(owned) => handle::wrap(ec, owned),
        None if args[2].is_nil() => Ok(Value::NIL),
        None => Err(errors::raise(ec, args[2], "OSSL_DECODER_from_bio", queue)),
    }
}

/// What the text holds, a private key first: of several blocks of PEM, one may be the parameters of that key.
fn decode_any(bytes: &[u8], password: &Password) -> Option<Owned> {
    const KEY_PAIR: c_int = 0x87;
    const PARAMETERS: c_int = 0x84;
    const PUBLIC: c_int = 0x86;
    let bio = Bio::new(bytes);
    if bio.0.is_null() {
        return None;
    }
    [c"DER", c"PEM"].into_iter().find_map(|form| {
        [KEY_PAIR, PARAMETERS, PUBLIC]
            .into_iter()
            .find_map(|selection| decode(&bio, form, selection, (selection == KEY_PAIR).then_some(password)))
    })
}

/// What `selection` names, in the first block of the BIO that has it.
fn decode(bio: &Bio, form: &CStr, selection: c_int, password: Option<&Password>) -> Option<Owned> {
    let functions = &openssl().key;
    let null = std::ptr::null();
    let mut found: *mut c_void = std::ptr::null_mut();
    // SAFETY: `found` outlives the decoder; the password and what the BIO reads are there as long as the function's callers are. The
    // word that `words` gives for a function is a `pem_password_cb`.
    unsafe {
        let place = &raw mut found;
        let decoder =
            (functions.OSSL_DECODER_CTX_new_for_pkey)(place, form.as_ptr(), null, null, selection, null.cast(), null);
        if decoder.is_null() {
            return None;
        }
        if let Some(password) = password {
            let (function, data) = password.words();
            let function = match function {
                0 => functions.PEM_def_callback,
                address => std::mem::transmute::<usize, PasswordFunction>(address),
            };
            (functions.OSSL_DECODER_CTX_set_pem_password_cb)(decoder, function, data as *mut c_void);
        }
        let mut at = 0;
        while (functions.OSSL_DECODER_from_bio)(decoder, bio.0) != 1 && bio.control(Bio::EOF) == 0 {
            let next = bio.control(Bio::TELL);
            if next <= at {
                break;
            }
            at = next;
            (openssl().core.ERR_clear_error)();
        }
        (functions.OSSL_DECODER_CTX_free)(decoder);
        bio.control(Bio::RESET);
        Pointer::new(found).map(|found| Owned::new(Kind::Key, found))
    }
}

/// `Primitive.openssl_key_option(context, name, value, error)`: a setting of what is done with a key; of a digest's context, that of its
/// signature.
pub fn option(ec: &mut Ec, args: &[Value]) -> Res {
    let mut texts = [const { None }; 2];
    for (text, &v) in texts.iter_mut().zip(&args[1..3]) {
        let v = ec.to_str(v)?;
        match CString::new(string::to_vec(ec, v)) {
            Ok(made) => *text = Some(made),
            Err(_) => return Err(ec.arg_error("string contains null byte")),
        }
    }
    let [Some(name), Some(value)] = texts else { return Err(ec.arg_error("string contains null byte")) };
    let of_digest = data::get::<Handle>(&args[0]).is_some_and(|handle| handle.kind() == Kind::SignContext);
    let kind = if of_digest { Kind::SignContext } else { Kind::KeyContext };
    let held = handle::resolve(ec, args[0], kind)?;
    let handle = handle::get(ec, &held)?;
    let done = {
        let _writing = write(ec, handle);
        let functions = &openssl().key;
        // SAFETY: the context is locked, and of the kind that was asked for; a digest's context owns the one that it gives.
        unsafe {
            let context = match kind {
                Kind::SignContext => (functions.EVP_MD_CTX_get_pkey_ctx)(handle.as_ptr()),
                _ => handle.as_ptr(),
            };
            if context.is_null() {
                0
            } else {
                (functions.EVP_PKEY_CTX_ctrl_str)(context, name.as_ptr(), value.as_ptr())
            }
        }
    };
    let queue = errors::take(done <= 0);
    if done > 0 { Ok(Value::NIL) } else { Err(errors::raise(ec, args[3], "EVP_PKEY_CTX_ctrl_str", queue)) }
}

/// `Primitive.openssl_key_provider(key)`: the name of the provider that does the work for a key, or nil.
pub fn provider(ec: &mut Ec, args: &[Value]) -> Res {
    let held = handle::resolve(ec, args[0], Kind::Key)?;
    let handle = handle::get(ec, &held)?;
    let name = {
        let _reading = read(ec, handle);
        let functions = &openssl().key;
        // SAFETY: the key is locked, and keeps its provider, which keeps its name.
        unsafe {
            let provider = (functions.EVP_PKEY_get0_provider)(handle.as_ptr());
            (!provider.is_null()).then(|| text((functions.OSSL_PROVIDER_get0_name)(provider)))
        }
    };
    match name {
        Some(name) => ec.str(name),
        None => Ok(Value::NIL),
    }
}

/// `Primitive.openssl_providers`: the names of those that are loaded.
pub fn providers(ec: &mut Ec, _: &[Value]) -> Res {
    unsafe extern "C" fn note(provider: *mut c_void, list: *mut c_void) -> c_int {
        // SAFETY: the library gives a provider, and what it was told to.
        unsafe { (*list.cast::<Vec<Vec<u8>>>()).push(text((openssl().key.OSSL_PROVIDER_get0_name)(provider))) };
        1
    }
    let mut found: Vec<Vec<u8>> = Vec::new();
    // SAFETY: the function calls back with providers and with the list, which is there.
    unsafe {
        let list = std::ptr::from_mut(&mut found).cast();
        (openssl().key.OSSL_PROVIDER_do_all)(std::ptr::null_mut(), note, list);
    }
    strings(ec, &found)
}

/// `Primitive.openssl_curves`: the name and a description of each curve that has one.
pub fn curves(ec: &mut Ec, _: &[Value]) -> Res {
    let functions = &openssl().key;
    let none = Curve { id: 0, comment: std::ptr::null() };
    // SAFETY: the function fills in as many as there is room for; the texts are the library's and stay.
    let found = unsafe {
        let mut curves = vec![none; (functions.EC_get_builtin_curves)(std::ptr::null_mut(), 0)];
        (functions.EC_get_builtin_curves)(curves.as_mut_ptr(), curves.len());
        curves
            .iter()
            .map(|curve| {
                let comment = (!curve.comment.is_null()).then(|| text(curve.comment));
                (text((functions.OBJ_nid2sn)(curve.id)), comment)
            })
            .collect::<Vec<_>>()
    };
    let list = ec.array_with_capacity(found.len())?;
    for (name, comment) in found {
        let pair = ec.array_with_capacity(2)?;
        let name = ec.str(name)?;
        ec.array_push(pair, name)?;
        let comment = match comment {
            Some(comment) => ec.str(comment)?,
            None => Value::NIL,
        };
        ec.array_push(pair, comment)?;
        ec.array_push(list, pair)?;
    }
    Ok(list)
}

/// `Primitive.openssl_point(object)`: a copy of the public key of an EC key or of the generator of a group; nil if there is none.
pub fn point(ec: &mut Ec, args: &[Value]) -> Res {
    let of_key = data::get::<Handle>(&args[0]).is_some_and(|handle| handle.kind() == Kind::EcKey);
    let held = handle::resolve(ec, args[0], if of_key { Kind::EcKey } else { Kind::Group })?;
    let handle = handle::get(ec, &held)?;
    let copy = {
        let _reading = read(ec, handle);
        let functions = &openssl().key;
        // SAFETY: the object is locked, and keeps its group and point.
        unsafe {
            let object = handle.as_ptr().cast_const();
            let (group, point) = match of_key {
                true => ((functions.EC_KEY_get0_group)(object), (functions.EC_KEY_get0_public_key)(object)),
                false => (object, (functions.EC_GROUP_get0_generator)(object)),
            };
            if group.is_null() || point.is_null() {
                return Ok(Value::NIL);
            }
            Pointer::new((functions.EC_POINT_dup)(point, group)).map(|copy| Owned::new(Kind::Point, copy))
        }
    };
    errors::take(false);
    match copy {
        Some(copy) => handle::wrap(ec, copy),
        None => Err(ec.no_memory()),
    }
}

/// `Primitive.openssl_seed(group)`: what the parameters of a group were made of, or nil.
pub fn seed(ec: &mut Ec, args: &[Value]) -> Res {
    let held = handle::resolve(ec, args[0], Kind::Group)?;
    let handle = handle::get(ec, &held)?;
    let seed = {
        let _reading = read(ec, handle);
        let functions = &openssl().key;
        // SAFETY: the group is locked, and has as many bytes of a seed as it says.
        unsafe {
            let (seed, length) =
                ((functions.EC_GROUP_get0_seed)(handle.as_ptr()), (functions.EC_GROUP_get_seed_len)(handle.as_ptr()));
            if seed.is_null() || length == 0 {
                return Ok(Value::NIL);
            }
            std::slice::from_raw_parts(seed, length).to_vec()
        }
    };
    ec.str_enc(&seed, asterism_symbol::BINARY)
}

/// An `EC_KEY` with nothing but a group.
///
/// # Safety
/// As the row says: it is a group.
pub unsafe extern "C" fn curve_key_of(group: *mut c_void) -> *mut c_void {
    let functions = &openssl().key;
    // SAFETY: a new key, which takes a copy of the group, is given up unless it is returned.
    unsafe {
        let key = (functions.EC_KEY_new)();
        if !key.is_null() && (functions.EC_KEY_set_group)(key, group) != 1 {
            (functions.EC_KEY_free)(key);
            return std::ptr::null_mut();
        }
        key
    }
}

/// A key for an `EC_KEY`, which is the key's then.
///
/// # Safety
/// As the row says: it is one.
pub unsafe extern "C" fn of_curve_key(curve_key: *mut c_void) -> *mut c_void {
    const EC: c_int = 408;
    let functions = &openssl().key;
    // SAFETY: a new key is given up unless it is returned.
    unsafe {
        let key = (functions.EVP_PKEY_new)();
        if !key.is_null() && (functions.EVP_PKEY_assign)(key, EC, curve_key) != 1 {
            (functions.EVP_PKEY_free)(key);
            return std::ptr::null_mut();
        }
        key
    }
}

/// `EC_GROUP_cmp`, which takes for granted that groups have generators: 0 for groups that are the same, 1 for others.
///
/// # Safety
/// As the row says: two groups, and room to work in.
pub unsafe extern "C" fn compare_groups(first: *mut c_void, second: *mut c_void, context: *mut c_void) -> c_int {
    let functions = &openssl().key;
    // SAFETY: the caller's contract; the numbers are this function's, which gives them up.
    unsafe {
        let generators = [first, second].map(|group| !(functions.EC_GROUP_get0_generator)(group).is_null());
        if generators == [true; 2] {
            return (functions.EC_GROUP_cmp)(first, second, context);
        }
        let types = [first, second].map(|group| (functions.EC_GROUP_get_field_type)(group));
        if generators != [false; 2] || types[0] != types[1] {
            return 1;
        }
        let numbers: [*mut c_void; 6] = std::array::from_fn(|_| (functions.BN_new)());
        let [p, a, b, q, c, d] = numbers;
        let known = !numbers.iter().any(|number| number.is_null())
            && (functions.EC_GROUP_get_curve)(first, p, a, b, context) == 1
            && (functions.EC_GROUP_get_curve)(second, q, c, d, context) == 1;
        let same = known && [(p, q), (a, c), (b, d)].into_iter().all(|(n, m)| (functions.BN_cmp)(n, m) == 0);
        for number in numbers {
            (functions.BN_clear_free)(number);
        }
        if known { c_int::from(!same) } else { -1 }
    }
}

/// # Safety
/// Null or a C string.
unsafe fn text(place: *const c_char) -> Vec<u8> {
    if place.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller's contract.
    unsafe { CStr::from_ptr(place) }.to_bytes().to_vec()
}
