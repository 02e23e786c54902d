# Marshal: the bytes of every kind of object, and what comes back.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

def dump(x) = Marshal.dump(x)
def again(x) = Marshal.load(Marshal.dump(x))
t { [nil, true, false, 0, 1, -1, 122, 123, -123, -124, 255, 256, -256, -257, 65_535, 65_536, 2**30 - 1, 2**30, -2**30, -2**30 - 1].map { |x| dump(x) } } # => ["\x04\b0", "\x04\bT", "\x04\bF", "\x04\bi\x00", "\x04\bi\x06", "\x04\bi\xFA", "\x04\bi\x7F", "\x04\bi\x01{", "\x04\bi\x80", "\x04\bi\xFF\x84", "\x04\bi\x01\xFF", "\x04\bi\x02\x00\x01", "\x04\bi\xFF\x00", "\x04\bi\xFE\xFF\xFE", "\x04\bi\x02\xFF\xFF", "\x04\bi\x03\x00\x00\x01", "\x04\bi\x04\xFF\xFF\xFF?", "\x04\bl+\a\x00\x00\x00@", "\x04\bi\xFC\x00\x00\x00\xC0", "\x04\bl-\a\x01\x00\x00@"]
t { [2**31, 2**40, -2**40, 2**62, 2**64, -2**100].map { |x| dump(x) } } # => ["\x04\bl+\a\x00\x00\x00\x80", "\x04\bl+\b\x00\x00\x00\x00\x00\x01", "\x04\bl-\b\x00\x00\x00\x00\x00\x01", "\x04\bl+\t\x00\x00\x00\x00\x00\x00\x00@", "\x04\bl+\n\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00", "\x04\bl-\f\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x10\x00"]
t { [1.0, -1.5, 0.0, -0.0, 100.0, 1e16, 1e100, 1e-5, 0.001, 1.0 / 3, Float::INFINITY, -Float::INFINITY, Float::NAN, 5e-324].map { |x| dump(x) } } # => ["\x04\bf\x061", "\x04\bf\t-1.5", "\x04\bf\x060", "\x04\bf\a-0", "\x04\bf\b1e2", "\x04\bf\t1e16", "\x04\bf\n1e100", "\x04\bf\t1e-5", "\x04\bf\n0.001", "\x04\bf\x170.3333333333333333", "\x04\bf\binf", "\x04\bf\t-inf", "\x04\bf\bnan", "\x04\bf\v5e-324"]
t { [:a, :"é", "abc", "é", "\xff".b, "a".encode("EUC-JP"), "a".force_encoding("US-ASCII")].map { |x| dump(x) } } # => ["\x04\b:\x06a", "\x04\bI:\a\xC3\xA9\x06:\x06ET", "\x04\bI\"\babc\x06:\x06ET", "\x04\bI\"\a\xC3\xA9\x06:\x06ET", "\x04\b\"\x06\xFF", "\x04\bI\"\x06a\x06:\rencoding\"\vEUC-JP", "\x04\bI\"\x06a\x06:\x06EF"]
t { s = "shared"; dump([s, s, :a, :a, 1.5, 1.5, 2**40, s]) } # => "\x04\b[\rI\"\vshared\x06:\x06ET@\x06:\x06a;\x06f\b1.5@\al+\b\x00\x00\x00\x00\x00\x01@\x06"
t { dump(["a".encode("EUC-JP"), "b".encode("EUC-JP")]) } # => "\x04\b[\aI\"\x06a\x06:\rencoding\"\vEUC-JPI\"\x06b\x06;\x00@\a"
t { [{}, { a: 1, "b" => 2 }, Hash.new(5).merge(a: 1), {}.compare_by_identity].map { |x| dump(x) } } # => ["\x04\b{\x00", "\x04\b{\a:\x06ai\x06I\"\x06b\x06:\x06ETi\a", "\x04\b}\x06:\x06ai\x06i\n", "\x04\bC:\tHash{\x00"]
t { [/abc/, /a/mix, /é/].map { |x| dump(x) } } # => ["\x04\bI/\babc\x00\x06:\x06EF", "\x04\bI/\x06a\a\x06:\x06EF", "\x04\bI/\a\xC3\xA9\x10\x06:\x06ET"]
t { [1..2, 1...3, "a".."z", (1..), (..1)].map { |x| dump(x) } } # => ["\x04\bo:\nRange\b:\texclF:\nbegini\x06:\bendi\a", "\x04\bo:\nRange\b:\texclT:\nbegini\x06:\bendi\b", "\x04\bo:\nRange\b:\texclF:\nbeginI\"\x06a\x06:\x06ET:\bendI\"\x06z\x06;\bT", "\x04\bo:\nRange\b:\texclF:\nbegini\x06:\bend0", "\x04\bo:\nRange\b:\texclF:\nbegin0:\bendi\x06"]
t { [1r / 3, Complex(1.5, 2)].map { |x| dump(x) } } # => ["\x04\bU:\rRational[\ai\x06i\b", "\x04\bU:\fComplex[\af\b1.5i\a"]
t { [String, Comparable, File::Stat].map { |x| dump(x) } } # => ["\x04\bc\vString", "\x04\bm\x0FComparable", "\x04\bc\x0FFile::Stat"]
class Pair
  attr_accessor :a, :b
  def initialize(a, b) = (@a, @b = a, b)
