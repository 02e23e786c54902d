# frozen_string_literal: true

# Range: comparison, membership, extremes and display. Iteration is in range_each.rb.
class Range
  include Enumerable

  def ==(other)
    return true if Primitive.obj_same(self, other)
    return false unless Primitive.kind_of(other, Range) && exclude_end? == other.exclude_end?
    return __same_ends?(other) unless __nested?
    token = Primitive.pair_enter(0, self, other)
    # Those that are being compared already are the same as far as anybody can tell.
    return true if nil.equal?(token)
    begin
      __same_ends?(other)
    ensure
      Primitive.inspect_leave(token)
    end
  end

  def eql?(other)
    return true if Primitive.obj_same(self, other)
    return false unless Primitive.kind_of(other, Range) && exclude_end? == other.exclude_end?
    return self.begin.eql?(other.begin) && self.end.eql?(other.end) unless __nested?
    token = Primitive.pair_enter(1, self, other)
    return true if nil.equal?(token)
    begin
      self.begin.eql?(other.begin) && self.end.eql?(other.end)
    ensure
      Primitive.inspect_leave(token)
    end
  end

  def hash = [Range, exclude_end?, self.begin, self.end].hash

  # Only a range of ranges can hold itself.
  def __nested? = Primitive.kind_of(self.begin, Range) || Primitive.kind_of(self.end, Range)

  # An end that is not `==` to itself, as NaN, still makes equal ranges.
  def __same_ends?(other)
    a = self.begin
    b = other.begin
    return false unless Primitive.obj_same(a, b) || a == b
    a = self.end
    b = other.end
    Primitive.obj_same(a, b) || a == b
  end
  private :__nested?, :__same_ends?

  def to_s
    "#{self.begin}#{exclude_end? ? "..." : ".."}#{self.end}"
  end

  def inspect
    return __inspect unless __nested?
    token = Primitive.inspect_enter(self)
    return exclude_end? ? "(... ... ...)" : "(... .. ...)" if nil.equal?(token)
    begin
      __inspect
    ensure
      Primitive.inspect_leave(token)
    end
  end

  def __inspect
    from = self.begin
    to = self.end
    left = nil.equal?(from) && !nil.equal?(to) ? "" : from.inspect
    right = nil.equal?(from) || !nil.equal?(to) ? to.inspect : ""
    text = "#{left}#{exclude_end? ? "..." : ".."}#{right}"
    # Without a beginning there is nothing that it takes its encoding from.
    left.empty? && text.ascii_only? ? text.force_encoding(Encoding::BINARY) : text
  end
  private :__inspect

  def cover?(value)
    return Asterism::Internal.within?(self, value) unless Primitive.kind_of(value, Range)
    from = self.begin
    to = self.end
    low = value.begin
    high = value.end
    return false if !nil.equal?(to) && nil.equal?(high)
    return false if !nil.equal?(from) && nil.equal?(low)
    unless nil.equal?(low) || nil.equal?(high)
      c = low <=> high
      return false if nil.equal?(c) || c > 0 || (c == 0 && value.exclude_end?)
    end
    return false unless nil.equal?(low) || Asterism::Internal.within?(self, low)
    c = to <=> high
    if nil.equal?(c)
      return false unless nil.equal?(to)
      # An open end lies beyond every end there is.
      c = 1
    end
    return c >= 0 if exclude_end? == value.exclude_end?
    return c > 0 if exclude_end?
    return true if c >= 0
    # An exclusive range may reach its neighbour's end without passing it.
    top = begin
      value.max
    rescue TypeError
      nil
    end
    return false if nil.equal?(top)
    c = to <=> top
    !nil.equal?(c) && c >= 0
  end

  # As `cover?`, but a Range is an element like any other, and so never in it.
  def ===(value)
    Asterism::Internal.within?(self, value)
  end

  def include?(value)
    from = self.begin
    to = self.end
    # A Range is covered, never included: it is no element.
    return !Primitive.kind_of(value, Range) && cover?(value) if Primitive.kind_of(from, Numeric) || Primitive.kind_of(to, Numeric)
    # Times lie on a line too, where a VM has them.
    return cover?(value) if defined?(Time) && (Primitive.kind_of(from, Time) || Primitive.kind_of(to, Time))
    return cover?(value) if Primitive.responds(from, :to_int) || Primitive.responds(to, :to_int)
    if nil.equal?(from) || nil.equal?(to)
      if nil.equal?(from) && nil.equal?(to)
        return true if Primitive.kind_of(value, Numeric) || (defined?(Time) && Primitive.kind_of(value, Time))
      end
      raise TypeError, "cannot determine inclusion in beginless/endless ranges"
    end
    if Primitive.kind_of(from, String) && Primitive.kind_of(to, String)
      value = Asterism::Internal.to_str_or_nil(value)
      return false if nil.equal?(value)
      from.upto(to, exclude_end?) { |s| return true if s == value }
      return false
    end
    super
  end
  alias member? include?

  def overlap?(other)
    raise TypeError, "wrong argument type #{Primitive.class_of(other)} (expected Range)" unless Primitive.kind_of(other, Range)
    self_begin = self.begin
    self_end = self.end
    other_begin = other.begin
    other_end = other.end
    # Neither side may begin after the other ends.
    return false unless Asterism::Internal.ordered?(self_begin, other_end, other.exclude_end?)
    return false unless Asterism::Internal.ordered?(other_begin, self_end, exclude_end?)
    if !nil.equal?(self_begin) && !nil.equal?(other_begin)
      c = self_begin <=> other_begin
      return false if nil.equal?(c)
      return true if c == 0
    elsif nil.equal?(self_begin) && !nil.equal?(self_end) && nil.equal?(other_begin) && !nil.equal?(other_end)
      return !nil.equal?(self_end <=> other_end)
    end
    # Nor may one be empty.
    Asterism::Internal.ordered?(self_begin, self_end, exclude_end?) &&
      Asterism::Internal.ordered?(other_begin, other_end, other.exclude_end?)
  end

  def min(needed_count = Primitive.undef, &block)
    from = self.begin
    raise RangeError, "cannot get the minimum of beginless range" if nil.equal?(from)
    to = self.end
    if block
      if nil.equal?(to)
        raise RangeError, "cannot get the minimum of endless range with custom comparison method"
      end
      return Primitive.undef?(needed_count) ? super(&block) : super(needed_count, &block)
    end
    return first(needed_count) unless Primitive.undef?(needed_count)
    return from if nil.equal?(to)
    c = from <=> to
    return nil if nil.equal?(c) || c > 0 || (c == 0 && exclude_end?)
    from
  end

  def max(needed_count = Primitive.undef, &block)
    to = self.end
    raise RangeError, "cannot get the maximum of endless range" if nil.equal?(to)
    from = self.begin
    if !block && !Primitive.undef?(needed_count) && Primitive.kind_of(to, Integer) &&
       (nil.equal?(from) || Primitive.kind_of(from, Integer))
      needed_count = Primitive.to_int(needed_count)
      raise ArgumentError, "negative size (#{needed_count})" if needed_count < 0
      top = exclude_end? ? to - 1 : to
      low = top - needed_count + 1
      low = from if !nil.equal?(from) && low < from
      return (low..top).to_a.reverse!
    end
    if nil.equal?(from) && !block && !Primitive.undef?(needed_count)
      raise TypeError, "can't iterate from NilClass"
    end
    if block || !Primitive.undef?(needed_count) || (exclude_end? && !Primitive.kind_of(to, Numeric))
      if nil.equal?(from)
        raise RangeError, "cannot get the maximum of beginless range with custom comparison method"
      end
      return Primitive.undef?(needed_count) ? super(&block) : super(needed_count, &block)
    end
    c = nil.equal?(from) ? -1 : from <=> to
    return nil if nil.equal?(c) || c > 0
    return to unless exclude_end?
    raise TypeError, "cannot exclude non Integer end value" unless Primitive.kind_of(to, Integer)
    return nil if c == 0
    unless nil.equal?(from) || Primitive.kind_of(from, Integer)
      raise TypeError, "cannot exclude end value with non Integer begin value"
    end
    to - 1
  end

  def minmax(&block)
    return [min, max] unless block
    min(&block) if nil.equal?(self.begin) || nil.equal?(self.end)
    super(&block)
  end

  def size
    from = self.begin
    to = self.end
    if Primitive.kind_of(from, Integer)
      return Float::INFINITY if nil.equal?(to)
      if Primitive.kind_of(to, Numeric)
        return to > 0 ? Float::INFINITY : 0 if Primitive.kind_of(to, Float) && to.infinite?
        last = to.floor
        last -= 1 if exclude_end? && last == to
        return last < from ? 0 : last - from + 1
      end
    end
    unless Primitive.responds(from, :succ)
      raise TypeError, "can't iterate from #{Primitive.class_of(from)}"
    end
    nil
  end

  def count(value = Primitive.undef, &block)
    unless Primitive.undef?(value)
      return super(value, &block)
    end
    return super(&block) if block
    return Float::INFINITY if nil.equal?(self.begin) || nil.equal?(self.end)
    if Primitive.kind_of(self.begin, Integer) && Primitive.kind_of(self.end, Integer)
      return size
    end
    super()
  end

  def sum(init = 0, &block)
    from = self.begin
    to = self.end
    if !block && Primitive.kind_of(from, Integer) && Primitive.kind_of(to, Integer)
      to -= 1 if exclude_end?
      return init if to < from
      return init + (to - from + 1) * (to + from) / 2
    end
    super
  end

  def first(needed_count = Primitive.undef)
    from = self.begin
    raise RangeError, "cannot get the first element of beginless range" if nil.equal?(from)
    return from if Primitive.undef?(needed_count)
    needed_count = Primitive.to_int(needed_count)
    raise ArgumentError, "negative array size (or size too big)" if needed_count < 0
    # Even to take nothing it has to be one that can be gone through.
    each { break } if needed_count == 0
    take(needed_count)
  end

  def last(needed_count = Primitive.undef)
    to = self.end
    raise RangeError, "cannot get the last element of endless range" if nil.equal?(to)
    return to if Primitive.undef?(needed_count)
    from = self.begin
    unless (nil.equal?(from) || Primitive.kind_of(from, Integer)) && Primitive.kind_of(to, Integer)
      all = to_a
      needed_count = Primitive.to_int(needed_count)
      raise ArgumentError, "negative array size" if needed_count < 0
      return all.last(needed_count)
    end
    to -= 1 if exclude_end?
    return [] if from && to < from
    needed_count = Primitive.to_int(needed_count)
    raise ArgumentError, "negative array size" if needed_count < 0
    low = to - needed_count + 1
    low = from if from && low < from
    (low..to).to_a
  end

  def bsearch(&block)
    from = self.begin
    to = self.end
    unless block
      fits = [from, to].all? { |v| nil.equal?(v) || Primitive.kind_of(v, Integer) || Primitive.kind_of(v, Float) }
      raise TypeError, "can't do binary search for #{Primitive.class_of(nil.equal?(from) ? to : from)}" unless fits
      return to_enum(:bsearch)
    end
    if Primitive.kind_of(from, Float) || Primitive.kind_of(to, Float)
      low = nil.equal?(from) ? -Float::INFINITY : Float(from)
      high = nil.equal?(to) ? Float::INFINITY : Float(to)
      # Floats in order are consecutive integers once their bits are read as sign and magnitude.
      found = Asterism::Internal.bsearch_int(Asterism::Internal.float_rank(low), Asterism::Internal.float_rank(high),
                                             exclude_end?) do |rank|
        block.call(Asterism::Internal.float_of_rank(rank))
      end
      return nil.equal?(found) ? nil : Asterism::Internal.float_of_rank(found)
    end
    if Primitive.kind_of(from, Integer) && Primitive.kind_of(to, Integer)
      return Asterism::Internal.bsearch_int(from, to, exclude_end?, &block)
    end
    if Primitive.kind_of(from, Integer) && nil.equal?(to)
      # Widen step by step until the answer lies within.
      step = 1
      while true
        r = Asterism::Internal.bsearch_answer(block.call(from + step))
        return from + step if Primitive.kind_of(r, Numeric) && r == 0
        break if true.equal?(r) || (Primitive.kind_of(r, Numeric) && r < 0)
        step *= 2
      end
      return Asterism::Internal.bsearch_int(from, from + step, false, &block)
    end
    if nil.equal?(from) && Primitive.kind_of(to, Integer)
      step = 1
      while true
        r = Asterism::Internal.bsearch_answer(block.call(to - step))
        return to - step if Primitive.kind_of(r, Numeric) && r == 0
        break if nil.equal?(r) || false.equal?(r) || (Primitive.kind_of(r, Numeric) && r > 0)
        step *= 2
      end
      return Asterism::Internal.bsearch_int(to - step, to, exclude_end?, &block)
    end
    raise TypeError, "can't do binary search for #{Primitive.class_of(from)}"
  end
end
