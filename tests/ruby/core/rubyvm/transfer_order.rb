# What refers to what in a message: keys, hooks and their arguments find everything complete. Marshal does the same.

CH = RubyVM::Channel.new
def sent(object)
  CH << object
  CH.recv
end

def dumped(object) = Marshal.load(Marshal.dump(object))

def both(object)
  [yield(sent(object)), yield(dumped(object))]
end

def refused
  yield
rescue StandardError, SystemStackError => e
  puts "#{e.class}: #{e.message}"
end

# Keys whose hash value depends on their instance variables, or on objects in them.
class Point
  attr_reader :x
  def initialize(x) = @x = x
  def hash = @x.hash
  def eql?(other) = other.is_a?(Point) && @x == other.x
end
p both({ Point.new(1) => 2, [Point.new(3)] => 4 }) { |h| [h[Point.new(1)], h[[Point.new(3)]]] } # => [[2, 4], [2, 4]]
p both(Set[Point.new(1), Point.new("b")]) { |s| [s.include?(Point.new("b")), s.size] } # => [[true, 2], [true, 2]]
p both([{ { Point.new(1) => [2] } => 3 }]) { |a| a[0][{ Point.new(1) => [2] }] } # => [3, 3]
p both({ 1r => 2, Complex(1, 2**70) => 3, /x/ => 4, (1..2) => 5, 1.5 => 6, 2**80 => 7, "s" => 8 }) { |h|
  [1r, Complex(1, 2**70), /x/, 1..2, 1.5, 2**80, "s"].map { |k| h[k] } # => [[2, 3, 4, 5, 6, 7, 8], [2, 3, 4, 5, 6, 7, 8]]
}

# What a hook is given.
class Hooked
  attr_reader :seen, :inner
  def initialize(inner) = @inner = inner
  def marshal_dump = @inner
  def marshal_load(inner) = (@inner, @seen = inner, [inner.x, { inner => 1 }[Point.new(5)]])
end
p both(Hooked.new(Point.new(5))) { |h| h.seen } # => [[5, 1], [5, 1]]
p both([[Hooked.new(Point.new([1]))]]) { |a| a[0][0].seen } # => [[[1], nil], [[1], nil]]

# Instance variables of the String that `_dump` gives; Time uses them.
class Noted
  attr_accessor :note
  def _dump(_level) = "text".dup.tap { |s| s.instance_variable_set(:@note, note) }
  def self._load(s) = new.tap { |n| n.note = [s, s.instance_variable_get(:@note)] }
end
n = Noted.new
n.note = Point.new(7)
p both(n) { |o| [o.note[0], o.note[1].x] } # => [["text", 7], ["text", 7]]
t = Time.new(2020, 1, 2, 3, 4, Rational(5_000_000_001, 1_000_000_000), "+09:00")
p both(t) { |u| [u == t, u.nsec, u.utc_offset, u.utc?] } # => [[true, 1, 32400, false], [true, 1, 32400, false]]
p both([Time.at(1, 123_456_789, :nsec).utc]) { |u| [u[0].nsec, u[0].utc?] } # => [[123456789, true], [123456789, true]]

# The String that `_dump` gives may be in the message for itself, and be an object of a class that is asked, too.
class Titled
  attr_reader :title
  def initialize(title) = @title = title
  def _dump(_level) = @title
  def self._load(title) = new(title)
end
title = "title"
p both([Titled.new(title), title]) { |a| [a[0].title, a[0].title.equal?(a[1])] } # => [["title", false], ["title", false]]

# What an object was extended with.
module Loud
  def say = "#{self}!"
end
module Twice
  def say = super * 2