end
class ByMarshal
  def initialize(x) = @x = x
  def marshal_dump() = [@x]
  def marshal_load(a) = @x = a[0]
end
class ByDump
  attr_reader :x
  def initialize(x) = @x = x
  def _dump(_limit) = "x#{@x}"
  def self._load(s) = new(s[1..])
end
class Text < String; end
class List < Array; end
class Table < Hash; end
class Span < Range; end
Point = Struct.new(:x, :y)
Keyed = Struct.new(:x, :y, keyword_init: true)
module Extra; end
module More; end
t { [Pair.new(1, "x"), ByMarshal.new(3), ByDump.new(4), Text.new("x"), List[1], Table[1, 2], Span.new(1, 2)].map { |x| dump(x) } } # => ["\x04\bo:\tPair\a:\a@ai\x06:\a@bI\"\x06x\x06:\x06ET", "\x04\bU:\x0EByMarshal[\x06i\b", "\x04\bIu:\vByDump\ax4\x06:\x06ET", "\x04\bIC:\tText\"\x06x\x06:\x06ET", "\x04\bC:\tList[\x06i\x06", "\x04\bC:\nTable{\x06i\x06i\a", "\x04\bo:\tSpan\b:\texclF:\nbegini\x06:\bendi\a"]
t { [Point.new(1, "2"), Keyed.new(x: 1, y: 2)].map { |x| dump(x) } } # => ["\x04\bS:\nPoint\a:\x06xi\x06:\x06yI\"\x062\x06:\x06ET", "\x04\bS:\nKeyed\a:\x06xi\x06:\x06yi\a"]
t { [Pair.new(1, 2).extend(Extra), Pair.new(1, 2).extend(Extra, More), "s".dup.extend(Extra)].map { |x| dump(x) } } # => ["\x04\be:\nExtrao:\tPair\a:\a@ai\x06:\a@bi\a", "\x04\be:\nExtrae:\tMoreo:\tPair\a:\a@ai\x06:\a@bi\a", "\x04\bIe:\nExtra\"\x06s\x06:\x06ET"]
t { dump("v".dup.tap { |x| x.instance_variable_set(:@iv, 1) }) } # => "\x04\bI\"\x06v\a:\x06ET:\b@ivi\x06"
t { dump(RuntimeError.new("m")) } # => "\x04\bo:\x11RuntimeError\a:\tmesgI\"\x06m\x06:\x06ET:\abt0"
t { [dump(KeyError.new("m", receiver: 1, key: 2)), dump(SystemExit.new(3, "bye"))] } # => ["\x04\bo:\rKeyError\t:\tmesgI\"\x06m\x06:\x06ET:\abt0:\rreceiveri\x06:\bkeyi\a", "\x04\bo:\x0FSystemExit\b:\tmesgI\"\bbye\x06:\x06ET:\abt0:\vstatusi\b"]
t { [Time.at(0).utc, Time.at(1, in: "+09:00")].map { |x| dump(x) } } # => ["\x04\bIu:\tTime\r \x80\x11\xC0\x00\x00\x00\x00\x06:\tzoneI\"\bUTC\x06:\x06EF", "\x04\bIu:\tTime\r \x80\x11\x80\x00\x00\x10\x00\a:\voffseti\x02\x90~:\tzone0"]
t { Time.at(1, 123_456_789, :nsec).utc.then { |x| again(x) == x } } # => true
t { again(Time.at(1, in: "-03:30")).utc_offset } # => -12600
t { a = []; a << a; b = again(a); b[0].equal?(b) } # => true
t { f = Pair.new(nil, nil); f.a = f; f.b = [f]; g = again(f); [g.a.equal?(g), g.b[0].equal?(g)] } # => [true, true]
t { again(Pair.new(1, 2).extend(Extra)).singleton_class.include?(Extra) } # => true
t { [again(Text.new("x")).class, again(List[1]).class, again(Table[1, 2]).class, again(Span.new(1, 2)).class] } # => [Text, List, Table, Span]
t { x = again({ 1 => 2 }.compare_by_identity); x.compare_by_identity? } # => true
t { e = again((raise "x" rescue $!)); [e.class, e.message, e.backtrace.class] } # => [RuntimeError, "x", Array]
# What cannot be dumped.
t { dump(proc {}) } # => TypeError: no _dump_data is defined for class Proc
t { dump($stdout) } # => TypeError: can't dump IO
t { dump(Thread::Mutex.new) } # => TypeError: no _dump_data is defined for class Thread::Mutex
t { dump(Class.new.new).sub(/0x\h+/, "") rescue $!.message.sub(/0x\h+/, "") } # => "can't dump anonymous class #<Class:>"
t { dump(Object.new.tap { |o| def o.x() = 1 }) } # => TypeError: singleton can't be dumped
t { dump(Object.new.singleton_class) } # => TypeError: singleton class can't be dumped
t { dump(Hash.new {}) } # => TypeError: can't dump hash with default proc
t { dump([1].each) } # => TypeError: no _dump_data is defined for class Enumerator
t { dump([[[]]]); Marshal.dump([[[]]], 2) } # => ArgumentError: exceed depth limit
# Loading: proc, freeze, sources.
t { seen = []; Marshal.load(dump([:a, "b", 1.5, { a: 1 }]), ->(x) { seen << x; x }); seen } # => [:a, true, "b", 1.5, 1, {a: 1}, [:a, "b", 1.5, {a: 1}]]
t { Marshal.load(dump([1, [2]]), ->(x) { x.is_a?(Integer) ? x * 10 : x }) } # => [10, [20]]
t { x = Marshal.load(dump(["a", { b: "c" }]), freeze: true); [x.frozen?, x[0].frozen?, x[1].frozen?] } # => [true, true, true]
require "stringio"
t { io = StringIO.new; Marshal.dump([1, "x"], io); Marshal.dump(2, io); io.rewind; [Marshal.load(io), Marshal.load(io), (Marshal.load(io) rescue $!.class)] } # => [[1, "x"], 2, EOFError]
t { Marshal.load(1) } # => TypeError: instance of IO needed
t { Marshal.dump(1, 2, 3) } # => TypeError: instance of IO needed
# Damaged and hostile input.
t { Marshal.load("") } # => ArgumentError: marshal data too short
t { Marshal.load("\x04\x08") } # => ArgumentError: marshal data too short
t { Marshal.load("\x03\x08i\x00") } # => TypeError: incompatible marshal file format (can't be read)
# => 	format version 4.8 required; 3.8 given
t { Marshal.load("\x04\x08[\x04\xff\xff\xff\x7f") } # => ArgumentError: marshal data too short
t { Marshal.load("\x04\x08\"\x04\xff\xff\xff\x7f") } # => ArgumentError: marshal data too short
t { Marshal.load("\x04\x08{\x04\xff\xff\xff\x7f") } # => ArgumentError: marshal data too short
t { Marshal.load("\x04\x08l+\x04\xff\xff\xff\x7f") } # => ArgumentError: marshal data too short
t { Marshal.load("\x04\x08@\x06") } # => ArgumentError: dump format error (unlinked)
t { Marshal.load("\x04\x08;\x06") } # => ArgumentError: bad symbol
t { Marshal.load("\x04\x08?") } # => ArgumentError: dump format error(0x3f)
t { Marshal.load("\x04\x08o:\x08Nope\x00") } # => ArgumentError: undefined class/module Nop
t { Marshal.load("\x04\x08o:\x0bString\x00") } # => ArgumentError: dump format error
t { Marshal.load("\x04\x08o:\x0bKernel\x00") } # => ArgumentError: Kernel does not refer to class
t { Marshal.load("\x04\x08c\x08Nope") } # => ArgumentError: undefined class/module Nop
t { Marshal.load("\x04\x08C:\x0bString[\x00") } # => ArgumentError: dump format error (user class)
t { Marshal.load("\x04\x08S:\x0aPoint\x06:\x06xi\x06") } # => TypeError: struct Point not compatible (struct size differs)
t { Marshal.load("\x04\x08S:\x0aPoint\x07:\x06xi\x06:\x06zi\x06") } # => TypeError: struct Point not compatible (:z for :y)
t { Marshal.load("\x04\x08u:\x0bObject\x00") } # => TypeError: class Object needs to have method '_load'
t { Marshal.load("\x04\x08U:\x0bObjecti\x00") } # => TypeError: instance of Object needs to have method 'marshal_load'
t { Marshal.load("\x04\x08o:\x0aRange\x00") } # => nil..nil
t { Marshal.load("\x04\x08U:\x0dRational[\x07i\x06i\x00") } # => ZeroDivisionError: divided by 0
t { 4.times.map { |n| Thread.new { 10.times.map { |i| again({ n => ["x" * i, Pair.new(i, nil)] })[n][1].a }.sum } }.map(&:value) } # => [45, 45, 45, 45]
# parallel: no, dumps name classes with the module around them

