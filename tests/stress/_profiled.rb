# What the threads of `profiles.rb` do while they are profiled, or are not. All of it is compiled soon, and gives the same each time.
class Refused < StandardError; end

class Pair
  attr_accessor :left, :right

  def initialize(left, right = left + 1, *rest)
    @left, @right, @rest = left, right, rest
  end

  def sum = @left + @right + @rest.sum
end

module Work
  KINDS = 12

  module_function

  def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)

  def spin(n)
    a = i = 0
    while i < n
      a = (a * 31 + i) & 0xffff
      i += 1
    end
    a
  end

  def deep(n, &block) = n == 0 ? block.call : 1 + deep(n - 1, &block)

  def pairs(n) = n.times.sum { |i| Pair.new(i).sum + Pair.new(i, i, 1, 2).sum }

  def blocks(n)
    out = []
    n.times { |i| [i, i + 1].each { |x| out << x if x.odd? } }
    out.each_with_index.map { |x, i| x * i }.select(&:even?).sum
  end

  def raising(n)
    caught = 0
    n.times do |i|
      deep(i % 9) { raise Refused if i % 3 == 0; 0 }
    rescue Refused
      caught += 1
    ensure
      caught += 2
    end
    caught
  end

  def fibers(n)
    sum = 0
    list = Array.new(4) { |k| Fiber.new { |v| v = Fiber.yield(v + spin(k * 20)) while true } }
    # These have native frames, and so machine stacks of their own.
    list += Array.new(3) { |k| Fiber.new { |v| [3, 1, 2].sort { |a, b| v = Fiber.yield(v + fib(k + 5)); a <=> b } while true } }
    n.times { |i| sum += list[i % list.size].resume(i) }
    sum
  end

  def enumerators(n)
    one = Enumerator.new { |y| i = 0; y << (i += 1) + fib(4) while true }
    n.times.sum { one.next } + one.lazy.map { |x| x * 2 }.first(5).sum
  end

  # Code that is new each time.
  def evaluated(n)
    made = eval("Class.new { def go(n) = n < 2 ? 1 : go(n - 1) + Work.spin(3) }")
    made.define_method(:twice) { |i| go(i) * 2 }
    n.times.sum { |i| made.new.twice(i % 5) }
  end

  # What other code calls becomes another method each time; nobody else calls it.
  def redefined(n, key)
    Work.define_singleton_method(:"of_#{key}") { |i| i + 1 }
    a = n.times.sum { |i| Work.public_send(:"of_#{key}", i) }
    Work.singleton_class.class_eval("def of_#{key}(i) = i + 2", __FILE__, __LINE__)
    a + n.times.sum { |i| Work.public_send(:"of_#{key}", i) }
  end

  def caught(n) = n.times.sum { |i| catch(:out) { deep(i % 6) { throw :out, i } } }

  def strings(n) = n.times.map { |i| "#{i}-#{fib(i % 7)}".gsub(/\d/) { |d| d.succ } }.sort { |a, b| spin(4); a <=> b }.join.size

  def do(kind, key)
    case kind
    when 0 then fib(17)
    when 1 then spin(20_000)
    when 2 then pairs(500)
    when 3 then blocks(500)
    when 4 then raising(200)
    when 5 then fibers(150)
    when 6 then enumerators(100)
    when 7 then evaluated(30)
    when 8 then redefined(100, key)
    when 9 then caught(300)
    when 10 then strings(100)
    else deep(400) { 1 }
    end
  end
end
