# frozen_string_literal: false

# What programs read from RbConfig; nothing here was built with make.
module RbConfig
  os, cpu = RUBY_PLATFORM.split("-").reverse
  CONFIG = {
    "MAJOR" => "4", "MINOR" => "0", "TEENY" => "0", "PATCHLEVEL" => RUBY_PATCHLEVEL.to_s,
    "ruby_version" => "4.0.0", "RUBY_PROGRAM_VERSION" => RUBY_VERSION,
    "ruby_install_name" => "asterism", "RUBY_INSTALL_NAME" => "asterism", "RUBYW_INSTALL_NAME" => "",
    "RUBY_BASE_NAME" => "asterism", "RUBY_SO_NAME" => "asterism", "rubyw_install_name" => "",
    "bindir" => File.dirname(Process.__send__(:__executable)), "EXEEXT" => "", "EXECUTABLE_EXTS" => "", "DLEXT" => "so", "OBJEXT" => "o",
    "LIBEXT" => "a", "SOEXT" => "so", "prefix" => "/usr", "libdir" => "/usr/lib", "datadir" => "/usr/share",
    "sysconfdir" => "/etc", "localstatedir" => "/var", "mandir" => "/usr/share/man",
    "rubylibdir" => $LOAD_PATH.last || "/usr/lib/ruby", "rubylibprefix" => "/usr/lib/ruby",
    "sitedir" => "/usr/local/lib/site_ruby", "sitelibdir" => "/usr/local/lib/site_ruby",
    "vendordir" => "/usr/lib/ruby/vendor_ruby", "vendorlibdir" => "/usr/lib/ruby/vendor_ruby",
    "arch" => RUBY_PLATFORM, "host_os" => os, "host_cpu" => cpu, "host" => RUBY_PLATFORM, "target_os" => os,
    "target_cpu" => cpu, "build_os" => os, "build" => RUBY_PLATFORM, "SHELL" => "/bin/sh", "PATH_SEPARATOR" => ":",
    "configure_args" => ""
  }

  # What mkmf builds extensions with. The headers lie beside an installed command, or in the tree that it was built from.
  executable = Process.__send__(:__executable)
  installed = File.expand_path("../../include/asterism", executable)
  headers, names = Process.__send__(:__extension_paths)
  headers = File.expand_path(headers)
  if File.file?("#{installed}/ruby.h")
    headers = installed
    names = File.expand_path("../../lib/asterism", executable)
  end
  site = "/usr/local/lib/asterism/site_ruby"
  CONFIG.merge!(
    "rubyhdrdir" => headers, "rubyarchhdrdir" => headers, "includedir" => File.dirname(headers), "hdrdir" => headers,
    "vendorhdrdir" => headers, "sitehdrdir" => headers, "vendorarchhdrdir" => headers, "sitearchhdrdir" => headers,
    "archdir" => "/usr/local/lib/asterism", "rubyarchdir" => "/usr/local/lib/asterism", "topdir" => "/usr/local/lib/asterism",
    "sitearchdir" => "#{site}/#{RUBY_PLATFORM}", "vendorarchdir" => "#{site}/#{RUBY_PLATFORM}",
    "sitearch" => RUBY_PLATFORM, "exec_prefix" => "/usr", "extension_abi" => "asterism-1",
    "CC" => "gcc", "CXX" => "g++", "CPP" => "gcc -E", "LD" => "ld", "AR" => "gcc-ar", "NM" => "gcc-nm", "RANLIB" => "gcc-ranlib",
    "STRIP" => "strip", "LDSHARED" => "gcc -shared", "LDSHAREDXX" => "g++ -shared",
    "CFLAGS" => "-O2 -fPIC -std=gnu17 -Werror=implicit-function-declaration -Wno-int-conversion", "CXXFLAGS" => "-O2 -fPIC",
    "CCDLFLAGS" => "-fPIC", "DLDFLAGS" => "", "LDFLAGS" => "-L.", "CPPFLAGS" => "", "ARCH_FLAG" => "", "cflags" => "-O2",
    "optflags" => "-O2", "debugflags" => "", "warnflags" => "", "cxxflags" => "-O2", "cppflags" => "", "dldflags" => "",
    "ldflags" => "", "CXX_FLAGS" => "", "OUTFLAG" => "-o ", "COUTFLAG" => "-o ", "CPPOUTFILE" => "-o conftest.i",
    "ASMEXT" => "S", "LIBPATHFLAG" => " -L%1$-s", "RPATHFLAG" => "", "LIBARG" => "-l%s", "LINK_SO" => "$(LDSHARED) -o $@ $(OBJS) $(LIBPATH) $(DLDFLAGS) $(LOCAL_LIBS) $(LIBS)",
    "TRY_LINK" => "$(CC) -o conftest$(EXEEXT) $(INCFLAGS) $(CPPFLAGS) $(CFLAGS) $(src) $(LIBPATH) $(LDFLAGS) $(ARCH_FLAG) $(LOCAL_LIBS) $(LIBS)",
    "LIBRUBYARG" => "-L#{names} -lasterism_names", "LIBRUBYARG_STATIC" => "-L#{names} -lasterism_names",
    "LIBRUBYARG_SHARED" => "", "LIBRUBY" => "", "LIBS" => "-lm -lpthread", "MAINLIBS" => "-lm", "DLDLIBS" => "-lc", "DLDSHARED" => "gcc -shared",
    "ENABLE_SHARED" => "no", "LIBRUBY_A" => "", "CC_WRAPPER" => "", "CSRCFLAG" => "", "DEFS" => "", "EXTDLDFLAGS" => "", "PKG_CONFIG" => "pkg-config", "RUBY_API_VERSION" => "4.0", "RUBYLIB" => "", "RUBYOPT" => "", "CP" => "cp", "RM" => "rm -f", "RMDIR" => "rmdir",
    "RMDIRS" => "rmdir -p", "RMALL" => "rm -fr", "MAKEDIRS" => "mkdir -p", "MKMF_VERBOSE" => "0", "NULLCMD" => ":", "GCC" => "yes",
    "INSTALL" => "/usr/bin/install -c", "INSTALL_PROGRAM" => "$(INSTALL) -m 0755", "INSTALL_SCRIPT" => "$(INSTALL) -m 0755",
    "INSTALL_DATA" => "$(INSTALL) -m 644", "SET_MAKE" => "", "EXTOUT" => ".ext", "libdirname" => "libdir", "rubyarchprefix" => "/usr/local/lib/asterism",
    "ridir" => "/usr/share/ri", "docdir" => "/usr/share/doc", "sbindir" => "/usr/sbin", "libexecdir" => "/usr/libexec", "localedir" => "/usr/share/locale",
    "infodir" => "/usr/share/info", "PACKAGE" => "asterism", "UNICODE_VERSION" => Encoding::UNICODE_VERSION.dup, "UNICODE_EMOJI_VERSION" => "17.0", "try_header" => "", "wflags" => "", "sharedstatedir" => "/var/lib",
    "srcdir" => "/usr/local/lib/asterism", "target" => RUBY_PLATFORM, "target_alias" => "", "host_alias" => "", "build_alias" => "", "DESTDIR" => "", "sitelibdir" => site, "sitedir" => site
  )
  MAKEFILE_CONFIG = CONFIG.dup
  TOPDIR = "/usr"
  def self.ruby = Process.__send__(:__executable)

  # Puts what the settings say in the place of `$(name)` and `${name}`, in the String itself.
  def self.expand(value, config = CONFIG)
    value.gsub!(/\$\$|\$\((\w+)\)|\$\{(\w+)\}/) do |found|
      name = $1 || $2
      next found if name.nil? || !config.key?(name)

      expand(config[name].dup, config)
    end
    value
  end

  def self.fire_update!(*) = nil
end

# mkmf asks for it at top level.
CROSS_COMPILING = nil unless defined?(CROSS_COMPILING)
