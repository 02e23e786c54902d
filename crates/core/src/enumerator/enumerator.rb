# frozen_string_literal: true

# Enumerator with internal iteration: an object, the method that iterates over it and the
# arguments of that call. External iteration (next, peek) runs it in a fiber.
class Enumerator
  include Enumerable

  # What the block of Enumerator.new gets: hands each value on to the consumer's block.
  class Yielder
    def initialize(&block)
      raise LocalJumpError, "no block given" unless block
      @sink = block
    end

    def yield(*vals)
      Primitive.walk_give
      @sink.call(*vals)
    end

    def <<(value)
      Primitive.walk_give
      @sink.call(value)
      self
    end

    def to_proc
      method(:yield).to_proc
    end
  end

  # Wraps the block of Enumerator.new as something with an `each`.
  class Generator
    include Enumerable

    def initialize(source = nil, &block)
      if nil.equal?(block)
        raise LocalJumpError, "no block given" if nil.equal?(source)
        unless Primitive.kind_of(source, Proc)
          raise TypeError, "wrong argument type #{Primitive.class_of(source)} (expected Proc)"
        end
        block = source
      end
      @block = block
    end

    def each(*args, &block)
      @block.call(Yielder.new(&block), *args)
    end
  end

  # The source behind Enumerator.produce: each value is made from the one before it.
  class Producer
    include Enumerable

    def initialize(init, block)
      @init = init
      @block = block
    end

    def each
      value = Primitive.undef?(@init) ? @block.call(nil) : @init
      while true
        yield value
        value = @block.call(value)
      end
    rescue StopIteration
      self
    end
  end

  def self.bind(receiver, meth, args, opts, size)
    enum = allocate
    enum.__send__(:setup, receiver, meth, args, opts, size)
    enum
  end
  private_class_method :bind

  def self.produce(init = Primitive.undef, size: Float::INFINITY, &block)
    raise ArgumentError, "no block given" unless block
    unless nil.equal?(size) || Primitive.kind_of(size, Integer) || size == Float::INFINITY || Primitive.responds(size, :call)
      raise TypeError, "wrong argument type #{Primitive.class_of(size)} (expected Integer, Float::INFINITY, nil or callable)"
    end
    bind(Producer.new(init, block), :each, [], {}, size)
  end

  def self.product(*enums, **opts, &block)
    unless opts.empty?
      raise ArgumentError, "unknown keyword#{opts.size > 1 ? "s" : ""}: #{opts.keys.map(&:inspect).join(", ")}"
    end
    product = Product.new(*enums)
    return product unless block
    product.each(&block)
    nil
  end

  def initialize(size = nil, &block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    unless nil.equal?(size) || Primitive.kind_of(size, Proc) || Primitive.responds(size, :call) ||
           (Primitive.kind_of(size, Float) && size.infinite?)
      size = Primitive.to_integer(size)
    end
    setup(Generator.new(&block), :each, [], {}, size)
    self
  end

  def initialize_copy(other)
    raise TypeError, "can't copy execution context" if (walk = other.instance_variable_get(:@walk)) && Primitive.walk_under_way(walk)
    super
    @walk = nil
  end

  def setup(receiver, meth, args, opts, size)
    @receiver = receiver
    @meth = meth
    @args = args
    @opts = opts
    @size = size
  end
  private :setup

  def each(*args, **opts, &block)
    unless block
      return self if args.empty? && opts.empty?
      copy = self.class.allocate
      copy.__send__(:setup, @receiver, @meth, @args + args, @opts.merge(opts), nil)
      return copy
    end
    args = args.empty? ? @args : @args + args
    if @opts.empty? && opts.empty?
      @receiver.__send__(@meth, *args, &block)
    else
      @receiver.__send__(@meth, *args, **@opts, **opts, &block)
    end
  end

  def size
    return @size unless Primitive.responds(@size, :call)
    return @receiver.instance_exec(*@args, &@size) if Primitive.kind_of(@size, Proc)
    @size.call
  end

  def with_index(offset = 0)
    offset = nil.equal?(offset) ? 0 : Primitive.to_integer(offset)
    return to_enum(:with_index, offset) { size } unless block_given?
    i = offset - 1
    each do |*vals|
      i += 1
      yield (Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)), i
    end
  end

  def each_with_index
    return to_enum(:each_with_index) { size } unless block_given?
    i = -1
    each do |*vals|
      i += 1
      yield (Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)), i
    end
  end

  def each_with_object(memo)
    return to_enum(__callee__, memo) { size } unless block_given?
    each do |*vals|
      yield (Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)), memo
    end
    memo
  end
  alias with_object each_with_object

  EACH = instance_method(:each)
  WITH_INDEX = instance_method(:with_index)
  EACH_WITH_INDEX = instance_method(:each_with_index)
  private_constant :EACH, :WITH_INDEX, :EACH_WITH_INDEX

  def +(other)
    Chain.__send__(:of, [self, other])
  end

  def rewind
    @receiver.rewind if Primitive.responds(@receiver, :rewind)
    @walk = @stop = nil
    self
  end

  # The loop takes the first steps of these two without a call, if the value is there or a fiber can go on at once.
  def next
    v = Primitive.walk_next(@walk)
    Primitive.undef?(v) ? go_on(false) : v
  end

  def peek
    v = Primitive.walk_peek(@walk)
    Primitive.undef?(v) ? go_on(true) : v
  end

  def next_values
    walk = @walk || begin_walk
    Primitive.walk_expect(walk)
    v = self.next
    Primitive.walk_many(walk) || [v]
  end

  def peek_values
    walk = @walk || begin_walk
    Primitive.walk_expect(walk)
    v = peek
    (many = Primitive.walk_many(walk)) ? many.dup : [v]
  end

  def feed(value)
    raise TypeError, "feed value already set" unless Primitive.walk_feed(@walk ||= Primitive.walk_new, value)
    nil
  end

  # The next value, when it cannot be had at once: from a walk that is to begin, has ended, or is a fiber while native code
  # is under way.
  def go_on(peeking)
    raise @stop if @stop
    walk = @walk
    walk = begin_walk unless walk && Primitive.walk_under_way(walk)
    v = Primitive.walk_go_on(walk, peeking)
    return v unless Primitive.undef?(v)
    from = @receiver
    from = from.instance_variable_get(:@receiver) while Enumerator === from
    walk_ended(walk, from)
    raise @stop
  end
  private :go_on

  # Begins the walk: with a cursor if there can be one, else in a fiber. Other threads see it when it can be gone on with: one that has
  # not begun would look like one that has ended.
  def begin_walk
    raise @stop if @stop
    walk = @walk || Primitive.walk_new
    fiber_walk(walk) unless numbered_cursor(walk)
    @walk = walk
  end

  def fiber_walk(walk)
    fiber = Fiber.new do
      begin
        block = Primitive.walk_block(walk)
        result = plain? ? @receiver.__send__(@meth, *@args, &block) : each(&block)
      ensure
        # Whatever ends it, the next call begins again.
        Primitive.walk_end(walk)
      end
      walk_ended(walk, result)
      Primitive.walk_stop(@stop)
    end
    Primitive.walk_fiber(walk, fiber)
  end
  private :begin_walk, :fiber_walk

  # Does each do what it is for here?
  def plain?
    instance_of?(Enumerator) && @opts.empty? && EACH == method(:each).unbind
  end
  private :plain?

  # A walk over an Array or a Range of Integers by each, or Integer#times, which run no code of the program but the block,
  # needs no fiber. Nil if this is none.
  def cursor(walk)
    from = @receiver
    return unless instance_of?(Enumerator) && @args.empty? && @opts.empty?
    if Array === from
      return unless from.instance_of?(Array) && ARRAY_EACH == from.method(:each).unbind
      if :each.equal?(@meth)
        Primitive.walk_array(walk, from)
      elsif :each_with_index.equal?(@meth) && ARRAY_EACH_WITH_INDEX == from.method(:each_with_index).unbind
        Primitive.walk_array(walk, from) if Primitive.walk_number(walk, 0)
      end
    elsif Range === from
      if :each.equal?(@meth) && RANGE_EACH == from.method(:each).unbind
        Primitive.walk_integers(walk, from.begin, from.end, from.exclude_end?)
      end
    elsif Integer === from
      Primitive.walk_integers(walk, 0, from, true) if :times.equal?(@meth) && TIMES == from.method(:times).unbind
    end
  end
  protected :cursor

  # A cursor, or one that with_index or each_with_index of an enumerator with a cursor numbers.
  def numbered_cursor(walk)
    from = @receiver
    return cursor(walk) unless Enumerator === from && instance_of?(Enumerator) && @opts.empty? && from.plain_each?
    offset = if :with_index.equal?(@meth)
      Primitive.array_at(@args, 0) if WITH_INDEX == from.method(:with_index).unbind
    elsif :each_with_index.equal?(@meth)
      0 if @args.empty? && EACH_WITH_INDEX == from.method(:each_with_index).unbind
    end
    Primitive.walk_number(walk, offset) && from.cursor(walk) if offset
  end
  private :numbered_cursor

  # Is it an enumerator over each or times?
  def plain_each?
    plain? && (:each.equal?(@meth) || :times.equal?(@meth))
  end
  protected :plain_each?

  def walk_ended(walk, result)
    Primitive.walk_end(walk)
    stop = StopIteration.new("iteration reached an end")
    Primitive.stop_iteration_result(stop, result)
    @stop = stop
  end
  private :walk_ended

  def inspect
    return "#<#{self.class}: uninitialized>" unless defined?(@meth)
    token = Primitive.inspect_enter(self)
    return "#<#{self.class}: ...>" if nil.equal?(token)
    begin
      shown = @args.map(&:inspect)
      last = @args.last
      if Primitive.kind_of(last, Hash) && !last.empty? && last.each_key.all?(Symbol)
        shown.pop
        last.each_pair { |k, v| shown << "#{k}: #{v.inspect}" }
      end
      @opts.each_pair { |k, v| shown << "#{k}: #{v.inspect}" }
      call = shown.empty? ? "" : "(#{shown.join(", ")})"
      "#<#{self.class}: #{@receiver.inspect}:#{@meth}#{call}>"
    ensure
      Primitive.inspect_leave(token)
    end
  end
  alias to_s inspect

  # Several enumerables one after the other.
  class Chain < Enumerator
    # A lazy one if one of them is.
    def self.of(enums)
      chain = new(*enums)
      enums.any?(Lazy) ? chain.lazy : chain
    end
    private_class_method :of

    def initialize(*enums)
      @enums = enums.freeze
      @at = -1
      self
    end

    def each(*args, &block)
      return block_less_each(args) unless block
      @at = -1
      @enums.each do |e|
        @at += 1
        e.each(*args, &block)
      end
      self
    end

    def block_less_each(args)
      return self if args.empty?
      to_enum(:each, *args)
    end
    private :block_less_each

    def size
      total = 0
      @enums.each do |e|
        n = e.size
        return n if nil.equal?(n) || (Primitive.kind_of(n, Float) && n.infinite?)
        return nil unless Primitive.kind_of(n, Integer)
        total += n
      end
      total
    end

    def rewind
      while @at >= 0
        e = @enums[@at]
        e.rewind if Primitive.responds(e, :rewind)
        @at -= 1
      end
      self
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @enums
      token = Primitive.inspect_enter(self)
      return "#<#{self.class}: ...>" if nil.equal?(token)
      begin
        "#<#{self.class}: [#{@enums.map(&:inspect).join(", ")}]>"
      ensure
        Primitive.inspect_leave(token)
      end
    end
    alias to_s inspect

    def dup
      Chain.new(*@enums)
    end

    undef_method :next, :peek, :next_values, :peek_values, :feed
  end

  # The cartesian product of several enumerables, walked with the last one turning fastest.
  class Product < Enumerator
    def initialize(*enums, **opts)
      unless opts.empty?
        raise ArgumentError, "unknown keyword#{opts.size > 1 ? "s" : ""}: #{opts.keys.map(&:inspect).join(", ")}"
      end
      @enums = enums.freeze
      self
    end

    def initialize_copy(other)
      return self if equal?(other)
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      raise TypeError, "initialize_copy should take same class object" unless Primitive.class_of(other) == self.class
      enums = other.instance_variable_get(:@enums)
      raise ArgumentError, "uninitialized product" unless enums
      @enums = enums
      self
    end
    private :initialize_copy

    def each(&block)
      return self unless block
      walk(0, [], block)
      self
    end

    def walk(depth, row, block)
      return block.call(row.dup) if depth == @enums.size
      @enums[depth].each_entry do |v|
        row[depth] = v
        walk(depth + 1, row, block)
      end
    end
    private :walk

    def size
      sizes = @enums.map do |e|
        n = Primitive.responds(e, :size) ? e.size : nil
        return 0 if 0.equal?(n)
        n
      end
      sizes.inject(1) do |total, n|
        return n if nil.equal?(n) || (Primitive.kind_of(n, Float) && n.infinite?)
        return nil unless Primitive.kind_of(n, Integer)
        total * n
      end
    end

    def rewind
      @enums.each { |e| e.rewind if Primitive.responds(e, :rewind) }
      self
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @enums
      token = Primitive.inspect_enter(self)
      return "#<#{self.class}: ...>" if nil.equal?(token)
      begin
        "#<#{self.class}: [#{@enums.map(&:inspect).join(", ")}]>"
      ensure
        Primitive.inspect_leave(token)
      end
    end
    alias to_s inspect

    undef_method :next, :peek, :next_values, :peek_values, :feed
  end
end
