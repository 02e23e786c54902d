# args: --jit=always
# Calls whose arguments lie in an Array: it is not copied where the callee takes its elements at once. What else there may be in it, and
# who else changes it.

def two(a, b) = [a, b]
def two_of(list) = two(*list)
def none = :none
def none_of(list) = none(*list)
def passed(*args, &block) = yielding(*args, &block)
def yielding(a, b) = yield(a, b)
def named(a, k: 1) = [a, k]
def named_of(list) = named(*list)
ruby2_keywords def marked(*args) = named(*args)
ruby2_keywords def marked_two(*args) = two(*args)
def mark(*args, **opts) = [args, opts]

class Listed
  def to_a = [1, 2]
end

class Kept
  def initialize(*args) = @args = args
  def keep(a) = @args << a
  def through(list) = keep(*list)
end

class Above
  def m(a, b) = [:above, a, b]
end

class Below < Above
  def m(*args) = super(*args)
end

def raised
  yield
rescue ArgumentError => e
  e.message
end

def wrong(list) = raised { two(*list) }

rounds = 200.times.map do |n|
  list = [n, n + 1]
  [two_of(list) == list, two_of([1, {k: 2}]), two_of(Listed.new), none_of([]), none_of(nil), passed(1, 2) { |a, b| a + b },
   named_of([1]), marked(1, k: 3), marked_two(1, k: 4), two_of(1..2), wrong([1]), wrong([1, 2, 3]), Below.new.m(1, 2),
   Kept.new(0).through([1])]
end
p rounds.uniq.size, rounds.last
# => 1
# => [true, [1, {k: 2}], [1, 2], :none, :none, 3, [1, 1], [1, 3], [1, {k: 4}], [1, 2], "wrong number of arguments (given 1, expected 2)", "wrong number of arguments (given 3, expected 2)", [:above, 1, 2], [0, 1]]

# An Array that is put together is the call's own already.
def first_and(list) = two(0, *list)
def of_instance = two(*@list)
@list = [3, 4]
p 50.times.map { [first_and([1]), of_instance, (two(*@list) if @list)] }.uniq
# => [[[0, 1], [3, 4], [3, 4]]]

# The callee changes the Array, which its arguments do not see.
def change(a, b)
  LIST.clear
  [a, b].tap { LIST.push(1, 2) }
end
LIST = [1, 2]
def changed = change(*LIST)
p 50.times.map { changed }.uniq, LIST
# => [[1, 2]]
# => [1, 2]

# So does another thread.
shared = [1, 1]
done = false
writer = Thread.new do
  n = 1
  until done
    n += 1
    shared.replace(n.even? ? [n, n] : [n, n, n])
    shared << n if n % 3 == 0
    shared.clear if n % 7 == 0
  end
end
def tried(list)
  two(*list)
rescue ArgumentError
  nil
end
seen = 20_000.times.count do
  pair = tried(shared)
  raise "not an argument: #{pair}" unless pair.nil? || pair.all?(Integer)
  true
end
done = true
writer.join
p seen
# => 20000

# `...` passes on what there is.
def pair(a, b) = [a, b]
def named_pair(a, k: 0, &block) = [a, k, block&.call]
def any(*args, **opts) = [args, opts]
def on(...) = pair(...)
def on_named(...) = named_pair(...)
def on_any(...) = any(0, ...)
def on_twice(...) = on(...)
class Forwards < Above
  def m(...) = super
  def n(...) = m(...)
end
def forwarded(list)
  [on(1, 2), on(*list), on_twice(*list), on_named(1, k: 2) { 3 }, on_named(1), on_any(1, k: 2), on_any, on_any({}), Forwards.new.n(1, 2),
   raised { on(1) }, raised { on(1, 2, 3) }, on({k: 1}, 2), on(1, {k: 1})]
end
p 100.times.map { forwarded([4, 5]) }.uniq
# => [[[1, 2], [4, 5], [4, 5], [1, 2, 3], [1, 0, nil], [[0, 1], {k: 2}], [[0], {}], [[0, {}], {}], [:above, 1, 2], "wrong number of arguments (given 1, expected 2)", "wrong number of arguments (given 3, expected 2)", [{k: 1}, 2], [1, {k: 1}]]]
