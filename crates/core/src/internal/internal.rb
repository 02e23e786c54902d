# frozen_string_literal: true

# Helpers shared by the core classes written in Ruby. They live in a module of their own so that
# no core class gains a method that a program could see or override.
module Asterism
  module Internal
    # The name a value has in a conversion error: special constants by themselves, others by class.
    def self.convert_name(obj)
      return "nil" if nil.equal?(obj)
      return "true" if true.equal?(obj)
      return "false" if false.equal?(obj)
      obj.class.to_s
    end

    # How a value is named in "comparison of X with Y failed": immediates and floats by value.
    def self.cmp_name(obj)
      if Primitive.kind_of(obj, Integer)
        return obj.bit_length < 63 ? obj.inspect : "Integer"
      end
      if nil.equal?(obj) || true.equal?(obj) || false.equal?(obj) ||
         Primitive.kind_of(obj, Float) || Primitive.kind_of(obj, Symbol)
        obj.inspect
      else
        obj.class.to_s
      end
    end

    def self.cmp_fail(a, b)
      raise ArgumentError, "comparison of #{a.class} with #{cmp_name(b)} failed"
    end

    # `a <=> b` as -1, 0 or 1; raises where the two cannot be compared.
    def self.compare(a, b)
      c = a <=> b
      cmp_fail(a, b) if nil.equal?(c)
      return 1 if c > 0
      return -1 if c < 0
      0
    end

    # The sign of a comparison result that a block handed back for `a` and `b`.
    def self.sign(c, a, b)
      cmp_fail(a, b) if nil.equal?(c)
      return 1 if c > 0
      return -1 if c < 0
      0
    end

    def self.to_ary(obj)
      ary = Primitive.to_ary_or_nil(obj)
      raise TypeError, "no implicit conversion of #{convert_name(obj)} into Array" if nil.equal?(ary)
      ary
    end

    def self.to_hash_or_nil(obj)
      return obj if Primitive.kind_of(obj, Hash)
      return nil unless obj.respond_to?(:to_hash, true)
      hash = obj.__send__(:to_hash)
      return hash if nil.equal?(hash) || Primitive.kind_of(hash, Hash)
      raise TypeError, "can't convert #{convert_name(obj)} to Hash (#{convert_name(obj)}#to_hash gives #{hash.class})"
    end

    def self.to_hash(obj)
      hash = to_hash_or_nil(obj)
      raise TypeError, "no implicit conversion of #{convert_name(obj)} into Hash" if nil.equal?(hash)
      hash
    end

    # Symbol for a member or method name given as a Symbol or something string-like.
    def self.to_sym(obj)
      return obj if Primitive.kind_of(obj, Symbol)
      return obj.to_sym if Primitive.kind_of(obj, String)
      str = obj.respond_to?(:to_str) ? obj.to_str : nil
      raise TypeError, "#{obj.inspect} is not a symbol nor a string" unless Primitive.kind_of(str, String)
      str.to_sym
    end

    # The [key, value] pair that a to_h block, or an element of its receiver, stands for.
    # `at` is the element's position where the message names it.
    def self.pair(obj, at = nil)
      where = at ? " at #{at}" : ""
      ary = Primitive.to_ary_or_nil(obj)
      raise TypeError, "wrong element type #{obj.class}#{where} (expected array)" if nil.equal?(ary)
      n = Primitive.array_size(ary)
      if n != 2
        what = at ? "wrong array length" : "element has wrong array length"
        raise ArgumentError, "#{what}#{where} (expected 2, was #{n})"
      end
      ary
    end

    # The permutation that sorts `keys`, as an array of indices. Integers are sorted together with
    # their positions as one number each, and simple keys by rank, so that the native sort does the
    # comparisons; anything else goes through a merge sort on `<=>`.
    def self.sort_order(keys)
      n = Primitive.array_size(keys)
      klass = n > 0 ? Primitive.array_at(keys, 0).class : nil
      i = 1
      while i < n
        unless klass.equal?(Primitive.array_at(keys, i).class)
          klass = nil
          break
        end
        i += 1
      end
      return decode_order(keys, n) if Integer.equal?(klass)
      if String.equal?(klass) || Float.equal?(klass) || Symbol.equal?(klass)
        rank = {}
        sorted = keys.sort
        i = 0
        while i < n
          k = Primitive.array_at(sorted, i)
          rank[k] = i unless rank.key?(k)
          i += 1
        end
        ranks = Primitive.array_new_capa(n)
        i = 0
        while i < n
          Primitive.array_push(ranks, rank[Primitive.array_at(keys, i)])
          i += 1
        end
        return decode_order(ranks, n)
      end
      merge_order(keys, n)
    end

    def self.decode_order(ints, n)
      codes = Primitive.array_new_capa(n)
      i = 0
      while i < n
        Primitive.array_push(codes, Primitive.array_at(ints, i) * n + i)
        i += 1
      end
      codes = codes.sort
      i = 0
      while i < n
        Primitive.array_set(codes, i, Primitive.array_at(codes, i) % n)
        i += 1
      end
      codes
    end

    # Bottom-up merge sort of the indices 0...n by `keys[i] <=> keys[j]`.
    def self.merge_order(keys, n)
      from = Primitive.array_new_capa(n)
      into = Primitive.array_new_capa(n)
      i = 0
      while i < n
        Primitive.array_push(from, i)
        Primitive.array_push(into, i)
        i += 1
      end
      width = 1
      while width < n
        lo = 0
        while lo < n
          mid = lo + width
          mid = n if mid > n
          hi = mid + width
          hi = n if hi > n
          a = lo
          b = mid
          k = lo
          while k < hi
            if a < mid && (b >= hi || compare(Primitive.array_at(keys, Primitive.array_at(from, a)),
                                              Primitive.array_at(keys, Primitive.array_at(from, b))) <= 0)
              Primitive.array_set(into, k, Primitive.array_at(from, a))
              a += 1
            else
              Primitive.array_set(into, k, Primitive.array_at(from, b))
              b += 1
            end
            k += 1
          end
          lo = hi
        end
        from, into = into, from
        width *= 2
      end
      from
    end

    # The elements of `values` ordered by the keys at the same positions.
    def self.sort_by_keys(keys, values)
      order = sort_order(keys)
      n = Primitive.array_size(order)
      i = 0
      while i < n
        Primitive.array_set(order, i, Primitive.array_at(values, Primitive.array_at(order, i)))
        i += 1
      end
      order
    end

    # Enumerator over runs of neighbours: a new run starts where `block` on a pair equals `split`.
    def self.split_pairs(source, split, block)
      Enumerator.new do |out|
        run = nil
        last = nil
        source.each do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          if nil.equal?(run)
            run = [v]
          elsif (block.call(last, v) ? true : false) == split
            out << run
            run = [v]
          else
            Primitive.array_push(run, v)
          end
          last = v
        end
        out << run if run
        nil
      end
    end

    # A sum that adds integers and rationals exactly, floats with Kahan-Babuska compensation, and
    # anything else with `+`. `acc` is [state, value, compensation].
    def self.sum_start(init)
      if Primitive.kind_of(init, Float)
        [:float, init, 0.0]
      else
        [exact?(init) ? :exact : :other, init, 0.0]
      end
    end

    # Whether sums with `x` are exact. A VM without Rational has only integers to ask about.
    def self.exact?(x)
      Primitive.kind_of(x, Integer) || (defined?(Rational) && Primitive.kind_of(x, Rational)) ? true : false
    end

    def self.sum_step(acc, e)
      case Primitive.array_at(acc, 0)
      when :exact
        v = Primitive.array_at(acc, 1)
        if Primitive.kind_of(e, Float)
          acc[0] = :float
          acc[1] = v.to_f
          sum_float(acc, e)
        else
          acc[0] = :other unless exact?(e)
          acc[1] = v + e
        end
      when :float
        if Primitive.kind_of(e, Float)
          sum_float(acc, e)
        elsif exact?(e)
          sum_float(acc, e.to_f)
        else
          acc[0] = :other
          acc[1] = (Primitive.array_at(acc, 1) + Primitive.array_at(acc, 2)) + e
        end
      else
        acc[1] = Primitive.array_at(acc, 1) + e
      end
    end

    def self.sum_float(acc, x)
      f = Primitive.array_at(acc, 1)
      if f.nan?
        return
      elsif x.nan?
        acc[1] = x
      elsif x.infinite?
        acc[1] = f.infinite? && f.infinite? != x.infinite? ? Float::NAN : x
      elsif f.infinite?
        return
      else
        t = f + x
        acc[2] += f.abs >= x.abs ? (f - t) + x : (x - t) + f
        acc[1] = t
      end
    end

    def self.sum_result(acc)
      v = Primitive.array_at(acc, 1)
      return v unless Primitive.array_at(acc, 0) == :float
      v.nan? || v.infinite? ? v : v + Primitive.array_at(acc, 2)
    end

    # How many values a float step yields. The quotient is widened by the rounding error that the
    # three operands may carry, so that 1.0.step(2.0, 0.1) reaches 2.0.
    def self.float_step_size(first, last, unit, exclusive)
      return Float::INFINITY if unit == 0
      if unit.infinite?
        reached = unit > 0 ? first <= last : first >= last
        return reached ? 1 : 0
      end
      span = (last - first) / unit
      return 0 if span < 0 || span.nan? || (exclusive && span == 0)
      return span if span.infinite?
      err = (first.abs + last.abs + (last - first).abs) / unit.abs * Float::EPSILON
      err = 0.5 if err > 0.5
      return (span + err).floor + 1 unless exclusive
      n = span < 1 ? 0 : (span - err).floor
      after = (n + 1) * unit + first
      n += 1 if first < last ? after < last : after > last
      n + 1
    end

    # The i-th value of a float step that yields `n` values from `first` towards `last`.
    def self.float_step_at(first, last, unit, i, exclusive)
      d = i * unit + first
      if !exclusive && (unit >= 0 ? last < d : d < last)
        last
      else
        d
      end
    end

    # The place of a float among all floats in order, and the float at a place.
    def self.float_rank(f)
      bits = [f].pack("G").unpack1("Q>")
      bits >= 1 << 63 ? (1 << 63) - bits : bits
    end

    def self.float_of_rank(rank)
      bits = rank < 0 ? (1 << 63) - rank : rank
      [bits].pack("Q>").unpack1("G")
    end

    # The slot of a struct that a member name or an index stands for.
    def self.struct_slot(struct, key)
      if Primitive.kind_of(key, Symbol) || Primitive.kind_of(key, String)
        i = Primitive.struct_members(struct.class).index(key.to_sym)
        raise NameError.new("no member '#{key}' in struct", key.to_sym, receiver: struct) if nil.equal?(i)
        return i
      end
      n = Primitive.struct_size(struct)
      i = Primitive.to_int(key)
      raise IndexError, "offset #{i} too small for struct(size:#{n})" if i < -n
      raise IndexError, "offset #{i} too large for struct(size:#{n})" if i >= n
      i < 0 ? i + n : i
    end

    # Bisection over the integers low..high (or low...high) for bsearch; yields each probe and
    # returns the index found, or nil.
    def self.bsearch_int(low, high, exclusive)
      high -= 1 if exclusive
      found = nil
      while low <= high
        mid = low + (high - low) / 2
        r = yield mid
        if true.equal?(r)
          found = mid
          high = mid - 1
        elsif false.equal?(r) || nil.equal?(r)
          low = mid + 1
        elsif Primitive.kind_of(r, Numeric)
          return mid if r == 0
          if r < 0
            high = mid - 1
          else
            low = mid + 1
          end
        else
          raise TypeError, "wrong argument type #{r.class} (must be numeric, true, false or nil)"
        end
      end
      found
    end
  end
end
