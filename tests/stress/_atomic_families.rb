# What the trials of atomic_methods.rb are made of.
module Atomic
  # What one thread has put in and taken out.
  class Notes
    attr_reader :added, :taken, :counted

    def initialize(family, number)
      @family = family
      @number = number
      @last = 0
      @added = []
      @taken = []
      @counted = 0
    end

    # A new element, noted as put in.
    def fresh
      element = unnoted
      @added << element
      element
    end

    # A new element that is not to be there in the end.
    def unnoted
      @last += 1
      @family.element(@number * 1000 + @last)
    end

    # Notes what was taken out; nil is nothing.
    def took(*elements)
      elements.each { |element| @taken << element unless element.nil? }
    end

    def count(n = 1) = @counted += n
  end

  # A class with the methods to try. `make` makes an object of so many elements, `contents` lists those there are.
  class Family
    attr_reader :name, :mutating, :reading, :resetting

    def initialize(name, methods:, element:, make:, contents:, helpers:, mutating:, reading:, resetting: {}, writers: helpers,
                   settle: {}, valid: nil, expect: {}, excused: [])
      @name, @methods, @element, @make, @contents, @helpers = name, methods, element, make, contents, helpers
      @mutating, @reading, @resetting, @writers, @settle = mutating, reading, resetting, writers, settle
      @valid, @expect, @excused = valid, expect, excused
    end

    attr_reader :helpers, :writers

    def element(number) = @element.call(number)
    def make(elements) = @make.call(elements)
    def contents(object) = @contents.call(object)
    def settle(method, object) = @settle[method]&.call(object)
    def valid?(value) = @valid.nil? || @valid.call(value)
    def expectation(method) = @expect[method]

    def check_complete
      there = @methods.call.uniq
      listed = @mutating.keys + @reading.keys + @resetting.keys + @excused
      check((there - listed).empty?, "#{@name}: in no table: #{(there - listed).sort.inspect}")
      check((listed - there).empty?, "#{@name}: not there: #{(listed - there).sort.inspect}")
      twice = listed.tally.select { |_, n| n > 1 }.keys
      check(twice.empty?, "#{@name}: listed twice: #{twice.inspect}")
    end

    def trials
      @mutating.flat_map { |method, body| [Beside.new(self, method, body), Itself.new(self, method, body)] } +
        @resetting.map { |method, body| Reset.new(self, method, body) } +
        @reading.map { |method, body| Read.new(self, method, body) }
    end
  end

  # One method, tried for a moment.
  class Trial
    # So many elements are there from the beginning.
    BASE = 12
    TIMES = 40

    def initialize(family, method, body)
      @family, @method, @body = family, method, body
    end

    def label = "#{@family.name}##{@method} (#{self.class.name[/\w+\z/]})"

    # Runs the bodies at once, each so many times in a thread of its own; their notes.
    def at_once(object, bodies)
      gate = Queue.new
      threads = bodies.map.with_index(1) do |body, number|
        notes = Notes.new(@family, number)
        Thread.new do
          Thread.current.report_on_exception = false
          gate.pop
          TIMES.times { body.call(object, notes) }
          notes
        end
      end
      threads.size.times { gate << true }
      threads.map do |thread|
        thread.join(60) or raise "#{label}: still running"
        thread.value
      rescue => e
        raise e.class, "#{label}: #{e.message}", e.backtrace, cause: nil
      end
    end

    def base = @base ||= Array.new(BASE) { |i| @family.element(i) }

    def check_conserved(object, notes)
      @family.settle(@method, object)
      if (expected = @family.expectation(@method))
        return check(expected.call(object, notes, base), "#{label}: #{@family.contents(object).inspect[0, 500]}")
      end
      wanted = (base + notes.flat_map(&:added)).tally
      notes.flat_map(&:taken).each { |element| wanted[element] = wanted.fetch(element, 0) - 1 }
      found = @family.contents(object).tally
      wanted.delete_if { |_, n| n == 0 }
      return if found == wanted
      lost = wanted.reject { |element, n| found[element] == n }.keys
      more = found.reject { |element, n| wanted[element] == n }.keys
      raise "#{label}: missing or too few #{(lost - more).inspect[0, 300]}, too many #{more.inspect[0, 300]}"
    end
  end

  # Against threads that add, insert and delete.
  class Beside < Trial
    def run(_random)
      object = @family.make(base)
      check_conserved(object, at_once(object, [@body] + @family.helpers))
    end
  end

  # Against itself.
  class Itself < Trial
    def run(_random)
      object = @family.make(base)
      check_conserved(object, at_once(object, [@body] * 8))
    end
  end

  # A method after which nothing of what was there need be there: nothing is invented or doubled, nothing raised.
  class Reset < Trial
    def run(_random)
      object = @family.make(base)
      notes = at_once(object, [@body, @body] + @family.helpers)
      found = @family.contents(object).tally
      known = (base + notes.flat_map(&:added)).tally
      odd = found.reject { |element, n| n <= known.fetch(element, 0) }
      check(odd.empty?, "#{label}: invented or doubled #{odd.inspect[0, 300]}")
    end
  end

  # A method that reads, beside writers.
  class Read < Trial
    def run(_random)
      object = @family.make(base)
      family = @family
      body = @body
      reader = lambda do |o, notes|
        value = body.call(o, base)
        family.valid?(value) or raise "#{value.inspect[0, 300]} is torn"
      end
      at_once(object, [reader, reader] + @family.writers)
    end
  end
end

module Atomic
  FAMILIES = []
end
Dir[File.join(__dir__, "_atomic_of_*.rb")].sort.each { |file| require file }
