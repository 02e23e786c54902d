//! Digests, ciphers and object identifiers.

use super::super::kinds::Kind::{Cipher, CipherContext, Digest, DigestContext, Key};
use super::super::row::Arg::{
    Bytes, Const, Exactly, Int, IntOut, LengthBytes, LengthRoom, Long, Made, Mut, Null, Octets, Opt, Ref, Room, Text,
};
use super::super::row::{Arg, Ret, Row};

const NEW_DIGEST: Arg = Made(DigestContext, "EVP_MD_CTX_new");
const NEW_CIPHER: Arg = Made(CipherContext, "EVP_CIPHER_CTX_new");

/// `EVP_MAX_KEY_LENGTH`, `EVP_MAX_IV_LENGTH`
const KEY_SIZE: usize = 64;
const IV_SIZE: usize = 16;
/// `EVP_CTRL_AEAD_…`
const SET_IV_LENGTH: i64 = 0x9;
const GET_TAG: i64 = 0x10;
const SET_TAG: i64 = 0x11;

pub static ROWS: &[Row] = &[
    Row::new("EVP_get_digestbyname", &[Text], Ret::Get(Digest)),
    Row::new("EVP_MD_fetch", &[Null, Text, Null], Ret::New(Digest)),
    Row::of("digest_new", "EVP_DigestInit_ex", &[NEW_DIGEST, Ref(Digest), Null], Ret::Status),
    Row::new("EVP_MD_CTX_copy", &[NEW_DIGEST, Ref(DigestContext)], Ret::Status),
    Row::new("EVP_MD_CTX_get0_md", &[Ref(DigestContext)], Ret::Get(Digest)),
    Row::new("EVP_MD_get_size", &[Ref(Digest)], Ret::Int),
    Row::new("EVP_MD_get_block_size", &[Ref(Digest)], Ret::Int),
    Row::new("EVP_MD_get0_name", &[Ref(Digest)], Ret::Text),
    Row::new("EVP_MD_get_type", &[Ref(Digest)], Ret::Int),
    Row::new("EVP_PKEY_new_raw_private_key", &[Int, Null, Bytes], Ret::New(Key)),
    Row::new("EVP_DigestSignInit", &[NEW_DIGEST, Null, Opt(Digest), Null, Ref(Key)], Ret::Status),
    Row::new("EVP_DigestSignFinal", &[Mut(DigestContext), Room], Ret::Status),
    Row::new("EVP_get_cipherbyname", &[Text], Ret::Get(Cipher)),
    Row::of("cipher_new", "EVP_CipherInit_ex", &[NEW_CIPHER, Ref(Cipher), Null, Null, Null, Const(-1)], Ret::Status),
    Row::new("EVP_CIPHER_CTX_copy", &[NEW_CIPHER, Ref(CipherContext)], Ret::Status),
    Row::new("EVP_CIPHER_CTX_get0_cipher", &[Ref(CipherContext)], Ret::Get(Cipher)),
    Row::new("EVP_CIPHER_CTX_get_key_length", &[Ref(CipherContext)], Ret::Int),
    Row::new("EVP_CIPHER_CTX_set_key_length", &[Mut(CipherContext), Int], Ret::Status),
    Row::new("EVP_CIPHER_CTX_get_iv_length", &[Ref(CipherContext)], Ret::Int),
    Row::new("EVP_CIPHER_CTX_get_block_size", &[Ref(CipherContext)], Ret::Int),
    Row::new("EVP_CIPHER_fetch", &[Null, Text, Null], Ret::New(Cipher)),
    Row::of("cipher_init", "EVP_CipherInit_ex", &[Mut(CipherContext), Opt(Cipher), Null, Null, Null, Int], Ret::Status),
    Row::of("cipher_length", "EVP_CipherUpdate", &[Mut(CipherContext), Null, IntOut, Null, Int], Ret::Status),
    Row::of("cipher_get_tag", "EVP_CIPHER_CTX_ctrl", &[Mut(CipherContext), Const(GET_TAG), LengthRoom], Ret::Status),
    Row::of("cipher_set_tag", "EVP_CIPHER_CTX_ctrl", &[Mut(CipherContext), Const(SET_TAG), LengthBytes], Ret::Status),
    Row::of(
        "cipher_set_tag_length",
        "EVP_CIPHER_CTX_ctrl",
        &[Mut(CipherContext), Const(SET_TAG), Int, Null],
        Ret::Status,
    ),
    Row::of(
        "cipher_set_iv_length",
        "EVP_CIPHER_CTX_ctrl",
        &[Mut(CipherContext), Const(SET_IV_LENGTH), Int, Null],
        Ret::Status,
    ),
    Row::slow(
        "EVP_BytesToKey",
        &[Ref(Cipher), Ref(Digest), Octets(8), Bytes, Int, Exactly(KEY_SIZE), Exactly(IV_SIZE)],
        Ret::Status,
    ),
    Row::new("EVP_CIPHER_CTX_set_padding", &[Mut(CipherContext), Int], Ret::Status),
    Row::new("EVP_CIPHER_CTX_is_encrypting", &[Ref(CipherContext)], Ret::Bool),
    Row::new("EVP_CIPHER_get0_name", &[Ref(Cipher)], Ret::Text),
    Row::new("OBJ_txt2nid", &[Text], Ret::Int),
    Row::new("OBJ_sn2nid", &[Text], Ret::Int),
    Row::new("OBJ_ln2nid", &[Text], Ret::Int),
    Row::new("OBJ_nid2sn", &[Int], Ret::Text),
    Row::new("OBJ_nid2ln", &[Int], Ret::Text),
    Row::new("RAND_seed", &[Bytes], Ret::Void),
    Row::new("RAND_load_file", &[Text, Long], Ret::Status),
    Row::new("RAND_write_file", &[Text], Ret::Status),
    Row::new("RAND_status", &[], Ret::Bool),
    Row::new("EVP_default_properties_is_fips_enabled", &[Null], Ret::Bool),
    Row::new("EVP_default_properties_enable_fips", &[Null, Int], Ret::Status),
    Row::new("OpenSSL_version", &[Int], Ret::Text),
    Row::new("OpenSSL_version_num", &[], Ret::Word),
];
