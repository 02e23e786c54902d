# args: --jit=always
# Calls of protected methods in compiled code: who may make them depends on `self`, whatever the site has met.
class Account
  include Comparable

  def initialize(n) = @n = n
  def <=>(other) = n <=> other.n
  def plus(other) = twice + other.twice
  def with(other, by) = other.scaled(by)
  def to_s = "an account"

  protected

  attr_reader :n
  attr_writer :mark

  def twice = @n * 2
  def scaled(by = 2) = @n * by
end

class Savings < Account; end

a, b = Account.new(1), Savings.new(2)
puts [a < b, b > a, a == b, a.plus(b), b.plus(a), a.with(b, 3)].inspect
# => [true, true, false, 6, 6, 6]
(GC.stress ? 5 : 300).times { raise "wrong" unless a < b && a.plus(b) == 6 && b.with(a, 3) == 3 }

def ask(what)
  yield
rescue NoMethodError => e
  puts "#{what}: #{e.message}"
end

# The same code as a method of classes that may call it and of one that may not.
code = proc do
  def peek(other) = other.n
  def call(other) = other.twice
end
Savings.class_eval(&code)
stranger = Class.new(&code).new
(GC.stress ? 5 : 300).times { raise "wrong" unless b.peek(a) == 1 && b.call(a) == 2 }
ask("reader") { stranger.peek(a) }
# => reader: protected method 'n' called for an instance of Account
ask("method") { stranger.call(a) }
# => method: protected method 'twice' called for an instance of Account
ask("after") { p b.peek(a), b.call(a) }
# => 1
# => 2

# In a block that gets another self.
get = proc { |other| other.n + other.twice }
p b.instance_exec(a, &get)
# => 3
ask("block") { Object.new.instance_exec(a, &get) }
# => block: protected method 'n' called for an instance of Account
ask("main") { a.twice }
# => main: protected method 'twice' called for an instance of Account

# Of a module that is included more than once, and whose methods stop being protected.
module Sized
  def larger?(other) = size > other.size

  protected

  def size = @size
end
class Box
  include Sized

  def initialize(size) = @size = size
end
class Crate < Box
  include Sized
end
small, large = Box.new(1), Crate.new(5)
(GC.stress ? 5 : 300).times { raise "wrong" unless large.larger?(small) && !small.larger?(large) }
ask("module") { small.size }
# => module: protected method 'size' called for an instance of Box
Sized.send(:public, :size)
p small.size, large.larger?(small)
# => 1
# => true
