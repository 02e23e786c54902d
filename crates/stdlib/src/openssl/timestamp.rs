//! Time stamps: what takes more than one call of the library's, each as a function that a row stands for.

use std::ffi::{c_int, c_long, c_void};
use std::ptr::null_mut;

use super::library::openssl;
use super::pkcs7;

/// # Safety
/// It is a `TS_MSG_IMPRINT`.
unsafe fn algorithm(imprint: *mut c_void) -> *const c_void {
    let library = &openssl().timestamp;
    let mut object = std::ptr::null();
    // SAFETY: every imprint has an algorithm.
    unsafe {
        let algorithm = (library.TS_MSG_IMPRINT_get_algo)(imprint);
        (library.X509_ALGOR_get0)(&raw mut object, null_mut(), null_mut(), algorithm);
    }
    object
}

/// # Safety
/// It is a `TS_REQ`.
pub unsafe extern "C" fn request_algorithm(request: *mut c_void) -> *const c_void {
    // SAFETY: every request has an imprint.
    unsafe { algorithm((openssl().timestamp.TS_REQ_get_msg_imprint)(request)) }
}

/// # Safety
/// A `TS_REQ` and an `ASN1_OBJECT`.
pub unsafe extern "C" fn set_request_algorithm(request: *mut c_void, object: *const c_void) -> c_int {
    /// `V_ASN1_NULL`
    const NULL: c_int = 5;
    let library = &openssl().timestamp;
    // SAFETY: the copy is given up unless it has been taken.
    unsafe {
        let algorithm = (library.TS_MSG_IMPRINT_get_algo)((library.TS_REQ_get_msg_imprint)(request));
        let copy = (library.OBJ_dup)(object);
        let set = !copy.is_null() && (library.X509_ALGOR_set0)(algorithm, copy, NULL, null_mut()) > 0;
        if !set {
            (library.ASN1_OBJECT_free)(copy);
        }
        c_int::from(set)
    }
}

/// # Safety
/// It is a `TS_REQ`.
pub unsafe extern "C" fn request_imprint(request: *mut c_void) -> *mut c_void {
    let library = &openssl().timestamp;
    // SAFETY: every request has an imprint, and every imprint a message.
    unsafe { (library.TS_MSG_IMPRINT_get_msg)((library.TS_REQ_get_msg_imprint)(request)) }
}

/// # Safety
/// A `TS_REQ`, and so many bytes.
pub unsafe extern "C" fn set_request_imprint(request: *mut c_void, bytes: *mut u8, length: usize) -> c_int {
    let library = &openssl().timestamp;
    // SAFETY: the bytes are copied.
    unsafe { (library.TS_MSG_IMPRINT_set_msg)((library.TS_REQ_get_msg_imprint)(request), bytes, length as c_int) }
}

/// # Safety
/// It is a `TS_TST_INFO`.
pub unsafe extern "C" fn token_algorithm(info: *mut c_void) -> *const c_void {
    // SAFETY: every token has an imprint.
    unsafe { algorithm((openssl().timestamp.TS_TST_INFO_get_msg_imprint)(info)) }
}

/// # Safety
/// It is a `TS_TST_INFO`.
pub unsafe extern "C" fn token_imprint(info: *mut c_void) -> *mut c_void {
    let library = &openssl().timestamp;
    // SAFETY: every token has an imprint, and every imprint a message.
    unsafe { (library.TS_MSG_IMPRINT_get_msg)((library.TS_TST_INFO_get_msg_imprint)(info)) }
}

/// # Safety
/// It is a `TS_RESP`.
pub unsafe extern "C" fn status(response: *mut c_void) -> *const c_void {
    let library = &openssl().timestamp;
    // SAFETY: every response has a status.
    unsafe { (library.TS_STATUS_INFO_get0_status)((library.TS_RESP_get_status_info)(response)) }
}

/// # Safety
/// It is a `TS_RESP`.
pub unsafe extern "C" fn status_text(response: *mut c_void) -> *const c_void {
    let library = &openssl().timestamp;
    // SAFETY: every response has a status; null stands for no text.
    unsafe { (library.TS_STATUS_INFO_get0_text)((library.TS_RESP_get_status_info)(response)) }
}

/// Which of `bits` is the first that is set: its number in the string; -1 if nothing is said of a failure, -2 if it is none of them.
///
/// # Safety
/// A `TS_RESP`, and so many bytes.
pub unsafe extern "C" fn failure(response: *mut c_void, bits: *const u8, length: usize) -> c_int {
    let library = &openssl().timestamp;
    // SAFETY: every response has a status; the bytes are there.
    unsafe {
        let failure = (library.TS_STATUS_INFO_get0_failure_info)((library.TS_RESP_get_status_info)(response));
        if failure.is_null() {
            return -1;
        }
        let set = |&bit: &u8| (library.ASN1_BIT_STRING_get_bit)(failure, c_int::from(bit)) != 0;
        std::slice::from_raw_parts(bits, length).iter().position(set).map_or(-2, |at| at as c_int)
    }
}

