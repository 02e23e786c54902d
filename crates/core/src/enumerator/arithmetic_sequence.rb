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
        seq.__send__(:setup_sequence, first, last, step, exclusive, receiver, meth, args, opts)
        seq
      end
      private :make
    end

    attr_reader :begin, :end, :step

    def setup_sequence(first, last, step, exclusive, receiver, meth, args, opts)
      setup(receiver, meth, args, opts, nil)
      @begin = first
      @end = last
      @step = step
      @exclusive = exclusive
    end
    private :setup_sequence

    def exclude_end?
      @exclusive
    end

    def float?
      if nil.equal?(@begin)
        # It can be made and looked at, not gone through.
        raise TypeError, "nil can't be coerced into #{Primitive.class_of(@end)}"
      end
      (Primitive.kind_of(@begin, Float) || Primitive.kind_of(@end, Float) || Primitive.kind_of(@step, Float)) &&
        !Primitive.kind_of(@begin, Complex) && !Primitive.kind_of(@step, Complex)
    end
    private :float?

    # The operands as floats; a missing end is as far away as the step's direction leads.
    def floats
      unit = Float(@step)
      last = nil.equal?(@end) ? (unit < 0 ? -Float::INFINITY : Float::INFINITY) : Float(@end)
      [Float(@begin), last, unit]
    end
    private :floats

    def size
      if float?
        first, last, unit = floats
        return Asterism::Internal.float_step_size(first, last, unit, @exclusive)
      end
      return Float::INFINITY if nil.equal?(@end)
      return Float::INFINITY if @step == 0
      # The other end infinitely far away was a float and is dealt with above.
      n = (@end - @begin).div(@step)
      return 0 if n < 0
      n -= 1 if @exclusive && @begin + n * @step == @end
      n + 1
    end

    def each
      return self unless block_given?
      if float?
        first, last, unit = floats
        n = Asterism::Internal.float_step_size(first, last, unit, @exclusive)
        if unit.infinite?
          yield first if n > 0
        else
          i = 0
          while i < n
            yield Asterism::Internal.float_step_at(first, last, unit, i, @exclusive)
            i += 1
          end
        end
        return self
      end
      i = @begin
      step = @step
      if nil.equal?(@end)
        while true
          yield i
          i += step
        end
      end
      last = @end
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
      yield i if i == last && !@exclusive
      self
    end

    def first(n = Primitive.undef)
      if Primitive.undef?(n)
        return nil if nil.equal?(@begin) || size == 0
        return float? ? Float(@begin) : @begin
      end
      n = Primitive.to_int(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      take(n)
    end

    def last(n = Primitive.undef)
      raise RangeError, "cannot get the last element of endless arithmetic sequence" if nil.equal?(@end)
      total = size
      if Primitive.undef?(n)
        return nil if total == 0
        return at(total - 1)
      end
      n = Primitive.to_int(n)
      raise ArgumentError, "negative array size" if n < 0
      from = n > total ? 0 : total - n
      out = []
      while from < total
        Primitive.array_push(out, at(from))
        from += 1
      end
      out
    end

    def at(i)
      if float?
        first, last, unit = floats
        Asterism::Internal.float_step_at(first, last, unit, i, @exclusive)
      else
        @begin + i * @step
      end
    end
    private :at

    def ==(other)
      Primitive.kind_of(other, ArithmeticSequence) && @begin == other.begin && @end == other.end &&
        @step == other.step && @exclusive == other.exclude_end?
    end
    alias === ==
    alias eql? ==

    def hash
      [@exclusive, @begin, @end, @step].hash
    end

    def inspect
      shown = @args.map(&:inspect)
      @opts.each_pair { |k, v| shown << "#{k}: #{v.inspect}" }
      receiver = Primitive.kind_of(@receiver, Range) ? "(#{@receiver.inspect})" : @receiver.inspect
      "(#{receiver}.#{@meth}#{shown.empty? ? "" : "(#{shown.join(", ")})"})"
    end
    alias to_s inspect
  end
end
