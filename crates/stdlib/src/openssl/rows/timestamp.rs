//! Time stamps.

use super::super::kinds::Kind::{
    Asn1Integer, Asn1String, Certificate, Digest, Key, Object, Pkcs7, Store, Time, TsContext, TsRequest, TsResponse,
    TsToken,
};
use super::super::row::Arg::{Bytes, Copy, DerOut, Give, Int, Long, Mut, Null, Ref, Sink, Source, Stack};
use super::super::row::{Arg, Ours, Ret, Row};
use super::super::timestamp as ours;

const REQUEST: Arg = Mut(TsRequest);
const RESPONSE: Arg = Mut(TsResponse);
const TOKEN: Arg = Mut(TsToken);
const CONTEXT: Arg = Mut(TsContext);

pub static ROWS: &[Row] = &[
    Row::new("X509_gmtime_adj", &[Null, Long], Ret::New(Time)),
    Row::new("OBJ_obj2nid", &[Ref(Object)], Ret::Int),
    Row::new("TS_REQ_new", &[], Ret::New(TsRequest)),
    Row::new("d2i_TS_REQ_bio", &[Source, Null], Ret::New(TsRequest)),
    Row::new("i2d_TS_REQ", &[REQUEST, DerOut], Ret::Int),
    Row::new("TS_REQ_print_bio", &[Sink, REQUEST], Ret::Status),
    Row::new("TS_REQ_get_version", &[REQUEST], Ret::Long),
    Row::new("TS_REQ_set_version", &[REQUEST, Long], Ret::Status),
    Row::new("TS_REQ_get_policy_id", &[REQUEST], Ret::Get(Object)),
    Row::new("TS_REQ_set_policy_id", &[REQUEST, Ref(Object)], Ret::Status),
    Row::new("TS_REQ_get_nonce", &[REQUEST], Ret::Get(Asn1Integer)),
    Row::new("TS_REQ_set_nonce", &[REQUEST, Ref(Asn1Integer)], Ret::Status),
    Row::new("TS_REQ_get_cert_req", &[REQUEST], Ret::Bool),
    Row::new("TS_REQ_set_cert_req", &[REQUEST, Int], Ret::Status),
    Row::ours("openssl_ts_algorithm", Ours(ours::request_algorithm as *const ()), &[REQUEST], Ret::Get(Object)),
    Row::ours(
        "TS_MSG_IMPRINT_set_algo",
        Ours(ours::set_request_algorithm as *const ()),
        &[REQUEST, Ref(Object)],
        Ret::Status,
    ),
    Row::ours("openssl_ts_imprint", Ours(ours::request_imprint as *const ()), &[REQUEST], Ret::Octets),
    Row::ours("TS_MSG_IMPRINT_set_msg", Ours(ours::set_request_imprint as *const ()), &[REQUEST, Bytes], Ret::Status),
    Row::new("d2i_TS_RESP_bio", &[Source, Null], Ret::New(TsResponse)),
    Row::new("i2d_TS_RESP", &[RESPONSE, DerOut], Ret::Int),
    Row::new("TS_RESP_print_bio", &[Sink, RESPONSE], Ret::Status),
    Row::new("TS_RESP_get_token", &[RESPONSE], Ret::Get(Pkcs7)),
    Row::new("TS_RESP_get_tst_info", &[RESPONSE], Ret::Get(TsToken)),
    Row::ours("openssl_ts_status", Ours(ours::status as *const ()), &[RESPONSE], Ret::Get(Asn1Integer)),
    Row::ours("openssl_ts_status_text", Ours(ours::status_text as *const ()), &[RESPONSE], Ret::GetStack(Asn1String)),
    Row::ours("openssl_ts_failure", Ours(ours::failure as *const ()), &[RESPONSE, Bytes], Ret::Int),
    Row::ours("openssl_ts_certificate", Ours(ours::certificate as *const ()), &[RESPONSE], Ret::Get(Certificate)),
    Row::ours(
        "TS_RESP_verify_response",
        Ours(ours::verify as *const ()),
        &[RESPONSE, REQUEST, Ref(Store), Stack(Certificate)],
        Ret::Status,
    )
    .slowly(),
    Row::new("d2i_TS_TST_INFO_bio", &[Source, Null], Ret::New(TsToken)),
    Row::new("i2d_TS_TST_INFO", &[TOKEN, DerOut], Ret::Int),
    Row::new("TS_TST_INFO_print_bio", &[Sink, TOKEN], Ret::Status),
    Row::new("TS_TST_INFO_get_version", &[TOKEN], Ret::Long),
    Row::new("TS_TST_INFO_get_policy_id", &[TOKEN], Ret::Get(Object)),
    Row::new("TS_TST_INFO_get_serial", &[TOKEN], Ret::Get(Asn1Integer)),
    Row::new("TS_TST_INFO_get_time", &[TOKEN], Ret::Get(Time)),
    Row::new("TS_TST_INFO_get_ordering", &[TOKEN], Ret::Bool),
    Row::new("TS_TST_INFO_get_nonce", &[TOKEN], Ret::Get(Asn1Integer)),
    Row::ours("openssl_ts_token_algorithm", Ours(ours::token_algorithm as *const ()), &[TOKEN], Ret::Get(Object)),
    Row::ours("openssl_ts_token_imprint", Ours(ours::token_imprint as *const ()), &[TOKEN], Ret::Octets),
    Row::new("TS_RESP_CTX_new", &[], Ret::New(TsContext)),
    Row::new("TS_RESP_CTX_set_signer_cert", &[CONTEXT, Copy(Certificate)], Ret::Status),
    Row::new("TS_RESP_CTX_set_signer_key", &[CONTEXT, Ref(Key)], Ret::Status),
    Row::new("TS_RESP_CTX_set_certs", &[CONTEXT, Stack(Certificate)], Ret::Status),
    Row::new("TS_RESP_CTX_set_def_policy", &[CONTEXT, Ref(Object)], Ret::Status),
    // The context keeps a pointer to the digest, but does not count that reference.
    Row::new("TS_RESP_CTX_add_md", &[CONTEXT, Give(Digest)], Ret::Status),
    Row::ours(
        "TS_RESP_create_response",
        Ours(ours::respond as *const ()),
        &[CONTEXT, Long, Ref(Asn1Integer), Source],
        Ret::New(TsResponse),
    )
    .slowly(),
    Row::ours("openssl_octets", Ours(ours::string as *const ()), &[Ref(Asn1String)], Ret::Octets),
];
