//! TLS.

use super::super::kinds::Kind::{Certificate, Key, Name, Session, Ssl, SslCipher, SslContext, Store};
use super::super::row::Arg::{
    Bytes, Callback, Const, Copy, Der, DerOut, Give, Int, IntOut, Long, Mut, Null, OptBytes, OptText, Out, Ref,
    RoomLength, Sink, Source, Stack, Text, TextOut, Upto, Word,
};
use super::super::row::{Arg, Ours, Ret, Row};
use super::super::ssl::{callbacks, parts};

/// A context that is being made.
const CONTEXT: Arg = Mut(SslContext);
/// A context in use: what its calls change there has the library's own locks.
const SHARED: Arg = Ref(SslContext);
const CONNECTION: Arg = Mut(Ssl);
const LOOKED_AT: Arg = Ref(Ssl);

/// A function that sets a callback of ours.
macro_rules! sets {
    ($name:literal, $($function:literal,)? $callback:ident $(, $before:expr)? $(; $after:expr)?) => {
        sets!(@ $name, $($function)?, [CONTEXT, $($before,)? Callback(Ours(callbacks::$callback as *const ())), $($after)?])
    };
    (@ $name:literal, , $args:expr) => { Row::new($name, &$args, Ret::Void) };
    (@ $name:literal, $function:literal, $args:expr) => { Row::of($name, $function, &$args, Ret::Void) };
}

/// `SSL_CTX_ctrl`, by its macros' names.
const fn control(name: &'static str, args: &'static [Arg]) -> Row {
    Row::of(name, "SSL_CTX_ctrl", args, Ret::Status)
}

pub static CONTEXTS: &[Row] = &[
    Row::ours("ssl_context_new", Ours(parts::new_context as *const ()), &[], Ret::New(SslContext)),
    Row::new("SSL_CTX_get_options", &[SHARED], Ret::Word),
    Row::new("SSL_CTX_set_options", &[CONTEXT, Word], Ret::Word),
    Row::new("SSL_CTX_clear_options", &[CONTEXT, Word], Ret::Word),
    Row::new("SSL_CTX_set_cert_store", &[CONTEXT, Give(Store)], Ret::Void),
    control("SSL_CTX_add_extra_chain_cert", &[CONTEXT, Const(14), Const(0), Give(Certificate)]),
    control("SSL_CTX_set1_chain", &[CONTEXT, Const(88), Const(1), Stack(Certificate)]),
    Row::new("SSL_CTX_use_certificate", &[CONTEXT, Copy(Certificate)], Ret::Status),
    Row::new("SSL_CTX_use_PrivateKey", &[CONTEXT, Ref(Key)], Ret::Status),
    Row::new("SSL_CTX_check_private_key", &[SHARED], Ret::Status),
    Row::new("SSL_CTX_add_client_CA", &[CONTEXT, Mut(Certificate)], Ret::Status),
    Row::slow("SSL_CTX_load_verify_file", &[CONTEXT, Text], Ret::Status),
    Row::slow("SSL_CTX_load_verify_dir", &[CONTEXT, Text], Ret::Status),
    Row::new("SSL_CTX_set_verify", &[CONTEXT, Int, Callback(Ours(callbacks::verify as *const ()))], Ret::Void),
    sets!("SSL_CTX_set_client_cert_cb", client_certificate),
    Row::new("SSL_CTX_set_timeout", &[CONTEXT, Long], Ret::Long),
    Row::new("SSL_CTX_set_verify_depth", &[CONTEXT, Int], Ret::Void),
    Row::new("SSL_CTX_set_post_handshake_auth", &[CONTEXT, Int], Ret::Void),
    Row::new("SSL_CTX_set_alpn_protos", &[CONTEXT, Bytes], Ret::Int),
    sets!("SSL_CTX_set_alpn_select_cb", alpn_select; Null),
    sets!("SSL_CTX_set_next_protos_advertised_cb", npn_advertise; Null),
    sets!("SSL_CTX_set_next_proto_select_cb", npn_select; Null),
    Row::new("SSL_CTX_set_session_id_context", &[CONTEXT, Bytes], Ret::Status),
    sets!("SSL_CTX_sess_set_get_cb", session_get),
    sets!("SSL_CTX_sess_set_new_cb", session_new),
    sets!("SSL_CTX_sess_set_remove_cb", session_remove),
    sets!("SSL_CTX_set_tlsext_servername_callback", "SSL_CTX_callback_ctrl", servername, Const(53)),
    sets!("SSL_CTX_set_keylog_callback", keylog),
    sets!("SSL_CTX_set_tmp_dh_callback", temporary_dh),
    control("SSL_CTX_set_dh_auto", &[CONTEXT, Const(118), Int, Null]),
    control("SSL_CTX_set_min_proto_version", &[CONTEXT, Const(123), Long, Null]),
    control("SSL_CTX_set_max_proto_version", &[CONTEXT, Const(124), Long, Null]),
    Row::new("SSL_CTX_get_ciphers", &[SHARED], Ret::GetStack(SslCipher)),
    Row::new("SSL_CTX_set_cipher_list", &[CONTEXT, Text], Ret::Status),
    Row::new("SSL_CTX_set_ciphersuites", &[CONTEXT, Text], Ret::Status),
    control("SSL_CTX_set1_sigalgs_list", &[CONTEXT, Const(98), Const(0), Text]),
    control("SSL_CTX_set1_client_sigalgs_list", &[CONTEXT, Const(102), Const(0), Text]),
    control("SSL_CTX_set1_groups_list", &[CONTEXT, Const(92), Const(0), Text]),
    Row::new("SSL_CTX_set0_tmp_dh_pkey", &[CONTEXT, Give(Key)], Ret::Status),
    Row::new("SSL_CTX_get_security_level", &[SHARED], Ret::Int),
    Row::new("SSL_CTX_set_security_level", &[CONTEXT, Int], Ret::Void),
    control("SSL_CTX_set_mode", &[CONTEXT, Const(33), Long, Null]),
    Row::slow("SSL_CTX_add_session", &[SHARED, Ref(Session)], Ret::Int),
    Row::slow("SSL_CTX_remove_session", &[SHARED, Ref(Session)], Ret::Int),
    Row::of("ssl_context_get", "SSL_CTX_ctrl", &[SHARED, Int, Const(0), Null], Ret::Long),
    Row::of("ssl_context_set", "SSL_CTX_ctrl", &[CONTEXT, Int, Long, Null], Ret::Long),
    Row::slow("SSL_CTX_flush_sessions", &[SHARED, Long], Ret::Void),
    Row::new("SSL_CIPHER_get_name", &[Ref(SslCipher)], Ret::Text),
    Row::new("SSL_CIPHER_get_version", &[Ref(SslCipher)], Ret::Text),
    Row::new("SSL_CIPHER_get_bits", &[Ref(SslCipher), IntOut], Ret::Int),
];

