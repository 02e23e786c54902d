//! PKCS #7: what takes more than one call of the library's, and what only its public structs tell, each as a function that a row stands
//! for.

use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr::null_mut;

use super::library::openssl;

/// `NID_pkcs7_data`
const DATA: c_int = 21;
/// `NID_pkcs7_signed`
pub const SIGNED: c_int = 22;
/// `NID_pkcs7_enveloped`
const ENVELOPED: c_int = 23;
/// `NID_pkcs7_signedAndEnveloped`
const SIGNED_AND_ENVELOPED: c_int = 24;

/// `PKCS7`, as far as it is looked at.
#[repr(C)]
struct Pkcs7 {
    _asn1: *mut u8,
    _length: c_long,
    _state: c_int,
    _detached: c_int,
    kind: *mut c_void,
    content: *mut c_void,
}

/// `PKCS7_SIGNED` and the first part of `PKCS7_SIGN_ENVELOPE`.
#[repr(C)]
struct Signed {
    _version: *mut c_void,
    _digests: *mut c_void,
    certificates: *mut c_void,
    crls: *mut c_void,
    _signers: *mut c_void,
}

/// `PKCS7_SIGN_ENVELOPE`
#[repr(C)]
struct SignedAndEnveloped {
    _signed: Signed,
    _content: *mut c_void,
    recipients: *mut c_void,
}

/// `PKCS7_ENVELOPE`, as far as it is looked at.
#[repr(C)]
struct Enveloped {
    _version: *mut c_void,
    recipients: *mut c_void,
}

/// `PKCS7_ISSUER_AND_SERIAL`
#[repr(C)]
struct IssuerAndSerial {
    issuer: *mut c_void,
    serial: *mut c_void,
}

/// `PKCS7_SIGNER_INFO`, as far as it is looked at.
#[repr(C)]
struct Signer {
    _version: *mut c_void,
    issuer_and_serial: *mut IssuerAndSerial,
    _digest: *mut c_void,
    _signed_attributes: *mut c_void,
    _algorithm: *mut c_void,
    _signature: *mut c_void,
    _attributes: *mut c_void,
    key: *mut c_void,
}

/// `PKCS7_RECIP_INFO`, as far as it is looked at.
#[repr(C)]
struct Recipient {
    _version: *mut c_void,
    issuer_and_serial: *mut IssuerAndSerial,
    _algorithm: *mut c_void,
    encrypted_key: *mut c_void,
    certificate: *mut c_void,
}

/// The type of the content, as the library's number of its identifier.
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn content_type(pkcs7: *mut c_void) -> c_int {
    // SAFETY: the struct is a public one.
    unsafe { (openssl().pkcs7.OBJ_obj2nid)((*pkcs7.cast::<Pkcs7>()).kind) }
}

/// Is there a content?
///
/// # Safety
/// It is a `PKCS7`.
unsafe fn has_content(pkcs7: *mut c_void) -> bool {
    // SAFETY: the struct is a public one.
    unsafe { !(*pkcs7.cast::<Pkcs7>()).content.is_null() }
}

/// What was read, if it has a content: where the type is told, the library takes it for granted that there is one.
///
/// # Safety
/// It is a `PKCS7`, the caller's, or null.
unsafe fn whole(pkcs7: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe {
        if pkcs7.is_null() || has_content(pkcs7) {
            return pkcs7;
        }
        (openssl().pkcs7.PKCS7_free)(pkcs7);
        null_mut()
    }
}

/// Reads an object from its DER.
///
/// # Safety
/// It is a BIO.
pub unsafe extern "C" fn read_der(source: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { whole((openssl().pkcs7.d2i_PKCS7_bio)(source, null_mut())) }
}

/// Reads an object from its PEM.
///
/// # Safety
/// It is a BIO.
pub unsafe extern "C" fn read_pem(source: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says; there is no password to ask for.
    unsafe { whole((openssl().pkcs7.PEM_read_bio_PKCS7)(source, null_mut(), null_mut(), null_mut())) }
}

