# args: --jit=always
# `return` in a lambda that is a block: it returns from itself, and from what is around it otherwise.

def walks
  seen = []
  walk = lambda do |n|
    return :end if n > 4
    seen << n
    [1, 2].each do |k|
      next if k == 2 && n > 1
      r = walk.(n + k)
      seen << r if r == :end
    end
    n
  end
  [walk.(0), seen]
end
puts 10.times.map { walks }.uniq.inspect # => [[0, [0, 1, 2, 3, 4, :end, 3, 4, :end, 2, 3, 4, :end]]]

class Numbers
  define_method(:even) { |n| return :no if n.odd?; n }
  define_method(:first) { |list| list.each { |x| return x if x > 1 }; nil }
  define_method(:kept) { |n| f = -> { n += 1 }; return f if n > 1; nil }
end
n = Numbers.new
puts 10.times.map { [n.even(1), n.even(2), n.first([1, 2, 3]), n.first([1]), n.kept(1), n.kept(2).call] }.uniq.inspect
# => [[:no, 2, 2, nil, nil, 3]]

# Values that are jumped by, and that nothing takes.
class Numbers
  define_method(:==) { |other| return other == 1 if other; false }
  define_method(:<) { |other| return nil if other > 1; true }
  define_method(:to_s) { return "numbers" if true; nil }
end
def jumps(n) = [(n == 1 ? :a : :b), (n != 1 ? :a : :b), (n < 1 ? :a : :b), (n < 2 ? :a : :b), "#{n}"]
puts 10.times.map { jumps(n) }.uniq.inspect # => [[:a, :b, :a, :b, "numbers"]]

# What ensures runs, what is around a block that is no lambda returns, and a lambda that native code calls.
log = []
ensured = lambda { |x| begin; return x; ensure; log << x; end }
def around = [3, 4].each { |x| [5].each { |y| return x + y } }
quick = lambda { |x, y = 0| return -x if y == 0; x }
puts 5.times.map { [ensured.(1), around, [3, 1, 2].sort_by(&quick), [1, 2].map(&quick)] }.uniq.inspect
# => [[1, 8, [3, 2, 1], [-1, -2]]]
puts log.inspect # => [1, 1, 1, 1, 1]
def orphan = proc { return 1 }
5.times do
  orphan.call
rescue LocalJumpError => e
  puts e.message
end
# => unexpected return
# => unexpected return
# => unexpected return
# => unexpected return
# => unexpected return
fiber = Fiber.new(&lambda { |x| y = Fiber.yield(x); return y if y; nil })
puts fiber.resume(1), fiber.resume(2)
# => 1
# => 2
puts Thread.new(&lambda { return 7 if true; 8 }).value # => 7
