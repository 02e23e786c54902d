//! The part of the core library that is written in Ruby: its sources, in the order in which a VM
//! compiles and runs them at its start. Later files build on the modules of earlier ones.

/// File name as frames show it, and text, of each source.
pub const PRELUDE: &[(&str, &str)] = &[
    ("<internal:internal>", include_str!("internal/internal.rb")),
    (
        "<internal:comparable>",
        include_str!("comparable/comparable.rb"),
    ),
    ("<internal:kernel>", include_str!("kernel/kernel.rb")),
    (
        "<internal:enumerable>",
        include_str!("enumerable/enumerable.rb"),
    ),
    (
        "<internal:enumerable_fold>",
        include_str!("enumerable/enumerable_fold.rb"),
    ),
    (
        "<internal:enumerable_slice>",
        include_str!("enumerable/enumerable_slice.rb"),
    ),
    (
        "<internal:enumerator>",
        include_str!("enumerator/enumerator.rb"),
    ),
    ("<internal:lazy>", include_str!("enumerator/lazy.rb")),
    (
        "<internal:arithmetic_sequence>",
        include_str!("enumerator/arithmetic_sequence.rb"),
    ),
    ("<internal:integer>", include_str!("integer/integer.rb")),
    ("<internal:numeric>", include_str!("numeric/numeric.rb")),
    ("<internal:numeric_base>", include_str!("numeric/numeric_base.rb")),
    ("<internal:string>", include_str!("string/string.rb")),
    ("<internal:rational>", include_str!("numeric/rational.rb")),
    ("<internal:complex>", include_str!("numeric/complex.rb")),
    ("<internal:string_upto>", include_str!("string/upto.rb")),
    ("<internal:range>", include_str!("range/range.rb")),
    ("<internal:range_each>", include_str!("range/range_each.rb")),
    ("<internal:array>", include_str!("array/array.rb")),
    ("<internal:array_fold>", include_str!("array/array_fold.rb")),
    (
        "<internal:array_update>",
        include_str!("array/array_update.rb"),
    ),
    (
        "<internal:array_combinatorics>",
        include_str!("array/array_combinatorics.rb"),
    ),
    ("<internal:hash>", include_str!("hash/hash.rb")),
    (
        "<internal:hash_update>",
        include_str!("hash/hash_update.rb"),
    ),
    ("<internal:struct>", include_str!("struct/struct.rb")),
    ("<internal:data>", include_str!("data/data.rb")),
    ("<internal:regexp>", include_str!("regexp/regexp.rb")),
    ("<internal:set>", include_str!("set/set.rb")),
    ("<internal:thread>", include_str!("thread/thread.rb")),
    ("<internal:proc>", include_str!("proc/proc.rb")),
    ("<internal:objspace>", include_str!("objspace/objspace.rb")),
    ("<internal:io>", include_str!("io/io.rb")),
    ("<internal:argf>", include_str!("io/argf.rb")),
    ("<internal:env>", include_str!("env/env.rb")),
    ("<internal:process>", include_str!("process/process.rb")),
];
