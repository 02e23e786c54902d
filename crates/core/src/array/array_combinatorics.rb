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
    pool = Primitive.array_copy(self)
    n = Primitive.array_size(pool)
    return self if k < 0 || k > n
    at = Primitive.array_indices(k)
    while true
      yield Primitive.array_pick(pool, at, k)
      break unless Primitive.array_next_combination(at, k, n)
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
    pool = Primitive.array_copy(self)
    n = Primitive.array_size(pool)
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield Primitive.array_pick(pool, at, k)
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
    pool = Primitive.array_copy(self)
    n = Primitive.array_size(pool)
    k = nil.equal?(k) ? n : Primitive.to_int(k)
    return self if k < 0 || k > n
    at = Primitive.array_indices(n)
    while true
      yield Primitive.array_pick(pool, at, k)
      break unless Primitive.array_next_permutation(at, k, n)
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
    pool = Primitive.array_copy(self)
    n = Primitive.array_size(pool)
    return self if k < 0 || (n == 0 && k > 0)
    at = Array.new(k, 0)
    while true
      yield Primitive.array_pick(pool, at, k)
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
    return Primitive.array_product(self, others) unless block_given?
    pools = Primitive.array_copies(self, others)
    pools.each { |pool| return self if Primitive.array_size(pool) == 0 }
    n = Primitive.array_size(pools)
    at = Array.new(n, 0)
    while true
      yield Primitive.array_product_row(pools, at, n)
      break unless Primitive.array_next_product(pools, at, n)
    end
    self
  end
end
