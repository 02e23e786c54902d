# Exception objects: messages, causes, backtraces, the attributes of special ones.
class Custom < StandardError
  def initialize(msg = "default") = super
end
p Custom.new, Custom.new("x").message, RuntimeError.new.message, RuntimeError.new(nil).message, RuntimeError.new(3).message
p RuntimeError.new("a").inspect, RuntimeError.new("").inspect
p RuntimeError.new("a") == RuntimeError.new("a"), RuntimeError.new("a") == RuntimeError.new("b"), RuntimeError.new("a") == StandardError.new("a")
e = RuntimeError.new("one")
p e.exception.equal?(e), e.exception("two").message, e.exception("two").class, e.backtrace, e.backtrace_locations, e.cause
def trial
  yield
rescue Exception => e
  e
end
x = trial { raise "msg" }
p x.class, x.message, x.backtrace.class, x.backtrace_locations.first.lineno, x.backtrace.size == x.backtrace_locations.size
p trial { raise Custom }.message, trial { raise Custom, "given" }.message, trial { raise Custom.new("obj"), "replaced" }.message
p trial { raise IOError, "m", ["a:1", "b:2"] }.backtrace
p trial { raise 3 }.message, trial { raise Object }.class, trial { raise nil }.class
p trial { begin; raise "a"; rescue; raise "b"; end }.cause.message
p trial { begin; raise "a"; rescue; raise "b", cause: nil; end }.cause
p trial { raise "b", cause: RuntimeError.new("c") }.cause.message
p trial { raise "b", cause: 1 }.message, trial { raise cause: RuntimeError.new }.message
p KeyError.new("m", receiver: {}, key: 2).key, NameError.new("a", :b).name, NameError.new("a", receiver: 4).receiver
p NoMethodError.new("a", :b, [1, 2]).args, FrozenError.new("x", receiver: 3).receiver, StopIteration.new.result
begin
  KeyError.new("m").key
rescue ArgumentError => e
  puts e.message
end
p trial { exit 3 }.status, trial { exit(false) }.success?, trial { exit }.message, SystemExit.new(2, "bye").message
p trial { throw :foo, 1 }.message, trial { throw :foo, 1 }.tag, trial { throw :foo, 1 }.value
p trial { {}.fetch(:a) }.key, trial { nil.foo }.receiver, trial { "a".freeze << "b" }.receiver
p Errno::ENOENT.new.message, Errno::ENOENT.new("f").message, Errno::ENOENT::Errno, Errno::ENOENT.new.errno
p SystemCallError.new(2).class, SystemCallError.new("x", 13).message, SystemCallError.new("x").message, SystemCallError.new(nil, 99999).message
p Errno::EAGAIN == Errno::EWOULDBLOCK, Errno::EPERM === SystemCallError.new("a", 1), Errno::EPERM.superclass
p SignalException.new("INT").signo, SignalException.new(15).message, Interrupt.new.message
p catch(:a) { catch(:b) { throw :a, 1 }; 2 }, catch { |t| throw t, 5 }, catch(:x) { 9 }
p (catch(:q) { begin; throw :q, 1; ensure; print "ensured "; end })
p [ArgumentError, KeyError, StopIteration, FloatDomainError, FrozenError, NotImplementedError, Interrupt].map(&:superclass)
f = RuntimeError.new("z")
f.set_backtrace(["x:1"])
p f.backtrace, f.full_message(highlight: false, order: :top)
begin
  f.set_backtrace(1)
rescue TypeError => e
  p e.class
end
p trial { Integer("x") }.message, trial { Float("1x") }.message, trial { Integer(nil) }.message, Integer("z", exception: false)
p Integer("0b11", 2), Integer("ff", 16), Integer("1_000"), Integer(3.9), Float("1e2"), Array(nil), Array(a: 1), String(:s), Hash([])
begin
  begin
    raise "in"
  ensure
    p $!.message
  end
rescue
  p $!.message
end
p $!
def nested
  begin
    raise "first"
  rescue
    raise "second"
  end
rescue => e
  [e.message, e.cause.message]
end
p nested, $!
def m = yield
p trial { m { break 3 } }, trial { raise "a" rescue "b" }

# => #<Custom: default>
# => "x"
# => "RuntimeError"
# => "RuntimeError"
# => "3"
# => "#<RuntimeError: a>"
# => "RuntimeError"
# => true
# => false
# => false
# => true
# => "two"
# => RuntimeError
# => nil
# => nil
# => nil
# => RuntimeError
# => "msg"
# => Array
# => 15
# => true
# => "default"
# => "given"
# => "replaced"
# => ["a:1", "b:2"]
# => "exception class/object expected"
# => TypeError
# => TypeError
# => "a"
# => nil
# => "c"
# => "exception object expected"
# => "only cause is given with no arguments"
# => 2
# => :b
# => 4
# => [1, 2]
# => 3
# => nil
# => no key is available
# => 3
# => false
# => "exit"
# => "bye"
# => "uncaught throw :foo"
# => :foo
# => 1
# => :a
# => nil
# => "a"
# => "No such file or directory"
# => "No such file or directory - f"
# => 2
# => 2
# => Errno::ENOENT
# => "Permission denied - x"
# => "unknown error - x"
# => "Unknown error 99999"
# => true
# => true
# => SystemCallError
# => 2
# => "SIGTERM"
# => "Interrupt"
# => 1
# => 5
# => 9
# => ensured 1
# => [StandardError, IndexError, IndexError, RangeError, RuntimeError, ScriptError, SignalException]
# => ["x:1"]
# => "x:1: z (RuntimeError)\n"
# => TypeError
# => "invalid value for Integer(): \"x\""
# => "invalid value for Float(): \"1x\""
# => "can't convert nil into Integer"
# => nil
# => 3
# => 255
# => 1000
# => 3
# => 100.0
# => []
# => [[:a, 1]]
# => "s"
# => {}
# => "in"
# => "in"
# => nil
# => ["second", "first"]
# => nil
# => 3
# => "b"

p SystemExit.new.message, SystemExit.new(3).message # => "SystemExit"
# => "SystemExit"
begin
  exit
rescue SystemExit => e
  p e.message # => "exit"
end
SignalException.new("INT", "x") rescue puts $!.message # => wrong number of arguments (given 2, expected 1)
1.5.round(nil) rescue puts $!.message # => no implicit conversion from nil to integer

p((SignalException.new(1, "", nil) rescue $!)) # => #<ArgumentError: wrong number of arguments (given 3, expected 1..2)>
p Thread::Backtrace.limit # => -1
