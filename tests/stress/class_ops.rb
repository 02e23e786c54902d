# Methods and constants defined, undefined and called by eight threads at once.
#
# Usage: class_ops.rb [SECONDS]
require_relative "_checks"
require_relative "_collector"

THREADS = 8
seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

def in_threads
  Array.new(THREADS) { |id| Thread.new { yield id } }.map(&:value)
end

class Base
  def stable = :stable
  def changing = 0
end

class Derived < Base
  def through_super = stable
end

module Constants
  FIXED = [:fixed].freeze
  CHANGING = 0
end

# One call site for everybody, so that its cache is replaced under its readers.
def call_changing(object) = object.changing
def call_stable(object) = object.stable
def read_changing = Constants::CHANGING
def read_fixed = Constants::FIXED

$VERBOSE = nil
while running.call
  # Definitions of own methods: none lost.
  klass = Class.new(Base)
  in_threads { |id| 50.times { |i| klass.define_method(:"m#{id}_#{i}") { id * 100 + i } } }
  object = klass.new
  check(klass.instance_methods(false).size == THREADS * 50, "methods: #{klass.instance_methods(false).size}")
  THREADS.times { |id| 50.times { |i| check(object.public_send(:"m#{id}_#{i}") == id * 100 + i, "m#{id}_#{i}") } }

  # Redefinition, removal and undefinition under callers.
  in_threads do |id; object|
    object = Derived.new
    200.times do |i|
      case id
      when 0
        Base.class_eval("def changing = #{i}", __FILE__, __LINE__)
      when 1
        Derived.define_method(:changing) { -i }
        Derived.send(:remove_method, :changing)
      when 2
        Derived.class_eval { undef_method :changing }
        Derived.class_eval { define_method(:changing) { 1000 + i } }
      when 3
        singleton = Derived.new
        singleton.define_singleton_method(:changing) { :own }
        check(call_changing(singleton) == :own, "a singleton method was not called")
      else
        begin
          value = call_changing(object)
          check(value.is_a?(Integer) && value.between?(-200, 1200), "an invented value: #{value.inspect}")
        rescue NoMethodError, NameError => e
          check(e.message.include?("changing"), e.message)
        end
        check(call_stable(object) == :stable && object.through_super == :stable, "a stable method changed")
      end
    rescue NameError => e
      # Threads 1 and 2 remove each other's definitions.
      raise if id > 2 || !e.message.include?("changing")
    end
  end

  # Modules included while the ancestors are searched.
  klass = Class.new(Base)
  modules = Array.new(THREADS) { |id| Module.new { define_method(:"from#{id}") { id } } }
  in_threads do |id|
    klass.include(modules[id])
    check(klass.new.public_send(:"from#{id}") == id, "an included method is missing")
    20.times { check(klass.new.stable == :stable, "an inherited method is missing") }
  end
  check((modules - klass.ancestors).empty?, "an included module was lost")

  # Constants: own ones are all there, a changing one holds one of the written values.
  space = Module.new
  in_threads do |id|
    50.times { |i| space.const_set("C#{id}_#{i}", id * 100 + i) }
    100.times do |i|
      if id == 0
        Constants.send(:remove_const, :CHANGING)
        Constants.const_set(:CHANGING, i)
      else
        begin
          check(read_changing.is_a?(Integer), "an invented constant")
        rescue NameError => e
          check(e.message.include?("CHANGING"), e.message)
        end
        check(read_fixed == [:fixed], "a fixed constant changed")
      end
    end
  end
  check(space.constants.size == THREADS * 50, "constants: #{space.constants.size}")
  check(space.constants.sum { |name| space.const_get(name) } == 50 * 2800 + 8 * 1225, "constants differ")

  # Class variables and globals.
  holder = Class.new
  in_threads { |id| 30.times { |i| holder.class_variable_set("@@v#{id}_#{i}", i) } }
  check(holder.class_variables.size == THREADS * 30, "class variables: #{holder.class_variables.size}")

  # Symbols made by many are the same symbols.
  names = in_threads { Array.new(100) { |i| "symbol_#{deadline.to_i}_#{i}".to_sym } }
  check(names.map { |list| list.map(&:object_id) }.uniq.size == 1, "one name, two symbols")
end

puts "ok"
