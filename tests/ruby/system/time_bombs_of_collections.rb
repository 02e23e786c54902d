# parallel: no, it measures how long things take
require_relative "_time_bombs"

TWINS = "a = b = [1]; 40.times { a = [a, a]; b = [b, b] }; "

stop_bombs(
  "product" => "a = (1..1000).to_a; a.product(a, a, a) { }",
  "combinations" => "(1..40).to_a.combination(20) { }",
  "permutations" => "(1..20).to_a.permutation { }",
  "how many combinations" => "(1..1_000_000).to_a.combination(500_000).size",
  "flatten" => "a = [1]; 60.times { a = [a, a] }; a.flatten",
  "hash" => TWINS + "a.hash",
  "==" => TWINS + "a == b",
  "<=>" => TWINS + "a <=> b",
  "inspect" => TWINS + "a.inspect",
  "sort" => "a = Array.new(300_000) { |i| [(i * 7919) % 1000003] }; loop { a.sort }",
  "uniq" => "a = (1..500_000).to_a; loop { a.uniq }",
  "keys with one hash" => "class K; def hash = 1; def eql?(o) = false; end; h = {}; loop { h[K.new] = 1 }",
  "a Set of Sets" => "s = Set[1]; 40.times { s = Set[s, Set[s]] }; s.flatten",
  "a lazy chain" => "(1..).lazy.select { false }.first",
  "an Enumerator" => "e = [1].cycle; loop { e.next }",
  "JSON" => 'require "json"; a = [1]; 40.times { a = [a, a] }; JSON.generate(a)',
  "a match of names" => 'File.fnmatch("{a,b}" * 40, "x", File::FNM_EXTGLOB)',
  "names of files" => 'Dir.glob("{a,b}" * 40)',
  "a wait" => "sleep",
  "a pipe" => "r, w = IO.pipe; r.read",
  "a Queue" => "Thread.new { sleep }; Queue.new.pop",
  "a Mutex" => "m = Mutex.new.lock; Thread.new { sleep }; Thread.new { m.lock }.join",
  "a VM" => 'RubyVM.new("x") { loop { } }.start.join',
  "threads" => "4.times { Thread.new { loop { } } }; loop { }",
  "fibers" => "f = Fiber.new { loop { Fiber.yield } }; loop { f.resume }",
  "recursion" => "def f = f; loop { begin; f; rescue SystemStackError; end }",
  "a retry" => "begin; raise 'a'; rescue Exception; retry; end",
)
# => done