# The proc sees an object of a subclass once, when it is complete; the name of a class is US-ASCII.
class OwnRegexp < Regexp; end
seen = []
Marshal.load(Marshal.dump([OwnRegexp.new("é"), OwnRegexp.new("e"), String.name]), proc { |x| seen << x unless x == true || x == false; x })
p seen.size, seen[0].class, seen[0].source, seen[2].encoding # => 4
# => OwnRegexp
# => "é"
# => #<Encoding:US-ASCII>

# A key of a subclass of String stays what it is.
class OwnKey < String; end
k = Marshal.load(Marshal.dump({ OwnKey.new("k") => 1 })).keys[0]
p k.class, k.frozen?, k # => OwnKey
# => false
# => "k"

# Years that have no room in eight bytes.
times = [-5, 0, 1800, 1899, 1900, 67_435, 67_436, 100_000_000].map { |year| Time.utc(year, 2, 3) }
p Marshal.load(Marshal.dump(times)) == times # => true
p Marshal.dump(Time.utc(0)).unpack1("H*") # => "040849753a0954696d6510200000c000000000076c07063a097a6f6e65492208555443063a064546"
p Marshal.dump(Time.utc(100_000_000))[9, 13].unpack1("H*") # => "651220c0ffff000000000995d9"

# The escapes of a Regexp without an encoding are those of Ruby 1.8.
p Marshal.load("\x04\b/\a\\u\x00".b), Marshal.load("\x04\b/\b\\\\u\x00".b), Marshal.load("\x04\bI/\t\\d\\g\x00\x06:\x08@iv0".b) # => /u/
# => /\\u/
# => /\dg/

# An object that its own `_dump` leads to; instance variables of what `marshal_dump` gave.
class Round
  def _dump(_level) = "x".dup.tap { |s| s.instance_variable_set(:@round, self) }
end
t { Marshal.dump(Round.new) } # => RuntimeError: can't dump recursive object using _dump()
class Taken
  attr_reader :note, :mine
  def marshal_dump = "x".dup.tap { |s| s.instance_variable_set(:@note, 1); s.instance_variable_set(:@mine, 2) }
  def marshal_load(_s) = @mine = 3
end
taken = Marshal.load(Marshal.dump(Taken.new))
p taken.note, taken.mine # => 1
# => 3
StringCopy = String.clone
p Marshal.load(Marshal.dump(StringCopy.new("copy"))).class # => StringCopy
