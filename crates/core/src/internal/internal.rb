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
      Primitive.class_of(obj).to_s
    end

    # What `each` of an Enumerable gives.
    def self.entries(object, *args)
      if Primitive.array_size(args) == 0 && Primitive.is_core(object, :each) && Primitive.is_core(object, :to_a)
        return object.to_a
      end
      out = []
      object.each(*args) do |*packed|
        Primitive.array_push(out, packed)
        nil
      end
      out
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
        Primitive.class_of(obj).to_s
      end
    end

    def self.cmp_fail(a, b)
      raise ArgumentError, "comparison of #{Primitive.class_of(a)} with #{cmp_name(b)} failed"
    end

    # What an enumerator, or a part of one, that is only allocated says.
    def self.uninitialized(what)
      raise ArgumentError, "uninitialized #{what}"
    end

    # What `inject` says to neither a block nor the name of a method.
    def self.no_operation
      raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)"
    end

    # `a <=> b` as -1, 0 or 1; raises where the two cannot be compared.
    def self.compare(a, b)
      c = a <=> b
      cmp_fail(a, b) if nil.equal?(c)
      return 1 if c > 0
      return -1 if c < 0
      0
    end

    # Does something lie between two ends of ranges? nil is no end; `open` leaves `high` out.
    def self.ordered?(low, high, open)
      return true if nil.equal?(low) || nil.equal?(high)
      c = low <=> high
      !(nil.equal?(c) || c > 0 || (open && c == 0))
    end

    # Does `value` lie in the Range? Another Range is an element like any other here, and so never in it.
    def self.within?(range, value)
      known = Primitive.range_covers(range, value)
      return known unless nil.equal?(known)
      from = range.begin
      to = range.end
      unless nil.equal?(from)
        c = from <=> value
        return false if nil.equal?(c) || c > 0
      end
      return true if nil.equal?(to)
      c = value <=> to
      return false if nil.equal?(c)
      range.exclude_end? ? c < 0 : c <= 0
    end

    # The sign of a comparison result that a block handed back for `a` and `b`.
    def self.sign(c, a, b)
      cmp_fail(a, b) if nil.equal?(c)
      return 1 if c > 0
      return -1 if c < 0
      0
    end

    # Where a walk from the end goes on that found nothing at `i`: at the last element before it.
    def self.last_index(array, i)
      n = Primitive.array_size(array)
      n <= i ? n - 1 : i
    end

    def self.to_ary(obj)
      ary = Primitive.to_ary_or_nil(obj)
      raise TypeError, "no implicit conversion of #{convert_name(obj)} into Array" if nil.equal?(ary)
      ary
    end

    def self.to_str(obj)
      return obj if Primitive.kind_of(obj, String)
      str = to_str_or_nil(obj)
      raise TypeError, "no implicit conversion of #{convert_name(obj)} into String" if nil.equal?(str)
      str
    end

    def self.to_hash_or_nil(obj)
      return obj if Primitive.kind_of(obj, Hash)
      return nil unless Primitive.responds(obj, :to_hash, true)
      hash = obj.__send__(:to_hash)
      return hash if nil.equal?(hash) || Primitive.kind_of(hash, Hash)
      conversion_mismatch(obj, :to_hash, "Hash", hash)
    end

    def self.conversion_mismatch(obj, method, target, got)
      name = convert_name(obj)
      raise TypeError, "can't convert #{name} to #{target} (#{name}##{method} gives #{Primitive.class_of(got)})"
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
      str = Primitive.responds(obj, :to_str) ? obj.to_str : nil
      raise TypeError, "#{obj.inspect} is not a symbol nor a string" unless Primitive.kind_of(str, String)
      str.to_sym
    end

    # The [key, value] pair that a to_h block, or an element of its receiver, stands for.
    # `at` is the element's position where the message names it.
    def self.pair(obj, at = nil)
      where = at ? " at #{at}" : ""
      ary = Primitive.to_ary_or_nil(obj)
      if nil.equal?(ary)
        alone = !at && (nil.equal?(obj) || true.equal?(obj) || false.equal?(obj))
        raise TypeError, "wrong element type #{alone ? obj.inspect : Primitive.class_of(obj)}#{where} (expected array)"
      end
      n = Primitive.array_size(ary)
      if n != 2
        what = at ? "wrong array length" : "element has wrong array length"
        raise ArgumentError, "#{what}#{where} (expected 2, was #{n})"
      end
      ary
    end

    # `array[sequence]` for an arithmetic sequence of indices, such as `(0..).step(2)`.
    def self.array_slice_sequence(array, seq)
      n = array.size
      step = seq.step
      from = seq.begin
      to = seq.end
      open = seq.exclude_end? && !nil.equal?(to)
      if step < 0
        # The end that is left out is the lower one.
        from, to = open ? Primitive.to_int(to) + 1 : to, from
        open = false
      end
      low = nil.equal?(from) ? 0 : Primitive.to_int(from)
      high = nil.equal?(to) ? -1 : Primitive.to_int(to)
      low += n if low < 0
      high += n if high < 0
      high += 1 unless open
      # Steps that would leave the array are refused rather than cut.
      if (step < -1 || step > 1) && (low < 0 || low > n || high - low > n)
        raise RangeError, "#{seq.inspect} out of range"
      end
      return nil if low < 0 || low > n
      high = n if high > n
      part = array[low, high > low ? high - low : 0]
      part.reverse! if step < 0
      gap = step.abs
      return part if gap == 1
      out = []
      i = 0
      while i < Primitive.array_size(part)
        Primitive.array_push(out, Primitive.array_at(part, i))
        i += gap
      end
      out
    end

    # What a message shows of a text: 65 characters at most.
    def self.ellipsis(text) = text.size > 65 ? "#{text[0, 62]}..." : text

    # Enumerator over runs of neighbours: a new run starts where `block` on a pair equals `split`.
    def self.split_pairs(source, split, block)
      Enumerator.new do |out|
        run = nil
        last = nil
        source.each do |*packed|
          v = packed
          if nil.equal?(run)
            run = [v]
          elsif (block.call(last, v) ? true : false) == split
            out << run
            run = [v]
          else
            Primitive.array_push(run, v)
          end
          last = v
          nil
        end
        out << run if run
        nil
      end
    end

    # A sum that adds integers and rationals exactly, floats with Kahan-Babuska compensation, and
    # anything else with `+`. `acc` is [state, value, compensation]; the state is false, true and nil for these.
    def self.sum_start(init)
      if Primitive.kind_of(init, Float)
        [true, init, 0.0]
      else
        [exact?(init) ? false : nil, init, 0.0]
      end
    end

    # Whether sums with `x` are exact. A VM without Rational has only integers to ask about.
    def self.exact?(x)
      Primitive.kind_of(x, Integer) || (defined?(Rational) && Primitive.kind_of(x, Rational)) ? true : false
    end

    def self.sum_step(acc, e) = Primitive.array_sum_step(acc, e) || sum_any(acc, e)

    # Adds what `array_sum_step` leaves.
    def self.sum_any(acc, e)
      v = Primitive.array_at(acc, 1)
      case Primitive.array_at(acc, 0)
      when false
        if Primitive.kind_of(e, Float)
          acc[0] = true
          acc[1] = v.to_f
          sum_float(acc, e)
        else
          acc[0] = nil unless exact?(e)
          acc[1] = v + e
        end
      when true
        if Primitive.kind_of(e, Float)
          sum_float(acc, e)
        elsif exact?(e)
          sum_float(acc, e.to_f)
        else
          acc[0] = nil
          acc[1] = (v + Primitive.array_at(acc, 2)) + e
        end
      else
        acc[1] = v + e
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
      return v unless Primitive.array_at(acc, 0)
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

    def self.to_str_or_nil(obj)
      return obj if Primitive.kind_of(obj, String)
      return nil unless Primitive.responds(obj, :to_str, true)
      str = obj.__send__(:to_str)
      return str if nil.equal?(str) || Primitive.kind_of(str, String)
      conversion_mismatch(obj, :to_str, "String", str)
    end

    # The slot that a key of a pattern or of `dig` stands for; nil if there is none.
    def self.struct_position(struct, members, key)
      return members.index(key) if Primitive.kind_of(key, Symbol)
      return members.index(key.to_sym) if Primitive.kind_of(key, String)
      n = Primitive.struct_size(struct)
      i = Primitive.to_int(key)
      i += n if i < 0
      i < 0 || i >= n ? nil : i
    end

    # Comparing the values of two structs of one class. A pair that is being compared already counts as the same.
    def self.same_slots?(a, b)
      token = Primitive.pair_enter(0, a, b)
      return true if nil.equal?(token)
      begin
        i = 0
        while i < Primitive.struct_size(a)
          x = Primitive.struct_get(a, i)
          y = Primitive.struct_get(b, i)
          return false unless Primitive.obj_same(x, y) || x == y
          i += 1
        end
        true
      ensure
        Primitive.inspect_leave(token)
      end
    end

    def self.eql_slots?(a, b)
      token = Primitive.pair_enter(1, a, b)
      return true if nil.equal?(token)
      begin
        i = 0
        while i < Primitive.struct_size(a)
          x = Primitive.struct_get(a, i)
          y = Primitive.struct_get(b, i)
          return false unless Primitive.obj_same(x, y) || x.eql?(y)
          i += 1
        end
        true
      ensure
        Primitive.inspect_leave(token)
      end
    end

    def self.hash_slots(struct)
      parts = [Primitive.class_of(struct)]
      i = 0
      while i < Primitive.struct_size(struct)
        parts << Primitive.struct_get(struct, i)
        i += 1
      end
      parts.hash
    end

    # The slot of a struct that a member name or an index stands for.
    def self.struct_slot(struct, key)
      if Primitive.kind_of(key, Symbol) || Primitive.kind_of(key, String)
        i = Primitive.struct_members(Primitive.class_of(struct)).index(key.to_sym)
        raise NameError.new("no member '#{key}' in struct", key.to_sym, receiver: struct) if nil.equal?(i)
        return i
      end
      n = Primitive.struct_size(struct)
      i = Primitive.to_int(key)
      raise IndexError, "offset #{i} too small for struct(size:#{n})" if i < -n
      raise IndexError, "offset #{i} too large for struct(size:#{n})" if i >= n
      i < 0 ? i + n : i
    end

    # Calls the block with `from`, `from + step` … as long as those have not passed `to`; with nothing if `step` leads the other way.
    # What is equal to `to` is the last.
    def self.step_to(from, to, step, exclusive, block)
      towards = from <=> to
      return if nil.equal?(towards)
      ahead = towards < 0
      if towards != 0
        moved = from <=> from + step
        return if nil.equal?(moved) || moved == 0 || moved < 0 != ahead
      end
      v = from
      until nil.equal?(towards) || towards == 0
        return if towards < 0 != ahead
        block.call(v)
        v += step
        towards = v <=> to
      end
      block.call(v) unless nil.equal?(towards) || exclusive
    end

    # Bisection over the integers low..high (or low...high) for bsearch; yields each probe and
    # returns the index found, or nil. Of two in the middle the lower one is looked at, or the upper one if `upper` is 1.
    def self.bsearch_int(low, high, exclusive, upper = 0)
      high -= 1 if exclusive
      found = nil
      while low <= high
        mid = low + (high - low + upper) / 2
        r = bsearch_answer(yield(mid))
        if true.equal?(r)
          found = mid
          high = mid - 1
        elsif false.equal?(r) || nil.equal?(r)
          low = mid + 1
        else
          return mid if r == 0
          if r < 0
            high = mid - 1
          else
            low = mid + 1
          end
        end
      end
      found
    end

    # What a block of bsearch has returned, if it may.
    def self.bsearch_answer(r)
      return r if true.equal?(r) || false.equal?(r) || nil.equal?(r)
      if Primitive.kind_of(r, Numeric)
        cmp_fail(r, 0) if Primitive.kind_of(r, Float) && r.nan?
        return r
      end
      raise TypeError, "wrong argument type #{Primitive.class_of(r)} (must be numeric, true, false or nil)"
    end
  end
end