/// Reads an object from a mail, and what it signs where that is a part of its own.
///
/// # Safety
/// It is a BIO, and a place for another one.
pub unsafe extern "C" fn read_smime(source: *mut c_void, content: *mut *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says; what is left in the place is the caller's in any case.
    unsafe { whole((openssl().pkcs7.SMIME_read_PKCS7)(source, content)) }
}

/// The content where it is signed.
///
/// # Safety
/// It is a `PKCS7`.
unsafe fn signed(pkcs7: *mut c_void) -> Option<*mut Signed> {
    // SAFETY: the type says what the content is.
    unsafe {
        let content = (*pkcs7.cast::<Pkcs7>()).content;
        let kind = content_type(pkcs7);
        (matches!(kind, SIGNED | SIGNED_AND_ENVELOPED) && !content.is_null()).then(|| content.cast())
    }
}

/// The certificates, a stack that is the object's, or null.
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn certificates(pkcs7: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { signed(pkcs7).map_or(null_mut(), |signed| (*signed).certificates) }
}

/// The lists of revoked certificates, a stack that is the object's, or null.
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn crls(pkcs7: *mut c_void) -> *mut c_void {
    // SAFETY: as the caller says.
    unsafe { signed(pkcs7).map_or(null_mut(), |signed| (*signed).crls) }
}

/// Takes all certificates out.
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn clear_certificates(pkcs7: *mut c_void) {
    // SAFETY: the stack is one of certificates.
    unsafe { clear(certificates(pkcs7), openssl().pkcs7.X509_free) };
}

/// Takes all lists of revoked certificates out.
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn clear_crls(pkcs7: *mut c_void) {
    // SAFETY: the stack is one of such lists.
    unsafe { clear(crls(pkcs7), openssl().pkcs7.X509_CRL_free) };
}

/// # Safety
/// It is a stack of what `free` gives up, or null.
unsafe fn clear(stack: *mut c_void, free: unsafe extern "C" fn(*mut c_void)) {
    while !stack.is_null() {
        // SAFETY: what is taken out is given up once.
        unsafe {
            let item = (openssl().pkcs7.OPENSSL_sk_pop)(stack);
            if item.is_null() {
                return;
            }
            free(item);
        }
    }
}

/// A copy of a signer, with its key.
///
/// # Safety
/// It is a `PKCS7_SIGNER_INFO`.
unsafe fn copy_signer(signer: *mut c_void) -> *mut c_void {
    let library = &openssl().pkcs7;
    // SAFETY: the copy is complete but for the key, of which it gets a reference.
    unsafe {
        let copy = (library.ASN1_item_dup)((library.PKCS7_SIGNER_INFO_it)(), signer);
        let key = (*signer.cast::<Signer>()).key;
        if !copy.is_null() && !key.is_null() && (library.EVP_PKEY_up_ref)(key) > 0 {
            (*copy.cast::<Signer>()).key = key;
        }
        copy
    }
}

/// A copy of a recipient, with its certificate.
///
/// # Safety
/// It is a `PKCS7_RECIP_INFO`.
unsafe fn copy_recipient(recipient: *mut c_void) -> *mut c_void {
    let library = &openssl().pkcs7;
    // SAFETY: the copy is complete but for the certificate, of which it gets a reference.
    unsafe {
        let copy = (library.ASN1_item_dup)((library.PKCS7_RECIP_INFO_it)(), recipient);
        let certificate = (*recipient.cast::<Recipient>()).certificate;
        if !copy.is_null() && !certificate.is_null() && (library.X509_up_ref)(certificate) > 0 {
            (*copy.cast::<Recipient>()).certificate = certificate;
        }
        copy
    }
}

/// A stack of copies of what is in one; null if there is no memory.
///
/// # Safety
/// It is a stack of what `copy` takes and `free` gives up, or null.
unsafe fn copies(
    stack: *mut c_void,
    copy: unsafe fn(*mut c_void) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
) -> *mut c_void {
    let (core, library) = (&openssl().core, &openssl().pkcs7);
    // SAFETY: the new stack and the copies are this function's until it returns them.
    unsafe {
        let made = (core.OPENSSL_sk_new_null)();
        let count = if stack.is_null() { 0 } else { (core.OPENSSL_sk_num)(stack) };
        for i in 0..count {
            let item = copy((core.OPENSSL_sk_value)(stack, i));
            if item.is_null() || (core.OPENSSL_sk_push)(made, item) <= 0 {
                free(item);
                (library.OPENSSL_sk_pop_free)(made, free);
                return null_mut();
            }
        }
        made
    }
}

