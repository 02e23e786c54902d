# Objects that are only allocated, and those of subclasses whose `initialize` does not call super, say that they are not initialized, or do
# what can be done.
def t
  yield.then { |v| p v }
rescue StandardError => e
  puts "#{e.class}: #{e.message.gsub(/0x\h+/, "0x")}"
end
t { Class.allocate.new } # => TypeError: can't instantiate uninitialized class
t { Class.allocate.superclass } # => TypeError: uninitialized class
t { Class.new(Class.allocate) } # => TypeError: can't inherit uninitialized class
t { Class.new.dup.new.class.superclass } # => Object
t { Enumerator.allocate.next } # => ArgumentError: uninitialized enumerator
t { Enumerator.allocate.each { 1 } } # => ArgumentError: uninitialized enumerator
t { Enumerator.allocate.dup } # => ArgumentError: uninitialized enumerator
t { Enumerator.allocate.size } # => ArgumentError: uninitialized enumerator
t { Enumerator::Lazy.allocate.map { 1 } } # => ArgumentError: uninitialized enumerator
t { Enumerator::Chain.allocate.size } # => ArgumentError: uninitialized chain
t { Enumerator::Chain.allocate.to_a } # => ArgumentError: uninitialized chain
t { Enumerator::Product.allocate.to_a } # => ArgumentError: uninitialized product
t { Enumerator::Yielder.allocate << 1 } # => ArgumentError: uninitialized yielder
t { Enumerator::Generator.allocate.each { 1 } } # => ArgumentError: uninitialized generator
t { Enumerator::Producer.allocate.each { 1 } } # => ArgumentError: uninitialized producer
t { Fiber.allocate.alive? } # => FiberError: uninitialized fiber
t { Fiber.allocate.backtrace } # => FiberError: uninitialized fiber
t { Fiber.allocate.inspect } # => FiberError: uninitialized fiber
t { Time.allocate == Time.now } # => TypeError: uninitialized Time
t { Time.allocate <=> 1 } # => TypeError: uninitialized Time
t { Regexp.allocate.timeout } # => TypeError: uninitialized Regexp
t { Encoding::Converter.allocate == 1 } # => TypeError: uninitialized encoding converter
t { File::Stat.allocate.readable? } # => TypeError: uninitialized File::Stat
t { Thread::Backtrace::Location.allocate } # => TypeError: allocator undefined for Thread::Backtrace::Location
t { Class.new(Set) { def initialize = nil }.new.add(1).to_a } # => [1]
t { Class.new(Set) { def initialize = nil }.new.replace(1) } # => ArgumentError: value must be enumerable
t { Numeric.new.to_int } # => NoMethodError: undefined method 'to_i' for an instance of Numeric
