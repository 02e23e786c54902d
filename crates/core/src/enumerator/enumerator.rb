# frozen_string_literal: true

# Enumerator with internal iteration: an object, the method that iterates over it and the
# arguments of that call. External iteration (next, peek) runs it in a fiber.
class Enumerator
  include Enumerable

  # What the block of Enumerator.new gets: hands each value on to the consumer's block.
  class Yielder
    def initialize(&block)
      raise LocalJumpError, "no block given" unless block
      @__sink = block
    end

    def yield(*vals)
      Primitive.walk_give
      (@__sink || Asterism::Internal.uninitialized("yielder")).call(*vals)
    end

    def <<(value)
      Primitive.walk_give
      (@__sink || Asterism::Internal.uninitialized("yielder")).call(value)
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
      @__block = block
    end

    def initialize_copy(other)
      Asterism::Internal.uninitialized("generator") if nil.equal?(Primitive.attribute_get(other, :__block))
      super
    end

    def each(*args, &block)
      (@__block || Asterism::Internal.uninitialized("generator")).call(Yielder.new(&block), *args)
    end
  end

  # The source behind Enumerator.produce: each value is made from the one before it.
  class Producer
    include Enumerable

    def initialize(init, block)
      @__init = init
      @__block = block
    end

    def each
      Asterism::Internal.uninitialized("producer") if nil.equal?(@__block)
      value = Primitive.undef?(@__init) ? @__block.call(nil) : @__init
      while true
        yield value
        value = @__block.call(value)
      end
    rescue StopIteration
      self
    end
  end

  def self.__bind(receiver, meth, args, opts, size)
    enum = allocate
    enum.__send__(:__setup, receiver, meth, args, opts, size)
    enum
  end
  private_class_method :__bind

  def self.produce(init = Primitive.undef, size: Float::INFINITY, &block)
    raise ArgumentError, "no block given" unless block
    unless nil.equal?(size) || Primitive.kind_of(size, Integer) || size == Float::INFINITY || Primitive.responds(size, :call)
      raise TypeError, "wrong argument type #{Primitive.class_of(size)} (expected Integer, Float::INFINITY, nil or callable)"
    end
    __bind(Producer.new(init, block), :each, [], nil, size)
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
    __setup(Generator.new(&block), :each, [], nil, size)
    self
  end

  def initialize_copy(other)
    other.__check
    raise TypeError, "can't copy execution context" if (walk = Primitive.attribute_get(other, :__walk)) && Primitive.walk_under_way(walk)
    super
    @__walk = nil
  end

  # `opts`: a Hash that is not empty, or nil.
  def __setup(receiver, meth, args, opts, size)
    @__receiver = receiver
    @__meth = meth
    @__args = args
    @__opts = opts
    @__size = size
  end
  private :__setup

  # Is it made, not only allocated?
  def __check
    Asterism::Internal.uninitialized("enumerator") if nil.equal?(@__meth)
  end
  protected :__check

  def each(*args, **opts, &block)
    __check
    unless block
      return self if args.empty? && opts.empty?
      copy = self.class.allocate
      opts = @__opts.merge(opts) unless nil.equal?(@__opts)
      copy.__send__(:__setup, @__receiver, @__meth, @__args + args, opts.empty? ? nil : opts, nil)
      return copy
    end
    args = args.empty? ? @__args : @__args + args
    if !nil.equal?(@__opts) || !opts.empty?
      @__receiver.__send__(@__meth, *args, **@__opts, **opts, &block)
    elsif args.empty?
      @__receiver.__send__(@__meth, &block)
    elsif Primitive.array_size(args) == 1
      # A splat in front of a call by a name takes copies of the arguments.
      @__receiver.__send__(@__meth, Primitive.array_at(args, 0), &block)
    else
      @__receiver.__send__(@__meth, *args, &block)
    end
  end

  def size
    __check
    return @__size unless Primitive.responds(@__size, :call)
    @__size.call(*@__args, **@__opts)
  end

  def with_index(offset = 0)
    offset = nil.equal?(offset) ? 0 : Primitive.to_integer(offset)
    return to_enum(:with_index, offset) { size } unless block_given?
    i = offset - 1
    each do |*packed|
      i += 1
      yield packed, i
    end
  end

  def each_with_index
    return to_enum(:each_with_index) { size } unless block_given?
    i = -1
    each do |*packed|
      i += 1
      yield packed, i
    end
  end

  def each_with_object(memo)
    return to_enum(__callee__, memo) { size } unless block_given?
    each do |*packed|
      yield packed, memo
    end
    memo
  end
  alias with_object each_with_object

  EACH = instance_method(:each)
  WITH_INDEX = instance_method(:with_index)
  EACH_WITH_INDEX = instance_method(:each_with_index)
  private_constant :EACH, :WITH_INDEX, :EACH_WITH_INDEX

  def +(other)
    Chain.__send__(:__of, [self, other])
  end

  def rewind
    __check
    @__receiver.rewind if Primitive.responds(@__receiver, :rewind, true)
    @__walk = @__stop = nil
    self
  end

  # The loop takes the first steps of these two without a call, if the value is there or a fiber can go on at once.
  def next
    v = Primitive.walk_next(@__walk)
    Primitive.undef?(v) ? __go_on(false) : v
  end

  def peek
    v = Primitive.walk_peek(@__walk)
    Primitive.undef?(v) ? __go_on(true) : v
  end

  def next_values
    walk = @__walk || __begin_walk
    Primitive.walk_expect(walk)
    v = self.next
    Primitive.walk_many(walk) || [v]
  end

  def peek_values
    walk = @__walk || __begin_walk
    Primitive.walk_expect(walk)
    v = peek
    (many = Primitive.walk_many(walk)) ? many.dup : [v]
  end

  def feed(value)
    __check
    raise TypeError, "feed value already set" unless Primitive.walk_feed(@__walk ||= Primitive.walk_new, value)
    nil
  end

  # The next value, when it cannot be had at once: from a walk that is to begin, has ended, or is a fiber while native code
  # is under way.
  def __go_on(peeking)
    raise @__stop if @__stop
    walk = @__walk
    walk = __begin_walk unless walk && Primitive.walk_under_way(walk)
    v = Primitive.walk_go_on(walk, peeking)
    return v unless Primitive.undef?(v)
    from = @__receiver
    from = Primitive.attribute_get(from, :__receiver) while Enumerator === from
    __walk_ended(walk, from)
    raise @__stop
  end
  private :__go_on

  # Begins the walk: with a cursor if there can be one, else in a fiber. Other threads see it when it can be gone on with: one that has
  # not begun would look like one that has ended.
  def __begin_walk
    __check
    raise @__stop if @__stop
    walk = @__walk || Primitive.walk_new
    __fiber_walk(walk) unless __numbered_cursor(walk)
    @__walk = walk
  end

  def __fiber_walk(walk)
    fiber = Fiber.new do
      begin
        block = Primitive.walk_block(walk)
        result = __plain? ? @__receiver.__send__(@__meth, *@__args, &block) : each(&block)
      ensure
        # Whatever ends it, the next call begins again.
        Primitive.walk_end(walk)
      end
      __walk_ended(walk, result)
      Primitive.walk_stop(@__stop)
    end
    Primitive.walk_fiber(walk, fiber)
  end
  private :__begin_walk, :__fiber_walk

  # Does each do what it is for here?
  def __plain?
    instance_of?(Enumerator) && nil.equal?(@__opts) && EACH == method(:each).unbind
  end
  private :__plain?

  # A walk over an Array or a Range of Integers by each, or Integer#times, which run no code of the program but the block,
  # needs no fiber. Nil if this is none.
  def __cursor(walk)
    from = @__receiver
    return unless instance_of?(Enumerator) && @__args.empty? && nil.equal?(@__opts)
    if Array === from
      return unless from.instance_of?(Array) && ARRAY_EACH == from.method(:each).unbind
      if :each.equal?(@__meth)
        Primitive.walk_array(walk, from)
      elsif :each_with_index.equal?(@__meth) && ARRAY_EACH_WITH_INDEX == from.method(:each_with_index).unbind
        Primitive.walk_array(walk, from) if Primitive.walk_number(walk, 0)
      end
    elsif Range === from
      if :each.equal?(@__meth) && RANGE_EACH == from.method(:each).unbind
        Primitive.walk_integers(walk, from.begin, from.end, from.exclude_end?)
      end
    elsif Integer === from
      Primitive.walk_integers(walk, 0, from, true) if :times.equal?(@__meth) && TIMES == from.method(:times).unbind
    end
  end
  protected :__cursor

  # A cursor, or one that with_index or each_with_index of an enumerator with a cursor numbers.
  def __numbered_cursor(walk)
    from = @__receiver
    return __cursor(walk) unless Enumerator === from && instance_of?(Enumerator) && nil.equal?(@__opts) && from.__plain_each?
    offset = if :with_index.equal?(@__meth)
      Primitive.array_at(@__args, 0) if WITH_INDEX == from.method(:with_index).unbind
    elsif :each_with_index.equal?(@__meth)
      0 if @__args.empty? && EACH_WITH_INDEX == from.method(:each_with_index).unbind
    end
    Primitive.walk_number(walk, offset) && from.__cursor(walk) if offset
  end
  private :__numbered_cursor

  # Is it an enumerator over each or times?
  def __plain_each?
    __plain? && (:each.equal?(@__meth) || :times.equal?(@__meth))
  end
  protected :__plain_each?

  def __walk_ended(walk, result)
    Primitive.walk_end(walk)
    stop = StopIteration.new("iteration reached an end")
    Primitive.stop_iteration_result(stop, result)
    @__stop = stop
  end
  private :__walk_ended

  def inspect
    return "#<#{self.class}: uninitialized>" if nil.equal?(@__meth)
    token = Primitive.inspect_enter(self)
    return "#<#{self.class}: ...>" if nil.equal?(token)
    begin
      shown = @__args.map { |v| v.inspect }
      last = @__args.last
      if Primitive.kind_of(last, Hash) && !last.empty? && last.each_key.all?(Symbol)
        shown.pop
        last.each_pair { |k, v| shown << "#{k}: #{v.inspect}" }
      end
      @__opts&.each_pair { |k, v| shown << "#{k}: #{v.inspect}" }
      call = shown.empty? ? "" : "(#{shown.join(", ")})"
      "#<#{self.class}: #{@__receiver.inspect}:#{@__meth}#{call}>"
    ensure
      Primitive.inspect_leave(token)
    end
  end
  alias to_s inspect

  # Several enumerables one after the other.
  class Chain < Enumerator
    # A lazy one if one of them is.
    def self.__of(enums)
      chain = new(*enums)
      enums.any?(Lazy) ? chain.lazy : chain
    end
    private_class_method :__of

    def initialize(*enums)
      @__enums = enums.freeze
      @__at = -1
      self
    end

    def __check
      Asterism::Internal.uninitialized("chain") if nil.equal?(@__enums)
    end
    protected :__check

    def each(*args, &block)
      __check
      return __block_less_each(args) unless block
      @__at = -1
      @__enums.each do |e|
        @__at += 1
        e.each(*args, &block)
      end
      self
    end

    def __block_less_each(args)
      return self if args.empty?
      to_enum(:each, *args)
    end
    private :__block_less_each

    def size
      __check
      total = 0
      @__enums.each do |e|
        n = Primitive.responds(e, :size, true) ? e.size : nil
        return n if nil.equal?(n) || (Primitive.kind_of(n, Float) && n.infinite?)
        return nil unless Primitive.kind_of(n, Integer)
        total += n
      end
      total
    end

    def rewind
      __check
      while @__at >= 0
        e = @__enums[@__at]
        e.rewind if Primitive.responds(e, :rewind, true)
        @__at -= 1
      end
      self
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @__enums
      token = Primitive.inspect_enter(self)
      return "#<#{self.class}: ...>" if nil.equal?(token)
      begin
        "#<#{self.class}: [#{@__enums.map { |v| v.inspect }.join(", ")}]>"
      ensure
        Primitive.inspect_leave(token)
      end
    end
    alias to_s inspect

    def initialize_copy(other)
      other.__check
      @__enums = Primitive.attribute_get(other, :__enums)
      @__at = -1
      self
    end

    undef_method :next, :peek, :next_values, :peek_values, :feed
  end

  # The cartesian product of several enumerables, walked with the last one turning fastest.
  class Product < Enumerator
    def initialize(*enums, **opts)
      unless opts.empty?
        raise ArgumentError, "unknown keyword#{opts.size > 1 ? "s" : ""}: #{opts.keys.map(&:inspect).join(", ")}"
      end
      @__enums = enums.freeze
      self
    end

    def initialize_copy(other)
      return self if equal?(other)
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      raise TypeError, "initialize_copy should take same class object" unless Primitive.class_of(other) == self.class
      enums = Primitive.attribute_get(other, :__enums)
      raise ArgumentError, "uninitialized product" unless enums
      @__enums = enums
      self
    end
    private :initialize_copy

    def each(&block)
      return self unless block
      __check
      __walk_rows(0, [], block)
      self
    end

    def __walk_rows(depth, row, block)
      return block.call(row.dup) if depth == @__enums.size
      @__enums[depth].each_entry do |v|
        row[depth] = v
        __walk_rows(depth + 1, row, block)
      end
    end
    private :__walk_rows

    def __check
      Asterism::Internal.uninitialized("product") if nil.equal?(@__enums)
    end
    protected :__check

    def size
      __check
      sizes = @__enums.map do |e|
        n = Primitive.responds(e, :size, true) ? e.size : nil
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
      __check
      @__enums.each { |e| e.rewind if Primitive.responds(e, :rewind, true) }
      self
    end

    def inspect
      return "#<#{self.class}: uninitialized>" unless @__enums
      token = Primitive.inspect_enter(self)
      return "#<#{self.class}: ...>" if nil.equal?(token)
      begin
        "#<#{self.class}: [#{@__enums.map { |v| v.inspect }.join(", ")}]>"
      ensure
        Primitive.inspect_leave(token)
      end
    end
    alias to_s inspect

    undef_method :next, :peek, :next_values, :peek_values, :feed
  end
end
