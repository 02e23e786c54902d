# frozen_string_literal: true

class Enumerator
  # A pipeline of steps over a source. Each step is a recipe: called when an iteration starts, with
  # what comes after it, a proc to call for stopping early, and whether it will get exactly one value
  # at a time, it answers the proc that takes the values. State of a step (a counter, what was seen) so belongs to one iteration.
  class Lazy < Enumerator
    # Methods whose result is lazy although they only call what they override.
    RUN_LAZILY = %i[each chunk chunk_while slice_when slice_before slice_after].freeze
    private_constant :RUN_LAZILY

    def self.over(source)
      lazy = allocate
      size = source.respond_to?(:size) ? proc { source.size } : nil
      lazy.__send__(:setup_step, source, :each, [], {}, size, nil, nil)
      lazy
    end
    private_class_method :over

    # Does the each of this yield one value at a time? That of a step does, unless it was made by Lazy.new; that of a Lazy
    # without a step if its receiver's does.
    def self.one_by_one?(source)
      if Primitive.kind_of(source, Lazy)
        unless nil.equal?(source.instance_variable_get(:@recipe))
          return !:each.equal?(source.instance_variable_get(:@shown))
        end
        :each.equal?(source.instance_variable_get(:@meth)) && source.instance_variable_get(:@args).empty? &&
          source.instance_variable_get(:@opts).empty? && one_by_one?(source.instance_variable_get(:@receiver))
      elsif source.instance_of?(Array)
        ARRAY_EACH == source.method(:each).unbind
      else
        Range === source && RANGE_EACH == source.method(:each).unbind
      end
    end
    private_class_method :one_by_one?

    def initialize(source = Primitive.undef, size = nil, &block)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1..2)" if Primitive.undef?(source)
      raise ArgumentError, "tried to call lazy new without a block" unless block
      recipe = lambda do |sink, _stop, _one|
        out = Yielder.new(&sink)
        proc { |*vals| block.call(out, *vals) }
      end
      setup_step(source, :each, [], {}, size, :each, recipe)
      self
    end

    def setup_step(source, meth, args, opts, size, shown, recipe)
      setup(source, meth, args, opts, size)
      @shown = shown
      @recipe = recipe
    end
    private :setup_step

    def step(meth, args, size, &recipe)
      lazy = Lazy.allocate
      lazy.__send__(:setup_step, self, :each, args, {}, size, meth, recipe)
      lazy
    end
    private :step

    def each(*args, &block)
      return self unless block
      stop = proc { return nil }
      sink = block
      at = self
      # Steps are joined by hand, from the last back to the source.
      while true
        recipe = at.instance_variable_get(:@recipe)
        source = at.instance_variable_get(:@receiver)
        break if nil.equal?(recipe)
        sink = recipe.call(sink, stop, Lazy.__send__(:one_by_one?, source))
        break unless Primitive.kind_of(source, Lazy)
        at = source
      end
      if recipe
        source.each(*args, &sink)
      else
        meth = at.instance_variable_get(:@meth)
        own = at.instance_variable_get(:@args)
        opts = at.instance_variable_get(:@opts)
        result = if Primitive.kind_of(source, Lazy) && Lazy.method_defined?(meth, false) &&
                    Enumerator.method_defined?(meth) && !RUN_LAZILY.include?(meth)
          # What a Lazy makes a step of is here to be run: the method it overrides.
          Enumerator.instance_method(meth).bind_call(source, *own, *args, **opts, &sink)
        else
          source.__send__(meth, *own, *args, **opts, &sink)
        end
        # Without steps this is the source's own iteration, result included.
        return result if at.equal?(self)
      end
      nil
    end

    def size
      return @size unless @size.respond_to?(:call)
      return @receiver.instance_exec(*@args, &@size) if Primitive.kind_of(@size, Proc)
      @size.call
    end

    def lazy
      self
    end

    def to_a(*args, **opts)
      return super unless args.empty? && opts.empty? && Lazy.__send__(:one_by_one?, self)
      out = []
      each { |v| Primitive.array_push(out, v) }
      out
    end
    alias entries to_a

    def force(*args)
      to_a(*args)
    end

    def eager
      source = self
      Enumerator.__send__(:bind, source, :each, [], {}, proc { source.size })
    end

    def to_enum(meth = :each, *args, **opts, &size)
      lazy = Lazy.allocate
      lazy.__send__(:setup_step, self, meth, args, opts, size, meth, nil)
      lazy
    end
    alias enum_for to_enum

    def map(&block)
      raise ArgumentError, "tried to call lazy map without a block" unless block
      step(:map, [], size_proc) do |sink, _, one|
        one ? proc { |v| sink.call(block.call(v)) } : proc { |*vals| sink.call(block.call(*vals)) }
      end
    end

    alias collect map

    def filter_step(meth, block, wanted)
      raise ArgumentError, "tried to call lazy #{wanted ? "select" : "reject"} without a block" unless block
      step(meth, [], nil) do |sink, _, one|
        next proc { |v| sink.call(v) if (block.call(v) ? true : false) == wanted } if one
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          sink.call(v) if (block.call(v) ? true : false) == wanted
        end
      end
    end
    private :filter_step

    def select(&block)
      filter_step(:select, block, true)
    end

    alias filter select
    alias find_all select

    def reject(&block)
      filter_step(:reject, block, false)
    end

    def filter_map(&block)
      raise ArgumentError, "tried to call lazy filter_map without a block" unless block
      step(:filter_map, [], nil) do |sink, _|
        proc do |*vals|
          v = block.call(*vals)
          sink.call(v) if v
        end
      end
    end

    def flat_map(&block)
      raise ArgumentError, "tried to call lazy flat_map without a block" unless block
      flat_step(:flat_map, block)
    end

    alias collect_concat flat_map

    def flat_step(meth, block)
      step(meth, [], nil) do |sink, _|
        proc do |*vals|
          v = block.call(*vals)
          if Primitive.kind_of(v, Array)
            v.each { |x| sink.call(x) }
          elsif v.respond_to?(:force) && v.respond_to?(:each)
            v.each { |x| sink.call(x) }
          else
            ary = Primitive.to_ary_or_nil(v)
            nil.equal?(ary) ? sink.call(v) : ary.each { |x| sink.call(x) }
          end
        end
      end
    end
    private :flat_step

    def grep(pattern, &block)
      step(:grep, [pattern], nil) do |sink, _|
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          sink.call(block ? block.call(v) : v) if pattern === v
        end
      end
    end

    def grep_v(pattern, &block)
      step(:grep_v, [pattern], nil) do |sink, _|
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          sink.call(block ? block.call(v) : v) unless pattern === v
        end
      end
    end

    def compact
      step(:compact, [], nil) do |sink, _|
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          sink.call(v) unless nil.equal?(v)
        end
      end
    end

    def uniq(&block)
      step(:uniq, [], nil) do |sink, _|
        seen = {}
        proc do |*vals|
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          k = block ? block.call(v) : v
          if Primitive.undef?(Primitive.hash_get(seen, k, Primitive.undef))
            Primitive.hash_set(seen, k, true)
            sink.call(v)
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
      step(:take, [n], size) do |sink, stop, one|
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
          sink.call(Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0))
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
      step(:take_while, [], nil) do |sink, stop|
        proc do |*vals|
          stop.call unless block.call(*vals)
          sink.call(Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0))
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
      step(:drop, [n], size) do |sink, _|
        left = n
        proc do |*vals|
          if left > 0
            left -= 1
          else
            sink.call(Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0))
          end
        end
      end
    end

    def drop_while(&block)
      raise ArgumentError, "tried to call lazy drop_while without a block" unless block
      step(:drop_while, [], nil) do |sink, _|
        dropping = true
        proc do |*vals|
          dropping = false if dropping && !block.call(*vals)
          sink.call(Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)) unless dropping
        end
      end
    end

    def with_index(offset = 0, &block)
      index_step(:with_index, offset, block)
    end

    def each_with_index(&block)
      index_step(:each_with_index, 0, block)
    end

    def index_step(meth, offset, block)
      offset = nil.equal?(offset) ? 0 : Primitive.to_integer(offset)
      step(meth, offset == 0 ? [] : [offset], size_proc) do |sink, _|
        i = offset - 1
        proc do |*vals|
          i += 1
          v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
          if block
            block.call(v, i)
            sink.call(v)
          else
            sink.call([v, i])
          end
        end
      end
    end
    private :index_step

    def zip(*others, &block)
      return super if block
      lists = others.map do |o|
        ary = Primitive.to_ary_or_nil(o)
        next ary unless nil.equal?(ary)
        unless o.respond_to?(:each)
          raise TypeError, "wrong argument type #{o.class} (must respond to :each)"
        end
        o
      end
      step(:zip, others, size_proc) do |sink, _|
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

    def size_proc
      source = self
      proc { source.size }
    end
    private :size_proc

    def inspect
      return "#<#{self.class}: uninitialized>" unless defined?(@meth)
      shown = @shown ? ":#{@shown}#{@args.empty? ? "" : "(#{@args.map(&:inspect).join(", ")})"}" : ""
      "#<#{self.class}: #{@receiver.inspect}#{shown}>"
    end
    alias to_s inspect
  end
end
