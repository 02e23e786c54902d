# What CRuby's own tests found.
# args: -W0
require "tmpdir"

def tried
  yield
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

# Classes that say themselves what they are called.
named = Class.new { def self.to_s = "Named" }
p tried { 1.0.clamp(named.new, 2) } # => "ArgumentError: comparison of Named with 2 failed"
p tried { named.new.freeze.instance_variable_set(:@a, 1) }[/frozen \w+/] # => "frozen Named"
p tried { Object.new.clone(freeze: named.new) } # => "ArgumentError: unexpected value for freeze: Named"
p tried { Time.at(named.new) } # => "TypeError: can't convert Named into an exact number"

p GC.respond_to?(:auto_compact) # => false

# super in a block with another self.
parent = Class.new { def foo = [:super, self.class] }
child = Class.new(parent) { def foo = Object.new.instance_eval { super() } }
p tried { child.new.foo }[0, 59] # => "TypeError: self has wrong type to call super in this contex"

p Complex(1, 0)**(10**32) # => (1+0i)
p Complex(-1, 0)**(10**32 + 1) # => (-1+0i)
p Complex(1, 1)**4 # => (-4+0i)
p Complex(1.5, 0)**2 # => (2.25+0.0i)
p Complex.polar(2, 0i) # => (2+0.0i)
c = Complex(1, 0)
p Complex(c).equal?(c) # => true
p ["I".to_c, "+J".to_c] # => [(0+1i), (0+1i)]
p Marshal.load("\x04\x08o:\x0cComplex\x07:\x0a@reali\x06:\x0b@imagei\x07") # => (1+2i)
p tried { 1 / 0r.coerce(0.0 + 0i)[0] } # => "ZeroDivisionError: divided by 0"

list = ["a", "b", "c"]
x = Object.new
x.define_singleton_method(:to_str) { list[2] = [0, 1, 2]; "z" }
p (list << x).join # => "ab012z"
list = (0...100).to_a
generator = Object.new
generator.define_singleton_method(:rand) { |n| list.clear; n / 2 }
p list.sample(1, random: generator) # => []
format = +"cc"
o = Object.new
o.define_singleton_method(:to_int) { format.clear; 1 }
p tried { [o, o].pack(format) } # => "RuntimeError: format string modified"
p tried { ["a"].pack("u".encode("UTF-32BE")) }[0, 28] # => "Encoding::CompatibilityError"
p [[].to_s, [nil, 1].to_s, {}.to_s, [""].to_s].map(&:encoding) # => [#<Encoding:US-ASCII>, #<Encoding:US-ASCII>, #<Encoding:US-ASCII>, #<Encoding:UTF-8>]

copied = Class.new(Array) { def initialize_copy(*) = nil }
p copied.new([1, 2]).clone # => []

