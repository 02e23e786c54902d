# frozen_string_literal: true

# Comparable: everything rests on the receiver's `<=>`.
module Comparable
  def ==(other)
    return true if Primitive.obj_same(self, other)
    c = self <=> other
    return false if nil.equal?(c)
    return c == 0 if Primitive.kind_of(c, Integer)
    Asterism::Internal.sign(c, self, other) == 0
  end

  def >(other)
    c = self <=> other
    Asterism::Internal.cmp_fail(self, other) if nil.equal?(c)
    c > 0
  end

  def >=(other)
    c = self <=> other
    Asterism::Internal.cmp_fail(self, other) if nil.equal?(c)
    c >= 0
  end

  def <(other)
    c = self <=> other
    Asterism::Internal.cmp_fail(self, other) if nil.equal?(c)
    c < 0
  end

  def <=(other)
    c = self <=> other
    Asterism::Internal.cmp_fail(self, other) if nil.equal?(c)
    c <= 0
  end

  def between?(min, max)
    return false if Asterism::Internal.compare(self, min) < 0
    Asterism::Internal.compare(self, max) <= 0
  end

  def clamp(min, max = Primitive.undef)
    if Primitive.kind_of(self, Integer) && Primitive.kind_of(min, Integer) && Primitive.kind_of(max, Integer) && min <= max
      return self < min ? min : self > max ? max : self
    end
    if Primitive.undef?(max)
      unless Primitive.kind_of(min, Range)
        raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(min)} (expected Range)"
      end
      range = min
      min = range.begin
      max = range.end
      if range.exclude_end? && !nil.equal?(max)
        raise ArgumentError, "cannot clamp with an exclusive range"
      end
    end
    if !nil.equal?(min) && !nil.equal?(max) && Asterism::Internal.compare(min, max) > 0
      raise ArgumentError, "min argument must be less than or equal to max argument"
    end
    unless nil.equal?(min)
      c = Asterism::Internal.compare(self, min)
      return self if c == 0
      return min if c < 0
    end
    unless nil.equal?(max)
      return max if Asterism::Internal.compare(self, max) > 0
    end
    self
  end
end
