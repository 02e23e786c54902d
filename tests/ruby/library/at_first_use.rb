# What CRuby has loaded at its start is here when it is first mentioned.
p(defined?(RbConfig)) # => "constant"
p RbConfig::CONFIG["ruby_install_name"] # => "asterism"
p $".none? { |file| file.end_with?("/rubygems.rb") } # => true
p RubyVM.new("another") { RbConfig::CONFIG["ruby_version"] }.start.value # => "4.0.0"
system(RbConfig.ruby, "--disable-gems", "-e", "p defined?(RbConfig), defined?(Gem)")
# => nil
# => nil

require "fcntl"
File.open(__FILE__) do |file|
  p file.fcntl(Fcntl::F_GETFD) & Fcntl::FD_CLOEXEC # => 1
  p file.fcntl(Fcntl::F_GETFL) & Fcntl::O_ACCMODE == Fcntl::O_RDONLY # => true
  begin
    file.fcntl(Fcntl::F_GETLK, 1)
  rescue NotImplementedError => e
    puts e.message # => fcntl() of this command is unimplemented on this implementation
  end
end

require "rbconfig/sizeof"
p RbConfig::SIZEOF["long"], RbConfig::LIMITS.values_at("FIXNUM_MAX", "INT_MIN", "UINT64_MAX")
# => 8
# => [4611686018427387903, -2147483648, 18446744073709551615]
