# Runs random programs in VMs of 64 MB and two seconds: nothing may abort the process, last longer than the limits, or change what is the
# process's or another VM's.
#
#   asterism fuzz/programs.rb SECONDS [SEED]
#   asterism fuzz/programs.rb print SEED       the program of that seed
#
# A program is written from a grammar, of calls with odd arguments above all, and of pieces of tests/ruby and benches whose numbers, names and
# lines were changed. What is found is printed with its seed, and written to `target/programs.SEED.rb`: another tree has other pieces and methods.
# `target/programs.seed` has the seed under way, should the process end.

MEMORY = 64 << 20
TIME = 2
LATE = 2 # Seconds after the limit by which a VM must have ended: its ensure clauses and exit handlers get one of them.
GROWTH = 192 # MB by which the process may grow meanwhile: the limit, what the runtime has besides, and the VMs that it made.
ROOT = File.expand_path("..", __dir__)
ODD = Class.new # Stands for the objects of `Odd` in a program.

def chance(n) = $random.rand(100) < n
def pick(list) = list[$random.rand(list.size)]
def some(most) = $random.rand(most + 1)

# What a program begins with: objects whose conversions, comparisons and iterators misbehave.
HEAD = <<~'PROGRAM'
  class Odd
    def initialize(n = 0) = @n = n
    def to_s = @n.odd? ? 7 : "odd"
    def to_str = @n % 3 == 0 ? raise("to_str") : "o" * (@n * 1000)
    def to_ary = @n % 3 == 1 ? [self, 1] : nil
    def to_int = @n % 4 == 1 ? 2**70 : @n
    def to_i = 1.5
    def to_hash = { a: self }
    def to_proc = @n.even? ? proc { |*x| $list.clear; x } : nil
    def to_path = "/nonexistent"
    def to_f = Float::NAN
    def to_r = 1/3r
    def coerce(other) = @n.even? ? [other, 1] : [self, other]
    def <=>(other) = [nil, 1, -1, 0, :x, 2**70][rand(6)]
    def ==(other) = $list.push(1).size.even?
    def eql?(other) = $table.delete(self) || true
    def hash = @n.even? ? 1 : 2**64
    def +(other) = self
    def -(other) = self
    def succ = Odd.new(@n + 1)
    def call(*) = $text << "x"
    def ===(other) = throw(:out)
    def each
      return to_enum(:each) unless block_given?
      @n.odd? ? loop { yield self } : 3.times { yield _1, self }
    ensure
      $list.shift
    end
    def inspect = $list.inspect
    def method_missing(name, *args, **opts, &block) = name.end_with?("?") ? nil : args.first
    def respond_to_missing?(*) = @n.even?
    def marshal_dump = [self]
    def encode_with(c) = c["a"] = self
    def exception(*) = @n.even? ? self : RuntimeError.new("odd")
    def begin = 1
    def end = self
    include Enumerable, Comparable
  end
  Point = Struct.new(:x, :y)
  Coord = Data.define(:lat, :long)
  class Thing < Hash; attr_accessor :a; end
  class Text < String; end
  class List < Array; def each = super; end
  module Extra; def size = 2**70; def each = yield(self); end
  $list, $table, $text, $depth = [1, 2.5, nil, "s", :y, [3]], { a: 1, "b" => [2], nil => 3.0 }, +"text é", 0
  def deep(n = 0, &b) = n > 5000 ? b&.call : deep(n + 1, &b)
  def on
    return if ($depth += 1) > 200
    yield
  rescue StandardError, SystemStackError, NotImplementedError, SyntaxError, NoMemoryError, UncaughtThrowError
    $!.full_message(highlight: false).size if rand(4) == 0
  ensure
    $depth -= 1
  end
PROGRAM

