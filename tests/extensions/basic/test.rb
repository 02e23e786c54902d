# What `basic.c` does, as the calls show it. Run by `crates/cli/tests/extensions.rs`, which compiles the extension.
require "basic"

def check(what, got, wanted)
  return if got == wanted

  puts "#{what}: #{got.inspect} instead of #{wanted.inspect}"
  exit 1
end

check "constant", Basic::ANSWER, 42
check "typed data", Basic::Point.new(1.5, 2).label, "(1.5, 2) of Basic::Point"
check "scan_args", Basic.args_c(1), [1, nil, [], nil, nil]
check "scan_args, all", Basic.args_c(1, 2, 3, 4, k: 5), [1, 2, [3, 4], { k: 5 }, nil]
check "an Array of arguments", Basic.args_ruby(1, 2), [1, 2]
check "ten arguments", Basic.args_ten(*1..10), [*1..10]
# Often enough to be compiled.
def fews(a) = [Basic.few0, Basic.few1(a), Basic.few2(a, 2), Basic.few3(a, 2, 3), Basic.few4(a, 2, 3, 4)]
3000.times { |i| fews(i) == (0..4).map { |n| [Basic, i, 2, 3, 4].take(n + 1) } or check "few arguments", fews(i), i }
check "few, with too many", (Basic.few1(1, 2) rescue $!.message), "wrong number of arguments (given 2, expected 1)"
check "few, with keywords", Basic.few1(k: 1), [Basic, { k: 1 }]
check "few, splatted", Basic.few3(*[1, 2], 3), [Basic, 1, 2, 3]
check "few, as a Method", Basic.method(:few2).to_proc.(1, 2), [Basic, 1, 2]
check "methods of the same arity", Basic.method(:few1) == Basic.method(:like_few1), false
check "the same method", Basic.method(:few1) == Basic.method(:few1), true
given = Object.new
def given.each_given(*all) = all
check "arguments of rb_funcall", (0..4).map { |n| Basic.calls(given, n) }, (0..4).map { |n| [*1..n] }
check "too few", (Basic.args_c rescue $!.message), "wrong number of arguments (given 0, expected 1+)"
check "raise", (Basic.raises(20) rescue [$!.class, $!.message]), [ArgumentError, "deep 42 down"]
check "protect", Basic.protects(1) { _1 + 1 }, [true, 2]
check "protect, raise", Basic.protects(1) { raise "x" }.then { |ok, e| [ok, e.message] }, [false, "x"]

# What Ruby code handles is none of `rb_errinfo`'s business.
def handling
  raise "handled"
rescue
  [yield, $!&.message].flatten(1)
end

names = ->(list) { list.map { |e| e.is_a?(Exception) ? e.message : e } }
check "errinfo", names[Basic.errors(1) { raise "x" }], ["", "x", "x", "", ""].map { _1.empty? ? nil : _1 }
check "errinfo, no failure", names[Basic.errors(1) { 2 }], [nil] * 5
check "errinfo while Ruby handles another", names[handling { Basic.errors(1) { raise "x" } }],
      [nil, "x", "handled", nil, "handled", "handled"]
check "errinfo of what is raised again", names[handling { e = $!; Basic.errors(1) { raise e } }].values_at(0..3, 5),
      [nil, "handled", "handled", nil, "handled"]
check "errinfo in ensure", names[begin; begin; raise "e"; ensure; $seen = Basic.errors(1) { 0 }; end; rescue; $seen; end],
      [nil, nil, "e", nil, "e"]
check "errinfo in rescue2", Basic.errors_rescued(1) { raise "r" }.flatten.map { _1&.message }, ["r", "r", nil]
check "errinfo in rescue2 while Ruby handles another", handling { Basic.errors_rescued(1) { raise "r" } }.flatten.map { _1.is_a?(Exception) ? _1.message : _1 },
      ["r", "handled", nil, "handled"]
other = Fiber.new { Basic.errors(1) { Fiber.yield; raise "in a Fiber" } }
other.resume
check "errinfo and Fibers", names[Basic.errors(1) { other.resume.then { raise names[_1].inspect } }],
      [nil, '[nil, "in a Fiber", "in a Fiber", nil, nil]', '[nil, "in a Fiber", "in a Fiber", nil, nil]', nil, nil]