/// Copies of those who have signed, as a stack.
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn signers(pkcs7: *mut c_void) -> *mut c_void {
    let library = &openssl().pkcs7;
    // SAFETY: the library knows where they are.
    unsafe { copies((library.PKCS7_get_signer_info)(pkcs7), copy_signer, library.PKCS7_SIGNER_INFO_free) }
}

/// Copies of the recipients, as a stack.
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn recipients(pkcs7: *mut c_void) -> *mut c_void {
    // SAFETY: the type says what the content is.
    unsafe {
        let content = (*pkcs7.cast::<Pkcs7>()).content;
        let stack = match content_type(pkcs7) {
            _ if content.is_null() => null_mut(),
            ENVELOPED => (*content.cast::<Enveloped>()).recipients,
            SIGNED_AND_ENVELOPED => (*content.cast::<SignedAndEnveloped>()).recipients,
            _ => null_mut(),
        };
        copies(stack, copy_recipient, openssl().pkcs7.PKCS7_RECIP_INFO_free)
    }
}

/// Adds a copy of a signer.
///
/// # Safety
/// A `PKCS7` and a `PKCS7_SIGNER_INFO`.
pub unsafe extern "C" fn add_signer(pkcs7: *mut c_void, signer: *mut c_void) -> c_int {
    let library = &openssl().pkcs7;
    // SAFETY: the copy is given up unless it has been taken.
    unsafe {
        let copy = copy_signer(signer);
        let added = !copy.is_null() && (library.PKCS7_add_signer)(pkcs7, copy) > 0;
        if !added {
            (library.PKCS7_SIGNER_INFO_free)(copy);
        }
        c_int::from(added)
    }
}

/// Adds a copy of a recipient.
///
/// # Safety
/// A `PKCS7` and a `PKCS7_RECIP_INFO`.
pub unsafe extern "C" fn add_recipient(pkcs7: *mut c_void, recipient: *mut c_void) -> c_int {
    let library = &openssl().pkcs7;
    // SAFETY: the copy is given up unless it has been taken.
    unsafe {
        let copy = copy_recipient(recipient);
        let added = !copy.is_null() && (library.PKCS7_add_recipient_info)(pkcs7, copy) > 0;
        if !added {
            (library.PKCS7_RECIP_INFO_free)(copy);
        }
        c_int::from(added)
    }
}

/// # Safety
/// It is a `PKCS7_SIGNER_INFO`.
pub unsafe extern "C" fn signer_issuer(signer: *mut c_void) -> *mut c_void {
    // SAFETY: the struct is a public one, whose part is there in every object.
    unsafe { (*(*signer.cast::<Signer>()).issuer_and_serial).issuer }
}

/// # Safety
/// It is a `PKCS7_SIGNER_INFO`.
pub unsafe extern "C" fn signer_serial(signer: *mut c_void) -> *mut c_void {
    // SAFETY: as above.
    unsafe { (*(*signer.cast::<Signer>()).issuer_and_serial).serial }
}

/// When it was signed, or null; 0 in `known` if nothing is said of that.
///
/// # Safety
/// A `PKCS7_SIGNER_INFO` and a place.
pub unsafe extern "C" fn signing_time(signer: *mut c_void, known: *mut c_int) -> *mut c_void {
    /// `NID_pkcs9_signingTime`
    const SIGNING_TIME: c_int = 52;
    /// `V_ASN1_UTCTIME`
    const UTC_TIME: c_int = 23;
    // SAFETY: the tag says what the value is, which is the object's.
    unsafe {
        let attribute = (openssl().pkcs7.PKCS7_get_signed_attribute)(signer, SIGNING_TIME);
        *known = c_int::from(!attribute.is_null());
        if attribute.is_null() || (*attribute).tag != UTC_TIME { null_mut() } else { (*attribute).value }
    }
}