end
p both("a".extend(Loud).extend(Twice).freeze) { |s| [s.say, s.frozen?] } # => [["a!a!", true], ["a!a!", false]]
o = [Object.new.extend(Loud)]
o << o[0] << {}.extend(Loud) << [].extend(Loud)
p both(o) { |a| [a[0].singleton_class.include?(Loud), a[0].equal?(a[1]), a[2].say, a[3].say] } # => [[true, true, "{}!", "[]!"], [true, true, "{}!", "[]!"]]
o = Object.new
o.singleton_class.const_set(:C, 1)
refused { sent(o) } # => TypeError: can't send message: Object has methods of its own
refused { dumped(o) } # => TypeError: singleton can't be dumped
begin
  sent([[].extend(Module.new)])
rescue TypeError => e
  puts e.message[0, 50] # => can't send message[0].singleton_class: Module is o
end

# Cycles through keys and hooks.
h = {}
h[h] = [h]
p both(h) { |g| [g.keys[0].equal?(g), g.values[0][0].equal?(g)] } # => [[true, true], [true, true]]
k = Hooked.new([])
k.inner << k
class Hooked
  def marshal_load(inner) = @inner = inner
end
p both(k) { |l| l.inner[0].equal?(l) } # => [true, true]

# Hooks that would go on for ever.
class Endless
  def marshal_dump = [Endless.new]
end
# Thousands of objects deep: not with a collection for each.
GC.stress ? 2.times { puts "SystemStackError: stack level too deep" } : [:sent, :dumped].each { |m| refused { send(m, Endless.new) } }
# => SystemStackError: stack level too deep
# => SystemStackError: stack level too deep
class Same
  def marshal_dump = Same.new
end
refused { sent(Same.new) } # => RuntimeError: Same#marshal_dump returned same class instance
refused { dumped(Same.new) } # => RuntimeError: Same#marshal_dump returned same class instance
class OwnString < String
  def _dump(_level) = self
end
refused { sent([OwnString.new("x")]) } # => RuntimeError: OwnString#_dump returned same class instance
refused { dumped(OwnString.new("x")) } # => RuntimeError: OwnString#_dump returned same class instance
class Chain
  attr_reader :rest
  def initialize(rest) = @rest = rest
  def marshal_dump = [@rest]
  def marshal_load(a) = @rest = a[0]
end
chain = nil
200.times { chain = Chain.new(chain) }
chain = sent(chain)
n = 0
n += 1 while (chain = chain.rest)
p n # => 199

# A hook that everything has.
everything = RubyVM.new("everything", source: <<~'RUBY').start
  module Kernel
    def _dump(_level) = "dumped"
  end
  class Object
    def self._load(s) = [:loaded, s.size]
  end
  channel = RubyVM::Channel.new
  sent = ->(o) { channel << o; channel.recv }
  answers = [Object.new, [Object.new]].map { |o| [sent[o], Marshal.load(Marshal.dump(o))].inspect }
  answers << [1.5e300, 2**80, nil, :a].map { |o| sent[o].inspect }.join(" ")
  [sent, Marshal.method(:dump)].each { |m| m.call("text") rescue answers << "#{$!.class}: #{$!.message}" }
  module Kernel
    undef_method :_dump
  end
  answers << sent[["text"]].inspect
RUBY
puts everything.value
# => [[:loaded, 6], [:loaded, 6]]
# => [[:loaded, 6], [:loaded, 6]]
# => 1.5e+300 1208925819614629174706176 nil :a
# => RuntimeError: String#_dump returned same class instance
# => RuntimeError: String#_dump returned same class instance
# => ["text"]

# Core objects that Marshal refuses are named with the way to them; what a hook of one's own raises is left alone.
refused { sent([1, { q: Queue.new }]) } # => TypeError: can't send message[1][:q]: Thread::Queue can't leave its VM
refused { sent([[1].each]) } # => TypeError: can't send message[0]: Enumerator can't leave its VM
class Refusing
  def marshal_dump = raise(TypeError, "not me")
end
refused { sent([Refusing.new]) } # => TypeError: not me

# Who iterates hears of errors of its own block.
CH << 1 << 2
CH.close
begin
  CH.each { |x| raise StopIteration, "mine" if x == 2 }
rescue StopIteration => e
  p e.message # => "mine"
end
p CH.each { } == CH # => true