struct = Struct.new(:a)
s = struct.new
s.a = s
p s.inspect.match?(/\A#<struct a=#<struct #<Class:0x\h+>:...>>\z/) # => true
p tried { SignalException.new("-SIGEXIT") } # => "ArgumentError: unsupported signal '-SIGEXIT'"
p caller(10_000, 0) # => []

a = Module.new { def method1 = nil }
b = Class.new { include a; protected :method1 }
p b.instance_method(:method1).owner == b # => true
p String.method(:prepend).inspect # => "#<Method: #<Class:String>(Module)#prepend(*)>"

module Prepended; end
o = Object.new
o.singleton_class.prepend(Prepended)
p Marshal.load(Marshal.dump(o)).singleton_class.ancestors.first # => Prepended
def o.m = nil
p tried { Marshal.dump(o) } # => "TypeError: singleton can't be dumped"

Dir.mktmpdir do |dir|
  File.write("#{dir}/wrapped.rb", "def b = 1\nclass Foo; end\n")
  m = Module.new
  load("#{dir}/wrapped.rb", m)
  p m.private_instance_methods(false) # => [:b]
  p m.const_defined?(:Foo, false) # => true
  Dir.mkdir("#{dir}/real")
  File.symlink("real", "#{dir}/link")
  File.write("#{dir}/real/here.rb", "$here = __FILE__")
  File.symlink("here.rb", "#{dir}/real/again.rb")
  $:.unshift("#{dir}/link")
  p require("here") # => true
  p $here == File.realpath("#{dir}/real/here.rb") # => true
  p require("again") # => false
  File.write("#{dir}/real/target.rb", "raise")
  $" << "target.rb"
  p require("target") # => false
  $:.shift
end

# Text that is broken, and text in other encodings.
p tried { "a\xff ".rstrip } # => "Encoding::CompatibilityError: invalid byte sequence in UTF-8"
p tried { format("%*s", -2147483648, "") } # => "ArgumentError: width too big"
p format("%c".encode("US-ASCII"), 0x80) == "\x80".b # => true
p tried { format("%c".dup.force_encoding("EUC-JP"), 0xc2) } # => "ArgumentError: invalid character"
p tried { format("%p".encode("UTF-16BE"), nil) }[0, 28] # => "Encoding::CompatibilityError"
p "\x81\x41".dup.force_encoding("SJIS").casecmp("\x81\x61".dup.force_encoding("SJIS")) # => -1
s = "abc\xE3\x80".dup
p tried { s.scrub { s << "1"; "?" } } # => "RuntimeError: string modified"
p tried { "\xE3\x81".scrub { "\x81" } }[0, 13] # => "ArgumentError"
p "\xD8\x00\x30\x42".dup.force_encoding("UTF-16BE").scrub.encode("UTF-8") == "\uFFFD\u3042" # => true
p "".b.slice!("".dup.force_encoding("EUC-JP")).encoding # => #<Encoding:EUC-JP>
p tried { "\xA1\xA1".dup.force_encoding("EUC-JP").chomp("\x81".dup.force_encoding("SJIS")) }[0, 28] # => "Encoding::CompatibilityError"
p "abc\r\n".encode("UTF-16BE").chomp("").encode("UTF-8") # => "abc"
p "abc\n".b.chomp("\n".encode("UTF-16BE")) # => "abc"
p tried { eval("1".encode("UTF-16BE")) } # => "ArgumentError: invalid source encoding"
p tried { Math.const_defined?("\xC3") }[0, 13] # => "EncodingError"
p File.join("a".b, "b".b).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
p File.dirname("//a/b") # => "/a"

# What is prepended is not included again; its constants come first.
a = Module.new
b = Module.new { prepend a; include a }
p b.ancestors.count(a) # => 1
m = Module.new { const_set(:C, :m) }
c = Class.new { const_set(:C, :c); prepend m }
p [Class.new(c).const_get(:C), c::C] # => [:m, :c]
p Module.constants.include?(:Object) # => true

# Objects that are like Ranges.
like = Object.new
def like.begin = 1
def like.end = 2
def like.exclude_end? = false
p [10, 20, 30, 40][like], "abcd"[like]
# => [20, 30]
# => "bc"

p nil.instance_eval("self") # => nil
p tried { Marshal.load("\x04\bo:\x11RuntimeError\b:\tmesgI\"\berr\x06:\x06ET:\abt[\x00:\ncause@\x05") } # => "ArgumentError: circular causes"
p tried { Time.new("2020-12-02 00:00:00 ") }[0, 26] # => "ArgumentError: can't parse"
class Unhelpful; undef_method(:method_missing); end
p tried { Unhelpful.new.method_missing } # => "ArgumentError: no method name given"
class Helpful; def method_missing(*) = proc { :helped }; end
p [1].map(&Helpful.new) # => [:helped]
p({ T_FOO: 9 }.tap { |h| ObjectSpace.count_objects(h) }[:T_FOO]) # => 0
p Thread::Queue.dup.new.size # => 0

# Nobody changes a String while an IO reads into it.
IO.pipe do |r, w|
  buffer = +"old"
  t = Thread.new { r.readpartial(5, buffer) }
  Thread.pass until t.stop?
  p tried { buffer.clear } # => "RuntimeError: can't modify string; temporarily locked"
  w << "new"
  p t.value.equal?(buffer), buffer << "er"
end
# => true
# => "newer"
