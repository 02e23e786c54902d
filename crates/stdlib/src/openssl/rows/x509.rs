//! Certificates and what belongs to them, and object identifiers. What the library calls `const` may still fill in what it keeps with an
//! object, as an encoding of a name: such parameters are `Mut` here.

use super::super::kinds::Kind::{
    Asn1Integer, Asn1String, Attribute, Certificate, Crl, Digest, Extension, Key, Name, Object, Request, Revoked, Spki,
    Store, StoreContext, Time,
};
use super::super::row::Arg::{
    self, Bytes, Const, Der, DerOut, Give, Int, Long, Mut, Null, Opt, OptBytes, Password, Ref, Sink, Source, Stack,
    Text, Word,
};
use super::super::row::{Ours, Ret, Row};
use super::super::x509 as ours;

const CERTIFICATE: Arg = Mut(Certificate);
const CRL: Arg = Mut(Crl);
const REQUEST: Arg = Mut(Request);
const NAME: Arg = Mut(Name);
const STORE: Arg = Mut(Store);
const CONTEXT: Arg = Mut(StoreContext);
const SPKI: Arg = Mut(Spki);

/// `i2d_…` of a kind: its DER.
const fn der(name: &'static str, args: &'static [Arg]) -> Row {
    Row::new(name, args, Ret::Int)
}

pub static VALUES: &[Row] = &[
    Row::new("OBJ_txt2obj", &[Text, Int], Ret::New(Object)),
    der("i2d_ASN1_OBJECT", &[Ref(Object), DerOut]),
    Row::new("d2i_ASN1_TIME", &[Null, Der], Ret::New(Time)),
    der("i2d_ASN1_TIME", &[Ref(Time), DerOut]),
    Row::new("d2i_ASN1_INTEGER", &[Null, Der], Ret::New(Asn1Integer)),
    der("i2d_ASN1_INTEGER", &[Ref(Asn1Integer), DerOut]),
    der("i2d_ASN1_IA5STRING", &[Ref(Asn1String), DerOut]),
    Row::new("X509_get_default_cert_area", &[], Ret::Text),
    Row::new("X509_get_default_cert_dir", &[], Ret::Text),
    Row::new("X509_get_default_cert_file", &[], Ret::Text),
    Row::new("X509_get_default_cert_dir_env", &[], Ret::Text),
    Row::new("X509_get_default_cert_file_env", &[], Ret::Text),
    Row::new("X509_get_default_private_dir", &[], Ret::Text),
    Row::new("X509_NAME_new", &[], Ret::New(Name)),
    Row::new("X509_NAME_dup", &[NAME], Ret::New(Name)),
    Row::new("d2i_X509_NAME", &[Null, Der], Ret::New(Name)),
    der("i2d_X509_NAME", &[NAME, DerOut]),
    Row::new("X509_NAME_add_entry_by_txt", &[NAME, Text, Int, Bytes, Int, Int], Ret::Status),
    Row::ours("X509_NAME_oneline", Ours(ours::name_oneline as *const ()), &[Sink, NAME], Ret::Status),
    Row::new("X509_NAME_print_ex", &[Sink, NAME, Const(0), Word], Ret::Int),
    Row::new("X509_NAME_cmp", &[NAME, NAME], Ret::Int),
    Row::new("X509_NAME_hash_ex", &[NAME, Null, Null, Null], Ret::Word),
    Row::new("X509_NAME_hash_old", &[NAME], Ret::Word),
    Row::new("d2i_X509_EXTENSION", &[Null, Der], Ret::New(Extension)),
    der("i2d_X509_EXTENSION", &[Ref(Extension), DerOut]),
    Row::new("X509V3_EXT_print", &[Sink, Mut(Extension), Const(0), Const(0)], Ret::Status),
    Row::new("d2i_X509_ATTRIBUTE", &[Null, Der], Ret::New(Attribute)),
    der("i2d_X509_ATTRIBUTE", &[Ref(Attribute), DerOut]),
];

