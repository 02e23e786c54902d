//! The C functions that Ruby calls, by area.

mod bn;
mod curve;
mod digest;
mod key;
mod ocsp;
mod pkcs;
mod ssl;
mod timestamp;
mod x509;

use super::row::Row;

/// All of them.
pub static ALL: &[&[Row]] = &[
    bn::ROWS,
    curve::ROWS,
    digest::ROWS,
    key::ROWS,
    ssl::CONTEXTS,
    ssl::CONNECTIONS,
    x509::VALUES,
    x509::CERTIFICATES,
    x509::REQUESTS,
    x509::LISTS,
    x509::STORES,
    pkcs::ROWS,
    ocsp::ROWS,
    timestamp::ROWS,
];
