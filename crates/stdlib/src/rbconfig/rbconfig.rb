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
  def self.ruby = Process.__send__(:__executable)

  def self.expand(value, _config = CONFIG) = value

  def self.fire_update!(*) = nil
end