pub static CERTIFICATES: &[Row] = &[
    Row::new("X509_new", &[], Ret::New(Certificate)),
    Row::new("X509_dup", &[CERTIFICATE], Ret::New(Certificate)),
    Row::new("d2i_X509_bio", &[Source, Null], Ret::New(Certificate)),
    Row::new("PEM_read_bio_X509", &[Source, Null, Password], Ret::New(Certificate)),
    der("i2d_X509", &[CERTIFICATE, DerOut]),
    der("i2d_re_X509_tbs", &[CERTIFICATE, DerOut]),
    Row::new("PEM_write_bio_X509", &[Sink, CERTIFICATE], Ret::Status),
    Row::new("X509_print", &[Sink, CERTIFICATE], Ret::Status),
    Row::new("X509_get_version", &[Ref(Certificate)], Ret::Long),
    Row::new("X509_set_version", &[CERTIFICATE, Long], Ret::Status),
    Row::new("X509_get0_serialNumber", &[Ref(Certificate)], Ret::Get(Asn1Integer)),
    Row::new("X509_set_serialNumber", &[CERTIFICATE, Ref(Asn1Integer)], Ret::Status),
    Row::new("X509_get_signature_nid", &[Ref(Certificate)], Ret::Int),
    Row::new("X509_get_subject_name", &[CERTIFICATE], Ret::Get(Name)),
    Row::new("X509_set_subject_name", &[CERTIFICATE, NAME], Ret::Status),
    Row::new("X509_get_issuer_name", &[CERTIFICATE], Ret::Get(Name)),
    Row::new("X509_set_issuer_name", &[CERTIFICATE, NAME], Ret::Status),
    Row::new("X509_get0_notBefore", &[Ref(Certificate)], Ret::Get(Time)),
    Row::new("X509_set1_notBefore", &[CERTIFICATE, Ref(Time)], Ret::Status),
    Row::new("X509_get0_notAfter", &[Ref(Certificate)], Ret::Get(Time)),
    Row::new("X509_set1_notAfter", &[CERTIFICATE, Ref(Time)], Ret::Status),
    Row::new("X509_get_pubkey", &[CERTIFICATE], Ret::New(Key)),
    Row::new("X509_set_pubkey", &[CERTIFICATE, Ref(Key)], Ret::Status),
    Row::slow("X509_sign", &[CERTIFICATE, Ref(Key), Opt(Digest)], Ret::Status),
    Row::slow("X509_verify", &[CERTIFICATE, Ref(Key)], Ret::Bool),
    Row::new("X509_check_private_key", &[CERTIFICATE, Ref(Key)], Ret::Status),
    Row::new("X509_cmp", &[CERTIFICATE, CERTIFICATE], Ret::Int),
    Row::new("X509_get_ext", &[Ref(Certificate), Int], Ret::Get(Extension)),
    Row::new("X509_delete_ext", &[CERTIFICATE, Int], Ret::New(Extension)),
    Row::new("X509_add_ext", &[CERTIFICATE, Ref(Extension), Int], Ret::Status),
    Row::ours(
        "openssl_extension",
        Ours(ours::make_extension as *const ()),
        &[Text, Text, OptBytes, Opt(Certificate), Opt(Certificate), Opt(Request), Opt(Crl)],
        Ret::New(Extension),
    ),
];

