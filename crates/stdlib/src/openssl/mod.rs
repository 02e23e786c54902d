//! The native part of the library `openssl`, on the system's OpenSSL 3 ([`library`]). What C functions take and give stands in tables
//! ([`rows`]), by which one function calls them ([`call`]); all else, the classes too, is Ruby. A Ruby object has one of the library's in
//! `@__handle` ([`handle`]), with a lock: any thread may use any object.

mod call;
mod callback;
#[cfg(debug_assertions)]
mod checked;
mod errors;
mod functions;
mod generate;
mod handle;
mod kdf;
mod key;
mod kinds;
mod library;
mod lock;
mod names;
mod numbers;
mod ocsp;
mod pkcs7;
mod results;
mod row;
mod rows;
mod scrypt;
mod ssl;
mod streams;
#[cfg(test)]
mod tests;
mod timestamp;
mod work;
mod x509;

use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};

/// Where the Ruby part is.
pub const SOURCES: &[(&str, &str)] = &[
    ("<internal:openssl>", include_str!("openssl.rb")),
    ("<internal:openssl/bn>", include_str!("bn.rb")),
    ("<internal:openssl/bn_large>", include_str!("bn_large.rb")),
    ("<internal:openssl/digest>", include_str!("digest.rb")),
    ("<internal:openssl/hmac>", include_str!("hmac.rb")),
    ("<internal:openssl/cipher>", include_str!("cipher.rb")),
    ("<internal:openssl/pkey>", include_str!("pkey.rb")),
    ("<internal:openssl/rsa>", include_str!("rsa.rb")),
    ("<internal:openssl/dsa>", include_str!("dsa.rb")),
    ("<internal:openssl/ec>", include_str!("ec.rb")),
    ("<internal:openssl/kdf>", include_str!("kdf.rb")),
    ("<internal:openssl/provider>", include_str!("provider.rb")),
    ("<internal:openssl/asn1>", include_str!("asn1.rb")),
    ("<internal:openssl/asn1_decode>", include_str!("asn1_decode.rb")),
    ("<internal:openssl/asn1_names>", include_str!("asn1_names.rb")),
    ("<internal:openssl/config>", include_str!("config.rb")),
    ("<internal:openssl/x509>", include_str!("x509/x509.rb")),
    ("<internal:openssl/x509/name>", include_str!("x509/name.rb")),
    ("<internal:openssl/x509/extension>", include_str!("x509/extension.rb")),
    ("<internal:openssl/x509/attribute>", include_str!("x509/attribute.rb")),
    ("<internal:openssl/x509/certificate>", include_str!("x509/certificate.rb")),
    ("<internal:openssl/x509/request>", include_str!("x509/request.rb")),
    ("<internal:openssl/x509/crl>", include_str!("x509/crl.rb")),
    ("<internal:openssl/x509/store>", include_str!("x509/store.rb")),
    ("<internal:openssl/ns_spki>", include_str!("ns_spki.rb")),
    ("<internal:openssl/ssl>", include_str!("ssl/ssl.rb")),
    ("<internal:openssl/ssl/context>", include_str!("ssl/context.rb")),
    ("<internal:openssl/ssl/socket>", include_str!("ssl/socket.rb")),
    ("<internal:openssl/pkcs12>", include_str!("pkcs12.rb")),
    ("<internal:openssl/pkcs7>", include_str!("pkcs7.rb")),
    ("<internal:openssl/ocsp>", include_str!("ocsp.rb")),
    ("<internal:openssl/timestamp>", include_str!("timestamp.rb")),
    #[cfg(debug_assertions)]
    ("<internal:openssl/checked>", include_str!("checked.rb")),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("openssl", call::call),
    #[cfg(debug_assertions)]
    ("openssl_rows", checked::rows),
    #[cfg(debug_assertions)]
    ("openssl_row", checked::row),
    ("openssl_digest", streams::new_digest),
    ("openssl_new_cipher", streams::new_cipher),
    ("openssl_cipher_flags", streams::cipher_flags),
    ("openssl_reset", streams::reset_digest),
    ("openssl_finish", streams::finish_digest),
    ("openssl_cipher_final", streams::finish_cipher),
    ("openssl_update", streams::update),
    ("openssl_cipher", streams::cipher),
    ("openssl_cipher_init", streams::cipher_init),
    ("openssl_handshake", ssl::exchange::handshake),
    ("openssl_read", ssl::exchange::read),
    ("openssl_write", ssl::exchange::write_string),
    ("openssl_shutdown", ssl::exchange::shutdown),
    ("openssl_has", names::has),
    ("openssl_names", names::names),
    ("openssl_equal", names::equal),
    ("openssl_charge", names::charge),
    ("openssl_random", streams::random),
    ("openssl_bn", numbers::from_integer),
    ("openssl_integer", numbers::to_integer),
    ("openssl_read_key", key::read_key),
    ("openssl_key_option", key::option),
    ("openssl_generate", generate::generate),
    ("openssl_key_provider", key::provider),
    ("openssl_providers", key::providers),
    ("openssl_curves", key::curves),
    ("openssl_point", key::point),
    ("openssl_seed", key::seed),
    ("openssl_pbkdf2", kdf::pbkdf2),
    ("openssl_scrypt", kdf::scrypt),
    ("openssl_hkdf", kdf::hkdf),
];

/// The errors of kinds of keys: classes of their own for a Ruby part of the library that names no others.
pub const ERRORS: &[(&str, &str)] = &[("<internal:openssl/pkey/errors>", include_str!("pkey_errors.rb"))];

/// Loads the library and registers the primitives.
///
/// # Errors
/// LoadError if the system has no OpenSSL 3.
pub fn define(ec: &mut Ec) -> Res<()> {
    if let Err(reason) = library::load(rows::ALL) {
        return Err(asterism_system::load::load_error_with(
            ec,
            format!("{reason} - openssl.so").as_bytes(),
            b"openssl.so",
        ));
    }
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}
