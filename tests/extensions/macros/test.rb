require "macros"

def check(what, got, wanted)
  return if got == wanted
  puts "#{what}: #{got.inspect}, not #{wanted.inspect}"
  exit 1
end

# Types and classes.
check "immediates", [1, 1.5, :a, nil, true, false].map { Macros.of(_1) },
      Macros.types.zip([Integer, Float, Symbol, NilClass, TrueClass, FalseClass]).map { [*_1, true, false] }
only = "x"
def only.m = 1
check "objects", ["a", [1], {}, 1 << 70, 1e300, 3r, 3i, Object.new, only, /a/].map { Macros.of(_1)[1..2] },
      [[String, false], [Array, false], [Hash, false], [Integer, true], [Float, true], [Rational, true], [Complex, true], [Object, false],
       [only.singleton_class, false], [Regexp, true]]
check "data", [Macros::Holder.new, proc {}, 1, "a", /a/].map { Macros.of(_1)[3] }, [true, true, false, false, false]
check "frozen", [(Macros.check_frozen("a".freeze) rescue $!.class), Macros.check_frozen(+"a"), (Macros.check_frozen(1) rescue $!.class)],
      [FrozenError, true, FrozenError]

# Arrays, short and long ones, cut in front.
long = (0..40).to_a
long.shift(3)
check "entries", Macros.entries([1, 2, 3], -4, 3), [nil, 1, 2, 3, 1, 2, 3, nil]
check "a long one", [Macros.entries(long, -1, 1), Macros.entries([], 0, 0)], [[40, 3, 4], [nil]]
big = (0...300).to_a
copy = Ractor.new(big) { _1 }.value
check "a shared one", [Macros.entries(copy, 298, 300), Macros.entries(big, -1, 0)], [[298, 299, nil], [299, 0]]
check "no Array", [(Macros.entry("a") rescue $!.class), (Macros.entry(1) rescue $!.class)], [TypeError, TypeError]

# Strings: in their cells, outside, frozen, shared, with bytes behind them.
sizes = [0, 1, 22, 23, 24, 70, 71, 72, 255, 256, 5000]
sizes.each do |n|
  s = "b" * n
  check "text #{n}", [s, s.dup, s.freeze, s.b, s.encode("EUC-JP")].map { Macros.text(_1) },
        [[s.b, 1, "UTF-8"]] * 3 + [[s.b, 0, "ASCII-8BIT"], [s.b, 10, "EUC-JP"]]
  check "again #{n}", [Macros.ended?(s), Macros.text(s + "c")[0].size], [true, n + 1]
  check "shorter #{n}", Macros.text((s + "abcde").tap { Macros.text(_1) }.tap { |t| t.slice!(-3..) })[0], s + "ab"
  check "twice #{n}", Macros.twice(+"" << s), s * 2
end
check "grows", [1, 10, 100, 1000].map { Macros.grows("abc", _1) }, [1, 10, 100, 1000].map { "abc" * _1 }
check "behind", Macros.behind, "writt"
part = "0123456789" * 30
check "a part", [Macros.text(part[0, 10]), Macros.text(part[280..])].map { _1[0] }, [part[0, 10], part[280..]]
check "interned", Macros.interned("an interned one").equal?(Macros.interned("an interned " "one")), true
check "interned as Ruby does", ["é", "é".b, "a".encode("US-ASCII"), "another"].map { Macros.interned(_1).equal?(-_1) }, [true] * 4
check "encodings", Macros.encodings, [Encoding::UTF_8, Encoding::BINARY, Encoding::US_ASCII, false]

