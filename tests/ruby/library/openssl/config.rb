# OpenSSL::Config: the format of the library's configuration files.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require "tmpdir"

def failure
  yield
rescue => e
  "#{e.class}: #{e.message}"
end

config = OpenSSL::Config.parse(<<'TEXT')
name = value  # a comment
quoted = 'a # b' "c"
long = one \
  two
[ two words ] # here too
x = $default::name-${default::quoted}
default::later = $(quoted)
empty =
TEXT
puts config.to_s.lines.map(&:chomp).inspect # => ["[ default ]", "name=value", "quoted=a # b c", "long=one   two", "later=a # b c", "", "[ two words ]", "x=value-a # b c", "empty=", ""]
p config.sections, config["two words"], config["none"] # => ["default", "two words"]
# => {"x" => "value-a # b c", "empty" => ""}
# => {}
p config.get_value("two words", "name"), config.get_value("", "name"), config.get_value("two words", "nothing") # => "value"
# => "value"
# => nil
p config.frozen?, config.dup.to_s == config.to_s, config.map(&:first).uniq # => true
# => true
# => ["default", "two words"]
ENV["OSSL_TEST"] = "here"
p config.get_value("ENV", "OSSL_TEST"), OpenSSL::Config.parse("a=$ENV::OSSL_TEST")["default"] # => "here"
# => {"a" => "here"}
p OpenSSL::Config.new.sections, OpenSSL::Config.parse("").sections # => []
# => ["default"]

["a = $b", "a = ${b", "a b = c", "\n[c", ".pragma = x", ".pragma dollarid:maybe", ".pragma abspath:on\n.include a", "a=#{"x" * 40_000}\nb=$a$a"].each do |text|
  puts failure { OpenSSL::Config.parse(text) }
end
# => OpenSSL::ConfigError: error in line 1: variable has no value (line 1)
# => OpenSSL::ConfigError: error in line 1: no close brace (line 1)
# => OpenSSL::ConfigError: error in line 1: missing equal sign (HERE-->b = cline 1)
# => OpenSSL::ConfigError: error in line 2: missing close square bracket (line 2)
# => OpenSSL::ConfigError: error in line 1: invalid pragma (line 1)
# => OpenSSL::ConfigError: error in line 1: invalid pragma (line 1)
# => OpenSSL::ConfigError: error in line 2: relative path (line 2)
# => OpenSSL::ConfigError: error in line 2: variable expansion too long (line 2)
p OpenSSL::Config.parse(".pragma dollarid:on\na=b$c")["default"] # => {"a" => "b$c"}
p failure { OpenSSL::Config.parse(nil) } # => "TypeError: no implicit conversion of nil into String"
p failure { OpenSSL::Config.new("/nonexistent") } # => "OpenSSL::ConfigError: BIO_new_file: no such file"
p failure { config.send(:initialize) }[0, 25] # => "FrozenError: can't modify"

Dir.mktmpdir do |dir|
  File.write("#{dir}/all.cnf", "[a]\n.include #{dir}/parts\n.include #{dir}/missing\nz=9\n")
  Dir.mkdir("#{dir}/parts")
  File.write("#{dir}/parts/one.conf", "x=1\n[b]\ny=2\n")
  File.write("#{dir}/parts/two.txt", "x=7\n")
  p OpenSSL::Config.load("#{dir}/all.cnf").to_a # => [["a", "x", "1"], ["b", "y", "2"], ["b", "z", "9"]]
  File.write("#{dir}/self.cnf", ".include #{dir}/self.cnf\n")
  p failure { OpenSSL::Config.load("#{dir}/self.cnf") }[0, 61] # => "OpenSSL::ConfigError: error in line 65: include files nested "
end

# A line is read in time that grows with its length.
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
p OpenSSL::Config.parse("a=#{"'b\\''" * 200_000}")["default"]["a"].size # => 400000
p Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < 20 # => true
