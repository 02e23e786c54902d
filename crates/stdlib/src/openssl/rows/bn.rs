//! Big numbers and primes.

use super::super::kinds::Kind::Bignum;
use super::super::row::Arg::{BnContext, Bytes, Int, Made, Mut, Null, Opt, Out, Progress, Ref, Text};
use super::super::row::{Arg, Cost, Ret, Row};

const N: Arg = Ref(Bignum);
const R: Arg = Mut(Bignum);
const NEW: Arg = Made(Bignum, "BN_new");

pub static ROWS: &[Row] = &[
    Row::new("BN_new", &[], Ret::New(Bignum)),
    Row::new("BN_dup", &[N], Ret::New(Bignum)),
    Row::new("BN_copy", &[R, N], Ret::Status),
    Row::new("BN_bin2bn", &[Bytes, Null], Ret::New(Bignum)),
    Row::new("BN_mpi2bn", &[Bytes, Null], Ret::New(Bignum)),
    Row::new("BN_dec2bn", &[Out(Bignum), Text], Ret::Status),
    Row::new("BN_hex2bn", &[Out(Bignum), Text], Ret::Status),
    Row::new("BN_num_bits", &[N], Ret::Int),
    Row::new("BN_is_negative", &[N], Ret::Bool),
    Row::new("BN_set_negative", &[R, Int], Ret::Void),
    Row::new("BN_is_zero", &[N], Ret::Bool),
    Row::new("BN_is_one", &[N], Ret::Bool),
    Row::new("BN_is_odd", &[N], Ret::Bool),
    Row::new("BN_add", &[NEW, N, N], Ret::Status),
    Row::new("BN_sub", &[NEW, N, N], Ret::Status),
    Row::slow("BN_mul", &[NEW, N, N, BnContext], Ret::Status).costs(Cost::Square),
    Row::slow("BN_sqr", &[NEW, N, BnContext], Ret::Status).costs(Cost::Square),
    Row::slow("BN_div", &[NEW, NEW, N, N, BnContext], Ret::Status).costs(Cost::Square),
    Row::of("BN_mod", "BN_div", &[Null, NEW, N, N, BnContext], Ret::Status).slowly().costs(Cost::Square),
    Row::slow("BN_exp", &[NEW, N, N, BnContext], Ret::Status).costs(Cost::Raised),
    Row::slow("BN_gcd", &[NEW, N, N, BnContext], Ret::Status).costs(Cost::Power),
    Row::slow("BN_mod_add", &[NEW, N, N, N, BnContext], Ret::Status).costs(Cost::Square),
    Row::slow("BN_mod_sub", &[NEW, N, N, N, BnContext], Ret::Status).costs(Cost::Square),
    Row::slow("BN_mod_mul", &[NEW, N, N, N, BnContext], Ret::Status).costs(Cost::Square),
    Row::slow("BN_mod_sqr", &[NEW, N, N, BnContext], Ret::Status).costs(Cost::Square),
    Row::slow("BN_mod_exp", &[NEW, N, N, N, BnContext], Ret::Status).costs(Cost::Power),
    Row::slow("BN_mod_sqrt", &[Null, N, N, BnContext], Ret::New(Bignum)).costs(Cost::Power),
    Row::slow("BN_mod_inverse", &[Null, N, N, BnContext], Ret::New(Bignum)).costs(Cost::Power),
    Row::new("BN_set_bit", &[R, Int], Ret::Status),
    Row::new("BN_clear_bit", &[R, Int], Ret::Status),
    Row::new("BN_mask_bits", &[R, Int], Ret::Status),
    Row::new("BN_is_bit_set", &[N, Int], Ret::Bool),
    Row::new("BN_lshift", &[NEW, N, Int], Ret::Status),
    Row::new("BN_rshift", &[NEW, N, Int], Ret::Status),
    Row::of("BN_lshift!", "BN_lshift", &[R, N, Int], Ret::Status),
    Row::of("BN_rshift!", "BN_rshift", &[R, N, Int], Ret::Status),
    Row::new("BN_cmp", &[N, N], Ret::Int),
    Row::new("BN_ucmp", &[N, N], Ret::Int),
    Row::new("BN_rand", &[NEW, Int, Int, Int], Ret::Status),
    Row::new("BN_rand_range", &[NEW, N], Ret::Status),
    Row::slow("BN_generate_prime_ex", &[NEW, Int, Int, Opt(Bignum), Opt(Bignum), Progress], Ret::Status),
    Row::slow("BN_check_prime", &[N, BnContext, Progress], Ret::Bool),
    Row::new("BN_get_flags", &[N, Int], Ret::Int),
    Row::new("BN_set_flags", &[R, Int], Ret::Void),
];
