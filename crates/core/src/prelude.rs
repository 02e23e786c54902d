//! The part of the core library that is written in Ruby: its sources, in the order in which a VM
//! compiles and runs them at its start. Later files build on the modules of earlier ones.

/// A Ruby source of the implementation: the file name its frames carry, and its text.
pub struct PreludeSource {
    /// File name, as in `<internal:array>`.
    pub file: &'static str,
    /// The text, UTF-8.
    pub source: &'static str,
}

/// All of them, in order.
pub const PRELUDE: &[PreludeSource] = &[
    PreludeSource { file: "<internal:internal>", source: include_str!("internal/internal.rb") },
    PreludeSource { file: "<internal:comparable>", source: include_str!("comparable/comparable.rb") },
    PreludeSource { file: "<internal:kernel>", source: include_str!("kernel/kernel.rb") },
    PreludeSource { file: "<internal:enumerable>", source: include_str!("enumerable/enumerable.rb") },
    PreludeSource { file: "<internal:enumerable_fold>", source: include_str!("enumerable/enumerable_fold.rb") },
    PreludeSource { file: "<internal:enumerable_slice>", source: include_str!("enumerable/enumerable_slice.rb") },
    PreludeSource { file: "<internal:enumerator>", source: include_str!("enumerator/enumerator.rb") },
    PreludeSource { file: "<internal:lazy>", source: include_str!("enumerator/lazy.rb") },
    PreludeSource { file: "<internal:arithmetic_sequence>", source: include_str!("enumerator/arithmetic_sequence.rb") },
    PreludeSource { file: "<internal:integer>", source: include_str!("integer/integer.rb") },
    PreludeSource { file: "<internal:numeric>", source: include_str!("numeric/numeric.rb") },
    PreludeSource { file: "<internal:string_upto>", source: include_str!("string/upto.rb") },
    PreludeSource { file: "<internal:range>", source: include_str!("range/range.rb") },
    PreludeSource { file: "<internal:range_each>", source: include_str!("range/range_each.rb") },
    PreludeSource { file: "<internal:array>", source: include_str!("array/array.rb") },
    PreludeSource { file: "<internal:array_fold>", source: include_str!("array/array_fold.rb") },
    PreludeSource { file: "<internal:array_update>", source: include_str!("array/array_update.rb") },
    PreludeSource { file: "<internal:array_combinatorics>", source: include_str!("array/array_combinatorics.rb") },
    PreludeSource { file: "<internal:hash>", source: include_str!("hash/hash.rb") },
    PreludeSource { file: "<internal:hash_update>", source: include_str!("hash/hash_update.rb") },
    PreludeSource { file: "<internal:struct>", source: include_str!("struct/struct.rb") },
    PreludeSource { file: "<internal:data>", source: include_str!("data/data.rb") },
    PreludeSource { file: "<internal:set>", source: include_str!("set/set.rb") },
];