# Behind the bytes of any String lies a NUL, however it came to be.
[0, 1, 7, 8, 22, 23, 24, 25, 39, 40, 41, 55, 56, 57, 70, 71, 72, 73, 80, 96, 254, 255, 256, 257, 512, 4096, 5000].each do |n|
  "#{"~" * (n + 40)}"
  appended = +""
  n.times { appended << "y" }
  full = String.new(capacity: n) << "y" * n
  long = "y" * n + "zz"
  { new: "y" * n, frozen: ("y" * n).freeze, appended:, full:, joined: ["y" * (n / 2), "y" * (n - n / 2)].join.freeze,
    copied: ("y" * n).dup.freeze, of_frozen: ("y" * n).freeze.dup.freeze, part: long[0, n], tail: ("zz" + "y" * n)[2, n].freeze,
    replaced: (+"").replace("y" * n).freeze, unique: -("y" * n), named: ("y" * n).to_sym.name, chopped: "#{"y" * n}z".chop,
    by_thread: Thread.new { "y" * n }.value, broken: ("\xff".b * n).force_encoding("UTF-8") }.each do |name, text|
    check "behind #{n} bytes (#{name})", Basic.behind(text), [0, 0]
    check "#{n} bytes (#{name})", text.bytesize, n
  end
  check "the rest of #{n} bytes", long, "y" * n + "zz"
end
check "jump_tag, raise", (Basic.passes_on(1) { raise "y" } rescue $!.message), "y"
check "jump_tag, throw", catch(:t) { Basic.passes_on(1) { throw :t, 7 } }, 7
check "break", Basic.passes_on(1) { break 8 }, 8
list = []
check "ensure", (Basic.ensures(list) { raise "z" } rescue list), [:ensured]
check "rescue", Basic.rescues(3) { raise TypeError }, [3, TypeError]
check "rescue, another", (Basic.rescues(3) { raise "w" } rescue $!.message), "w"
check "block_call", Basic.maps([1, 2.5]), [2, 5.0]
check "iter_break", Basic.maps([1, 99, 2]), :broken
check "strings", Basic.strings("déf"), ["abcdéf!", 8, "UTF-8"]
check "strings, long", Basic.strings("x" * 1000)[0], "abc#{"x" * 1000}!"
check "hashes", Basic.hashes({ a: 1, stop: 2, z: 3 }), [[:a, 1], [:stop, 2]]
check "numbers", [1, 2.0, 2**64 - 1, "12x", nil, :a].map { Basic.numbers(_1) }, [2, 4.0, 2**64 - 1, 12, 17, 20]
check "RARRAY_PTR", Basic.fills(500), Array.new(500, &:to_s)
"abc" =~ /b/
seen = Basic.match
check "$~", seen[0], "b"
check "$~ in a block", [1].map { Basic.match }, [seen]
[1].each { Basic.sets_match("xyz".match(/y/)) }
check "$~, set in a block", [$~[0], $`], %w[y x]
check "$~, nil", [Basic.sets_match(nil), $~], [nil, nil]
check "$~, wrong", (Basic.sets_match(7) rescue [$!.class, $!.message]), [TypeError, "wrong argument type Integer (expected MatchData)"]
def of_another_method = Basic.match
"abc" =~ /c/
check "$~ of another method", of_another_method, nil
check "eof", (Basic.ends rescue [$!.class, $!.message]), [EOFError, "end of file reached"]
check "copies", Basic.copies("a long one"), ["a lon", 10, "a xyz", 8, 255, "!"]
check "copies, short", Basic.copies("ab"), ["ab", 2, "abxyz", 8, 255, "!"]
check "without the lock", Array.new(4) { Thread.new { Basic.outside } }.map(&:value), [true] * 4
over = Class.new { def over(v) = v * 2 }
check "super", Class.new(over) { prepend Basic }.new.over(4), [4, 8]
check "a fiber", Fiber.new { Basic.protects(1) { Fiber.yield 5 } }.then { |f| [f.resume, f.resume(6)] }, [5, [true, 6]]
20.times { Fiber.new { Basic.protects(1) { Fiber.yield } }.resume }
GC.start
Array.new(4) { Thread.new { 20.times { Basic.races(1000) } } }.each(&:join)
check "the lock", Basic.races(0), 80_000
# A function that ran as the only thread's is not alone any more once Ruby code that it calls begins another one.
begun = []
name = Object.new
name.define_singleton_method(:to_str) { begun << Thread.new { 40.times { Basic.races(1000) } }; "UTF-8" }
Thread.pass until Thread.list.size == 1
5.times do
  Basic.races_after(name, 40_000)
  begun.pop.join
  Thread.pass until Thread.list.size == 1
end
check "the lock of the only thread", Basic.races(0), 80_000 + 5 * 80_000
hooked = Class.new { include Basic::Hooks }
check "included", hooked.instance_variable_get(:@included), Basic::Hooks
check "method_missing", hooked.new.nothing(1), [:nothing, 1]
text = +"text"
check "a String that several threads lock", Array.new(4) { |i| Thread.new { Basic.locks(text, 1) { sleep 0.01; i } } }.map(&:value), [0, 1, 2, 3]
check "a String that is locked twice", (Basic.locks(+"text", 2) { } rescue $!.message), "temporal locking already locked string"
5000.times { Basic.Point rescue Basic::Point.new(1, 2) }
GC.start
Basic::Point.new(1, 2)
check "freed", Basic.freed > 1000, true
puts "ok"
