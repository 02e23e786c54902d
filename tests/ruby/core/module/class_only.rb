# What modules have and classes have not, what Class.new has made, and objects without singleton classes.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { Class.new.instance_eval { initialize } } # => TypeError: already initialized class
t { Class.new.send(:initialize, Object) } # => TypeError: already initialized class
t { Module.instance_method(:module_function).bind_call(Class.new) } # => TypeError: module_function must be called for modules
t { Module.instance_method(:module_function).bind_call(Class.new, :foo) } # => TypeError: module_function must be called for modules
t { 1.extend(Module.new) } # => TypeError: can't define singleton
t { 1.5.extend(Module.new) } # => TypeError: can't define singleton
t { (2**100).extend(Module.new) } # => TypeError: can't define singleton
t { :a.extend(Module.new) } # => TypeError: can't define singleton
t { nil.extend(Module.new) } # => nil
t { [].freeze.extend(Module.new) } # => FrozenError: can't modify frozen Array: []
