# Calls from branches that were taken only after the code had been compiled: it is compiled again, also while a loop in it runs.
class Counter
  attr_reader :evens, :others

  def initialize
    @evens = @others = 0
  end

  def even(n) = @evens += n

  def other(n)
    raise ArgumentError, "n is #{n}" if n == 777_777
    @others += n
  end

  def count(n, limit)
    if n < limit
      even(1)
    else
      other(n.itself)
    end
  end
end

def drive(counter, from, to, limit)
  n = from
  while n < to
    counter.count(n, limit)
    n += 1
  end
end

counter = Counter.new
20.times { drive(counter, 0, 1000, 1000) }
p counter.evens # => 20000
20.times { drive(counter, 0, 1000, 500) }
p counter.evens, counter.others # => 30000
# => 7495000

# One loop goes on all the time.
counter = Counter.new
drive(counter, 0, 30_000, 10_000)
p counter.evens, counter.others # => 10000
# => 399990000

# What is raised there comes through; what is defined anew is called.
p((drive(counter, 777_770, 777_780, 0) rescue $!.message)) # => "n is 777777"
before = counter.others
class Counter
  def other(n) = @others -= 1
end
drive(counter, 0, 5000, 0)
p counter.others - before # => -5000

# A block that is in place of its call, another fiber, and super.
class Louder < Counter
  def even(n)
    return 0 if n < 0
    super
  end
end

def each_of(list, late)
  sum = 0
  list.each { |x| sum += late ? x.abs : x }
  sum
end
list = [*-500...500]
p 20.times.sum { each_of(list, false) } # => -10000
p 20.times.sum { each_of(list, true) } # => 5000000
louder = Louder.new
fiber = Fiber.new { 3000.times { |n| Fiber.yield if n == 1500; louder.even(n < 1000 ? -1 : 1) } }
fiber.resume
fiber.resume
p louder.evens # => 2000
