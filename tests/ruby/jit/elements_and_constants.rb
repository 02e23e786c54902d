# args: --jit=always
# Elements of Arrays that compiled code stores itself, and those that it does not; constants that change.

def put(list, i, v)
  list[i] = v
rescue => e
  "#{e.class}: #{e.message}"
end

list = [1, 2, 3]
10.times { |i| put(list, i % 3, i) }
p list
put(list, 0, "text")
put(list, -1, :last)
put(list, 5, false)
p list
# => [9, 7, 8]
# => ["text", 7, :last, nil, nil, false]
puts put(list, -7, 1)
puts put([1].freeze, 0, 2)
# => IndexError: index -7 too small for array; minimum: -6
# => FrozenError: can't modify frozen Array: [1]

# References in an Array that had none, and in one that has survived collections.
old = [1] * 50
GC.start
GC.start
50.times { |i| put(old, i, "#{i}") }
GC.start(full_mark: false)
garbage = (1..2000).map { |i| "x#{i}" }
GC.start(full_mark: false)
p old.each_with_index.all? { |v, i| v == i.to_s }, garbage.size
# => true
# => 2000

shared = Array.new(4, 0)
threads = 4.times.map { |t| Thread.new { 1000.times { |i| put(shared, t, [t, i]) } } }
threads.each(&:join)
p shared
# => [[0, 999], [1, 999], [2, 999], [3, 999]]

class Sub < Array
  def []=(i, v)
    super(i, v && [v])
  end
end
sub = Sub.new([0, 0])
p put(sub, 1, 2), sub
# => 2
# => [0, [2]]

LIMIT = 1
def limit = LIMIT
first = Array.new(10) { limit }
Object.send(:remove_const, :LIMIT)
LIMIT = 2
p first.uniq, limit
module Outer
  LIMIT = 3
  def self.limit = LIMIT
  module_function def both = [LIMIT, Object::LIMIT]
end
p Array.new(5) { Outer.limit }.uniq, Array.new(5) { Outer.both }.uniq
# => [1]
# => 2
# => [3]
# => [[3, 2]]