# Texts of values, with a value that has the same methods.
VALUES = {
  0 => %w[0 1 -1 2 3 7 63 64 255 256 65_536 2**30 2**31 -2**31 2**62 2**63 -2**63 2**64 10**40 2**4000 -10**300 1<<20000],
  1.5 => %w[0.0 -0.0 1.5 -2.25 1e308 5e-324 Float::NAN Float::INFINITY -Float::INFINITY 1e15 Float::MAX Float::EPSILON],
  1r => %w[1r 1/3r Rational(10**50,3) -7/2r], 1i => %w[1i 2+3i Complex(1.5,-2) Complex::I],
  "" => ['""', '+"a"', '+"abc"', '"é€𝄞"', '"\xFF\0b"', '"a\nb\n"', '("0" * 40)', '"%s%d%-9.3f"', '"x".encode("UTF-16LE")', '"\xE9".b', '$text', 'Text.new("sub")', '("ab" * 5000)', '"aAzZ9"', '"12e3"',
    '"あ".encode("EUC-JP")', '"a-z"', '"^é-ü"', '"@16s<Q>2"', '"UTF-7"', '"\u{1F468}\u200D\u{1F469}"', '("x" * (1 << 20))', '" , "'],
  a: %w[:a :b :[] :+ :each :to_s :x= :"é\ " :size :<=> :initialize :call], nil => %w[nil], true => %w[true false],
  [] => ["[]", "[1, 2, 3]", "[nil, true, 2.5]", "$list", "[[1, 2], [3, [4]]]", "%w[a b c]", "Array.new(1000) { _1 }", "List[1, 2]", "[Odd.new(1), Odd.new]", "([0] * 100_000)", "[:a, 1].cycle.first(9)", "[\"a\", :b, 1r, nil]"],
  {} => ["{}", "{ a: 1 }", "$table", "{ 1 => 2, nil => [3] }", "Hash.new { |h, k| h[k] = k }", "Thing[1, 2]", "{ Odd.new => 1, Odd.new(1) => 2 }", "(0..999).to_h { [_1, 1] }", "{ a: { b: { c: 1 } } }", "{}.compare_by_identity"],
  (1..2) => ["(1..2)", "(1...10**30)", "(1..)", "(..5)", '("a".."zz")', "(1.0..2.0)", "(nil..nil)", "(3..1)", "(1..2**70)", "(Odd.new..Odd.new(3))"],
  /a/ => ['/a/', '/(?<n>\w)+|é/i', '/^|$/m', '/(a*)*b/', '/\p{L}\X/', '/(?=(.))/', '//', '/\s*,\s*/', '/./n'],
  proc {} => ["proc { |x, *y| [x, y] }", "->(a, b = 1, *c, k: 2) { a }", "proc { break 1 }", "proc { next $list }", "lambda(&:to_s)", ":+.to_proc", "proc { |(a, b), c| on { deep } }", "method(:deep).to_proc", "(-> { _1 } >> :x.to_proc)"],
  Point = Struct.new(:x, :y) => ["Point"], Point.new(1, 2) => ["Point.new(1, 2)", "Point.new($list, $table)", "Point.new.tap { _1.x = _1 }"], Data.define(:a).new(1) => ["Coord.new(1, 2)", "Coord.new(lat: $list, long: nil)"],
  [].each => ["[1, 2].each", "$list.each_slice(2)", "loop", "(1..).lazy.map { _1 }", "$table.each", "5.upto(2**65)", "\"abc\".each_char", "Enumerator.new { |y| y << 1 << 2; raise StopIteration }", "[3].each_with_index",
    "Enumerator.produce(1) { _1 * 3 }", "[4, 5].cycle", "Enumerator::Chain.new([1], $list)", "1.step(by: 2)", "(1..3).each_entry", "Enumerator::Product.new([1, 2], [3])"],
  Set[1] => ["Set[1, 2]", "Set[$list]", "Set[]", "Set.new(1..50)"], Time.at(0) => ["Time.at(0)", "Time.at(2**40, in: \"+09:00\")", "Time.utc(2000)", "Time.at(-1.5r)"], Object.new => ["Object.new", "BasicObject.new", "self", "binding"],
  ODD.new => ["Odd.new", "Odd.new(1)", "Odd.new(2)", "Odd.new(3)"], Class.new => ["Class.new", "Odd", "Integer", "String", "Class.new(Array)", "Array", "Object", "Hash", "Comparable", "Kernel", "Module.new", "Extra", "singleton_class", "Struct", "Exception"],
  Random.new(1) => ["Random.new(3)", "Random"], Mutex.new => ["Mutex.new", "Monitor.new"], Queue.new => ["Queue.new", "Queue.new($list)", "SizedQueue.new(1)"], Thread.current => ["Thread.current", "Thread.new { $list.each { on { deep } } }", "Thread.new { loop { $text << 1 } }"],
  Fiber.new {} => ["Fiber.new { |x| loop { x = Fiber.yield(x) } }", "Fiber.new { deep }", "Fiber.current"], [].method(:push) => ["[].method(:push)", "1.method(:+)", "$list.method(:map)", "Array.instance_method(:each).bind($list)", "method(:deep).unbind", "\"s\".method(:gsub)"],
  RuntimeError.new => ["RuntimeError.new($text)", "($! || StandardError)", "KeyError.new(\"k\", receiver: $table, key: 1)", "StopIteration.new", "Class.new(Exception)"], ObjectSpace::WeakMap.new => ["ObjectSpace::WeakMap.new", "ObjectSpace::WeakKeyMap.new"],
  Encoding::UTF_8 => ["Encoding::UTF_8", "Encoding::UTF_16BE", "Encoding::Shift_JIS", "Encoding::Converter.new(\"UTF-8\", \"EUC-JP\")"], Math => %w[Math GC ObjectSpace Marshal Kernel Process::Status Signal RubyVM Warning Process],
  Comparable => %w[Comparable Enumerable], "a".match(/a/) => ['"ab".match(/(?<n>a)(b)?/)', "$~"], $stdout => ["$stdout", "$stderr", "$stdin", "IO.pipe[0]", "IO.pipe[1]", "File.open(\"/dev/null\", \"r+\")", "File.open(\"/dev/zero\")"]
}.to_a

