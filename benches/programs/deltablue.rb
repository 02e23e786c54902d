# DeltaBlue: an incremental solver for one-way constraints with strengths,
# run on a long chain of equalities and on many scale-and-offset pairs.
class Strength
  include Comparable

  attr_reader :name, :level

  def initialize(name, level)
    @name = name
    @level = level
  end

  # The stronger strength is the greater one.
  def <=>(other)
    other.level <=> @level
  end

  def weaker
    ALL[@level + 1]
  end

  ALL = %i[required preferred strong medium weak weakest].each_with_index.map { |name, level| new(name, level) }.freeze
  REQUIRED, PREFERRED, STRONG, MEDIUM, WEAK, WEAKEST = ALL
end

class Variable
  attr_accessor :value, :determined_by, :mark, :walk_strength, :stay
  attr_reader :name, :constraints

  def initialize(name, value = 0)
    @name = name
    @value = value
    @constraints = []
    @determined_by = nil
    @mark = 0
    @walk_strength = Strength::WEAKEST
    @stay = true
  end

  # The constraints that read this variable.
  def consumers
    @constraints.select { |constraint| constraint != @determined_by && constraint.satisfied? }
  end
end

class Constraint
  attr_reader :strength

  def initialize(planner, strength)
    @planner = planner
    @strength = strength
  end

  def enforce
    variables.each { |variable| variable.constraints << self }
    unsatisfy
    @planner.add(self)
    self
  end

  def destroy
    if satisfied?
      @planner.remove(self)
    else
      detach
    end
  end

  def detach
    variables.each { |variable| variable.constraints.delete(self) }
    unsatisfy
  end

  def input?
    false
  end

  def inputs_known?(mark)
    inputs.all? { |variable| variable.mark == mark || variable.stay || variable.determined_by.nil? }
  end

  # Takes over its output if it is strong enough; returns the constraint it displaced.
  def satisfy(mark)
    choose_method(mark)
    unless satisfied?
      raise "could not satisfy a required constraint" if @strength == Strength::REQUIRED

      return nil
    end
    inputs.each { |variable| variable.mark = mark }
    displaced = output.determined_by
    displaced&.unsatisfy
    output.determined_by = self
    raise "cycle of constraints" unless @planner.propagate(self, mark)

    output.mark = mark
    displaced
  end

  def recalculate
    output.walk_strength = [@strength, *inputs.map(&:walk_strength)].min
    output.stay = !input? && inputs.all?(&:stay)
    execute if output.stay
  end
end

class UnaryConstraint < Constraint
  attr_reader :output

  def initialize(planner, output, strength)
    super(planner, strength)
    @output = output
    @satisfied = false
    enforce
  end

  def variables = [@output]
  def inputs = []
  def satisfied? = @satisfied

  def unsatisfy
    @satisfied = false
  end

  def choose_method(mark)
    @satisfied = @output.mark != mark && @strength > @output.walk_strength
  end

  def execute; end
end

class Stay < UnaryConstraint
end

class Edit < UnaryConstraint
  def input? = true
end

class BinaryConstraint < Constraint
  def initialize(planner, first, second, strength)
    super(planner, strength)
    @first = first
    @second = second
    @direction = nil
    enforce
  end

  def variables = [@first, @second]
  def satisfied? = !@direction.nil?
  def output = @direction == :forward ? @second : @first
  def input = @direction == :forward ? @first : @second
  def inputs = [input]

  def unsatisfy
    @direction = nil
  end

  def choose_method(mark)
    @direction =
      if @first.mark == mark
        :forward if @second.mark != mark && @strength > @second.walk_strength
      elsif @second.mark == mark
        :backward if @strength > @first.walk_strength
      elsif @first.walk_strength < @second.walk_strength
        :backward if @strength > @first.walk_strength
      elsif @strength > @second.walk_strength
        :forward
      end
  end
end

class Equality < BinaryConstraint
  def execute
    output.value = input.value
  end
end

