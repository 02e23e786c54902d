# What `pieces.c` does, as the calls show it. Run by `crates/cli/tests/extensions.rs`, which compiles the extension.
require "pieces"

def check(what, got, wanted)
  return if got == wanted

  abort "#{what}: #{got.inspect} instead of #{wanted.inspect}"
end

def raised = (yield; nil) rescue [$!.class, $!.message]

check "a local variable with a name of the header", Pieces.shadow, Process
check "addresses of classes", Pieces.static_classes, [ArgumentError, String]

r, w = IO.pipe
check "rb_io_t", Pieces.io_state(r), [r.fileno, 1, nil, false]
File.open(__FILE__) { |f| check "rb_io_t of a file", Pieces.io_state(f), [f.fileno, 1, __FILE__, false] }
check "not for writing", raised { Pieces.io_check(r, true) }, [IOError, "not opened for writing"]
check "for writing", Pieces.io_check(w, true), true
w << "a line\n"
w.flush
check "rb_io_stdio_file", Pieces.stdio_line(r), "a line\n"
closed = IO.pipe.each(&:close)[0]
check "closed", raised { Pieces.io_state(closed) }, [IOError, "closed stream"]
other = Pieces.open_fd(r.dup.tap { _1.autoclose = false }.fileno, "rb")
check "rb_io_open_descriptor", [other.class, other.path, other.timeout], [IO, "some", 2.5]
other.close

check "nothing to wait for", Pieces.wait_readable(r, Errno::EPERM::Errno), 0
r.timeout = 0.02
check "the IO's own time", raised { Pieces.wait_readable(r, Errno::EAGAIN::Errno) },
      [IO::TimeoutError, "Timed out waiting for IO to become readable!"]
check "select, late", Pieces.select_fd(r.fileno, 0), [0, 0]
w << "x"
w.flush
check "select", Pieces.select_fd(r.fileno, nil), [1, 1]
r.getc

# Interrupts end a wait in C, many times.
20.times do |i|
  entered = Queue.new
  body = i.even? ? -> { Pieces.select_fd(r.fileno, nil) } : -> { Pieces.read_blocked(r.fileno) }
  thread = Thread.new { raised { entered << 1; body.() } }
  entered.pop
  sleep 0.001 * (i % 4)
  thread.raise(ArgumentError, "wake #{i}")
  check "interrupted", thread.value, [ArgumentError, "wake #{i}"]
end

check "with_gvl", Pieces.with_gvl { |s| s.upcase }, ["FROM OUTSIDE", 0, 1, 0]
check "with_gvl, raise", raised { Pieces.with_gvl { raise KeyError, "in it" } }, [KeyError, "in it"]
check "with_gvl, throw", catch(:t) { Pieces.with_gvl { throw :t, 9 } }, 9
many = Array.new(4) do |i|
  Thread.new { Array.new(200) { |j| Pieces.with_gvl { |s| GC.start if j == 100; "#{s} #{i}" }[0] }.uniq }
end
check "with_gvl by four threads", many.map(&:value), Array.new(4) { ["from outside #{_1}"] }

check "Ractor's own", [Pieces.ractor_local(:a), Pieces.ractor_local(:b)], [[nil, 1], [:a, 2]]
check "TracePoint", Pieces.count_lines { x = 1; x }, [true, false]
check "text", Pieces.text, ["€", 0, 31, "z", 1]
check "allocators", Pieces.makes(Class.new).new.instance_variables, [:@made]
check "allocators of Strings", Pieces.makes(Class.new(String)).new("abc"), "abc"
check "flags", Pieces.flags, [0, true, false, false]
check "$! after a failure", [raised { Pieces.protect_and_raise }, $!], [[ArgumentError, "outer"], nil]
above = Class.new { def up(*args, **opts) = [args, opts] }
hash = Class.new { def to_hash = { k: 1 } }.new
check "super, keywords", Pieces.goes_upwards(Class.new(above)).new.up(1, hash), [[1], { k: 1 }]
check "super, no Hash", raised { Pieces.goes_upwards(Class.new(above)).new.up(1, 2) },
      [TypeError, "no implicit conversion of Integer into Hash"]
missing = Class.new { def method_missing(*args) = args }
check "super, method_missing", Pieces.goes_upwards(Class.new(missing)).new.up, [:up]
check "super, nothing", raised { Pieces.goes_upwards(Class.new).new.up }[0], NoMethodError
check "rb_integer_pack", Pieces.packs_native(-2), [-2, true]
check "maybe_wait, closed", raised { Pieces.wait_readable(closed, Errno::EAGAIN::Errno) }[0], IOError
check "a Range's members", [Pieces.members(1...3), Pieces.members(Struct.new(:a).new(5)), raised { Pieces.members("s") }[0]],
      [[1, 3, true], [5], TypeError]
table = { "k" => "v", other: [1] }
table.instance_variable_set(:@more, "more" * 20)
keeper = Pieces.keep(Array.new(50) { "s#{_1}" }, table)
check "data", [Pieces.data_of(keeper), raised { Pieces.data_of(Object.new) }],
      [true, [TypeError, "wrong argument type Object (expected Data)"]]
3.times { GC.start }
check "mark functions that read", Pieces.kept(keeper), [Array.new(50) { "s#{_1}" }, { "k" => "v", other: [1] }]

# `Thread#wakeup` ends what waits without the lock; it may come before the wait begins, which loses it.
thread = Thread.new { Pieces.waits }
begin
  thread.wakeup
rescue ThreadError
  nil
end until thread.join(0.01)
check "wakeup", thread.value, 1
check "flags in place", Pieces.flags_in_place, [true, true, true, false]
refused = begin Pieces.flags_of(+"text")
          rescue NotImplementedError then :refused
          end
check "flags of others", refused, :refused
counting = Pieces.counts({ 1 => 2, 3 => 4 })
3.times { GC.start }
check "sizes in a mark function", Pieces.counted(counting), 2
base = Class.new
below = Class.new(Class.new(base))
Pieces.late(base, 1)
check "an allocator that comes after a subclass", Pieces.kind_late(below.new), true
check "rb_define_module_id", [Pieces.nameless.class, Pieces.nameless.name], [Module, nil]
check "about", Pieces.about, [RUBY_VERSION, RUBY_PLATFORM, 4, 0]
check "shareable", [Pieces.wrapped(true), Pieces.wrapped(false)].map { |v| Ractor.shareable?(v) }, [false, false]
check "shareable, frozen", Ractor.shareable?(Ractor.make_shareable(Pieces.wrapped(true))), true
check "never shareable", raised { Ractor.make_shareable(Pieces.wrapped(false)) }[0], Ractor::Error
puts "ok"
