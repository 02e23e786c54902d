# frozen_string_literal: true

require "rbconfig"

# What the C compiler of a 64-bit Linux says of its types.
module RbConfig
  SIZEOF = {
    "int" => 4, "short" => 2, "long" => 8, "long long" => 8, "__int128" => 16, "off_t" => 8, "void*" => 8, "float" => 4,
    "double" => 8, "time_t" => 8, "clock_t" => 8, "size_t" => 8, "ptrdiff_t" => 8, "dev_t" => 8, "int8_t" => 1,
    "uint8_t" => 1, "int16_t" => 2, "uint16_t" => 2, "int32_t" => 4, "uint32_t" => 4, "int64_t" => 8, "uint64_t" => 8,
    "intptr_t" => 8, "uintptr_t" => 8, "ssize_t" => 8, "intmax_t" => 8, "sig_atomic_t" => 4, "wchar_t" => 4,
    "wint_t" => 4, "_Bool" => 1
  }.freeze

  signed = {
    "SCHAR" => 8, "CHAR" => 8, "SHRT" => 16, "INT" => 32, "LONG" => 64, "LLONG" => 64, "INT8" => 8, "INT16" => 16,
    "INT32" => 32, "INT64" => 64, "INTMAX" => 64, "INTPTR" => 64, "PTRDIFF" => 64, "FIXNUM" => 63
  }
  unsigned = {
    "UCHAR" => 8, "USHRT" => 16, "UINT" => 32, "ULONG" => 64, "ULLONG" => 64, "UINT8" => 8, "UINT16" => 16,
    "UINT32" => 32, "UINT64" => 64, "UINTMAX" => 64, "UINTPTR" => 64, "SIZE" => 64
  }
  limits = signed.flat_map { |name, bits| [["#{name}_MAX", (1 << bits - 1) - 1], ["#{name}_MIN", -1 << bits - 1]] }
  limits += unsigned.map { |name, bits| ["#{name}_MAX", (1 << bits) - 1] }
  limits += [
    ["FLT_RADIX", Float::RADIX], ["DBL_MANT_DIG", Float::MANT_DIG], ["DBL_DIG", Float::DIG],
    ["DBL_MIN_EXP", Float::MIN_EXP], ["DBL_MAX_EXP", Float::MAX_EXP], ["DBL_MIN_10_EXP", Float::MIN_10_EXP],
    ["DBL_MAX_10_EXP", Float::MAX_10_EXP], ["DBL_MAX", Float::MAX], ["DBL_MIN", Float::MIN],
    ["DBL_EPSILON", Float::EPSILON]
  ]
  LIMITS = limits.to_h.freeze
end
