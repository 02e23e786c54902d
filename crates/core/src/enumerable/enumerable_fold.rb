# frozen_string_literal: true

# Enumerable methods that reduce the elements to one value, test them, or order them.
module Enumerable
  def inject(init = Primitive.undef, op = Primitive.undef)
    if Primitive.undef?(op) && !block_given?
      Asterism::Internal.no_operation if Primitive.undef?(init)
      op = init
      init = Primitive.undef
    elsif !Primitive.undef?(op) && block_given?
      warn "given block not used", uplevel: 0
    end
    op = Asterism::Internal.to_sym(op) unless Primitive.undef?(op)
    acc = init
    each do |*packed|
      v = packed
      acc = if Primitive.undef?(acc)
        v
      elsif Primitive.undef?(op)
        yield acc, v
      else
        Primitive.call_public(acc, op, v)
      end
      nil
    end
    Primitive.undef?(acc) ? nil : acc
  end
  alias reduce inject

  def sum(init = 0)
    state = Asterism::Internal.sum_start(init)
    each do |*packed|
      v = packed
      Asterism::Internal.sum_step(state, block_given? ? yield(v) : v)
      nil
    end
    Asterism::Internal.sum_result(state)
  end

  def count(value = Primitive.undef)
    n = 0
    if !Primitive.undef?(value)
      warn "given block not used", uplevel: 0 if block_given?
      each do |*packed|
        v = packed
        n += 1 if Primitive.obj_same(v, value) || v == value
        nil
      end
    elsif block_given?
      each do |*passed|
        n += 1 if Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed)
        nil
      end
    else
      each do |*|
        n += 1
        nil
      end
    end
    n
  end

  def all?(pattern = Primitive.undef)
    if !Primitive.undef?(pattern)
      warn "given block not used", uplevel: 0 if block_given?
      each do |*packed|
        return false unless pattern === packed
      end
    elsif block_given?
      each { |*passed| return false unless Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed) }
    else
      each do |*packed|
        return false unless packed
      end
    end
    true
  end

  def any?(pattern = Primitive.undef)
    if !Primitive.undef?(pattern)
      warn "given block not used", uplevel: 0 if block_given?
      each do |*packed|
        return true if pattern === packed
      end
    elsif block_given?
      each { |*passed| return true if Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed) }
    else
      each do |*packed|
        return true if packed
      end
    end
    false
  end

  def none?(pattern = Primitive.undef)
    if !Primitive.undef?(pattern)
      warn "given block not used", uplevel: 0 if block_given?
      each do |*packed|
        return false if pattern === packed
      end
    elsif block_given?
      each { |*passed| return false if Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed) }
    else
      each do |*packed|
        return false if packed
      end
    end
    true
  end

  def one?(pattern = Primitive.undef)
    warn "given block not used", uplevel: 0 if block_given? && !Primitive.undef?(pattern)
    found = false
    each do |*vals|
      v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
      hit = if !Primitive.undef?(pattern)
        pattern === v
      elsif block_given?
        yield(*vals)
      else
        v
      end
      if hit
        return false if found
        found = true
      end
      nil
    end
    found
  end

  def max(n = nil, &block)
    unless nil.equal?(n)
      # None are the greatest of anything, which need not be gone through.
      return Primitive.to_int(n) == 0 ? [] : Asterism::Internal.entries(self).max(n, &block)
    end
    best = Primitive.undef
    each do |*packed|
      v = packed
      if Primitive.undef?(best)
        best = v
      elsif block
        best = v if Asterism::Internal.sign(yield(v, best), v, best) > 0
      elsif Asterism::Internal.compare(v, best) > 0
        best = v
      end
      nil
    end
    Primitive.undef?(best) ? nil : best
  end

  def min(n = nil, &block)
    unless nil.equal?(n)
      return Primitive.to_int(n) == 0 ? [] : Asterism::Internal.entries(self).min(n, &block)
    end
    best = Primitive.undef
    each do |*packed|
      v = packed
      if Primitive.undef?(best)
        best = v
      elsif block
        best = v if Asterism::Internal.sign(yield(v, best), v, best) < 0
      elsif Asterism::Internal.compare(v, best) < 0
        best = v
      end
      nil
    end
    Primitive.undef?(best) ? nil : best
  end

  def minmax(&block)
    all = Asterism::Internal.entries(self)
    block ? [all.min(&block), all.max(&block)] : [all.min, all.max]
  end

  def max_by(n = nil, &block)
    unless block
      return to_enum(:max_by, *(nil.equal?(n) ? [] : [n])) { size if Primitive.responds(self, :size, true) }
    end
    Primitive.loosen_block
    return Asterism::Internal.entries(self).max_by(n) { |v| yield v } unless nil.equal?(n)
    __best_by(true) { |v| yield v }
  end

  def min_by(n = nil, &block)
    unless block
      return to_enum(:min_by, *(nil.equal?(n) ? [] : [n])) { size if Primitive.responds(self, :size, true) }
    end
    Primitive.loosen_block
    return Asterism::Internal.entries(self).min_by(n) { |v| yield v } unless nil.equal?(n)
    __best_by(false) { |v| yield v }
  end

  # The element of which the block gives the greatest value, or the least.
  def __best_by(greatest)
    best = best_key = nil
    any = false
    each do |*packed|
      v = packed
      key = yield v
      if any
        c = key <=> best_key
        Asterism::Internal.cmp_fail(key, best_key) if nil.equal?(c)
        next unless greatest ? c > 0 : c < 0
      end
      any = true
      best = v
      best_key = key
    end
    best
  end
  private :__best_by

  def minmax_by(&block)
    return to_enum(:minmax_by) { size if Primitive.responds(self, :size, true) } unless block
    keys = []
    all = []
    Primitive.loosen_block
    each do |*packed|
      v = packed
      Primitive.array_push(all, v)
      Primitive.array_push(keys, yield(v))
      nil
    end
    return [nil, nil] if Primitive.array_size(all) == 0
    lo = hi = 0
    i = 1
    while i < Primitive.array_size(all)
      k = Primitive.array_at(keys, i)
      lo = i if Asterism::Internal.compare(k, Primitive.array_at(keys, lo)) < 0
      hi = i if Asterism::Internal.compare(k, Primitive.array_at(keys, hi)) > 0
      i += 1
    end
    [Primitive.array_at(all, lo), Primitive.array_at(all, hi)]
  end

  def sort(&block)
    Asterism::Internal.entries(self).sort(&block)
  end

  def sort_by
    return to_enum(:sort_by) { size if Primitive.responds(self, :size, true) } unless block_given?
    values = []
    keys = []
    Primitive.loosen_block
    each do |*packed|
      v = packed
      Primitive.array_push(values, v)
      Primitive.array_push(keys, yield(v))
      nil
    end
    Primitive.sort_by_keys(keys, values)
  end
end
