# What `lent.c` does. Run by `crates/cli/tests/extensions.rs`, which compiles the extension.
require "lent"

def check(what, got, wanted)
  return if got == wanted

  puts "#{what}: #{got.inspect} instead of #{wanted.inspect}"
  exit 1
end

# Structs that extensions know by heart.
check "an Enumerator", Lent.walks((1..3).each), [1..3, :each, nil]
check "with arguments", Lent.walks([1].each_slice(2)), [[1], :each_slice, [2]]
walk = "ab".each_char
check "twice", [Lent.walks(walk), Lent.walks(walk), walk.next], [["ab", :each_char, nil], ["ab", :each_char, nil], "a"]
check "no Enumerator", [Object.new, "", [], 1, nil].map { Lent.walks(_1) }, [false] * 5
check "a struct of nothing", (Lent.data_of(Object.new) rescue $!.class), TypeError
check "a struct of a String", (Lent.data_of("") rescue $!.class), TypeError
ended = Lent.ended(4711, 256)
check "a Status", [ended.pid, ended.exitstatus, ended.frozen?, ended.class], [4711, 1, true, Process::Status]
check "another Status", [Lent.data_of(`exit 3`.then { $? }).exitstatus, $?.exitstatus], [3, 3]
many = Array.new(4) { |n| Thread.new { Array.new(200) { |i| Lent.walks(("#{n}".."#{n}#{i}").each)[0].begin }.uniq } }.map(&:value)
check "on many threads", many, [%w[0], %w[1], %w[2], %w[3]]

# A block in C yields to the block of the method that has made it.
check "a block in C", Lent.doubles([1, 2]) { |v| v + 1 }, [3, 5]
check "without a block", Lent.doubles([1, 2]), [1, 2]
check "of rb_iterate", Lent.doubles_later([1, 2]) { |v| -v }, [-2, -4]
check "one in another", Lent.doubles([1, 2]) { |v| Lent.doubles([v]) { |w| w + 1 } }, [[5], [9]]
check "left", [1].each { |v| break Lent.doubles([v, 2]) { |w| break w } }, 2
check "raises", (Lent.doubles([1]) { raise "in it" } rescue $!.message), "in it"
check "through a method in Ruby", Class.new { def map = [yield(4), yield(5)] }.new.then { |o| Lent.doubles(o) { |v| v } }, [8, 10]

# Modes.
check "a mode", Lent.mode_of("r+", nil)[0, 3], ["r+", File::RDWR, 3]
check "of options", Lent.mode_of(nil, { mode: "wb", encoding: "utf-8" }), ["wb", File::WRONLY | File::CREAT | File::TRUNC, 0x886, Encoding::UTF_8, nil]
check "two encodings", Lent.mode_of("r:utf-16le:utf-8", nil)[3, 2], [Encoding::UTF_8, Encoding::UTF_16LE]
check "flags", Lent.mode_of(File::RDWR | File::APPEND, nil)[1, 2], [File::RDWR | File::APPEND, 0x43]
check "none", Lent.mode_of(nil, nil), [nil, 0, 1, nil, nil]
check "a wrong mode", (Lent.mode_of("q", nil) rescue $!.message), "invalid access mode q"
check "encodings", ["utf-8", "none", Encoding::BINARY, "no such"].map { Lent.encoding(_1) }, [Encoding::UTF_8, nil, Encoding::BINARY, nil]

# Bytes behind the end stay when there is to be more room.
[["", "ab", "cd"], ["x" * 30, "y" * 40, "z" * 5000], ["é", "b" * 23, "c"], ["q" * 100, "r" * 200, "s" * 300]].each do |text, first, second|
  [true, false].each do |resizes|
    check "pieces", Lent.pieces(+text.dup, first, second, resizes), text + first + second
    check "shared", Lent.pieces((text * 3)[0, text.size], first, second, resizes), text + first + second
  end
end

# Numbers.
speaking = Class.new { def to_f = 1.5 }.new
silent = Class.new { def to_f = "1.5" }
check "NUM2DBL", [2, 3r, 0.5, speaking].map { Lent.real(_1) }, [2.0, 3.0, 0.5, 1.5]
errors = [Object.new, nil, "1.5", silent.new, []].map { |v| Lent.real(v) rescue $!.class }
check "NUM2DBL of others", errors, [TypeError] * 5
puts "ok"
