# args: --jit=always
# `super` in methods that are made of one block, and `case` with what has a `===` of its own, in compiled code.
N = GC.stress ? 2 : 300
list = nil

module Counted
  CALLS = Hash.new(0)

  def self.prepended(base)
    base.instance_methods(false).each do |name|
      define_method(name) do |*args, **opts, &block|
        CALLS[:"#{base}##{name}"] += 1
        super(*args, **opts, &block)
      end
    end
  end
end

class Account
  def initialize = @balance = 0
  def deposit(n) = @balance += n
  def withdraw(n, fee: 1) = @balance -= n + fee
  def each = yield(@balance)
  prepend Counted
end

class Plain
  def a(x) = [:a, x]
  def b(x) = [:b, x]
  def c(x) = [:c, x]
  def d(x) = [:d, x]
  def e(x) = [:e, x]
  def f(x) = [:f, x]
end

class Sub < Plain
  %i[a b c d e f].each { |name| define_method(name) { |x| super(x) + [name] } }
end

class Other < Plain
  def b(x) = super(x) << self.class
end

class SubOther < Other
  %i[a b].each { |name| define_method(name) { |x| super(x) << name } }
end

account = Account.new
N.times do |i|
  account.deposit(7)
  account.withdraw(2, fee: 1)
  account.each { |n| list = [n - 4 * i] }
  subs = [Sub.new, SubOther.new]
  list += [subs[0].a(1), subs[0].b(2), subs[0].c(3), subs[0].d(4), subs[0].e(5), subs[0].f(6), subs[1].a(7), subs[1].b(8)]
end
p(*list)
# => 4
# => [:a, 1, :a]
# => [:b, 2, :b]
# => [:c, 3, :c]
# => [:d, 4, :d]
# => [:e, 5, :e]
# => [:f, 6, :f]
# => [:a, 7, :a]
# => [:b, 8, SubOther, :b]
p Counted::CALLS.keys.sort, Counted::CALLS.values.uniq.size
# => [:"Account#deposit", :"Account#each", :"Account#withdraw"]
# => 1

# Redefined while it runs.
class Plain
  def b(x) = [:new, x]
end
N.times { list = [Sub.new.b(1), Sub.new.a(1), SubOther.new.b(2)] }
p(*list)
# => [:new, 1, :b]
# => [:a, 1, :a]
# => [:new, 2, SubOther, :b]

even = Module.new { def self.===(other) = other.is_a?(Integer) && other.even? }
Limit = Struct.new(:most) { def ===(other) = other.is_a?(Numeric) && other <= most }
low = Limit.new(5)
kind = lambda do |v|
  case v
  when even then :even
  when low then :low
  when String, Symbol then :text
  when ->(x) { x == 99 } then :last
  else :other
  end
end
N.times { list = [[1, 2, 7, 8.5, "a", :b, 99, nil].map(&kind)] }
p(*list)
# => [:low, :even, :other, :other, :text, :text, :last, :other]
N.times do
  patterns = [even, low, Integer, /x/, 3..4]
  list = [patterns.map { |pattern| [4, 3, "x", nil].map { |v| case v when pattern then 1 else 0 end } }]
end
p(*list)
# => [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0]]
def even.===(other) = other == "odd"
N.times { list = [[1, 2, "odd"].map(&kind)] }
p(*list)
# => [:low, :low, :even]
def even.===(_) = raise(ArgumentError, "no")
N.times { list = begin; [kind.call(1)]; rescue ArgumentError => e; [e.message, e.backtrace_locations.size > 1]; end }
p(*list)
# => "no"
# => true
