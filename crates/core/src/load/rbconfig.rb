# frozen_string_literal: false

# What programs read from RbConfig; nothing here was built with make.
module RbConfig
  os, cpu = RUBY_PLATFORM.split("-").reverse
  CONFIG = {
    "MAJOR" => "4", "MINOR" => "0", "TEENY" => "0", "PATCHLEVEL" => RUBY_PATCHLEVEL.to_s,
    "ruby_version" => "4.0.0", "RUBY_PROGRAM_VERSION" => RUBY_VERSION,
    "ruby_install_name" => "asterism", "RUBY_INSTALL_NAME" => "asterism", "RUBYW_INSTALL_NAME" => "",
    "RUBY_BASE_NAME" => "asterism", "RUBY_SO_NAME" => "asterism", "rubyw_install_name" => "",
    "bindir" => File.dirname(Process.__send__(:__executable)), "EXEEXT" => "", "DLEXT" => "so", "OBJEXT" => "o",
    "LIBEXT" => "a", "SOEXT" => "so", "prefix" => "/usr", "libdir" => "/usr/lib", "datadir" => "/usr/share",
    "sysconfdir" => "/etc", "localstatedir" => "/var", "mandir" => "/usr/share/man",
    "rubylibdir" => $LOAD_PATH.last || "/usr/lib/ruby", "rubylibprefix" => "/usr/lib/ruby",
    "sitedir" => "/usr/local/lib/site_ruby", "sitelibdir" => "/usr/local/lib/site_ruby",
    "vendordir" => "/usr/lib/ruby/vendor_ruby", "vendorlibdir" => "/usr/lib/ruby/vendor_ruby",
    "arch" => RUBY_PLATFORM, "host_os" => os, "host_cpu" => cpu, "host" => RUBY_PLATFORM, "target_os" => os,
    "target_cpu" => cpu, "build_os" => os, "build" => RUBY_PLATFORM, "SHELL" => "/bin/sh", "PATH_SEPARATOR" => ":",
    "CC" => "", "CFLAGS" => "", "configure_args" => ""
  }
  MAKEFILE_CONFIG = CONFIG.dup
  TOPDIR = "/usr"
  SIZEOF = {
    "int" => 4, "short" => 2, "long" => 8, "long long" => 8, "__int128" => 16, "off_t" => 8, "void*" => 8, "float" => 4,
    "double" => 8, "time_t" => 8, "clock_t" => 8, "size_t" => 8, "ptrdiff_t" => 8, "dev_t" => 8, "int8_t" => 1,
    "uint8_t" => 1, "int16_t" => 2, "uint16_t" => 2, "int32_t" => 4, "uint32_t" => 4, "int64_t" => 8, "uint64_t" => 8,
    "int128_t" => 16, "uint128_t" => 16, "intptr_t" => 8, "uintptr_t" => 8, "ssize_t" => 8, "wchar_t" => 4
  }.freeze
  LIMITS = {
    "FIXNUM_MAX" => 4611686018427387903, "FIXNUM_MIN" => -4611686018427387904, "INT_MAX" => 2147483647,
    "INT_MIN" => -2147483648, "UINT_MAX" => 4294967295, "LONG_MAX" => 9223372036854775807,
    "LONG_MIN" => -9223372036854775808, "ULONG_MAX" => 18446744073709551615,
    "SHRT_MAX" => 32767, "SHRT_MIN" => -32768, "USHRT_MAX" => 65535, "LLONG_MAX" => 9223372036854775807,
    "LLONG_MIN" => -9223372036854775808, "ULLONG_MAX" => 18446744073709551615, "SIZE_MAX" => 18446744073709551615,
    "SSIZE_MAX" => 9223372036854775807, "INT64_MAX" => 9223372036854775807, "UINT64_MAX" => 18446744073709551615
  }.freeze

  def self.ruby = Process.__send__(:__executable)

  def self.expand(value, _config = CONFIG) = value

  def self.fire_update!(*) = nil
end
