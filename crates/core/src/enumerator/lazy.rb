# frozen_string_literal: true

class Enumerator
  # A pipeline of steps over a source. Each step is a recipe: called when an iteration starts, with
  # what comes after it, a proc to call for stopping early, and whether it will get exactly one value
  # at a time, it answers the proc that takes the values. State of a step (a counter, what was seen) so belongs to one iteration.
  #
  # Several values that the source yields at once stay several for the blocks of the steps that take values (map) and one Array
  # for those that take an element (select). What leaves the last step is one value.
  class Lazy < Enumerator
    # Methods whose result is lazy although they only call what they override.
    RUN_LAZILY = %i[each chunk chunk_while slice_when slice_before slice_after].freeze
    private_constant :RUN_LAZILY

    def self.__over(source)
      lazy = allocate
      size = Primitive.responds(source, :size, true) ? proc { source.size } : nil
      lazy.__send__(:__setup_step, source, :each, [], nil, size, nil, nil, nil)
      lazy
    end
    private_class_method :__over

    # Does the each of this yield one value at a time? That of a step does; that of a Lazy without a step, which no block made,
    # if its receiver's does.
    def self.__one_by_one?(source)
      if Primitive.kind_of(source, Lazy)
        return true if Primitive.attribute_get(source, :__recipe)
        !Primitive.attribute_get(source, :__made_by) && :each.equal?(Primitive.attribute_get(source, :__meth)) &&
          Primitive.attribute_get(source, :__args).empty? && nil.equal?(Primitive.attribute_get(source, :__opts)) &&
          __one_by_one?(Primitive.attribute_get(source, :__receiver))
      elsif source.instance_of?(Array)
        ARRAY_EACH == source.method(:each).unbind
      else
        Range === source && RANGE_EACH == source.method(:each).unbind
      end
    end
    private_class_method :__one_by_one?

    def initialize(source = Primitive.undef, size = nil, &block)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" if Primitive.undef?(source)
      raise ArgumentError, "tried to call lazy new without a block" unless block
      __setup_step(source, :each, [], nil, size, :each, nil, nil)
      @__made_by = block
      self
    end

    def __setup_step(source, meth, args, opts, size, shown, recipe, gives)
      __setup(source, meth, args, opts, size)
      @__shown = shown
      @__recipe = recipe
      @__gives = gives
    end
    private :__setup_step

    # A step after self. It gives the next one what it got, one value or several (gives is nil), always one (1), or maybe
    # several where it got one (2).
    def __step(meth, args, size, gives, &recipe)
      __check
      lazy = Lazy.allocate
      lazy.__send__(:__setup_step, self, :each, args, nil, size, meth, recipe, gives)
      lazy
    end
    private :__step

    def each(*args, &block)
      unless block
        return self if args.empty?
        copy = dup
        Primitive.attribute_set(copy, :__more, @__more ? @__more + args : args)
        return copy
      end
      # Steps are joined by hand, from the last back to the source.
      steps = []
      at = self
      while Primitive.attribute_get(at, :__recipe)
        Primitive.array_push(steps, at)
        at = Primitive.attribute_get(at, :__receiver)
      end
      return __each_of_source(args, &block) if steps.empty?
      one = Lazy.__send__(:__one_by_one?, at)
      ones = steps.reverse.map do |step|
        taken = one
        gives = Primitive.attribute_get(step, :__gives)
        one = gives == 1 if gives
        taken
      end
      stop = proc { return nil }
      sink = one ? block : proc { |*vals| block.call(Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)) }
      steps.each { |step| sink = Primitive.attribute_get(step, :__recipe).call(sink, stop, ones.pop) }
      # Arguments that are given behind a step do not reach the source.
      at.__send__(:__each_of_source, [], &sink)
      nil
    end

    # The iteration of a Lazy without a step, result included.
    def __each_of_source(args, &sink)
      args = @__more + args if @__more
      if (made_by = @__made_by)
        out = Yielder.new(&sink)
        @__receiver.each(*args) { |*vals| made_by.call(out, *vals) }
        nil
      elsif Primitive.kind_of(@__receiver, Lazy) && Lazy.method_defined?(@__meth, false) &&
            Enumerator.method_defined?(@__meth) && !RUN_LAZILY.include?(@__meth)
        # What a Lazy makes a step of is here to be run: the method it overrides.
        Enumerator.instance_method(@__meth).bind_call(@__receiver, *@__args, *args, **@__opts, &sink)
      else
        @__receiver.__send__(@__meth, *@__args, *args, **@__opts, &sink)
      end
    end
    private :__each_of_source

    # Calls the block of a step that takes values.
    def __give(block, vals)
      Primitive.array_size(vals) == 0 ? block.call(nil) : block.call(*vals)
    end
    private :__give

    def size
      __check
      return @__size unless Primitive.responds(@__size, :call)
      @__size.call(*@__args, **@__opts)
    end

    def lazy
      self
    end

    def to_a(*args, **opts)
      return super unless args.empty? && opts.empty? && Lazy.__send__(:__one_by_one?, self)
      out = []
      each { |v| Primitive.array_push(out, v) }
      out
    end
    alias entries to_a

    def force(*args)
      to_a(*args)
    end

    def eager
      __check
      source = self
      Enumerator.__send__(:__bind, source, :each, [], nil, proc { source.size })
    end

    def to_enum(meth = :each, *args, **opts, &size)
      lazy = Lazy.allocate
      lazy.__send__(:__setup_step, self, meth, args, opts.empty? ? nil : opts, size, meth, nil, nil)
      lazy
    end
    alias enum_for to_enum

    def map(&block)
      raise ArgumentError, "tried to call lazy map without a block" unless block
      __step(__callee__, [], __size_proc, 1) do |sink, _, one|
        one ? proc { |v| sink.call(block.call(v)) } : proc { |*vals| sink.call(__give(block, vals)) }
      end
    end

    alias collect map

    def __filter_step(meth, block, wanted)
      raise ArgumentError, "tried to call lazy #{wanted ? "select" : "reject"} without a block" unless block
      __step(meth, [], nil, nil) do |sink, _, one|
        next proc { |v| sink.call(v) if (block.call(v) ? true : false) == wanted } if one
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          sink.call(*vals) if (block.call(v) ? true : false) == wanted
        end
      end
    end
    private :__filter_step

    def select(&block)
      __filter_step(__callee__, block, true)
    end

    alias filter select
    alias find_all select

    def reject(&block)
      __filter_step(:reject, block, false)
    end

    def filter_map(&block)
      raise ArgumentError, "tried to call lazy filter_map without a block" unless block
      __step(:filter_map, [], nil, 1) do |sink, _|
        proc do |*vals|
          v = __give(block, vals)
          sink.call(v) if v
        end
      end
    end

    def flat_map(&block)
      raise ArgumentError, "tried to call lazy flat_map without a block" unless block
      __flat_step(__callee__, block)
    end

    alias collect_concat flat_map

    def __flat_step(meth, block)
      __step(meth, [], nil, 2) do |sink, _|
        proc do |*vals|
          v = __give(block, vals)
          if Primitive.kind_of(v, Array)
            v.each { |x| sink.call(x) }
          elsif Primitive.responds(v, :force) && Primitive.responds(v, :each)
            v.each { |*xs| sink.call(*xs) }
          else
            ary = Primitive.to_ary_or_nil(v)
            nil.equal?(ary) ? sink.call(v) : ary.each { |x| sink.call(x) }
          end
        end
      end
    end
    private :__flat_step

    def grep(pattern, &block)
      __step(:grep, [pattern], nil, block ? 1 : nil) do |sink, _|
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          next unless pattern === v
          block ? sink.call(block.call(v)) : sink.call(*vals)
        end
      end
    end

    def grep_v(pattern, &block)
      __step(:grep_v, [pattern], nil, block ? 1 : nil) do |sink, _|
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          next if pattern === v
          block ? sink.call(block.call(v)) : sink.call(*vals)
        end
      end
    end

    def compact
      __step(:compact, [], nil, nil) do |sink, _|
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          sink.call(*vals) unless nil.equal?(v)
        end
      end
    end

    def uniq(&block)
      __step(:uniq, [], nil, nil) do |sink, _|
        seen = {}
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          k = block ? block.call(v) : v
          if Primitive.undef?(Primitive.hash_get(seen, k, Primitive.undef))
            Primitive.hash_set(seen, k, true)
            sink.call(*vals)
          end
        end
      end
    end

    def take(n)
      n = Primitive.to_int(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      source = self
      size = proc do
        total = source.size
        nil.equal?(total) || total < n ? total : n
      end
      __step(:take, [n], size, nil) do |sink, stop, one|
        stop.call if n == 0
        left = n
        if one
          next proc do |v|
            left -= 1
            sink.call(v)
            stop.call if left <= 0
          end
        end
        proc do |*vals|
          left -= 1
          sink.call(*vals)
          stop.call if left <= 0
        end
      end
    end

    def first(n = Primitive.undef)
      if Primitive.undef?(n)
        each { |*vals| return Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0) }
        return nil
      end
      n = Primitive.to_int(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      take(n).to_a
    end

    def take_while(&block)
      raise ArgumentError, "tried to call lazy take_while without a block" unless block
      __step(:take_while, [], nil, nil) do |sink, stop|
        proc do |*vals|
          stop.call unless __give(block, vals)
          sink.call(*vals)
        end
      end
    end

    def drop(n)
      n = Primitive.to_int(n)
      raise ArgumentError, "attempt to drop negative size" if n < 0
      source = self
      size = proc do
        total = source.size
        if nil.equal?(total) || (Primitive.kind_of(total, Float) && total.infinite?)
          total
        else
          total > n ? total - n : 0
        end
      end
      __step(:drop, [n], size, nil) do |sink, _|
        left = n
        proc do |*vals|
          if left > 0
            left -= 1
          else
            sink.call(*vals)
          end
        end
      end
    end

    def drop_while(&block)
      raise ArgumentError, "tried to call lazy drop_while without a block" unless block
      __step(:drop_while, [], nil, nil) do |sink, _|
        dropping = true
        proc do |*vals|
          dropping = false if dropping && !__give(block, vals)
          sink.call(*vals) unless dropping
        end
      end
    end

    def with_index(offset = 0, &block)
      offset = nil.equal?(offset) ? 0 : Primitive.to_integer(offset)
      __step(:with_index, [offset], __size_proc, block ? 1 : 2) do |sink, _|
        i = offset - 1
        proc do |*vals|
          i += 1
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          if block
            block.call(v, i)
            sink.call(v)
          else
            sink.call(v, i)
          end
        end
      end
    end

    def zip(*others, &block)
      return super if block
      lists = others.map do |o|
        ary = Primitive.to_ary_or_nil(o)
        next ary unless nil.equal?(ary)
        unless Primitive.responds(o, :each, true)
          raise TypeError, "wrong argument type #{Primitive.class_of(o)} (must respond to :each)"
        end
        o
      end
      __step(:zip, others, __size_proc, 1) do |sink, _|
        i = -1
        # What is no array is walked beside the source, from its beginning.
        sides = lists.map { |l| Primitive.kind_of(l, Array) ? l : l.to_enum(:each) }
        proc do |*vals|
          i += 1
          row = [Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)]
          sides.each do |side|
            row << if Primitive.kind_of(side, Array)
              side[i]
            else
              begin
                side.next
              rescue StopIteration
                nil
              end
            end
          end
          sink.call(row)
        end
      end
    end

    def chunk(*args, &block)
      super.lazy
    end

    def chunk_while(*args, &block)
      super.lazy
    end

    def slice_when(*args, &block)
      super.lazy
    end

    def slice_before(*args, &block)
      super.lazy
    end

    def slice_after(*args, &block)
      super.lazy
    end

    def __size_proc
      source = self
      proc { source.size }
    end
    private :__size_proc

    def inspect
      return "#<#{self.class}: uninitialized>" if nil.equal?(@__meth)
      shown = @__shown ? ":#{@__shown}#{@__args.empty? ? "" : "(#{@__args.map { |v| v.inspect }.join(", ")})"}" : ""
      "#<#{self.class}: #{@__receiver.inspect}#{shown}>"
    end
    alias to_s inspect
  end
end
