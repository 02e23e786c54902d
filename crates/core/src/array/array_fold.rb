# frozen_string_literal: true

# Array methods that reduce the elements to one value, order them or look for extremes.
class Array
  def inject(init = Primitive.undef, op = Primitive.undef)
    return super unless Primitive.is_core(self, :each)
    i = 0
    if Primitive.undef?(op) && !block_given?
      Asterism::Internal.no_operation if Primitive.undef?(init)
      op = init
      init = Primitive.undef
    elsif !Primitive.undef?(op) && block_given?
      warn "given block not used", uplevel: 0
    end
    op = Asterism::Internal.to_sym(op) unless Primitive.undef?(op)
    acc = init
    if Primitive.undef?(acc)
      acc = Primitive.array_fetch(self, 0)
      return nil if Primitive.undef?(acc)
      i = 1
    end
    if Primitive.undef?(op)
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        acc = yield acc, v
        i += 1
      end
    else
      total = op == :+ ? Primitive.array_total(self, acc, i) : Primitive.undef
      return total unless Primitive.undef?(total)
      if op == :+ && Primitive.addition_intact?
        until Primitive.undef?(v = Primitive.array_fetch(self, i))
          acc = Primitive.kind_of(acc, Integer) || Primitive.kind_of(acc, Float) ? acc + v : Primitive.call_public(acc, op, v)
          i += 1
        end
      else
        until Primitive.undef?(v = Primitive.array_fetch(self, i))
          acc = Primitive.call_public(acc, op, v)
          i += 1
        end
      end
    end
    acc
  end
  alias reduce inject

  def sum(init = 0)
    unless block_given?
      quick = Primitive.array_quick_sum(self, init)
      return quick unless Primitive.undef?(quick)
    end
    acc = init
    i = 0
    # Integers are added here; the first element of another kind moves on to the general sum.
    if Primitive.kind_of(acc, Integer)
      until Primitive.undef?(e = Primitive.array_fetch(self, i))
        e = yield e if block_given?
        break unless Primitive.kind_of(e, Integer)
        acc += e
        i += 1
      end
      return acc if Primitive.undef?(e)
      # As `Asterism::Internal.sum_start` makes it of an Integer.
      state = [false, acc, 0.0]
      Primitive.array_sum_step(state, e) || Asterism::Internal.sum_any(state, e)
      i += 1
    else
      state = Asterism::Internal.sum_start(acc)
    end
    until Primitive.undef?(e = Primitive.array_fetch(self, i))
      e = yield e if block_given?
      Primitive.array_sum_step(state, e) || Asterism::Internal.sum_any(state, e)
      i += 1
    end
    Asterism::Internal.sum_result(state)
  end

  def max(n = nil)
    unless nil.equal?(n)
      n = Primitive.to_int(n)
      raise ArgumentError, "negative size (#{n})" if n < 0
      return [] if n == 0
      sorted = block_given? ? sort { |a, b| yield a, b } : sort
      return sorted.reverse.first(n)
    end
    return nil if Primitive.array_size(self) == 0
    unless block_given?
      best = Primitive.array_quick_extreme(self, true)
      return best unless Primitive.undef?(best)
    end
    best = Primitive.array_fetch(self, 0)
    return nil if Primitive.undef?(best)
    i = 1
    if block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        best = v if Asterism::Internal.sign(yield(v, best), v, best) > 0
        i += 1
      end
    else
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        c = best <=> v
        Asterism::Internal.cmp_fail(best, v) if nil.equal?(c)
        best = v if c < 0
        i += 1
      end
    end
    best
  end

  def min(n = nil)
    unless nil.equal?(n)
      n = Primitive.to_int(n)
      raise ArgumentError, "negative size (#{n})" if n < 0
      return [] if n == 0
      sorted = block_given? ? sort { |a, b| yield a, b } : sort
      return sorted.first(n)
    end
    return nil if Primitive.array_size(self) == 0
    unless block_given?
      best = Primitive.array_quick_extreme(self, false)
      return best unless Primitive.undef?(best)
    end
    best = Primitive.array_fetch(self, 0)
    return nil if Primitive.undef?(best)
    i = 1
    if block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        best = v if Asterism::Internal.sign(yield(v, best), v, best) < 0
        i += 1
      end
    else
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        c = best <=> v
        Asterism::Internal.cmp_fail(best, v) if nil.equal?(c)
        best = v if c > 0
        i += 1
      end
    end
    best
  end

  def minmax(&block)
    block ? [min(&block), max(&block)] : [min, max]
  end

  def max_by(n = nil)
    return super unless Primitive.is_core(self, :each)
    return to_enum(:max_by, *(nil.equal?(n) ? [] : [n])) { size } unless block_given?
    unless nil.equal?(n)
      n = Primitive.to_int(n)
      raise ArgumentError, "negative size (#{n})" if n < 0
      return n == 0 ? [] : sort_by { |v| yield v }.reverse.first(n)
    end
    best = Primitive.array_fetch(self, 0)
    return nil if Primitive.undef?(best)
    best_key = yield best
    i = 1
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      k = yield v
      c = k <=> best_key
      Asterism::Internal.cmp_fail(k, best_key) if nil.equal?(c)
      if c > 0
        best = v
        best_key = k
      end
      i += 1
    end
    best
  end

  def min_by(n = nil)
    return super unless Primitive.is_core(self, :each)
    return to_enum(:min_by, *(nil.equal?(n) ? [] : [n])) { size } unless block_given?
    unless nil.equal?(n)
      n = Primitive.to_int(n)
      raise ArgumentError, "negative size (#{n})" if n < 0
      return n == 0 ? [] : sort_by { |v| yield v }.first(n)
    end
    best = Primitive.array_fetch(self, 0)
    return nil if Primitive.undef?(best)
    best_key = yield best
    i = 1
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      k = yield v
      c = k <=> best_key
      Asterism::Internal.cmp_fail(k, best_key) if nil.equal?(c)
      if c < 0
        best = v
        best_key = k
      end
      i += 1
    end
    best
  end

  def sort_by
    return super unless Primitive.is_core(self, :each)
    return to_enum(:sort_by) { size } unless block_given?
    values = []
    keys = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_push(values, v)
      Primitive.array_push(keys, yield(v))
      i += 1
    end
    Primitive.sort_by_keys(keys, values)
  end

  def sort_by!
    return to_enum(:sort_by!) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    values = []
    keys = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_push(values, v)
      Primitive.array_push(keys, yield(v))
      i += 1
    end
    Primitive.array_reorder(self, values, Primitive.sort_by_keys(keys, values))
  end

  def bsearch
    return to_enum(:bsearch) unless block_given?
    list = Primitive.array_settled(self)
    i = Asterism::Internal.bsearch_int(0, Primitive.array_size(list), true, 1) { |at| yield Primitive.array_at(list, at) }
    nil.equal?(i) ? nil : Primitive.array_at(list, i)
  end

  def bsearch_index
    return to_enum(:bsearch_index) unless block_given?
    list = Primitive.array_settled(self)
    Asterism::Internal.bsearch_int(0, Primitive.array_size(list), true, 1) { |at| yield Primitive.array_at(list, at) }
  end
end