pub static REQUESTS: &[Row] = &[
    Row::new("X509_REQ_new", &[], Ret::New(Request)),
    Row::new("X509_REQ_dup", &[REQUEST], Ret::New(Request)),
    Row::new("d2i_X509_REQ_bio", &[Source, Null], Ret::New(Request)),
    Row::new("PEM_read_bio_X509_REQ", &[Source, Null, Password], Ret::New(Request)),
    der("i2d_X509_REQ", &[REQUEST, DerOut]),
    Row::new("PEM_write_bio_X509_REQ", &[Sink, REQUEST], Ret::Status),
    Row::new("X509_REQ_print", &[Sink, REQUEST], Ret::Status),
    Row::new("X509_REQ_get_version", &[Ref(Request)], Ret::Long),
    Row::new("X509_REQ_set_version", &[REQUEST, Long], Ret::Status),
    Row::new("X509_REQ_get_signature_nid", &[Ref(Request)], Ret::Int),
    Row::new("X509_REQ_get_subject_name", &[REQUEST], Ret::Get(Name)),
    Row::new("X509_REQ_set_subject_name", &[REQUEST, NAME], Ret::Status),
    Row::new("X509_REQ_get_pubkey", &[REQUEST], Ret::New(Key)),
    Row::new("X509_REQ_set_pubkey", &[REQUEST, Ref(Key)], Ret::Status),
    Row::slow("X509_REQ_sign", &[REQUEST, Ref(Key), Opt(Digest)], Ret::Status),
    Row::slow("X509_REQ_verify", &[REQUEST, Ref(Key)], Ret::Bool),
    Row::new("X509_REQ_get_attr", &[Ref(Request), Int], Ret::Get(Attribute)),
    Row::new("X509_REQ_delete_attr", &[REQUEST, Int], Ret::New(Attribute)),
    Row::new("X509_REQ_add1_attr", &[REQUEST, Ref(Attribute)], Ret::Status),
    Row::new("NETSCAPE_SPKI_new", &[], Ret::New(Spki)),
    Row::new("NETSCAPE_SPKI_b64_decode", &[Bytes], Ret::New(Spki)),
    Row::new("d2i_NETSCAPE_SPKI", &[Null, Der], Ret::New(Spki)),
    der("i2d_NETSCAPE_SPKI", &[SPKI, DerOut]),
    Row::new("NETSCAPE_SPKI_print", &[Sink, SPKI], Ret::Status),
    Row::new("NETSCAPE_SPKI_get_pubkey", &[SPKI], Ret::New(Key)),
    Row::new("NETSCAPE_SPKI_set_pubkey", &[SPKI, Ref(Key)], Ret::Status),
    Row::slow("NETSCAPE_SPKI_sign", &[SPKI, Ref(Key), Ref(Digest)], Ret::Status),
    Row::slow("NETSCAPE_SPKI_verify", &[SPKI, Ref(Key)], Ret::Bool),
    Row::ours("openssl_spki_challenge", Ours(ours::spki_challenge as *const ()), &[Ref(Spki)], Ret::Get(Asn1String)),
    Row::ours("openssl_spki_set_challenge", Ours(ours::set_spki_challenge as *const ()), &[SPKI, Bytes], Ret::Status),
];

