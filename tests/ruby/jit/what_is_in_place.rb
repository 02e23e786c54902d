# args: --jit=always
# Iterators and their literal blocks become part of the machine code of their caller: which ones do, by the figures of what was compiled.

unless RubyVM::JIT.enabled?
  puts "skipped: there is no compiler for this processor"
  exit
end

# How many iterators and blocks become part of what the method `name` is compiled to. Other code may be compiled at the same
# time, but not each time.
def in_place(name, *args)
  COPIES.map do |copy|
    before = RubyVM::JIT.stats.values_at(:iterators_in_place, :blocks_in_place)
    400.times { copy.send(name, *args) }
    RubyVM::JIT.stats.values_at(:iterators_in_place, :blocks_in_place).zip(before).map { |now, was| now - was }
  end.min_by(&:sum)
end

METHODS = <<'RUBY'
def counted(n) = n.times { |i| i + 1 }
def upwards(n) = 1.upto(n) { |i| i + 1 }
def downwards(n) = n.downto(1) { |i| i + 1 }
def steps(n) = 1.step(n, 2) { |i| i + 1 }
def each_one(list) = list.each { |x| x + 1 }
def mapped(list) = list.map { |x| x + 1 }
def chosen(list) = list.select { |x| x > 1 }
def indexed(list) = list.each_with_index { |x, i| x + i }
def folded(list) = list.inject(0) { |a, x| a + x }
def ranged(range) = range.each { |i| i + 1 }
def nested(n) = n.times { |i| n.times { |j| i + j } }
def given(n)
  yield n
  yield n + 1
end
def own(n) = given(n) { |x| x + 1 }
def missing(n, m = n) = yield(n + m)
def optional(n) = missing(n) { |x| x + 1 }
def unpacked(list) = list.each { |a, b| a + b }
def nothing = nil
RUBY
COPIES = Array.new(4) { Module.new { module_eval(METHODS, __FILE__, 100) }.then { |kind| Object.new.extend(kind) } }

# This code itself is compiled by then.
30.times { in_place(:nothing) }

LIST = [1, 2, 3].freeze

%i[counted upwards downwards steps].each { |name| puts "#{name}: #{in_place(name, 3)}" }
%i[each_one mapped chosen indexed folded].each { |name| puts "#{name}: #{in_place(name, LIST)}" }
puts "ranged: #{in_place(:ranged, 1..3)}", "nested: #{in_place(:nested, 3)}", "own: #{in_place(:own, 3)}"
puts "optional: #{in_place(:optional, 3)}", "unpacked: #{in_place(:unpacked, [[1, 2], [3, 4]])}"
# => counted: [1, 1]
# => upwards: [1, 1]
# => downwards: [1, 1]
# => steps: [0, 0]
# => each_one: [1, 1]
# => mapped: [1, 1]
# => chosen: [1, 1]
# => indexed: [0, 0]
# => folded: [1, 1]
# => ranged: [1, 1]
# => nested: [2, 2]
# => own: [1, 2]
# => optional: [1, 1]
# => unpacked: [1, 1]