class Scaling < BinaryConstraint
  def initialize(planner, source, scale, offset, result, strength)
    @scale = scale
    @offset = offset
    super(planner, source, result, strength)
  end

  def variables = [@first, @scale, @offset, @second]
  def inputs = [input, @scale, @offset]

  def execute
    case @direction
    when :forward then @second.value = @first.value * @scale.value + @offset.value
    when :backward then @first.value = (@second.value - @offset.value) / @scale.value
    end
  end
end

class Planner
  def initialize
    @mark = 0
  end

  def add(constraint)
    mark = next_mark
    displaced = constraint.satisfy(mark)
    displaced = displaced.satisfy(mark) while displaced
  end

  def remove(constraint)
    out = constraint.output
    constraint.detach
    candidates = loosen(out)
    strength = Strength::REQUIRED
    while strength
      candidates.each { |candidate| add(candidate) if candidate.strength == strength }
      strength = strength.weaker
    end
  end

  # The constraints to execute, in order, when the given inputs change.
  def plan(sources)
    mark = next_mark
    order = []
    pending = sources.select { |constraint| constraint.input? && constraint.satisfied? }
    while (constraint = pending.pop)
      next if constraint.output.mark == mark || !constraint.inputs_known?(mark)

      order << constraint
      constraint.output.mark = mark
      pending.concat(constraint.output.consumers)
    end
    order
  end

  def propagate(constraint, mark)
    pending = [constraint]
    while (current = pending.pop)
      if current.output.mark == mark
        constraint.detach
        return false
      end
      current.recalculate
      pending.concat(current.output.consumers)
    end
    true
  end

  private

  def next_mark
    @mark += 1
  end

  # Gives up everything downstream of `out`; returns what may now be satisfied.
  def loosen(out)
    out.determined_by = nil
    out.walk_strength = Strength::WEAKEST
    out.stay = true
    unsatisfied = []
    pending = [out]
    while (variable = pending.pop)
      unsatisfied.concat(variable.constraints.reject(&:satisfied?))
      variable.consumers.each do |consumer|
        consumer.recalculate
        pending << consumer.output
      end
    end
    unsatisfied
  end
end

# Sets a variable through an edit constraint, `count` times.
def change(planner, variable, values)
  edit = Edit.new(planner, variable, Strength::PREFERRED)
  plan = planner.plan([edit])
  values.each do |value|
    variable.value = value
    plan.each(&:execute)
    yield value if block_given?
  end
  edit.destroy
  plan.size
end

def chain_test(length)
  planner = Planner.new
  variables = Array.new(length + 1) { |i| Variable.new("v#{i}") }
  variables.each_cons(2) { |a, b| Equality.new(planner, a, b, Strength::REQUIRED) }
  Stay.new(planner, variables.last, Strength::STRONG)
  wrong = 0
  size = change(planner, variables.first, 0...50) { |value| wrong += 1 if variables.last.value != value }
  "chain of #{length}: plan of #{size}, #{wrong} wrong"
end

def projection_test(count)
  planner = Planner.new
  scale = Variable.new("scale", 10)
  offset = Variable.new("offset", 1000)
  pairs = Array.new(count) do |i|
    source = Variable.new("source#{i}", i)
    result = Variable.new("result#{i}", i)
    Stay.new(planner, source, Strength::MEDIUM)
    Scaling.new(planner, source, scale, offset, result, Strength::REQUIRED)
    [source, result]
  end

  wrong = 0
  source, result = pairs.last
  change(planner, source, [17])
  wrong += 1 if result.value != 17 * 10 + 1000
  change(planner, result, [1050])
  wrong += 1 if source.value != 5
  change(planner, scale, [5])
  wrong += pairs[0...-1].count { |from, to| to.value != from.value * 5 + 1000 }
  change(planner, offset, [2000])
  wrong += pairs[0...-1].count { |from, to| to.value != from.value * 5 + 2000 }
  "projection of #{count}: sum #{pairs.sum { |_, to| to.value }}, #{wrong} wrong"
end

n = (ARGV[0] || 3000).to_i
rounds = (ARGV[1] || 10).to_i
chain = Array.new(rounds) { chain_test(n) }
projection = Array.new(rounds) { projection_test(n) }
puts chain.uniq, projection.uniq