# What ends or stops the process by right, reads what is typed, or acts on processes and files whose names are made up.
NEVER = %i[exec fork system spawn ` syscall kill daemon exit! test load require require_relative open write binwrite unlink delete rename chmod lchmod chown lchown truncate symlink link mkfifo mkdir rmdir copy_stream detach
  sysopen wait waitpid wait2 waitall waitpid2 new_from_fd for_fd popen reopen __id__ debug setproctitle trap sleep]
METHODS = VALUES.map do |like, _|
  names = (like.equal?(Kernel) ? Kernel.private_instance_methods(false) : []) | like.public_methods
  names = %i[each map sort min max inject include? zip cycle lazy first each_slice clamp between? tally sum to_set uniq to_h group_by each_entry flat_map chunk_while] if like.is_a?(ODD)
  names.reject { |n| NEVER.include?(n) || n.start_with?("__") }.sort
end
NAMES = METHODS.flatten.uniq.sort.freeze
SIZES = %w[2**31 2**62 10**9 10**7 1<<40 2**64 500_000_000 -1 70_000_000 1<<16]

def value = pick(pick(VALUES)[1])
def expression(depth)
  return value if depth <= 0
  case $random.rand(30)
  when 0..3, 24..25 then value
  when 4..14, 26..28 then call(depth)
  when 15 then "[#{list(depth)}]"
  when 16 then "{ #{Array.new(some(3)) { "#{expression(depth - 1)} => #{expression(depth - 1)}" }.join(', ')} }"
  when 17 then "(#{expression(depth - 1)} #{pick(%w[+ - * / % ** << >> & | ^ == === =~ <=> < > <= && || != !~ and or])} #{expression(depth - 1)})"
  when 18 then "\"\#{#{expression(depth - 1)}}#{pick(['', 'é', '%'])}\#{#{value}}\""
  when 19 then big
  when 20 then "(#{expression(depth - 1)} ? #{expression(depth - 1)} : #{expression(depth - 1)})"
  when 21 then "(case #{expression(depth - 1)} #{pick(['in [x, *y]', 'in { a: Integer => x, **r }', 'when Integer, *$list', 'in Point(x:, y: nil)', 'in [*, String, *]', 'in x if x'])} then #{expression(depth - 1)} else #{value} end)"
  when 22 then "#{pick(%w[@a @@b $c A D::E l])} #{pick(['=', '||=', '+=', '&&=', '<<='])} #{expression(depth - 1)}"
  else "(begin; #{expression(depth - 1)}; rescue #{pick(['=> e', 'Exception', '*[TypeError, ArgumentError]', 'NoMethodError => @a'])}; #{expression(depth - 1)}; #{pick(['', "else #{value};", ''])} ensure #{expression(depth - 1)} end)"
  end
end

def list(depth)
  parts = Array.new(pick([0, 0, 1, 1, 1, 2, 2, 3])) { chance(8) ? "*#{expression(depth - 1)}" : expression(depth - 1) }
  parts << "#{pick(%w[a: k: exception: in: by: mode: chomp: encoding: invalid: half: limit: capacity: timeout: keyword_init:])} #{expression(depth - 1)}" if chance(10)
  parts << "**#{expression(depth - 1)}" if chance(3)
  parts.join(", ")
end

def block(depth)
  case $random.rand(6)
  when 0 then " { #{pick(['|x|', '|x, y|', '|*x|', '|(x, y), k: 1|', '|x, y = x, *z, **o, &b|', ''])} #{statement(depth - 1)}; #{expression(depth - 1)} }"
  when 1 then " { |x| #{pick(['break', 'next', 'raise', 'throw :out,', 'return', '$list.clear;', '$list <<', '$table.store(x, 1);', 'redo if rand(3) == 0;', 'retry_it rescue', '$text.replace'])} #{expression(depth - 1)} }"
  when 2 then " { _1 }"
  when 3 then " { it.#{pick(NAMES)} }"
  when 4 then " { |x, y| #{pick(['x <=> y', 'x', 'y', 'x.hash + y.hash', 'rand(3) - 1', '[y, x]', 'x == y', 'nil'])} }"
  else ""
  end
end

def call(depth)
  at = $random.rand(VALUES.size)
  receiver = chance(70) ? pick(VALUES[at][1]) : expression(depth - 1)
  name = chance(95) ? pick(METHODS[at]) : pick(NAMES)
  given = list(depth)
  return "#{receiver}.#{pick(%w[public_send __send__])}(#{[name.inspect, given].reject(&:empty?).join(', ')})#{block(depth)}" if chance(5) || !name.match?(/\A[a-z_]\w*[?!]?\z/i)
  pass = chance(10) ? "(#{[given, "&#{value}"].reject(&:empty?).join(', ')})" : "(#{given})#{block(depth)}"
  "#{receiver}#{pick(%w[. . . &.])}#{name}#{pass}"
end

def big
  n = pick(SIZES)
  pick(["(\"x\" * #{n})", "Array.new(#{n})", "Array.new(#{n}) { $list }", "($list * (#{n}))", "format(\"%#{pick(%w[0 - +])}#{pick(%w[99 9999999 999999999 2147483647])}#{pick(%w[d s f b x .9f g a c])}\", #{value})", "\"a\".ljust(#{n}, \"é\")",
    "\"a\".center(#{n})", "(2 ** (#{n}))", "(3 ** (10**6)).to_s", "(7 << (#{n}))", "Random.bytes(#{n})", "$list.fill(0, 0, #{n})", "[1].pack(\"@#{pick(%w[9 999999999 99999999999])}C\")", "$list.cycle.first(#{n})", "(1..#{n}).to_a",
    "\"\\0\" * (#{n})", "[$list] * (#{n})", "$list.product($list, $list, [1] * 500).size", "[*1..30].permutation.to_a", "[*1..40].combination(20).map(&:itself)", "(\"a\" * 5000).gsub(/a/) { \"b\" * (#{n}) }", "$list[#{n}] = 1", "$text[#{n}] = \"x\"",
    "\"a\".upto(\"z\" * 20).count", "Array.new(300) { |i| \"k\#{i}\" * 1000 }.join(\"x\" * 100_000)", "Integer.sqrt(10 ** (#{n}))", "(10**5000).pow(10**3000, 10**2000 + 7)", "(\"9\" * 3_000_000).to_i", "Queue.new(Array.new(#{n}))", "Hash.new(capacity: #{n})",
    "String.new(capacity: #{n})", "(+\"\").append_as_bytes(*([\"x\" * 10000] * 9000))", "\"%c\" % (#{n})", "Comparable.instance_method(:clamp).bind_call(1, 0, #{n})", "(#{n}).digits(2)", "(#{n}).times.to_a", "Struct.new(*(\"a\"..\"zzz\").map(&:to_sym))",
    "eval(\"[\" * #{pick(%w[10 3000 200000])} + \"]\" * 3000)", "eval(\"1 + \" * #{pick(%w[100 20000])} + \"1\")", "eval(\"def m(\#{(1..3000).map { |i| \"a\#{i}\" }.join(', ')}) = 1\")", "eval(\"{\" * 500)", "(\"(\" * 9000).then { Regexp.new(_1 + \")\" * 9000) }",
    "(\"a\" * 40 + \"!\") =~ /\\A(a|a)*\\z/", "(\"ab\" * 300_000).tr(\"a-y\", \"b-z\").squeeze.unpack(\"a*\")", "Marshal.load(Marshal.dump($list * 10_000))", "$list.flatten.inspect * (#{n})", "ObjectSpace.each_object.to_a.size", "Thread.new { [0] * (#{n}) }.value",
    "loop { $list << $list.dup }", "loop { $text << $text }", "loop { $table[$table.size] = \"x\" * 999 }", "loop { Thread.new { sleep } }", "loop { Fiber.new { Fiber.yield }.resume }", "loop { \"s\#{rand}\".to_sym }", "loop { Class.new }", "loop { eval(\"def m\#{rand(10**9)} = 1\") }",
    "loop { $list.push(Object.new.tap { |o| ObjectSpace.define_finalizer(o, proc { deep }) }) }", "loop { begin; raise \"x\" * 999; rescue; end }", "loop { catch(:out) { throw :out } }", "$list.sort_by { rand }.cycle { |x| x }", "Array.new(9) { Thread.new { loop { $list << 1; $list.shift } } }"])
end

def body(depth) = Array.new(1 + some(2)) { statement(depth) }.join("; ")

def statement(depth)
  return expression(1) if depth <= 0
  inner = depth - 1
  case $random.rand(40)
  when 0..12 then expression(depth)
  when 13 then "def #{pick(%w[m1 m2 deep l ==])}(#{pick(['', 'a', 'a, b = m1', '*a, k: 1, **o, &b', '...', 'a = (return 3), *', '&'])}) = (#{expression(inner)})"
  when 14 then "class #{pick(%w[Integer String Array Hash NilClass Symbol Object Float Range Proc Exception Point Odd Set Comparable])}#{' < Array' if chance(3)}; def #{pick(['+(o)', '[](*)', 'each', '==(o)', 'hash', 'to_s', 'inspect', 'size', '<=>(o)', 'call(*)', 'initialize(*)', 'coerce(o)', 'respond_to?(*)', 'method_missing(*)', 'dup', '!', '===(o)', '-@', 'nil?', 'message'])} = #{pick(['super', expression(inner), 'raise', 'self', 'loop { }', 'nil'])}; end"
  when 15 then "#{pick(%w[Integer String Array Hash Range Object Kernel Comparable Odd])}.#{pick(%w[prepend include extend])}(#{pick(['Extra', "Module.new { def #{pick(%w[+ size each to_s == <=> hash])}(*) = #{pick(['super', expression(inner)])} }"])})"
  when 16 then "Thread.new { #{body(inner)} }#{pick(['', '.join(0.1)', '.value', '.kill', '.raise("t")', '.tap { |t| t.report_on_exception = false; t.join }'])}"
  when 17 then "4.times.map { |n| Thread.new { 200.times { on { #{expression(inner)} } } } }.each { |t| t.join(0.3) }"
  when 18 then "f = Fiber.new { |x| #{body(inner)}; Fiber.yield(#{value}); #{expression(inner)} }; f.resume(1); f.#{pick(%w[resume alive? kill transfer raise])}"
  when 19 then "begin; #{body(inner)}; rescue #{pick(%w[StandardError Exception TypeError *$list])} => e; #{pick(['raise e', 'retry if ($depth += 1) < 50', 'raise TypeError, cause: e', expression(inner)])}; ensure; #{expression(inner)}; end"
  when 20 then "#{pick(%w[while until])} #{pick(['true', 'false', '(i = (i || 0) + 1) < 50', expression(inner)])}; #{body(inner)}; #{pick(['break', 'next', 'redo', 'break if rand(9) == 0'])}; end"
  when 21 then "#{pick(%w[Object Odd Array String])}.class_eval { define_method(#{pick(NAMES).inspect}) { |#{pick(['*', 'x = 1', 'a, *b, k: 2, &c'])}| #{expression(inner)} } }"
  when 22 then "eval(#{body(inner).dump}#{pick(['', ', binding', ', TOPLEVEL_BINDING', ', nil, "f", -1'])})"
  when 23 then "catch(:out) { #{body(inner)}; throw :out, #{value} }"
  when 24 then "#{pick(%w[$list $table $text])}.each#{pick(['', '_with_index', '_entry', '_char', '_pair', '_slice(2)'])} { |x, y| #{body(inner)} }"
  when 25 then "2000.times { |n| #{expression(inner)} }"
  when 26 then "ObjectSpace.define_finalizer(#{value}, proc { #{expression(inner)} }); GC.start"
  when 27 then "GC.stress = true; #{expression(inner)}; GC.stress = false"
  when 28 then "TracePoint.new(:#{pick(%w[line call c_call return raise b_call class])}) { |t| t.#{pick(%w[method_id self binding inspect return_value])}; #{value} }.enable { #{body(inner)} }"
  when 29 then "using(Module.new { refine(#{pick(%w[Integer String Array Odd])}) { def #{pick(['+(o)', 'size', 'to_s', 'each'])} = #{expression(inner)} } })"
  when 30 then "at_exit { #{expression(inner)} }"
  when 31 then "require \"timeout\"; Timeout.timeout(#{pick(%w[0.01 0.2 nil 0 -1])}) { #{body(inner)} }"
  when 32 then "Ractor.new(#{value}) { |x| #{expression(inner)} }.#{pick(%w[value join inspect close])}"
  when 33 then "RubyVM.new(\"in\", source: #{"#{HEAD_NAMES}; #{body(inner)}".dump}#{pick(['', ', memory_limit: 1 << 22', ', time_limit: 0.2', ', memory_limit: 2**62', ", stdout: #{value}"])}).start.#{pick(%w[value join kill inspect])}"
  when 34 then outside
  when 35 then "m = Mutex.new; m.#{pick(%w[synchronize lock try_lock])} { #{body(inner)} }; m.#{pick(%w[unlock lock owned? sleep])}"
  when 36 then "#{pick(%w[trap Signal.trap])}(#{pick(%w["TERM" "USR1" "INT" "EXIT" 0 "KILL" "CHLD" 99 "VTALRM"])}) { #{expression(inner)} }"
  when 37 then "require #{pick(%w["json" "yaml" "stringio" "strscan" "date" "time" "digest" "zlib" "bigdecimal" "set" "erb" "csv" "ostruct" "securerandom" "pp" "socket" "objspace" "coverage" "continuation" "ripper" "open3" "etc" "psych" "monitor" "weakref" "delegate" "forwardable"])}"
  when 38 then libraries(inner)
  else "BEGIN_#{some(3)} = [#{expression(inner)}, *#{value}]; l, (@a, *$c), m = #{expression(inner)}"
  end
end
HEAD_NAMES = "$list, $table, $text, $depth = [1], {a: 1}, +'t', 0; def on = yield; Odd = Extra = Object; Point = Coord = Struct.new(:x, :y); Text, Thing, List = String, Hash, Array"

# What is the process's.
def outside
  pick(["Dir.chdir(#{pick(%w["/" "/tmp" "/nonexistent" ".."])})", "ENV[#{pick(%w["PATH" "HOME" "TZ" "A"])}] = #{pick(%w["x" nil "" "Asia/Tokyo"])}", "ENV.#{pick(%w[clear rehash freeze shift to_a inspect])}", "File.umask(0)", "#{pick(%w[3 5 9 1 0 2 40 -1])}.then { |n| IO.for_fd(n).close }",
    "$stdout.close", "STDIN.close", "exit!", "exit(#{value})", "abort", "raise SystemExit", "raise Interrupt", "raise SignalException, \"TERM\"", "Process.setrlimit(:NOFILE, 10)", "Process.setproctitle(\"x\")", "Process.setpriority(0, 0, 10)", "fork { }", "Process.daemon",
    "exec(\"true\")", "Process.kill(:KILL, $$)", "Process.kill(:STOP, 0)", "Process.setsid", "loop { IO.pipe }", "loop { File.open(\"/dev/null\") }", "loop { File.read(\"/dev/zero\") }", "File.open(\"/dev/zero\").gets", "IO.popen(\"cat /dev/zero\").read", "system(\"true\")", "Thread.main.kill", "Thread.main.raise(\"m\")",
    "Encoding.default_external = \"EUC-JP\"", "Encoding.default_internal = \"UTF-16LE\"", "$VERBOSE = true", "$/ = nil", "$; = \"x\"", "$, = \"y\"", "$0 = \"name\"", "Warning[:deprecated] = true", "GC.disable", "Regexp.timeout = 0.001", "srand(1)", "Thread.abort_on_exception = true", "ObjectSpace.garbage_collect",
    "ObjectSpace.each_object(Class) { |c| c.freeze rescue 0 }", "$LOADED_FEATURES.clear", "$LOAD_PATH.clear", "Object.constants.each { |c| Object.send(:remove_const, c) rescue 0 }", "Signal.list.each_key { |s| trap(s) {} rescue 0 }", "Process.argv0.replace(\"x\")", "Thread.list.each(&:kill)", "sleep", "Queue.new.pop",
    "Thread.stop", "Mutex.new.lock.lock", "$stdin.read", "gets", "IO.pipe[0].read", "IO.select(nil)", "File.flock(1)", "IO.pipe[1].write(\"x\" * (1 << 24))", "Process.wait", "Process.warmup", "RubyVM.stat", "at_exit { loop { } }", "at_exit { sleep }", "Thread.new { at_exit { exit! } }"])
end

def libraries(depth)
  pick(["require \"json\"; JSON.parse(#{expression(depth)}.to_json)", "require \"stringio\"; StringIO.new(#{value}).#{pick(%w[read gets each_line ungetc write pread seek truncate])}(#{list(depth)})", "require \"strscan\"; s = StringScanner.new(#{value}); s.#{pick(%w[scan scan_until pos= unscan getch peek string= [] terminate])}(#{list(depth)})",
    "require \"date\"; (Date.today #{pick(%w[+ - >> << === <=>])} #{expression(depth)})", "require \"zlib\"; Zlib.inflate(Zlib.deflate(#{value}.to_s * #{pick(%w[1 1000])}))", "require \"bigdecimal\"; (BigDecimal(#{value}.to_s) #{pick(%w[+ * ** / %])} #{value})", "require \"digest\"; Digest::SHA256.#{pick(%w[hexdigest base64digest new digest])}(#{value})",
    "require \"socket\"; UNIXSocket.pair.then { |a, b| a.write(#{value}); b.#{pick(%w[read gets recv close readpartial])}(#{pick(['', '1', '2**31', '-1'])}) }", "require \"erb\"; ERB.new(#{value}.to_s + \"<%= #{pick(%w[1 $list deep])} %>\").result", "require \"ostruct\"; OpenStruct.new(#{value}).#{pick(NAMES)}",
    "require \"continuation\"; k = callcc { |c| c }; k.call(1) if k.respond_to?(:call) && rand(3) > 0", "require \"ripper\"; Ripper.sexp(#{expression(depth).dump} * 9)", "require \"objspace\"; ObjectSpace.memsize_of(#{value}); ObjectSpace.count_objects", "require \"weakref\"; WeakRef.new(#{value}).#{pick(NAMES)}"])
end

# Pieces of programs: what stands at the beginning of a line, with what is indented behind it.
HARMFUL = /\b(?:system|fork|spawn|exec|popen|File|Dir|IO|Process|FileUtils|Tempfile|Tempdir|mktmpdir|Socket|TCP\w*|UNIX\w*|kill|exit!|open|open3|Open3|chdir|unlink|rm_rf|require_relative|load|Pathname|syscall|PTY|__dir__|__FILE__|Etc|Fiddle)\b|`|%x/
PIECES = Dir[*%w[core language library races ractor jit].map { |d| "#{ROOT}/tests/ruby/#{d}/**/*.rb" }, "#{ROOT}/benches/{programs,iterators}/*.rb"].sort.flat_map do |file|
  File.read(file).lines.reject { |l| l.start_with?("#") }.slice_before { |l| l.match?(/\A(?!end\b|else|elsif|rescue|ensure|when|in |[)}\]\s])/) }.map(&:join).reject { |s| s.match?(HARMFUL) || s.size > 3000 || s.strip.empty? }
