# frozen_string_literal: true

# Combinations, permutations and products. Each works on a copy of the receiver, so that the block
# may change it, and keeps its position in an array of indices instead of recursing.
class Array
  def combination(k)
    k = Primitive.to_int(k)
    unless block_given?
      return to_enum(:combination, k) do
        n = size
        if k < 0 || k > n
          0
        else
          r = 1
          (k < n - k ? k : n - k).times { |i| r = r * (n - i) / (i + 1) }
          r
        end
      end
    end
    pool = Array.new(self)
    n = Primitive.array_size(pool)
    return self if k < 0 || k > n
    at = Array.new(k) { |i| i }
    while true
      yield at.map { |i| Primitive.array_at(pool, i) }
      # Advance the rightmost index that still has room to move.
      pos = k - 1
      pos -= 1 while pos >= 0 && Primitive.array_at(at, pos) == n - k + pos
      break if pos < 0
      v = Primitive.array_at(at, pos) + 1
      while pos < k
        Primitive.array_set(at, pos, v)
        v += 1
        pos += 1
      end
    end
    self
  end

  def repeated_combination(k)
    k = Primitive.to_int(k)
    unless block_given?
      return to_enum(:repeated_combination, k) do
        n = size
        if k < 0
          0
        elsif k == 0
          1
        elsif n == 0
          0
        else
          r = 1
          k.times { |i| r = r * (n + i) / (i + 1) }
          r
        end
      end
    end
    pool = Array.new(self)
    n = Primitive.array_size(pool)
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield at.map { |i| Primitive.array_at(pool, i) }
      pos = k - 1
      pos -= 1 while pos >= 0 && Primitive.array_at(at, pos) == n - 1
      break if pos < 0
      v = Primitive.array_at(at, pos) + 1
      while pos < k
        Primitive.array_set(at, pos, v)
        pos += 1
      end
    end
    self
  end

  def permutation(k = nil)
    unless block_given?
      return to_enum(:permutation, *(nil.equal?(k) ? [] : [k])) do
        n = size
        r = nil.equal?(k) ? n : Primitive.to_int(k)
        if r < 0 || r > n
          0
        else
          product = 1
          r.times { |i| product *= n - i }
          product
        end
      end
    end
    pool = Array.new(self)
    n = Primitive.array_size(pool)
    k = nil.equal?(k) ? n : Primitive.to_int(k)
    return self if k < 0 || k > n
    at = Array.new(k) { |i| i }
    used = Array.new(n) { |i| i < k }
    while true
      yield at.map { |i| Primitive.array_at(pool, i) }
      # Free indices from the right until one can move up to a free, larger index.
      pos = k - 1
      while pos >= 0
        Primitive.array_set(used, Primitive.array_at(at, pos), false)
        v = Primitive.array_at(at, pos) + 1
        v += 1 while v < n && Primitive.array_at(used, v)
        break if v < n
        pos -= 1
      end
      break if pos < 0
      Primitive.array_set(at, pos, v)
      Primitive.array_set(used, v, true)
      pos += 1
      v = 0
      while pos < k
        v += 1 while Primitive.array_at(used, v)
        Primitive.array_set(at, pos, v)
        Primitive.array_set(used, v, true)
        pos += 1
      end
    end
    self
  end

  def repeated_permutation(k)
    k = Primitive.to_int(k)
    unless block_given?
      return to_enum(:repeated_permutation, k) do
        if k < 0
          0
        else
          size**k
        end
      end
    end
    pool = Array.new(self)
    n = Primitive.array_size(pool)
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield at.map { |i| Primitive.array_at(pool, i) }
      pos = k - 1
      while pos >= 0 && Primitive.array_at(at, pos) == n - 1
        Primitive.array_set(at, pos, 0)
        pos -= 1
      end
      break if pos < 0
      Primitive.array_set(at, pos, Primitive.array_at(at, pos) + 1)
    end
    self
  end

  def product(*others)
    pools = [Array.new(self)]
    others.each { |o| Primitive.array_push(pools, Array.new(Asterism::Internal.to_ary(o))) }
    k = Primitive.array_size(pools)
    total = 1
    pools.each { |pool| total *= Primitive.array_size(pool) }
    out = nil
    unless block_given?
      # More rows than can be addressed is an error before any row is made.
      raise RangeError, "too big to product" if total > 0x7fff_ffff_ffff_ffff
      out = []
    end
    return out || self if total == 0
    at = Array.new(k, 0)
    while true
      row = Primitive.array_new_capa(k)
      j = 0
      while j < k
        Primitive.array_push(row, Primitive.array_at(Primitive.array_at(pools, j), Primitive.array_at(at, j)))
        j += 1
      end
      if out
        Primitive.array_push(out, row)
      else
        yield row
      end
      pos = k - 1
      while pos >= 0 && Primitive.array_at(at, pos) == Primitive.array_size(Primitive.array_at(pools, pos)) - 1
        Primitive.array_set(at, pos, 0)
        pos -= 1
      end
      break if pos < 0
      Primitive.array_set(at, pos, Primitive.array_at(at, pos) + 1)
    end
    out || self
  end
end
