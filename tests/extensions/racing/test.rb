# Who is in C with whom: `racing.c`. Run by `crates/cli/tests/extensions.rs`.
require "racing"

def check(what, got, wanted)
  return if got == wanted

  abort "#{what}: #{got.inspect} instead of #{wanted.inspect}"
end

def both(&block) = Array.new(2) { Thread.new(&block) }.map(&:value)

# Under the lock.
4.times.map { Thread.new { 50.times { Racing.add(200) } } }.each(&:join)
check "a race", Racing.total, 40_000
check "two in C", both { Racing.meet(0.1) }, [false, false]
[Racing::Locked, Racing::Free].each { _1.instance_variable_set(:@seconds, 0.1) }
both { Racing::Locked.new }
check "two in an allocator", Racing.met?(0), false

# Without it.
check "two that need no lock", both { Racing.met?(20) }, [true, true]
Racing.forget
Racing::Free.instance_variable_set(:@seconds, 20)
both { Racing::Free.new }
check "two in an allocator that needs no lock", Racing.met?(0), true
Racing.forget

# It is given back on the way into Ruby, and by an exception.
into, out = Queue.new, Queue.new
waiting = Thread.new { Racing.yield { into << 1; out.pop } }
into.pop
check "while a block runs", Racing.add(1).total, 40_001
out << :block
check "the block", waiting.value, :block
check "an exception", both { Racing.fail rescue $!.message }, ["on the way out"] * 2
check "after exceptions", Racing.add(1).total, 40_002

# Another VM has none of it, or a copy of its own, whose lock is another one.
dir = File.dirname($".grep(/racing\.so/).first)
vm = RubyVM.new("without", source: "begin; require 'racing'; rescue LoadError => e; e.message; end", load_path: [dir])
check "without a copy", vm.start.value.include?("has no InitVM_racing: it can be loaded in the main VM only"), true
check "what else", (RubyVM.new("what", source: "1", extensions: :share) rescue $!.message), "extensions must be nil or :copy, not :share"

copies = 2.times.map do |i|
  RubyVM.new("copy #{i}", load_path: [dir], extensions: :copy) do |n, from, to, freed|
    require "racing"
    class String
      def self.to_s = "a String of its own"
    end
    kept = Racing::Noted.make(freed)
    begun = Racing.total
    4.times.map { Thread.new { 50.times { Racing.add(n) } } }.each(&:join)
    [begun, Racing.total, Racing.name_of_string, Racing.meet_over(from, to, 20), kept.class.name]
  end
end
r1, w1 = IO.pipe
r2, w2 = IO.pipe
r3, w3 = IO.pipe
copies[0].start(10, r1.fileno, w2.fileno, w3.fileno)
copies[1].start(20, r2.fileno, w1.fileno, w3.fileno)
check "a copy", copies[0].value, [0, 2000, "a String of its own", true, "Racing::Noted"]
check "another", copies[1].value, [0, 4000, "a String of its own", true, "Racing::Noted"]
copies.each(&:join)
check "freed with their VMs", r3.wait_readable(20) && r3.readpartial(10), "ff"
check "the main VM's own", [Racing.total, Racing.name_of_string], [40_002, "String"]
check "one lock", Thread.new { Racing.meet_over(r1.fileno, w2.fileno, 0.1) }.then { |t| [Racing.meet_over(r2.fileno, w1.fileno, 0.1), t.value] }.count(false) >= 1, true

# Copies come and go.
50.times do |i|
  vm = RubyVM.new("short #{i}", load_path: [dir], extensions: :copy) { |n| require "racing"; Racing.add(n).total }
  check "copy #{i}", vm.start(i).value, i
end

$stdout.write("ok\n")
$stdout.flush
NOTED = Racing::Noted.make(1)
