# What is stored in an old object, wherever it has room for it, survives minor collections.

class Plain
  attr_accessor :a, :b, :c, :d, :e

  def add(name, value) = instance_variable_set(name, value)
end

Pair = Struct.new(:left, :right)

class Holder
  @@count = "none"
  class << self
    attr_accessor :kept

    def count=(x)
      @@count = x
    end

    def count = @@count
  end
end

def young(i) = "young #{i}" * 3

def minor
  GC.start(full_mark: false)
  # Whatever was freed is used again.
  Array.new(2000) { |i| ["other #{i}"] }
end

local = nil
set_local = ->(x) { local = x }
get_local = -> { local }
plain = Plain.new
grown = Plain.new
many = Plain.new
array = Array.new(40)
short = [nil, nil]
hash = { a: 1 }
by_object = {}.compare_by_identity
defaults = Hash.new("default")
pair = Pair.new
text = +"text"
text.instance_variable_set(:@note, nil)
block = proc {}
fiber = Fiber.new { |x| loop { x = Fiber.yield(x) } }
fiber.resume(nil)
queue = Queue.new
thread = Thread.current
steps = Enumerator.new { |y| 100.times { |i| y << young(i) } }
range = Class.new(Range).allocate
object = Object.new

GC.start
before = GC.stat(:minor_gc_count)

10.times do |i|
  set_local.call(young(i))
  plain.a = young(i)
  grown.add(:"@x#{i}", young(i))
  30.times { |j| many.add(:"@m#{i}_#{j}", young(j)) }
  array[i] = young(i)
  array << young(i)
  short[i % 2] = young(i)
  hash[young(i)] = young(i)
  by_object[Object.new] = young(i)
  defaults.default = young(i)
  pair.left = young(i)
  text.instance_variable_set(:@note, young(i))
  block.instance_variable_set(:@note, young(i))
  queue << young(i)
  thread[:note] = young(i)
  Holder.kept = young(i)
  Holder.count = young(i)
  Holder.const_set(:"C#{i}", young(i))
  passed = fiber.resume(young(i))
  object.define_singleton_method(:note) { passed }
  Holder.define_method(:"m#{i}") { passed }
  text.replace(young(i) * 100)
  minor
  all = [local, plain.a, grown.instance_variable_get(:"@x#{i}"), array[i], array.last, short[i % 2], hash[young(i)], defaults.default,
         pair.left, text.instance_variable_get(:@note), block.instance_variable_get(:@note), queue.pop, thread[:note], Holder.kept,
         Holder.count, Holder.const_get(:"C#{i}"), passed, object.note, Holder.allocate.send(:"m#{i}"), steps.next,
         by_object.values.last, many.instance_variable_get(:"@m#{i}_7").gsub("7", i.to_s)]
  p all unless all.all? { |x| x == young(i) }
  p text.size unless text == young(i) * 100
end
range.send(:initialize, young(1), young(2))
minor
p [range.begin == young(1), get_local.call == young(9)] # => [true, true]

p GC.stat(:minor_gc_count) - before >= 11 # => true

# Old garbage is what a major collection frees.
require "weakref"
def leave
  1000.times.map { |i| WeakRef.new([i]) }
end
refs = leave
majors = GC.stat(:major_gc_count)
GC.start
p [GC.stat(:major_gc_count) > majors, refs.count(&:weakref_alive?) < 900] # => [true, true]