end
def piece
  text = pick(PIECES).dup
  some(4).times do
    case $random.rand(8)
    when 0, 1 then swap(text, /(?<![\w.])\d+(?![\w.])/) { pick(VALUES[0][1]) }
    when 2 then swap(text, /\.[a-z_]+[?!]?(?=[(. ,;\n])/) { ".#{pick(NAMES)}" }
    when 3 then swap(text, /"[^"#\n]*"|:\w+|\bnil\b|\[\]|\btrue\b/) { value }
    when 4 then swap(text, /^.*\n/) { "" }
    when 5 then swap(text, /^.*\n/) { |line| line * pick([2, 2, 40]) }
    when 6 then swap(text, /^ *(?=\w)/) { |indent| "#{indent}#{statement(1)}\n#{indent}" }
    else swap(text, /\S/) { |c| pick([c * 2, "", "(", "{ ", ")", "*", "&", "::", "\n", "end"]) }
    end
  end
  text
end

def swap(text, pattern)
  places = text.enum_for(:scan, pattern).map { [$~.begin(0), $~[0]] }
  return if places.empty?
  at, old = pick(places)
  text[at, old.size] = yield(old)
end

def program(seed)
  $random = Random.new(seed)
  parts = Array.new(2 + some(6)) do
    case $random.rand(10)
    when 0..5 then "on { #{statement(3)} }"
    when 6 then "on { eval(#{piece.dump}) }"
    when 7, 8 then "on { eval(#{Array.new(1 + some(2)) { piece }.join.dump}, TOPLEVEL_BINDING) }"
    else statement(2)
    end
  end
  # A statement that is no Ruby would spare the others.
  "#{HEAD}#{parts.map { |p| p.start_with?("on { eval") ? p : "eval(#{p.dump}, binding)" }.map { |p| "on { #{p} }\n" }.join}"
end

# What a VM must leave as it is.
def state
  status = File.read("/proc/self/status")
  { directory: Dir.pwd, environment: ENV.to_h, umask: File.umask, mask: status[/^SigBlk.*/], groups: [Process.getpgrp, Process.getsid, Process.uid, Process.getpriority(0, 0), Process.getrlimit(:NOFILE)], title: File.read("/proc/self/cmdline"),
    encodings: [Encoding.default_external, Encoding.default_internal], globals: [$VERBOSE, $/, $;, $,, $0, GC.stress, Regexp.timeout, Thread.abort_on_exception, Warning[:deprecated]], constants: Object.constants.size, zone: Time.at(0).to_s, features: $LOADED_FEATURES.size,
    core: [Integer, String, Array, Hash, Object, Kernel].map { |c| [c.instance_methods(false).size, c.ancestors.size, c.frozen?] }, results: [1 + 1, [3, 1].sort, "a".size, nil.to_s, { a: 1 }[:a], 2 <=> 3] }
end

def descriptors = Dir.children("/proc/self/fd").size

# The most memory that the process had since the last call, in MB.
def peak
  most = File.read("/proc/self/status")[/VmHWM:\s*(\d+)/, 1].to_i / 1024
  File.write("/proc/self/clear_refs", "5")
  most
end

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# Seconds for which nothing of the process ran: it was stopped, or others had the processors. No VM can be in time then.
$starved = 0.0
def watch
  Thread.new do
    loop do
      began = now
      sleep 0.1
      over = now - began - 0.1
      $starved += over if over > 0.3
    end
  end
end

def run(seed, text)
  began, starved = now, $starved
  begin
    null = File.open(File::NULL, "r+")
    vm = RubyVM.new("program #{seed}", source: text, memory_limit: MEMORY, time_limit: TIME, chdir: $directory, stdin: null, stdout: null, stderr: null)
    vm.start.value
  rescue Exception => e # A program may end by whatever it likes.
    $ends[e.is_a?(RubyVM::Error) ? e.message.sub(/\d+/, "") : e.class] += 1
  ensure
    null.close
  end
  took = now - began
  return if took <= TIME + LATE
  sleep 0.3
  took -= $starved - starved
  "took #{took.round(2)} s" if took > TIME + LATE
end

first, second = ARGV
abort "usage: asterism fuzz/programs.rb SECONDS [SEED] | print SEED" unless first
if first == "print"
  puts program(Integer(second))
  exit
end
%w[INT TERM].each { |name| trap(name, "SYSTEM_DEFAULT") } # An exception would be taken for the program's.
require "tmpdir"
$directory = Dir.mktmpdir
at_exit { require "fileutils"; FileUtils.rm_rf($directory) }
$ends = Hash.new(0)
seed = second ? Integer(second) : Random.new_seed % 1_000_000_000
seed_file = "#{ROOT}/target/programs.seed" if File.directory?("#{ROOT}/target")
before = state
peak
open_before = descriptors
runs = troubles = 0
watch
ends = now + Float(first)
while now < ends
  File.write(seed_file, "#{seed}\n") if seed_file
  text = program(seed)
  resident = File.read("/proc/self/status")[/VmRSS:\s*(\d+)/, 1].to_i / 1024
  found = run(seed, text)
  most = peak - resident
  found = "#{found} took #{most} MB" if most > GROWTH
  after = state
  changed = after.reject { |k, v| before[k] == v }.keys
  found = "#{found} changed #{changed.map { |k| "#{k}: #{before[k]} -> #{after[k]}" }.join(', ')}" unless changed.empty?
  if found
    troubles += 1
    puts "#{seed}: #{found}"
    $stdout.flush
    File.write(seed_file.sub(".seed", ".#{seed}.rb"), text) if seed_file
    before = after
  end
  runs += 1
  seed += 1
end
GC.start
puts "#{runs} VMs, #{troubles} to look at; ends by exception: #{$ends.sort_by { -_2 }.to_h}"
puts "descriptors #{open_before} -> #{descriptors}, #{File.read('/proc/self/status').scan(/^(?:VmHWM|VmRSS|Threads).*/).join(', ')}"
exit troubles.zero?
