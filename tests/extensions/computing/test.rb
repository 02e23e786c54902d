# Nobody waits for a thread that computes in C: `computing.c`. Run by `crates/cli/tests/extensions.rs`.
require "computing"

def check(what, got, wanted)
  return if got == wanted

  abort "#{what}: #{got.inspect} instead of #{wanted.inspect}"
end

c = Computing.new

# Collections, and claims of objects that the thread in C owns, while another thread sits in C.
5.times do |i|
  c.let_go(false)
  owned = nil
  thread = Thread.new do
    owned = Array.new(300) { "e#{_1}".dup }
    c.compute("text #{i} ")
  end
  Thread.pass until c.inside?
  garbage = 0
  30.times do
    GC.start
    garbage += Array.new(1000) { "garbage" * 4 }.size
  end
  owned.each { |text| text << "!" }
  check "inside all the time", [c.inside?, thread.alive?], [true, true]
  c.let_go(true)
  check "a value that only C knew", thread.value, "text #{i} text #{i} "
  check "objects of the thread in C", owned, Array.new(300) { "e#{_1}!" }
end

# Several threads allocate while one comes and goes.
c.let_go(true)
done = false
comes = Thread.new { n = 0; (n += c.compute("x" * 30).size) until done; n }
makers = Array.new(3) { |i| Thread.new { 20_000.times.sum { |j| "#{i}#{j}".size } } }
check "makers", makers.map(&:value), [108_890] * 3
done = true
check "comings", comes.value % 60, 0

# In a system call.
r, w = IO.pipe
thread = Thread.new { c.read_alone(r.fileno) }
Thread.pass until c.inside?
5.times { GC.start }
check "in a system call", c.inside?, true
w.write("!")
w.flush
check "read", thread.value, "read!"

# A fiber's stack, and C that is left by an exception behind it.
c.let_go(false)
thread = Thread.new { Fiber.new { [c.compute("fiber "), (c.compute(nil) rescue $!.class)] }.resume }
Thread.pass until c.inside?
3.times { GC.start }
c.let_go(true)
check "in a fiber", thread.value, ["fiber fiber ", NoMethodError]
puts "ok"