pub static CONNECTIONS: &[Row] = &[
    Row::new("SSL_new", &[SHARED], Ret::New(Ssl)),
    Row::new("SSL_set_info_callback", &[CONNECTION, Callback(Ours(callbacks::info as *const ()))], Ret::Void),
    Row::new("SSL_set_fd", &[CONNECTION, Int], Ret::Status),
    Row::new("SSL_get_certificate", &[LOOKED_AT], Ret::Get(Certificate)),
    Row::new("SSL_get1_peer_certificate", &[LOOKED_AT], Ret::New(Certificate)),
    Row::new("SSL_get_peer_cert_chain", &[LOOKED_AT], Ret::GetStack(Certificate)),
    Row::new("SSL_get_version", &[LOOKED_AT], Ret::Text),
    Row::new("SSL_get_current_cipher", &[LOOKED_AT], Ret::Get(SslCipher)),
    Row::new("SSL_state_string", &[LOOKED_AT], Ret::Text),
    Row::new("SSL_state_string_long", &[LOOKED_AT], Ret::Text),
    Row::new("SSL_pending", &[LOOKED_AT], Ret::Int),
    Row::new("SSL_is_server", &[LOOKED_AT], Ret::Bool),
    Row::new("SSL_session_reused", &[LOOKED_AT], Ret::Bool),
    Row::new("SSL_set_session", &[CONNECTION, Ref(Session)], Ret::Status),
    Row::of("SSL_set_tlsext_host_name", "SSL_ctrl", &[CONNECTION, Const(55), Const(0), OptText], Ret::Status),
    Row::new("SSL_get_verify_result", &[LOOKED_AT], Ret::Long),
    Row::ours("ssl_finished", Ours(parts::finished as *const ()), &[LOOKED_AT, Int, Upto(64)], Ret::Status),
    Row::new("SSL_get_client_CA_list", &[LOOKED_AT], Ret::GetStack(Name)),
    Row::ours("ssl_npn_protocol", Ours(parts::npn_protocol as *const ()), &[LOOKED_AT, Upto(255)], Ret::Status),
    Row::ours("ssl_alpn_protocol", Ours(parts::alpn_protocol as *const ()), &[LOOKED_AT, Upto(255)], Ret::Status),
    Row::new("SSL_export_keying_material", &[CONNECTION, RoomLength, Bytes, OptBytes, Int], Ret::Status),
    Row::of("SSL_get_server_tmp_key", "SSL_ctrl", &[CONNECTION, Const(109), Const(0), Out(Key)], Ret::Status),
    Row::new("SSL_get0_signature_name", &[LOOKED_AT, TextOut], Ret::Status),
    Row::new("SSL_get0_peer_signature_name", &[LOOKED_AT, TextOut], Ret::Status),
    Row::new("SSL_get0_group_name", &[CONNECTION], Ret::Text),
    Row::new("SSL_get1_session", &[LOOKED_AT], Ret::New(Session)),
    Row::new("X509_verify_cert_error_string", &[Long], Ret::Text),
    Row::ours("ssl_session_id", Ours(parts::session_id as *const ()), &[Ref(Session), Upto(32)], Ret::Status),
    Row::new("SSL_SESSION_get_time", &[Ref(Session)], Ret::Long),
    Row::new("SSL_SESSION_set_time", &[Mut(Session), Long], Ret::Status),
    Row::new("SSL_SESSION_get_timeout", &[Ref(Session)], Ret::Long),
    Row::new("SSL_SESSION_set_timeout", &[Mut(Session), Long], Ret::Status),
    Row::new("d2i_SSL_SESSION", &[Null, Der], Ret::New(Session)),
    Row::new("PEM_read_bio_SSL_SESSION", &[Source, Null, Null, Null], Ret::New(Session)),
    Row::new("i2d_SSL_SESSION", &[Ref(Session), DerOut], Ret::Int),
    Row::new("PEM_write_bio_SSL_SESSION", &[Sink, Ref(Session)], Ret::Status),
    Row::new("SSL_SESSION_print", &[Sink, Ref(Session)], Ret::Status),
];