pub static LISTS: &[Row] = &[
    Row::new("d2i_X509_REVOKED", &[Null, Der], Ret::New(Revoked)),
    der("i2d_X509_REVOKED", &[Ref(Revoked), DerOut]),
    Row::new("X509_CRL_new", &[], Ret::New(Crl)),
    Row::new("X509_CRL_dup", &[CRL], Ret::New(Crl)),
    Row::new("d2i_X509_CRL_bio", &[Source, Null], Ret::New(Crl)),
    Row::new("PEM_read_bio_X509_CRL", &[Source, Null, Password], Ret::New(Crl)),
    der("i2d_X509_CRL", &[CRL, DerOut]),
    Row::new("PEM_write_bio_X509_CRL", &[Sink, CRL], Ret::Status),
    Row::new("X509_CRL_print", &[Sink, CRL], Ret::Status),
    Row::new("X509_CRL_get_version", &[Ref(Crl)], Ret::Long),
    Row::new("X509_CRL_set_version", &[CRL, Long], Ret::Status),
    Row::new("X509_CRL_get_signature_nid", &[Ref(Crl)], Ret::Int),
    Row::new("X509_CRL_get_issuer", &[CRL], Ret::Get(Name)),
    Row::new("X509_CRL_set_issuer_name", &[CRL, NAME], Ret::Status),
    Row::new("X509_CRL_get0_lastUpdate", &[Ref(Crl)], Ret::Get(Time)),
    Row::new("X509_CRL_set1_lastUpdate", &[CRL, Ref(Time)], Ret::Status),
    Row::new("X509_CRL_get0_nextUpdate", &[Ref(Crl)], Ret::Get(Time)),
    Row::new("X509_CRL_set1_nextUpdate", &[CRL, Ref(Time)], Ret::Status),
    Row::new("X509_CRL_get_REVOKED", &[CRL], Ret::GetStack(Revoked)),
    Row::new("X509_CRL_add0_revoked", &[CRL, Give(Revoked)], Ret::Status),
    Row::ours("openssl_clear_revoked", Ours(ours::clear_revoked as *const ()), &[CRL], Ret::Void),
    Row::new("X509_CRL_sort", &[CRL], Ret::Status),
    Row::slow("X509_CRL_sign", &[CRL, Ref(Key), Opt(Digest)], Ret::Status),
    Row::slow("X509_CRL_verify", &[CRL, Ref(Key)], Ret::Bool),
    Row::new("X509_CRL_get_ext", &[Ref(Crl), Int], Ret::Get(Extension)),
    Row::new("X509_CRL_delete_ext", &[CRL, Int], Ret::New(Extension)),
    Row::new("X509_CRL_add_ext", &[CRL, Ref(Extension), Int], Ret::Status),
];

pub static STORES: &[Row] = &[
    Row::new("X509_STORE_new", &[], Ret::New(Store)),
    Row::new("X509_STORE_get0_param", &[Ref(Store)], Ret::Void),
    Row::new("X509_STORE_set_flags", &[STORE, Long], Ret::Void),
    Row::new("X509_STORE_set_purpose", &[STORE, Int], Ret::Void),
    Row::new("X509_STORE_set_trust", &[STORE, Int], Ret::Void),
    Row::ours("openssl_store_set_time", Ours(ours::set_store_time as *const ()), &[STORE, Long], Ret::Void),
    Row::ours("openssl_store_add_file", Ours(ours::add_store_file as *const ()), &[STORE, Text], Ret::Status).slowly(),
    Row::ours("openssl_store_add_path", Ours(ours::add_store_path as *const ()), &[STORE, Text], Ret::Status),
    Row::slow("X509_STORE_set_default_paths", &[STORE], Ret::Status),
    Row::new("X509_STORE_add_cert", &[STORE, CERTIFICATE], Ret::Status),
    Row::new("X509_STORE_add_crl", &[STORE, CRL], Ret::Status),
    Row::new("X509_STORE_CTX_new", &[], Ret::New(StoreContext)),
    Row::ours(
        "openssl_verify_cert",
        Ours(ours::verify_certificate as *const ()),
        &[CONTEXT, Ref(Store), Opt(Certificate), Stack(Certificate), Bytes],
        Ret::Bool,
    )
    .slowly(),
    Row::new("X509_STORE_CTX_get_error", &[Ref(StoreContext)], Ret::Int),
    Row::new("X509_STORE_CTX_set_error", &[CONTEXT, Int], Ret::Void),
    Row::new("X509_STORE_CTX_get_error_depth", &[Ref(StoreContext)], Ret::Int),
    Row::new("X509_STORE_CTX_get_current_cert", &[Ref(StoreContext)], Ret::Get(Certificate)),
    Row::new("X509_STORE_CTX_get0_current_crl", &[Ref(StoreContext)], Ret::Get(Crl)),
    Row::new("X509_STORE_CTX_get0_chain", &[Ref(StoreContext)], Ret::GetStack(Certificate)),
];
