# What CRuby has loaded at its start is here when it is first mentioned.
puts "#{defined?(RbConfig)} #{defined?(Gem)}" # => constant constant
p RbConfig::CONFIG["ruby_install_name"] # => "asterism"
p Gem::Version.new("1.2") < Gem::Version.new("1.10") # => true
p Gem::Requirement.new("~> 2.1").satisfied_by?(Gem::Version.new("2.3")) # => true
vm = RubyVM.new("another") { [RbConfig::CONFIG["ruby_version"], Gem::Version.new("3.0").segments] }
p vm.start.value # => ["4.0.0", [3, 0]]

system(RbConfig.ruby, "--disable-gems", "-e", "p defined?(RbConfig), defined?(Gem)")
# => nil
# => nil

require "fcntl"
File.open(__FILE__) do |file|
  p file.fcntl(Fcntl::F_GETFD) & Fcntl::FD_CLOEXEC # => 1
  p file.fcntl(Fcntl::F_GETFL) & Fcntl::O_ACCMODE == Fcntl::O_RDONLY # => true
end
