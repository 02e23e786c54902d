//! OCSP. Certificates are copied before a function that may keep them sees them: their Ruby objects may be changed later.

use super::super::kinds::Kind::{
    Asn1Integer, Certificate, CertificateId, Digest, Extension, Key, Object, OcspBasic, OcspRequest, OcspResponse,
    OcspSingle, Store, Time,
};
use super::super::ocsp as ours;
use super::super::row::Arg::{
    Copy, Der, DerOut, Give, Int, IntOut, Lent, Long, Mut, Null, Opt, OptBytes, Ref, Stack, Word,
};
use super::super::row::{Arg, Ours, Ret, Row};

const REQUEST: Arg = Mut(OcspRequest);
const RESPONSE: Arg = Mut(OcspResponse);
const BASIC: Arg = Mut(OcspBasic);
const SINGLE: Arg = Mut(OcspSingle);
const ID: Arg = Mut(CertificateId);

pub static ROWS: &[Row] = &[
    Row::new("OCSP_REQUEST_new", &[], Ret::New(OcspRequest)),
    Row::new("d2i_OCSP_REQUEST", &[Null, Der], Ret::New(OcspRequest)),
    Row::new("i2d_OCSP_REQUEST", &[REQUEST, DerOut], Ret::Int),
    Row::new("OCSP_request_add1_nonce", &[REQUEST, OptBytes], Ret::Status),
    Row::new("OCSP_check_nonce", &[REQUEST, BASIC], Ret::Int),
    Row::new("OCSP_request_add0_id", &[REQUEST, Give(CertificateId)], Ret::Kept),
    Row::ours("openssl_ocsp_request_id", Ours(ours::request_id as *const ()), &[REQUEST, Int], Ret::Get(CertificateId)),
    Row::slow(
        "OCSP_request_sign",
        &[REQUEST, Copy(Certificate), Ref(Key), Opt(Digest), Stack(Certificate), Word],
        Ret::Status,
    ),
    Row::slow("OCSP_request_verify", &[REQUEST, Stack(Certificate), Ref(Store), Word], Ret::Status),
    Row::new("OCSP_request_is_signed", &[REQUEST], Ret::Bool),
    Row::new("OCSP_RESPONSE_new", &[], Ret::New(OcspResponse)),
    Row::new("OCSP_response_create", &[Int, Opt(OcspBasic)], Ret::New(OcspResponse)),
    Row::new("d2i_OCSP_RESPONSE", &[Null, Der], Ret::New(OcspResponse)),
    Row::new("i2d_OCSP_RESPONSE", &[RESPONSE, DerOut], Ret::Int),
    Row::new("OCSP_response_status", &[RESPONSE], Ret::Int),
    Row::new("OCSP_response_status_str", &[Long], Ret::Text),
    Row::new("OCSP_response_get1_basic", &[RESPONSE], Ret::New(OcspBasic)),
    Row::new("OCSP_BASICRESP_new", &[], Ret::New(OcspBasic)),
    Row::new("d2i_OCSP_BASICRESP", &[Null, Der], Ret::New(OcspBasic)),
    Row::new("i2d_OCSP_BASICRESP", &[BASIC, DerOut], Ret::Int),
    Row::new("OCSP_copy_nonce", &[BASIC, REQUEST], Ret::Int),
    Row::new("OCSP_basic_add1_nonce", &[BASIC, OptBytes], Ret::Status),
    Row::ours(
        "OCSP_basic_add1_status",
        Ours(ours::add_status as *const ()),
        &[BASIC, ID, Int, Int, Opt(Time), Ref(Time), Opt(Time), Stack(Extension)],
        Ret::Status,
    ),
    Row::new("OCSP_resp_count", &[BASIC], Ret::Int),
    Row::ours("openssl_ocsp_response", Ours(ours::response_at as *const ()), &[BASIC, Int], Ret::New(OcspSingle)),
    Row::ours("openssl_ocsp_find", Ours(ours::find_response as *const ()), &[BASIC, ID], Ret::New(OcspSingle)),
    Row::slow(
        "OCSP_basic_sign",
        &[BASIC, Copy(Certificate), Ref(Key), Opt(Digest), Stack(Certificate), Word],
        Ret::Status,
    ),
    Row::ours(
        "OCSP_basic_verify",
        Ours(ours::verify_basic as *const ()),
        &[BASIC, Stack(Certificate), Ref(Store), Word],
        Ret::Status,
    )
    .slowly(),
    Row::new("d2i_OCSP_SINGLERESP", &[Null, Der], Ret::New(OcspSingle)),
    Row::new("i2d_OCSP_SINGLERESP", &[SINGLE, DerOut], Ret::Int),
    Row::new("OCSP_single_get0_status", &[SINGLE, IntOut, Lent(Time), Lent(Time), Lent(Time)], Ret::Int),
    Row::new("OCSP_check_validity", &[Ref(Time), Opt(Time), Long, Long], Ret::Status),
    Row::new("OCSP_SINGLERESP_get0_id", &[SINGLE], Ret::Get(CertificateId)),
    Row::new("OCSP_SINGLERESP_get_ext_count", &[SINGLE], Ret::Int),
    Row::new("OCSP_SINGLERESP_get_ext", &[SINGLE, Int], Ret::Get(Extension)),
    Row::new("OCSP_cert_to_id", &[Opt(Digest), Copy(Certificate), Copy(Certificate)], Ret::New(CertificateId)),
    Row::new("OCSP_CERTID_dup", &[ID], Ret::New(CertificateId)),
    Row::new("d2i_OCSP_CERTID", &[Null, Der], Ret::New(CertificateId)),
    Row::new("i2d_OCSP_CERTID", &[ID, DerOut], Ret::Int),
    Row::new("OCSP_id_cmp", &[ID, ID], Ret::Int),
    Row::new("OCSP_id_issuer_cmp", &[ID, ID], Ret::Int),
    Row::ours("openssl_ocsp_id_name_hash", Ours(ours::id_name_hash as *const ()), &[ID], Ret::Octets),
    Row::ours("openssl_ocsp_id_key_hash", Ours(ours::id_key_hash as *const ()), &[ID], Ret::Octets),
    Row::ours("openssl_ocsp_id_digest", Ours(ours::id_digest as *const ()), &[ID], Ret::Get(Object)),
    Row::ours("openssl_ocsp_id_serial", Ours(ours::id_serial as *const ()), &[ID], Ret::Get(Asn1Integer)),
];