# Walks.
check "all", Macros.walk({ a: 1, b: 2 }), %i[a b]
check "stops", Macros.walk({ a: 1, b: :stop, c: 1 }), %i[a b]
table = { a: :delete, b: 1, c: :delete }
check "deletes", [Macros.walk(table), table], [%i[a b c], { b: 1 }]
check "inside", Macros.walk({ a: { b: 1, c: :stop, d: 1 }, e: 1 }), %i[a b c e]
table = { a: 1, b: { c: :raise } }
check "raises", (Macros.walk(table) rescue $!.message), "in a walk"
table[:d] = table[:b][:d] = 1
check "adds", (Macros.walk(table) { table[:new] = 1 } rescue $!.class), RuntimeError
table[:new] = 1
check "breaks", [Macros.walk(table) { break _1 }, table.tap { table[:more] = 1 }.size], [:a, 5]
table = { a: 1, b: 2 }
check "beside others", Array.new(4) { |n| Thread.new { Array.new(200) { Macros.walk(table) { table.each {} } }.uniq } }.map(&:value), [[%i[a b]]] * 4
table[:c] = 3
check "changed by others", Thread.new { table[:d] = 4; Macros.walk(table) { table[:a] = _1 } }.value, %i[a b c d]
table[:e] = 5

# Memory.
check "too much", (Macros.too_much rescue $!.class), ArgumentError
check "zeros", Macros.zeros, 0
holders = Array.new(100) { Macros::Holder.new }
GC.start
200.times do |i|
  holders.each_with_index { |h, n| h.held = "held #{n} #{i}" if (n + i) % 3 == 0 }
  GC.start(full_mark: false) if i % 20 == 0
  100.times { "garbage #{i}" }
end
check "held", holders.map { _1.held[/\Aheld (\d+)/, 1].to_i }, (0...100).to_a
puts "ok"

# Copies, whatever a class makes of dup and clone.
class Copied
  attr_reader :told

  def initialize_copy(from) = @told = [from.class, from.told]
  def dup = :mine
  def clone = :mine
end
check "copies", Macros.dup_and_clone(Copied.new).map(&:told), [[Copied, nil]] * 2
check "of frozen ones", Macros.dup_and_clone("abc".freeze).map { [_1, _1.frozen?] }, [["abc", false], ["abc", true]]
check "of no copy", [1, :a, nil, 1.5, 1 << 80].map { Macros.dup_and_clone(_1) }, [1, :a, nil, 1.5, 1 << 80].map { [_1, _1] }
check "of native ones", Macros.dup_and_clone(binding).map(&:class), [Binding, Binding]

# Hashes: their class, default and instance variables come along, their own methods are not asked.
class Table < Hash
  def dup = :mine
  def keys = :mine
end
table = Table.new { |h, k| k.to_s }.merge!(a: 1, 2 => "b").compare_by_identity
table.instance_variable_set(:@note, 1)
copy, *lists = Macros.parts(table.freeze)
check "parts", lists, [[:a, 2], [1, "b"]]
check "a copy", [copy.class, copy == table, copy[:none], copy.compare_by_identity?, copy.instance_variable_get(:@note), copy.frozen?, copy.merge!(b: 1).size],
      [Table, true, "none", true, 1, false, 3]
check "no Hash", (Macros.parts([]) rescue $!.class), TypeError

# Numbers in text.
check "to_f", ["1.5e3x", "  -7 ", "", "0x1A", "1__0"].map { Macros.number(_1, false) }, [1500.0, -7.0, 0.0, 0.0, 1.0].map { [_1, _1] }
check "Float", ["1.5e3", " -7\n", "1_000.5"].map { Macros.number(_1, true) }, [1500.0, -7.0, 1000.5].map { [_1, _1] }
check "no Float", ["1.5x", ""].map { (Macros.number(_1, true) rescue [$!.class, $!.message]) },
      [[ArgumentError, 'invalid value for Float(): "1.5x"'], [ArgumentError, 'invalid value for Float(): ""']]

# Names of the source, in several threads and VMs.
told = [:"a name that only this has", :+, :é]
check "names", 4.times.map { Thread.new { Macros.names(1000) } }.map(&:value), [told] * 4

# Elements behind the last one.
check "stores", [Macros.store([1, 2], 2, :x), Macros.store([1], 3, :x), Macros.store([1, 2], -1, :x), Macros.store([], 0, :x)],
      [[1, 2, :x], [1, nil, nil, :x], [1, :x], [:x]]
check "stores frozen", (Macros.store([1].freeze, 1, 1) rescue $!.class), FrozenError
shared = []
8.times.map { |t| Thread.new { 200.times { |i| Macros.store(shared, t * 200 + i, t) } } }.each(&:join)
check "stores of many", shared.tally, (0..7).to_h { [_1, 200] }
