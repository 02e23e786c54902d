//! Elliptic curves: groups, points, and keys as the library's older functions see them.

use super::super::key;
use super::super::kinds::Kind::{Bignum, EcKey, Group, Key, Point};
use super::super::row::Arg::{
    BnContext, Bytes, Const, Der, DerOut, Give, Int, Made, Mut, Null, Opt, Ref, Sink, Source,
};
use super::super::row::{Arg, Ours, Ret, Row};

const G: Arg = Ref(Group);
const P: Arg = Ref(Point);

pub static ROWS: &[Row] = &[
    Row::new("EVP_PKEY_get0_EC_KEY", &[Ref(Key)], Ret::Get(EcKey)),
    Row::ours("EVP_PKEY_assign_EC_KEY", Ours(key::of_curve_key as *const ()), &[Give(EcKey)], Ret::New(Key)),
    Row::new("EC_KEY_new_by_curve_name", &[Int], Ret::New(EcKey)),
    Row::ours("EC_KEY_set_group", Ours(key::curve_key_of as *const ()), &[G], Ret::New(EcKey)),
    Row::new("EC_KEY_set_asn1_flag", &[Mut(EcKey), Int], Ret::Void),
    Row::new("EC_KEY_set_conv_form", &[Mut(EcKey), Int], Ret::Void),
    Row::slow("EC_KEY_generate_key", &[Mut(EcKey)], Ret::Status),
    Row::new("EC_KEY_get0_group", &[Ref(EcKey)], Ret::Get(Group)),
    Row::new("EC_KEY_get0_private_key", &[Ref(EcKey)], Ret::Get(Bignum)),
    Row::of("EC_KEY_has_private_key", "EC_KEY_get0_private_key", &[Ref(EcKey)], Ret::Present),
    Row::of("EC_KEY_has_public_key", "EC_KEY_get0_public_key", &[Ref(EcKey)], Ret::Present),
    Row::new("EC_GROUP_dup", &[G], Ret::New(Group)),
    Row::new("EC_GROUP_new_by_curve_name", &[Int], Ret::New(Group)),
    Row::slow("EC_GROUP_new_curve_GFp", &[Ref(Bignum), Ref(Bignum), Ref(Bignum), BnContext], Ret::New(Group)),
    Row::slow("EC_GROUP_new_curve_GF2m", &[Ref(Bignum), Ref(Bignum), Ref(Bignum), BnContext], Ret::New(Group)),
    Row::ours("EC_GROUP_cmp", Ours(key::compare_groups as *const ()), &[G, G, BnContext], Ret::Int).slowly(),
    Row::slow("EC_GROUP_set_generator", &[Mut(Group), P, Ref(Bignum), Ref(Bignum)], Ret::Status),
    Row::new("EC_GROUP_get_order", &[G, Made(Bignum, "BN_new"), BnContext], Ret::Status),
    Row::new("EC_GROUP_get_cofactor", &[G, Made(Bignum, "BN_new"), BnContext], Ret::Status),
    Row::new("EC_GROUP_get_curve_name", &[G], Ret::Int),
    Row::new("EC_GROUP_get_asn1_flag", &[G], Ret::Int),
    Row::new("EC_GROUP_set_asn1_flag", &[Mut(Group), Int], Ret::Void),
    Row::new("EC_GROUP_get_point_conversion_form", &[G], Ret::Int),
    Row::new("EC_GROUP_set_point_conversion_form", &[Mut(Group), Int], Ret::Void),
    Row::new("EC_GROUP_set_seed", &[Mut(Group), Bytes], Ret::Long),
    Row::new("EC_GROUP_get_degree", &[G], Ret::Int),
    Row::slow("PEM_read_bio_ECPKParameters", &[Source, Null, Null, Null], Ret::New(Group)),
    Row::slow("d2i_ECPKParameters", &[Null, Der], Ret::New(Group)),
    Row::slow("PEM_write_bio_ECPKParameters", &[Sink, G], Ret::Status),
    Row::slow("i2d_ECPKParameters", &[G, DerOut], Ret::Status),
    Row::slow("ECPKParameters_print", &[Sink, G, Const(0)], Ret::Status),
    Row::new("EC_POINT_new", &[G], Ret::New(Point)),
    Row::new("EC_POINT_dup", &[P, G], Ret::New(Point)),
    Row::slow("EC_POINT_oct2point", &[G, Mut(Point), Bytes, BnContext], Ret::Status),
    Row::slow("EC_POINT_point2buf", &[G, P, Int, DerOut, BnContext], Ret::Status),
    Row::slow("EC_POINT_cmp", &[G, P, P, BnContext], Ret::Int),
    Row::new("EC_POINT_is_at_infinity", &[G, P], Ret::Bool),
    Row::slow("EC_POINT_is_on_curve", &[G, P, BnContext], Ret::Bool),
    Row::new("EC_POINT_invert", &[G, Mut(Point), BnContext], Ret::Status),
    Row::new("EC_POINT_set_to_infinity", &[G, Mut(Point)], Ret::Status),
    Row::slow("EC_POINT_add", &[G, Mut(Point), P, P, BnContext], Ret::Status),
    Row::slow("EC_POINT_mul", &[G, Mut(Point), Opt(Bignum), P, Opt(Bignum), BnContext], Ret::Status),
];
