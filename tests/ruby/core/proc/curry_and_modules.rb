# Small differences that CRuby's own tests found.
# The block goes with the last arguments.
p ->(x, y, &b) { [x, y, b.call] }.curry[1].call(2) { 3 } # => [1, 2, 3]
p proc { |x, y, &b| [x, y, b.call] }.curry[1].call(2) { 4 } # => [1, 2, 4]

# A class is no module to be mixed in.
%i[append_features prepend_features].each { |n| p((Module.instance_method(n).bind_call(Class.new, Module.new) rescue $!)) } # => #<TypeError: wrong argument type Class (expected Module)>
# => #<TypeError: wrong argument type Class (expected Module)>
p((Module.instance_method(:extend_object).bind_call(Class.new, Object.new) rescue $!)) # => #<TypeError: wrong argument type Class (expected Module)>

# Paragraphs without what ended them: a single line end at the end is text.
p "hello\n\n\nworld\n".each_line("", chomp: true).to_a # => ["hello", "world\n"]
p "a\r\n\r\nb\r\n".lines("", chomp: true), "\n\n\na\n\n".lines("", chomp: true) # => ["a", "b\r\n"]
# => ["", "a"]

p((false.instance_variable_set(:@a, 1) rescue $!.message)) # => "can't modify frozen FalseClass: false"

# What is written in Ruby only here has no binding, as code in C has none.
p((proc { }.curry.binding rescue $!), ({}.to_proc.binding rescue $!)) # => #<ArgumentError: Can't create Binding from C level Proc>
# => #<ArgumentError: Can't create Binding from C level Proc>

# A refinement's methods bind to what is refined.
plain = Class.new { def who = :plain }
refinement = nil
Module.new { refinement = refine(plain) { def who = :refined } }
p refinement.instance_method(:who).bind(plain.new).call # => :refined
p((refinement.instance_method(:who).bind(Object.new) rescue $!.class)) # => TypeError
