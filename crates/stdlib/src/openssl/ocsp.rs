//! OCSP: what takes more than one call of the library's, each as a function that a row stands for.

use std::ffi::{c_int, c_ulong, c_void};
use std::ptr::null_mut;

use super::library::openssl;

/// The identifier at a place of a request, which is the request's, or null.
///
/// # Safety
/// It is an `OCSP_REQUEST`.
pub unsafe extern "C" fn request_id(request: *mut c_void, at: c_int) -> *mut c_void {
    let library = &openssl().ocsp;
    // SAFETY: as the caller says; there is nothing at a place that is not.
    unsafe {
        let one = (library.OCSP_request_onereq_get0)(request, at);
        if one.is_null() { null_mut() } else { (library.OCSP_onereq_get0_id)(one) }
    }
}

/// A copy of the answer at a place, or null.
///
/// # Safety
/// It is an `OCSP_BASICRESP`.
pub unsafe extern "C" fn response_at(response: *mut c_void, at: c_int) -> *mut c_void {
    let library = &openssl().ocsp;
    // SAFETY: as the caller says; there is nothing at a place that is not.
    unsafe {
        let single = (library.OCSP_resp_get0)(response, at);
        if single.is_null() { null_mut() } else { (library.ASN1_item_dup)((library.OCSP_SINGLERESP_it)(), single) }
    }
}

/// A copy of the answer about a certificate, or null.
///
/// # Safety
/// An `OCSP_BASICRESP` and an `OCSP_CERTID`.
pub unsafe extern "C" fn find_response(response: *mut c_void, id: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe {
        let at = (openssl().ocsp.OCSP_resp_find)(response, id, -1);
        if at < 0 { null_mut() } else { response_at(response, at) }
    }
}

/// Adds an answer with its extensions.
///
/// # Safety
/// As the row says: an `OCSP_BASICRESP`, an `OCSP_CERTID`, times or null, and a stack of extensions or null.
#[allow(clippy::too_many_arguments, reason = "the row's")]
pub unsafe extern "C" fn add_status(
    response: *mut c_void,
    id: *mut c_void,
    status: c_int,
    reason: c_int,
    revoked: *mut c_void,
    this_update: *mut c_void,
    next_update: *mut c_void,
    extensions: *mut c_void,
) -> c_int {
    let (core, library) = (&openssl().core, &openssl().ocsp);
    // SAFETY: as the caller says; the library copies what it is given.
    unsafe {
        let single = (library.OCSP_basic_add1_status)(response, id, status, reason, revoked, this_update, next_update);
        if single.is_null() {
            return 0;
        }
        let count = if extensions.is_null() { 0 } else { (core.OPENSSL_sk_num)(extensions) };
        let add = |i| (library.OCSP_SINGLERESP_add_ext)(single, (core.OPENSSL_sk_value)(extensions, i), -1) > 0;
        c_int::from((0..count).all(add))
    }
}

/// Checks a response, one that says who has signed it: the library looks for a name or a key of that.
///
/// # Safety
/// As the row says: an `OCSP_BASICRESP`, a stack or null, a store and flags.
pub unsafe extern "C" fn verify_basic(
    response: *mut c_void,
    certificates: *mut c_void,
    store: *mut c_void,
    flags: c_ulong,
) -> c_int {
    let library = &openssl().ocsp;
    let (mut key, mut name) = (std::ptr::null(), std::ptr::null());
    // SAFETY: as the caller says.
    unsafe {
        if (library.OCSP_resp_get0_id)(response, &raw mut key, &raw mut name) <= 0 {
            return 0;
        }
        (library.OCSP_basic_verify)(response, certificates, store, flags)
    }
}

/// The parts of an identifier, which are its own: the hash of the issuer's name, the digest, the hash of its key, the serial number.
///
/// # Safety
/// It is an `OCSP_CERTID`.
unsafe fn parts(id: *mut c_void) -> [*mut c_void; 4] {
    let mut parts = [null_mut(); 4];
    let [name, digest, key, serial] = &mut parts;
    // SAFETY: as the caller says; the places are there.
    unsafe { (openssl().ocsp.OCSP_id_get0_info)(name, digest, key, serial, id) };
    parts
}

/// # Safety
/// It is an `OCSP_CERTID`.
pub unsafe extern "C" fn id_name_hash(id: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { parts(id)[0] }
}

/// # Safety
/// It is an `OCSP_CERTID`.
pub unsafe extern "C" fn id_digest(id: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { parts(id)[1] }
}

/// # Safety
/// It is an `OCSP_CERTID`.
pub unsafe extern "C" fn id_key_hash(id: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { parts(id)[2] }
}

/// # Safety
/// It is an `OCSP_CERTID`.
pub unsafe extern "C" fn id_serial(id: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { parts(id)[3] }
}
