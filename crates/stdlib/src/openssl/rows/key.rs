//! Asymmetric keys.

use super::super::kinds::Kind::Key;
use super::super::row::Arg::{Null, Password, Ref, Source};
use super::super::row::{Ret, Row};

pub static ROWS: &[Row] = &[
    Row::new("EVP_PKEY_get_base_id", &[Ref(Key)], Ret::Int),
    Row::new("EVP_PKEY_get0_type_name", &[Ref(Key)], Ret::Text),
    Row::slow("PEM_read_bio_PrivateKey", &[Source, Null, Password], Ret::New(Key)),
];