/// # Safety
/// It is a `PKCS7_RECIP_INFO`.
pub unsafe extern "C" fn recipient_issuer(recipient: *mut c_void) -> *mut c_void {
    // SAFETY: the struct is a public one, whose part is there in every object.
    unsafe { (*(*recipient.cast::<Recipient>()).issuer_and_serial).issuer }
}

/// # Safety
/// It is a `PKCS7_RECIP_INFO`.
pub unsafe extern "C" fn recipient_serial(recipient: *mut c_void) -> *mut c_void {
    // SAFETY: as above.
    unsafe { (*(*recipient.cast::<Recipient>()).issuer_and_serial).serial }
}

/// # Safety
/// It is a `PKCS7_RECIP_INFO`.
pub unsafe extern "C" fn recipient_key(recipient: *mut c_void) -> *mut c_void {
    // SAFETY: the struct is a public one.
    unsafe { (*recipient.cast::<Recipient>()).encrypted_key }
}

/// `PKCS7_get_detached`
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn detached(pkcs7: *mut c_void) -> c_int {
    /// `PKCS7_OP_GET_DETACHED_SIGNATURE`
    const GET: c_int = 2;
    // SAFETY: as the caller says; only signed content is asked.
    unsafe {
        c_int::from(content_type(pkcs7) == SIGNED && (openssl().pkcs7.PKCS7_ctrl)(pkcs7, GET, 0, null_mut()) != 0)
    }
}

/// `PKCS7_set_detached`
///
/// # Safety
/// It is a `PKCS7`.
pub unsafe extern "C" fn set_detached(pkcs7: *mut c_void, detached: c_int) -> c_int {
    /// `PKCS7_OP_SET_DETACHED_SIGNATURE`
    const SET: c_int = 1;
    // SAFETY: as the caller says; an object without content is not asked.
    unsafe {
        if !has_content(pkcs7) {
            return 0;
        }
        (openssl().pkcs7.PKCS7_ctrl)(pkcs7, SET, c_long::from(detached), null_mut()) as c_int
    }
}

/// Signs or encrypts data, which are the content from then on.
///
/// # Safety
/// A `PKCS7`, and so many bytes.
pub unsafe extern "C" fn add_data(pkcs7: *mut c_void, bytes: *const c_void, length: usize) -> c_int {
    /// `BIO_CTRL_FLUSH`
    const FLUSH: c_int = 11;
    let (core, library) = (&openssl().core, &openssl().pkcs7);
    // SAFETY: the chain of BIOs is this function's; the bytes are there.
    unsafe {
        if content_type(pkcs7) == SIGNED && (library.PKCS7_content_new)(pkcs7, DATA) <= 0 {
            return 0;
        }
        let chain = (library.PKCS7_dataInit)(pkcs7, null_mut());
        if chain.is_null() {
            return 0;
        }
        let length = length as c_int;
        let done = (length == 0 || (library.BIO_write)(chain, bytes, length) == length)
            && (core.BIO_ctrl)(chain, FLUSH, 0, null_mut()) > 0
            && (library.PKCS7_dataFinal)(pkcs7, chain) > 0;
        (library.BIO_free_all)(chain);
        c_int::from(done)
    }
}

/// Checks the signatures; the content goes to `sink`. Returned is why it has failed, if the library has a text for that.
///
/// # Safety
/// As the row says: a `PKCS7`, a stack or null, a store, BIOs, of which the first may be null, flags and a place.
pub unsafe extern "C" fn verify(
    pkcs7: *mut c_void,
    certificates: *mut c_void,
    store: *mut c_void,
    source: *mut c_void,
    sink: *mut c_void,
    flags: c_int,
    verified: *mut c_int,
) -> *const c_char {
    let library = &openssl().pkcs7;
    // SAFETY: as the caller says; texts of reasons are there for ever.
    unsafe {
        *verified = (library.PKCS7_verify)(pkcs7, certificates, store, source, sink, flags);
        if *verified == 1 { std::ptr::null() } else { (library.ERR_reason_error_string)((library.ERR_peek_error)()) }
    }
}
