# What `looking.c` does. Run by `crates/cli/tests/extensions.rs`, which compiles the extension.
require "looking"
require "objspace"

def check(what, got, wanted)
  return if got == wanted

  puts "#{what}: #{got.inspect} instead of #{wanted.inspect}"
  exit 1
end

# Sizes.
small, large = Looking::Sized.new(0), Looking::Sized.new(100_000)
check "memsize_of", ObjectSpace.memsize_of(large) - ObjectSpace.memsize_of(small), 100_000
check "memsize_of_all", ObjectSpace.memsize_of_all(Looking::Sized) >= 100_000, true
check "count_objects_size", ObjectSpace.count_objects_size[:T_DATA] >= 100_000, true
check "dump", ObjectSpace.dump(large)[/"memsize":(\d+)/, 1].to_i, ObjectSpace.memsize_of(large)
check "another object", ObjectSpace.memsize_of(Object.new) < 1000, true

# What C writes behind the end of a String stays.
check "builds", [[1, "ab", nil, :c], ["x" * 30, 7] * 10].map { Looking.builds(_1) }, ["1abc", ("x" * 30 + "7") * 10]
text = +"abc"
changes = [-> { text << "def" }, -> { text.replace("yes") }, -> { text.insert(1, "-") }, -> { text.chop! }, -> { text << "z" * 100 },
           -> { text[0, 50] }, -> { text.setbyte(2, 64) }, -> { text.slice!(4, 70) }, -> { text.clear }]
lengths = changes.map { |change| change.call.then { [text.size, Looking.c_length(text)] } }
check "a NUL behind it", lengths.all? { |size, found| size == found }, true
lengths = Array.new(60) { |n| t = +"a" * 50; Looking.c_length(t); t[0, n] = "b"; t << "c" * n; t.slice!(3, 2); [t.size, Looking.c_length(t)] }
check "and after changes", lengths.all? { |size, found| size == found }, true

# The environment, as functions in C see it.
ENV["LOOKING"] = "1"
check "set", Looking.env("LOOKING"), "1"
ENV["LOOKING"] = "two"
300.times { |n| ENV["LOOKING_#{n}"] = n.to_s }
check "many", [Looking.env("LOOKING"), Looking.env("LOOKING_299"), Looking.env("PATH")], ["two", "299", ENV["PATH"]]
ENV.delete("LOOKING")
check "deleted", [Looking.env("LOOKING"), Looking.env("LOOKING_7")], [nil, "7"]
saved = ENV.to_h
ENV.replace({"ONLY" => "x"})
check "replaced", [Looking.env("ONLY"), Looking.env("PATH")], ["x", nil]
ENV.replace(saved)
readers = Array.new(3) { Thread.new { Array.new(2000) { Looking.env("PATH") }.uniq } }
200.times { |n| ENV["LOOKING_#{n}"] = "again #{n}" }
check "while others read", readers.map(&:value), [[ENV["PATH"]]] * 3
messages = ["x", "é", "\xff".b].map { |v| Looking.message(v) rescue $!.message }
check "messages", messages.map { [_1.encoding, _1.valid_encoding?] }, [[Encoding::BINARY, true], [Encoding::UTF_8, true], [Encoding::BINARY, true]]

# Frames.
class Caller
  def call(local) = [1].each { |x| return Looking.frames }
end
frames = Caller.new.call(:there)
depth = Looking.depth
check "frames", frames.size, depth + 3
check "its own", frames[0][0, 4], [Looking, Looking.singleton_class, nil, nil]
block, each, method = frames[1], frames[2], frames[3]
check "self", [block[0].class, each[0], method[0].class], [Caller, [1], Caller]
check "class", [block[1], each[1], method[1]], [Caller, Array, Caller]
check "binding", [block[2].local_variable_get(:x), method[2].local_variable_get(:local), each[2]], [1, :there, nil]
check "binding of the caller", frames[4][2].local_variable_defined?(:small), true
check "iseq", [block[3].class, block[3].path, each[3]], [RubyVM::InstructionSequence, __FILE__, nil]
check "location", [block[4].lineno, block[4].label], [Caller.instance_method(:call).source_location[1], "block in Caller#call"]
check "too far", (Looking.too_far rescue [$!.class, $!.message]), [ArgumentError, "no such frame"]

