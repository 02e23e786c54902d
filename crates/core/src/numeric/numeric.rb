# frozen_string_literal: true

# Numeric#step: integers and general numbers by addition, floats by multiplication so that errors
# do not add up.
class Numeric
  def step(limit = Primitive.undef, step = Primitive.undef, by: Primitive.undef, to: Primitive.undef, &block)
    positional = !Primitive.undef?(limit)
    unless Primitive.undef?(to)
      raise ArgumentError, "to is given twice" unless Primitive.undef?(limit)
      limit = to
    end
    unless Primitive.undef?(by)
      raise ArgumentError, "step is given twice" unless Primitive.undef?(step)
      step = by
    end
    limit = nil if Primitive.undef?(limit)
    defaulted = Primitive.undef?(step) || (nil.equal?(step) && !Primitive.undef?(by))
    unless block
      unit = defaulted || nil.equal?(step) ? 1 : step
      args = []
      opts = {}
      if Primitive.undef?(by) && Primitive.undef?(to)
        # The sequence shows the call the way it was written.
        args << limit unless nil.equal?(limit) && defaulted
        args << step unless defaulted
      else
        args << limit if positional
        opts[:by] = by unless Primitive.undef?(by)
        opts[:to] = to unless Primitive.undef?(to)
      end
      raise ArgumentError, "step can't be 0" if unit == 0
      if Primitive.kind_of(unit, Numeric) && (nil.equal?(limit) || Primitive.kind_of(limit, Numeric))
        return Enumerator::ArithmeticSequence.__send__(:make, self, limit, unit, false, self, :step, args, opts.empty? ? nil : opts)
      end
      return to_enum(:step, *args, **opts) { raise ArgumentError, "step must be numeric" }
    end
    raise TypeError, "step must be numeric" if nil.equal?(step) && !defaulted
    step = 1 if defaulted
    raise ArgumentError, "step can't be 0" if step == 0
    descending = step < 0
    if Primitive.kind_of(self, Float) || Primitive.kind_of(limit, Float) || Primitive.kind_of(step, Float)
      unit = Float(step)
      first = Float(self)
      last = nil.equal?(limit) ? (unit < 0 ? -Float::INFINITY : Float::INFINITY) : Float(limit)
      n = Asterism::Internal.float_step_size(first, last, unit, false)
      if unit.infinite?
        yield first if n > 0
      else
        i = 0
        while i < n
          yield Asterism::Internal.float_step_at(first, last, unit, i, false)
          i += 1
        end
      end
      return self
    end
    i = self
    if nil.equal?(limit)
      while true
        yield i
        i += step
      end
    elsif descending
      while i >= limit
        yield i
        i += step
      end
    else
      while i <= limit
        yield i
        i += step
      end
    end
    self
  end
end
