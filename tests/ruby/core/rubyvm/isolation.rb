# Nothing that is done in one VM is seen in another.

stress = GC.stress
RubyVM.new("vandal") do
  class String
    def length = 42
  end
  class Integer
    def *(other) = 0
  end
  module Kernel
    def puts(*) = nil
  end
  Vandalised = true
  $global = 1
  $, = nil
  $PROGRAM_NAME = "vandal"
  ENV["VANDAL"] = "yes"
  $LOAD_PATH.clear
  $LOADED_FEATURES.clear
  $stdout = $stderr
  srand(1)
  at_exit { exit 9 }
  trap("INT") { }
  Warning[:deprecated] = true
  Encoding.default_external = "US-ASCII"
  Thread.report_on_exception = false
  ObjectSpace.each_object(Class).count
  GC.stress = true
  GC.disable
  :done
end.start.value

p "abc".length # => 3
p 2 * 3 # => 6
puts "still here" # => still here
p defined?(Vandalised) # => nil
p $global # => nil
p $PROGRAM_NAME == "vandal" # => false
p ENV["VANDAL"] # => nil
p $LOAD_PATH.empty? # => false
p Warning[:deprecated] # => false
p Encoding.default_external # => #<Encoding:UTF-8>
p Thread.report_on_exception # => true
p GC.stress == stress # => true
p trap("INT", "DEFAULT") # => "DEFAULT"
