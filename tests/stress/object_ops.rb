# Instance variables added and removed, object ids taken and objects frozen by eight threads at once.
#
# Usage: object_ops.rb [SECONDS]
require_relative "_checks"
require_relative "_collector"

THREADS = 8
seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

def in_threads
  Array.new(THREADS) { |id| Thread.new { yield id } }.map(&:value)
end

class Thing
  attr_accessor :a, :b, :c, :d, :e, :f, :g, :h
end

NAMES = %i[@a @b @c @d @e @f @g @h].freeze

while running.call
  # Every thread sets an ivar of its own on each object.
  things = Array.new(200) { Thing.new }
  in_threads { |id| things.each_with_index { |thing, i| thing.instance_variable_set(NAMES[id], id * 1000 + i) } }
  things.each_with_index do |thing, i|
    check(thing.instance_variables.sort == NAMES, "ivars of #{i}: #{thing.instance_variables}")
    NAMES.each_with_index { |name, id| check(thing.instance_variable_get(name) == id * 1000 + i, "#{name} of #{i}") }
  end

  # Added and removed under readers that see nil or the value, never anything else.
  thing = Thing.new
  in_threads do |id|
    name = NAMES[id]
    500.times do |i|
      thing.instance_variable_set(name, [id])
      check(thing.instance_variable_get(name) == [id], "#{name} was lost")
      NAMES.each_with_index do |other, owner|
        value = thing.instance_variable_get(other)
        check(value.nil? || value == [owner], "an invented value in #{other}: #{value.inspect}")
      end
      check(thing.remove_instance_variable(name) == [id], "#{name} was lost before its removal") if i % 3 == 0
    end
  end
  check(thing.instance_variables.sort == NAMES, "ivars: #{thing.instance_variables}")

  # Many ivars, beyond what fits in the object.
  wide = Object.new
  in_threads { |id| 40.times { |i| wide.instance_variable_set("@v#{id}_#{i}", id * 100 + i) } }
  check(wide.instance_variables.size == THREADS * 40, "ivars: #{wide.instance_variables.size}")
  check(wide.instance_variables.sum { |name| wide.instance_variable_get(name) } == 8 * 780 + 40 * 2800, "values differ")

  # Ivars of strings, arrays and classes.
  list = [1]
  in_threads { |id| 50.times { list.instance_variable_set(NAMES[id], id) } }
  check(list.instance_variables.sort == NAMES && list == [1], "ivars of an array: #{list.instance_variables}")
  klass = Class.new
  in_threads { |id| 50.times { klass.instance_variable_set(NAMES[id], id) } }
  check(klass.instance_variables.sort == NAMES, "ivars of a class: #{klass.instance_variables}")

  # One object has one id, whoever asks first; two objects have two.
  objects = Array.new(300) { Object.new }
  ids = in_threads { objects.map(&:object_id) }
  check(ids.uniq.size == 1, "threads saw different ids")
  check(ids.first.uniq.size == objects.size, "two objects share an id")

  # After freeze returns, no write gets through.
  things = Array.new(50) { Thing.new }
  in_threads do |id|
    things.each do |frozen|
      if id == 0
        frozen.freeze
        before = frozen.a
        check(frozen.frozen? && frozen.a == before, "a frozen object changed")
      else
        begin
          frozen.a = id
        rescue FrozenError
          check(frozen.frozen?, "FrozenError for an object that is not frozen")
        end
      end
    end
  end
  values = things.map(&:a)
  check(things.map(&:a) == values && things.all?(&:frozen?), "a frozen object changed")

  # A memo filled by many: the value is one of those written.
  memo = Thing.new
  answers = in_threads { |id| memo.b ||= "made by #{id}" }
  check(answers.include?(memo.b), "an invented memo")
end

puts "ok"
