# frozen_string_literal: true

class Enumerator
  # The numbers begin, begin + step, ... up to end: what Range#step and Numeric#step answer.
  class ArithmeticSequence < Enumerator
    class << self
      undef_method :new

      alias bare allocate
      private :bare

      def allocate = raise(TypeError, "allocator undefined for #{self}")

      def make(first, last, step, exclusive, receiver, meth, args, opts)
        seq = bare
        seq.__send__(:__setup_sequence, first, last, step, exclusive, receiver, meth, args, opts)
        seq
      end
      private :make
    end

    def begin = @__begin

    def end = @__end

    def step = @__step

    def __setup_sequence(first, last, step, exclusive, receiver, meth, args, opts)
      __setup(receiver, meth, args, opts, nil)
      @__begin = first
      @__end = last
      @__step = step
      @__exclusive = exclusive
    end
    private :__setup_sequence

    def exclude_end?
      @__exclusive
    end

    def __float?
      if nil.equal?(@__begin)
        # It can be made and looked at, not gone through.
        raise TypeError, "nil can't be coerced into #{Primitive.class_of(@__end)}"
      end
      (Primitive.kind_of(@__begin, Float) || Primitive.kind_of(@__end, Float) || Primitive.kind_of(@__step, Float)) &&
        !Primitive.kind_of(@__begin, Complex) && !Primitive.kind_of(@__step, Complex)
    end
    private :__float?

    # The operands as __floats; a missing end is as far away as the step's direction leads.
    def __floats
      unit = Float(@__step)
      last = nil.equal?(@__end) ? (unit < 0 ? -Float::INFINITY : Float::INFINITY) : Float(@__end)
      [Float(@__begin), last, unit]
    end
    private :__floats

    def size
      if __float?
        first, last, unit = __floats
        # Infinitely many may be none: from one infinity to the same.
        raise FloatDomainError, "NaN" if !unit.infinite? && ((last - first) / unit).nan?
        return Asterism::Internal.float_step_size(first, last, unit, @__exclusive)
      end
      return Float::INFINITY if nil.equal?(@__end)
      return Float::INFINITY if @__step == 0
      # The other end infinitely far away was a float and is dealt with above.
      n = (@__end - @__begin).div(@__step)
      return 0 if n < 0
      n -= 1 if @__exclusive && @__begin + n * @__step == @__end
      n + 1
    end

    def each
      return self unless block_given?
      if __float?
        first, last, unit = __floats
        n = Asterism::Internal.float_step_size(first, last, unit, @__exclusive)
        if unit.infinite?
          yield first if n > 0
        else
          i = 0
          while i < n
            yield Asterism::Internal.float_step_at(first, last, unit, i, @__exclusive)
            i += 1
          end
        end
        return self
      end
      i = @__begin
      step = @__step
      if nil.equal?(@__end)
        while true
          yield i
          i += step
        end
      end
      last = @__end
      if step < 0
        while i > last
          yield i
          i += step
        end
      else
        while i < last
          yield i
          i += step
        end
      end
      yield i if i == last && !@__exclusive
      self
    end

    def first(n = Primitive.undef)
      if Primitive.undef?(n)
        return nil if nil.equal?(@__begin)
        unless nil.equal?(@__end)
          raise ArgumentError, "comparison of #{Primitive.class_of(@__step)} with 0 failed" unless (direction = @__step <=> 0)
          return nil if direction > 0 && @__begin > @__end || direction < 0 && @__begin < @__end
        end
        return @__begin
      end
      n = Primitive.to_int(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      take(n)
    end

    def last(n = Primitive.undef)
      raise RangeError, "cannot get the last element of endless arithmetic sequence" if nil.equal?(@__end)
      total = size
      if Primitive.undef?(n)
        return nil if total == 0
        return __at(total - 1)
      end
      n = Primitive.to_int(n)
      raise ArgumentError, "negative array size" if n < 0
      from = n > total ? 0 : total - n
      out = []
      while from < total
        Primitive.array_push(out, __at(from))
        from += 1
      end
      out
    end

    def __at(i)
      if __float?
        first, last, unit = __floats
        Asterism::Internal.float_step_at(first, last, unit, i, @__exclusive)
      else
        @__begin + i * @__step
      end
    end
    private :__at

    def ==(other)
      Primitive.kind_of(other, ArithmeticSequence) && @__begin == other.begin && @__end == other.end &&
        @__step == other.step && @__exclusive == other.exclude_end?
    end
    alias === ==
    alias eql? ==

    def hash
      [@__exclusive, @__begin, @__end, @__step].hash
    end

    def inspect
      shown = @__args.map { |v| v.inspect }
      @__opts&.each_pair { |k, v| shown << "#{k}: #{v.inspect}" }
      receiver = Primitive.kind_of(@__receiver, Range) ? "(#{@__receiver.inspect})" : @__receiver.inspect
      "(#{receiver}.#{@__meth}#{shown.empty? ? "" : "(#{shown.join(", ")})"})"
    end
    alias to_s inspect
  end
end