# Memory that is shown.
class Looking::Text
  def initialize(text, format = nil, shape = nil) = (@text, @format, @shape = text, format, shape)
end
bytes = Looking::Text.new("abc")
check "shows", [bytes, Looking::Text.new(nil), 3, nil].map { Looking.shows?(_1) }, [true, false, false, false]
check "bytes", Looking.items(bytes, 0, [[0], [2]]), [97, 99, true, true]
check "nothing", Looking.items("abc", 0, []), nil
table = Looking::Text.new([*1..12].pack("l*"), "l", [3, 4])
check "a table", Looking.items(table, 0, [[0, 0], [1, 1], [2, 3]]), [1, 6, 12, true, true]
check "a table by columns", Looking.items(table, 0x20, [[0, 0], [1, 1], [2, 3]]), [1, 5, 12, false, true]
check "below", Looking.items(Class.new(Looking::Text).new("z"), 0, [[0]]), [122, true, true]
check "format", Looking.format("cc2 f3x2d4q!<"), [57, "c<1@0x1", "c<1@1x2", "f<4@3x3", "d<8@17x4", "q!<8@49x1"]
check "aligned", Looking.format("|lqc"), [24, "l<4@0x1", "q<8@8x1", "c<1@16x1"]
check "wrong", %w[ccca s!! x> n< l99999999999999999999].map { Looking.format(_1) }, [[-1, 3], [2, "s!<2@0x1"], [-1, 0], [-1, 0], [-1, 0]]
check "numbers", Looking.read([1, -2, 3].pack("cls"), "cls"), [1, -2, 3]
check "orders", %w[S> n S< v L> q>].map { Looking.read("\x01\x02\x03\x04\x05\x06\x07\x08", _1) },
      [0x0102, 0x0102, 0x0201, 0x0201, 0x01020304, 0x0102030405060708]
check "floats", [Looking.read([1.5].pack("g"), "g"), Looking.read([-2.25].pack("E"), "E"), Looking.read([2**63].pack("Q"), "Q")], [1.5, -2.25, 2**63]

# Jobs for later: by the main thread, behind the function in C.
def wait_for(count)
  limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 20
  Thread.pass until Looking.done.size >= count || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
  Looking.done.size
end
check "by a signal", [Looking.by_signal, wait_for(1)], [0, 1]
check "by a thread of C", [Looking.by_thread, wait_for(2)], [1, 2]
check "by another thread", [Thread.new { Looking.job_now }.value, wait_for(3)], [1, 3]
check "once", [3.times { Looking.job_now }, wait_for(4)], [3, Looking.done.size]
check "the same", Looking.same_job?, true
failed = begin
  Looking.failing
  wait_for(1000)
rescue RuntimeError => e
  e.message
end
check "a job that raises", failed, "a job"

# Digests.
check "digest", Looking::Sum.digest("abc"), [294 & 255, 3].pack("CC")
sum = Looking::Sum.new
sum << "a"
other = sum.dup << "b"
check "update, copy", [sum.hexdigest, other.hexdigest, sum.hexdigest], %w[6101 c302 6101]
check "reset", [sum.reset.hexdigest, sum.digest_length, sum.block_length], ["0000", 2, 8]
check "digest!", [(sum << "x").digest!, sum.hexdigest], ["x\x01".b, "0000"]
check "without a table", (Class.new(Digest::Base).new rescue [$!.class, $!.message]), [RuntimeError, "Digest::Base cannot be directly inherited in Ruby"]
check "ours", Digest::MD5.hexdigest(""), "d41d8cd98f00b204e9800998ecf8427e"
sums = Array.new(4) { |n| Thread.new { Array.new(50) { Looking::Sum.hexdigest("a" * n) }.uniq } }.map(&:value)
check "on many threads", sums, [["0000"], ["6101"], ["c202"], ["2303"]]
puts "ok"
