//! PKCS #7 and PKCS #12. Certificates are copied before a function that may keep them sees them: their Ruby objects may be changed later.

use super::super::kinds::Kind::{
    Asn1Integer, Certificate, Cipher, Crl, Digest, Key, Name, Pkcs7, Pkcs12, Recipient, Signer, Store, Time,
};
use super::super::pkcs7 as ours;
use super::super::row::Arg::{
    Bytes, Const, Copy, DerOut, Give, Int, IntOut, Mut, Null, Opt, OptBytes, OptCopy, OptSource, OptText, Out,
    OutSource, OutStack, Ref, Sink, Source, Stack,
};
use super::super::row::{Arg, Ours, Ret, Row};

const PKCS12: Arg = Mut(Pkcs12);
const PKCS7: Arg = Mut(Pkcs7);
const SIGNER: Arg = Mut(Signer);
const RECIPIENT: Arg = Mut(Recipient);

pub static ROWS: &[Row] = &[
    Row::new("PKCS12_new", &[], Ret::New(Pkcs12)),
    Row::new("d2i_PKCS12_bio", &[Source, Null], Ret::New(Pkcs12)),
    Row::new("i2d_PKCS12", &[PKCS12, DerOut], Ret::Int),
    Row::slow(
        "PKCS12_create",
        &[OptText, OptText, Ref(Key), Copy(Certificate), Stack(Certificate), Int, Int, Int, Int, Int],
        Ret::New(Pkcs12),
    ),
    Row::slow("PKCS12_parse", &[PKCS12, OptText, Out(Key), Out(Certificate), OutStack(Certificate)], Ret::Status),
    Row::slow("PKCS12_set_mac", &[PKCS12, Bytes, OptBytes, Int, Opt(Digest)], Ret::Status),
    Row::new("PKCS7_new", &[], Ret::New(Pkcs7)),
    Row::new("PKCS7_dup", &[PKCS7], Ret::New(Pkcs7)),
    Row::ours("d2i_PKCS7_bio", Ours(ours::read_der as *const ()), &[Source], Ret::New(Pkcs7)),
    Row::ours("PEM_read_bio_PKCS7", Ours(ours::read_pem as *const ()), &[Source], Ret::New(Pkcs7)),
    Row::new("i2d_PKCS7", &[PKCS7, DerOut], Ret::Int),
    Row::new("PEM_write_bio_PKCS7", &[Sink, PKCS7], Ret::Status),
    Row::new("PKCS7_print_ctx", &[Sink, PKCS7, Const(0), Null], Ret::Status),
    Row::ours("SMIME_read_PKCS7", Ours(ours::read_smime as *const ()), &[Source, OutSource], Ret::New(Pkcs7)),
    Row::slow("SMIME_write_PKCS7", &[Sink, PKCS7, OptSource, Int], Ret::Status),
    Row::slow("PKCS7_sign", &[Copy(Certificate), Ref(Key), Stack(Certificate), Source, Int], Ret::New(Pkcs7)),
    Row::slow("PKCS7_encrypt", &[Stack(Certificate), Source, Give(Cipher), Int], Ret::New(Pkcs7)),
    Row::slow("PKCS7_decrypt", &[PKCS7, Ref(Key), OptCopy(Certificate), Sink, Int], Ret::Status),
    Row::new("PKCS7_set_type", &[PKCS7, Int], Ret::Status),
    // The object keeps a pointer to the cipher, but does not count that reference.
    Row::new("PKCS7_set_cipher", &[PKCS7, Give(Cipher)], Ret::Status),
    Row::new("PKCS7_add_certificate", &[PKCS7, Copy(Certificate)], Ret::Status),
    Row::new("PKCS7_add_crl", &[PKCS7, Copy(Crl)], Ret::Status),
    Row::new("PKCS7_SIGNER_INFO_new", &[], Ret::New(Signer)),
    Row::new("PKCS7_SIGNER_INFO_set", &[SIGNER, Copy(Certificate), Ref(Key), Ref(Digest)], Ret::Status),
    Row::new("PKCS7_RECIP_INFO_new", &[], Ret::New(Recipient)),
    Row::new("PKCS7_RECIP_INFO_set", &[RECIPIENT, Copy(Certificate)], Ret::Status),
    Row::ours("openssl_pkcs7_type", Ours(ours::content_type as *const ()), &[PKCS7], Ret::Int),
    Row::ours("openssl_pkcs7_detached", Ours(ours::detached as *const ()), &[PKCS7], Ret::Bool),
    Row::ours("PKCS7_set_detached", Ours(ours::set_detached as *const ()), &[PKCS7, Int], Ret::Status),
    Row::ours(
        "openssl_pkcs7_certificates",
        Ours(ours::certificates as *const ()),
        &[PKCS7],
        Ret::GetStack(Certificate),
    ),
    Row::ours("openssl_pkcs7_crls", Ours(ours::crls as *const ()), &[PKCS7], Ret::GetStack(Crl)),
    Row::ours("openssl_pkcs7_clear_certificates", Ours(ours::clear_certificates as *const ()), &[PKCS7], Ret::Void),
    Row::ours("openssl_pkcs7_clear_crls", Ours(ours::clear_crls as *const ()), &[PKCS7], Ret::Void),
    Row::ours("openssl_pkcs7_signers", Ours(ours::signers as *const ()), &[PKCS7], Ret::NewStack(Signer)),
    Row::ours("openssl_pkcs7_recipients", Ours(ours::recipients as *const ()), &[PKCS7], Ret::NewStack(Recipient)),
    Row::ours("PKCS7_add_signer", Ours(ours::add_signer as *const ()), &[PKCS7, SIGNER], Ret::Status),
    Row::ours("PKCS7_add_recipient_info", Ours(ours::add_recipient as *const ()), &[PKCS7, RECIPIENT], Ret::Status),
    Row::ours("openssl_pkcs7_add_data", Ours(ours::add_data as *const ()), &[PKCS7, Bytes], Ret::Status).slowly(),
    Row::ours(
        "openssl_pkcs7_verify",
        Ours(ours::verify as *const ()),
        &[PKCS7, Stack(Certificate), Ref(Store), OptSource, Sink, Int, IntOut],
        Ret::OptText,
    )
    .slowly(),
    Row::ours("openssl_signer_issuer", Ours(ours::signer_issuer as *const ()), &[SIGNER], Ret::Get(Name)),
    Row::ours("openssl_signer_serial", Ours(ours::signer_serial as *const ()), &[SIGNER], Ret::Get(Asn1Integer)),
    Row::ours("openssl_signing_time", Ours(ours::signing_time as *const ()), &[SIGNER, IntOut], Ret::Get(Time)),
    Row::ours("openssl_recipient_issuer", Ours(ours::recipient_issuer as *const ()), &[RECIPIENT], Ret::Get(Name)),
    Row::ours(
        "openssl_recipient_serial",
        Ours(ours::recipient_serial as *const ()),
        &[RECIPIENT],
        Ret::Get(Asn1Integer),
    ),
    Row::ours("openssl_recipient_key", Ours(ours::recipient_key as *const ()), &[RECIPIENT], Ret::Octets),
];