/// The certificate of the one who has signed, which is the response's, or null.
///
/// # Safety
/// It is a `TS_RESP`.
pub unsafe extern "C" fn certificate(response: *mut c_void) -> *mut c_void {
    let (core, library) = (&openssl().core, &openssl().timestamp);
    // SAFETY: as the caller says; what is not there is null.
    unsafe {
        let token = (library.TS_RESP_get_token)(response);
        if token.is_null() {
            return null_mut();
        }
        let signers = (library.PKCS7_get_signer_info)(token);
        let signer = if signers.is_null() { null_mut() } else { (core.OPENSSL_sk_value)(signers, 0) };
        if signer.is_null() { null_mut() } else { (library.PKCS7_cert_from_signer_info)(token, signer) }
    }
}

/// A new stack with references to all certificates of some stacks, or null.
///
/// # Safety
/// Each is a stack of certificates or null.
unsafe fn all(stacks: [*mut c_void; 2]) -> *mut c_void {
    let (core, library) = (&openssl().core, &openssl().timestamp);
    // SAFETY: the new stack is this function's until it returns it.
    unsafe {
        let made = (core.OPENSSL_sk_new_null)();
        for stack in stacks.into_iter().filter(|stack| !stack.is_null()) {
            for i in 0..(core.OPENSSL_sk_num)(stack) {
                let certificate = (core.OPENSSL_sk_value)(stack, i);
                if (library.X509_up_ref)(certificate) <= 0 || (core.OPENSSL_sk_push)(made, certificate) <= 0 {
                    (library.OPENSSL_sk_pop_free)(made, library.X509_free);
                    return null_mut();
                }
            }
        }
        made
    }
}

/// Is it the response to this request, and signed by one whom the store trusts?
///
/// # Safety
/// As the row says: a `TS_RESP`, a `TS_REQ`, a store, and a stack or null.
pub unsafe extern "C" fn verify(
    response: *mut c_void,
    request: *mut c_void,
    store: *mut c_void,
    certificates: *mut c_void,
) -> c_int {
    /// `TS_VFY_SIGNATURE`
    const SIGNATURE: c_int = 1;
    let library = &openssl().timestamp;
    // SAFETY: the context gets references of its own, which are given up with it.
    unsafe {
        let token = (library.TS_RESP_get_token)(response);
        if token.is_null() {
            return 0;
        }
        let context = (library.TS_REQ_to_TS_VERIFY_CTX)(request, null_mut());
        if context.is_null() {
            return 0;
        }
        let known = all([certificates, pkcs7::certificates(token)]);
        let mut verified = 0;
        if !known.is_null() && (library.X509_STORE_up_ref)(store) > 0 {
            (library.TS_VERIFY_CTX_set_certs)(context, known);
            (library.TS_VERIFY_CTX_set_store)(context, store);
            (library.TS_VERIFY_CTX_add_flags)(context, SIGNATURE);
            verified = (library.TS_RESP_verify_response)(context, response);
        } else if !known.is_null() {
            (library.OPENSSL_sk_pop_free)(known, library.X509_free);
        }
        (library.TS_VERIFY_CTX_free)(context);
        verified
    }
}

/// Makes a response to the request in `source`, of that time and with that number.
///
/// # Safety
/// As the row says: a `TS_RESP_CTX`, an `ASN1_INTEGER` and a BIO.
pub unsafe extern "C" fn respond(
    context: *mut c_void,
    time: c_long,
    serial: *mut c_void,
    source: *mut c_void,
) -> *mut c_void {
    let library = &openssl().timestamp;
    let time = std::ptr::from_ref(&time).cast_mut().cast();
    // SAFETY: the context calls back only while it makes the response; it is not used for another one.
    unsafe {
        (library.TS_RESP_CTX_set_serial_cb)(context, tell_serial, serial);
        (library.TS_RESP_CTX_set_time_cb)(context, tell_time, time);
        (library.TS_RESP_create_response)(context, source)
    }
}

unsafe extern "C" fn tell_serial(_: *mut c_void, serial: *mut c_void) -> *mut c_void {
    // SAFETY: it is what `respond` has given; the library asks for a number of its own.
    unsafe { (openssl().timestamp.ASN1_INTEGER_dup)(serial) }
}

unsafe extern "C" fn tell_time(_: *mut c_void, time: *mut c_void, seconds: *mut c_long, micros: *mut c_long) -> c_int {
    // SAFETY: it is what `respond` has given.
    unsafe {
        *seconds = *time.cast::<c_long>();
        *micros = 0;
    }
    1
}

/// A string of ASN.1's, for what the row makes of it.
pub unsafe extern "C" fn string(string: *mut c_void) -> *mut c_void {
    string
}
