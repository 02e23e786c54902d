# frozen_string_literal: true

# Range iteration. Integers are counted; other ranges go by `succ`.
class Range
  def each
    return to_enum(:each) { size } unless block_given?
    to = self.end
    from = self.begin
    # What is done for Integers is short, so that it can be part of the machine code of its callers.
    if Primitive.kind_of(from, Integer) && Primitive.kind_of(to, Integer)
      to -= 1 if exclude_end?
      while from <= to
        yield from
        from += 1
      end
      return self
    end
    __each_other(from, to) { |v| yield v }
  end

  def __each_other(from, to)
    if Primitive.kind_of(from, Integer)
      if nil.equal?(to)
        while true
          yield from
          from += 1
        end
      elsif Primitive.kind_of(to, Numeric)
        while exclude_end? ? from < to : from <= to
          yield from
          from += 1
        end
        return self
      end
    end
    if !Primitive.kind_of(from, String) && !Primitive.kind_of(from, Numeric) && Primitive.responds(from, :to_str)
      from = Asterism::Internal.to_str(from)
    end
    if Primitive.kind_of(from, String) && !nil.equal?(to)
      from.upto(to, exclude_end?) { |s| yield s }
      return self
    end
    if Primitive.kind_of(from, Symbol) && Primitive.kind_of(to, Symbol)
      from.to_s.upto(to.to_s, exclude_end?) { |s| yield s.to_sym }
      return self
    end
    raise TypeError, "can't iterate from #{Primitive.class_of(from)}" unless Primitive.responds(from, :succ)
    if nil.equal?(to)
      while true
        yield from
        from = from.succ
      end
    end
    while true
      c = from <=> to
      break if nil.equal?(c) || c > 0 || (c == 0 && exclude_end?)
      yield from
      break if c == 0
      from = from.succ
    end
    self
  end
  private :__each_other

  def reverse_each
    return to_enum(:reverse_each) { __reverse_size } unless block_given?
    to = self.end
    raise TypeError, "can't iterate from #{Primitive.class_of(to)}" if nil.equal?(to)
    from = self.begin
    if Primitive.kind_of(to, Integer) && (nil.equal?(from) || Primitive.kind_of(from, Integer))
      to -= 1 if exclude_end?
      while nil.equal?(from) || to >= from
        yield to
        to -= 1
      end
      return self
    end
    all = to_a
    i = Primitive.array_size(all) - 1
    while i >= 0
      yield Primitive.array_at(all, i)
      i -= 1
    end
    self
  end

  def __reverse_size
    raise TypeError, "can't iterate from NilClass" if nil.equal?(self.end)
    nil.equal?(self.begin) && Primitive.kind_of(self.end, Integer) ? Float::INFINITY : size
  end
  private :__reverse_size

  def to_a
    raise RangeError, "cannot convert endless range to an array" if nil.equal?(self.end)
    out = []
    each { |v| Primitive.array_push(out, v) }
    out
  end
  alias entries to_a

  def to_set(*args, &block)
    raise RangeError, "cannot convert endless range to a set" if nil.equal?(self.end)
    super
  end

  def step(*args, &block)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..1)" if args.size > 1
    from = self.begin
    to = self.end
    step = args.empty? ? 1 : args[0]
    if block && Primitive.kind_of(step, Integer) && step > 0 && Primitive.kind_of(from, Integer) && Primitive.kind_of(to, Integer)
      to -= 1 if exclude_end?
      while from <= to
        yield from
        from += step
      end
      return self
    end
    numeric = Primitive.kind_of(from, Numeric) && (nil.equal?(to) || Primitive.kind_of(to, Numeric))
    textual = Primitive.kind_of(from, String) || Primitive.kind_of(from, Symbol)
    number = Primitive.kind_of(step, Numeric)
    if args.empty? && !numeric && !textual && !(nil.equal?(from) && Primitive.kind_of(to, Numeric))
      raise ArgumentError, "step is required for non-numeric ranges"
    end
    raise ArgumentError, "step can't be 0" if number && Primitive.kind_of(from, Numeric) && step == 0
    unless block
      if number && (numeric || (nil.equal?(from) && Primitive.kind_of(to, Numeric)))
        return Enumerator::ArithmeticSequence.__send__(:make, from, to, step, exclude_end?, self, :step, args, nil)
      end
      raise ArgumentError, "#step for non-numeric beginless ranges is meaningless" if nil.equal?(from)
      return to_enum(:step, *args)
    end
    raise ArgumentError, "#step iteration for beginless ranges is meaningless" if nil.equal?(from)
    if numeric && number
      Enumerator::ArithmeticSequence.__send__(:make, from, to, step, exclude_end?, self, :step, args, nil).each(&block)
    elsif textual && Primitive.kind_of(step, Integer)
      # Every so many; the first one only when that is not above zero.
      i = 0
      each do |v|
        block.call(v) if i == 0 || (step > 0 && i % step == 0)
        i += 1
        break if step <= 0
      end
    elsif nil.equal?(to)
      v = from
      while true
        block.call(v)
        v += step
      end
    else
      Asterism::Internal.step_to(from, to, step, exclude_end?, block)
    end
    self
  end

  def %(step, &block)
    from = self.begin
    to = self.end
    return step(step, &block) if block
    low = Primitive.kind_of(from, Numeric) || nil.equal?(from) && Primitive.kind_of(to, Numeric)
    if low && (nil.equal?(to) || Primitive.kind_of(to, Numeric)) && Primitive.kind_of(step, Numeric)
      raise ArgumentError, "step can't be 0" if step == 0
      return Enumerator::ArithmeticSequence.__send__(:make, from, to, step, exclude_end?, self, :%, [step], nil)
    end
    Primitive.kind_of(step, Numeric) ? step(step) : to_enum(:%, step)
  end

  # The rest are Enumerable's methods again, without its packing of several yielded values: a range
  # yields one.
  def map
    return to_enum(:map) { size } unless block_given?
    out = []
    each { |v| Primitive.array_push(out, yield(v)) }
    out
  end

  def select
    return to_enum(:select) { size } unless block_given?
    out = []
    each { |v| Primitive.array_push(out, v) if yield v }
    out
  end

  def filter_map
    return to_enum(:filter_map) { size } unless block_given?
    out = []
    each do |v|
      r = yield v
      Primitive.array_push(out, r) if r
    end
    out
  end

  def each_with_index(*args)
    return super unless block_given? && Primitive.array_size(args) == 0
    i = 0
    each do |v|
      yield v, i
      i += 1
    end
    self
  end

  def inject(init = Primitive.undef, op = Primitive.undef)
    return super unless block_given? && Primitive.undef?(op)
    acc = init
    each { |v| acc = Primitive.undef?(acc) ? v : yield(acc, v) }
    Primitive.undef?(acc) ? nil : acc
  end

  def reduce(init = Primitive.undef, op = Primitive.undef)
    return super unless block_given? && Primitive.undef?(op)
    acc = init
    each { |v| acc = Primitive.undef?(acc) ? v : yield(acc, v) }
    Primitive.undef?(acc) ? nil : acc
  end

  def all?(*args)
    return super unless block_given? && Primitive.array_size(args) == 0
    each { |v| return false unless yield v }
    true
  end

  def any?(*args)
    return super unless block_given? && Primitive.array_size(args) == 0
    each { |v| return true if yield v }
    false
  end

  def find(*args)
    return super unless block_given? && Primitive.array_size(args) == 0
    each { |v| return v if yield v }
    nil
  end
end

class Enumerator
  # What walking a Range from outside looks for: see begin_walk.
  RANGE_EACH = Range.instance_method(:each)
  private_constant :RANGE_EACH
end
