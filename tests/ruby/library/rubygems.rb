# The installed RubyGems is loaded when `Gem` is first mentioned.
unless defined?(Gem)
  puts "skipped: RubyGems is not installed"
  exit
end
p $LOADED_FEATURES.grep(/rubygems/).empty? # => true
p Gem::Version.new("1.2") < Gem::Version.new("1.10") # => true
p Gem::Requirement.new("~> 2.1").satisfied_by?(Gem::Version.new("2.3")) # => true
p RubyVM.new("another") { Gem::Version.new("3.0").segments }.start.value # => [3, 0]
