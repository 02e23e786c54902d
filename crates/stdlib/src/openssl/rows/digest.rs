//! Digests, ciphers and object identifiers.

use super::super::kinds::Kind::{Cipher, CipherContext, Digest, DigestContext};
use super::super::row::{Arg::*, Ret, Row};

/// `EVP_MAX_MD_SIZE`
pub const DIGEST_SIZE: usize = 64;

pub static ROWS: &[Row] = &[
    Row::new("EVP_get_digestbyname", &[Text], Ret::Get(Digest)),
    Row::new("EVP_MD_fetch", &[Null, Text, Null], Ret::New(Digest)),
    Row::new("EVP_MD_CTX_new", &[], Ret::New(DigestContext)),
    Row::new("EVP_MD_CTX_copy", &[Mut(DigestContext), Ref(DigestContext)], Ret::Status),
    Row::new("EVP_MD_CTX_get0_md", &[Ref(DigestContext)], Ret::Get(Digest)),
    Row::new("EVP_DigestInit_ex", &[Mut(DigestContext), Ref(Digest), Null], Ret::Status),
    Row::new("EVP_DigestFinal_ex", &[Mut(DigestContext), Upto(DIGEST_SIZE)], Ret::Status),
    Row::new("EVP_MD_get_size", &[Ref(Digest)], Ret::Int),
    Row::new("EVP_MD_get_block_size", &[Ref(Digest)], Ret::Int),
    Row::new("EVP_MD_get0_name", &[Ref(Digest)], Ret::Text),
    Row::new("EVP_MD_get_type", &[Ref(Digest)], Ret::Int),
    Row::new("EVP_get_cipherbyname", &[Text], Ret::Get(Cipher)),
    Row::new("EVP_CIPHER_CTX_new", &[], Ret::New(CipherContext)),
    Row::new("EVP_CIPHER_CTX_copy", &[Mut(CipherContext), Ref(CipherContext)], Ret::Status),
    Row::new("EVP_CIPHER_CTX_get0_cipher", &[Ref(CipherContext)], Ret::Get(Cipher)),
    Row::new("EVP_CIPHER_CTX_get_key_length", &[Ref(CipherContext)], Ret::Int),
    Row::new("EVP_CIPHER_CTX_set_key_length", &[Mut(CipherContext), Int], Ret::Status),
    Row::new("EVP_CIPHER_CTX_get_iv_length", &[Ref(CipherContext)], Ret::Int),
    Row::new("EVP_CIPHER_CTX_get_block_size", &[Ref(CipherContext)], Ret::Int),
    Row::new("EVP_CIPHER_CTX_set_padding", &[Mut(CipherContext), Int], Ret::Status),
    Row::new("EVP_CIPHER_CTX_is_encrypting", &[Ref(CipherContext)], Ret::Bool),
    Row::new("EVP_CIPHER_get0_name", &[Ref(Cipher)], Ret::Text),
    Row::new("EVP_CIPHER_get_flags", &[Ref(Cipher)], Ret::Word),
    Row::new("OBJ_txt2nid", &[Text], Ret::Int),
    Row::new("OBJ_sn2nid", &[Text], Ret::Int),
    Row::new("OBJ_ln2nid", &[Text], Ret::Int),
    Row::new("OBJ_nid2sn", &[Int], Ret::Text),
    Row::new("OBJ_nid2ln", &[Int], Ret::Text),
    Row::new("OBJ_create", &[Text, Text, Text], Ret::Int),
    Row::new("RAND_seed", &[Bytes], Ret::Void),
    Row::new("RAND_load_file", &[Text, Long], Ret::Status),
    Row::new("RAND_write_file", &[Text], Ret::Status),
    Row::new("RAND_status", &[], Ret::Bool),
    Row::new("EVP_default_properties_is_fips_enabled", &[Null], Ret::Bool),
    Row::new("EVP_default_properties_enable_fips", &[Null, Int], Ret::Status),
    Row::new("OpenSSL_version", &[Int], Ret::Text),
    Row::new("OpenSSL_version_num", &[], Ret::Word),
];
