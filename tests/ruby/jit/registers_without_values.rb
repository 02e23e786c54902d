# args: --jit=always
# Registers of compiled frames that are no locals are not cleared: collections, raises, switches and bindings see valid values.
# Run it with --gc-stress too.

def deep(n, text)
  return text.size if n == 0

  a = "#{text}#{n}"
  a.size + deep(n - 1, a) + [a, n].size
end
p 3.times.map { deep(12, "x") }.uniq # => [163]

def names(n)
  late = "late#{n}" if n > 1
  yield binding if n == 0
  early = names(n - 1) { |b| yield b } if n > 0
  [late, early]
end
got = nil
names(3) { |b| got = b }
p got.local_variables.first(3), got.local_variable_get(:late) # => [:n, :late, :early]
# => nil

def unwind(n)
  raise "here" if n == 1

  [n.to_s, unwind(n - 1), n.to_s]
rescue RuntimeError
  raise if n.odd?

  "rescued #{n}"
end
p 5.times.map { unwind(6) }.uniq # => [["6", ["5", ["4", ["3", "rescued 2", "3"], "4"], "5"], "6"]]

def suspended(n, text)
  return Fiber.yield(text) if n == 0

  [text + n.to_s, suspended(n - 1, text + "-"), n].join
end
fibers = 5.times.map { |i| Fiber.new { suspended(8, i.to_s) } }
fibers.each(&:resume)
GC.start
p fibers.map { |f| f.resume("end").size }.uniq # => [55]

threads = 3.times.map { |t| Thread.new { 20.times.map { deep(10, t.to_s) }.uniq } }
p threads.map(&:value).uniq # => [[107]]
