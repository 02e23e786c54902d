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
      @sink.call(*vals)
    end

    def <<(value)
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
      if block.nil?
        raise LocalJumpError, "no block given" if nil.equal?(source)
        unless Primitive.kind_of(source, Proc)
          raise TypeError, "wrong argument type #{source.class} (expected Proc)"
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
    unless nil.equal?(size) || Primitive.kind_of(size, Integer) || size == Float::INFINITY || size.respond_to?(:call)
      raise TypeError, "wrong argument type #{size.class} (expected Integer, Float::INFINITY, nil or callable)"
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
    unless nil.equal?(size) || Primitive.kind_of(size, Proc) || size.respond_to?(:call) ||
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
    return @size unless @size.respond_to?(:call)
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

  def +(other)
    Chain.new(self, other)
  end

  def rewind
    @receiver.rewind if @receiver.respond_to?(:rewind)
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
    Primitive.walk_expect(@walk || begin_walk)
    v = self.next
    Primitive.walk_many(@walk) || [v]
  end

  def peek_values
    Primitive.walk_expect(@walk || begin_walk)
    v = peek
    (many = Primitive.walk_many(@walk)) ? many.dup : [v]
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
    begin_walk unless walk && Primitive.walk_under_way(walk)
    v = Primitive.walk_go_on(@walk, peeking)
    return v unless Primitive.undef?(v)
    walk_ended(@receiver)
    raise @stop
  end
  private :go_on

  # Decides how to walk: each of an Array or a Range of Integers, and Integer#times, run no code of the program but the
  # block, so there is no need of a fiber; everything else runs in one.
  def begin_walk
    raise @stop if @stop
    walk = @walk ||= Primitive.walk_new
    from = @receiver
    if instance_of?(Enumerator) && @args.empty? && @opts.empty?
      if Array === from && from.instance_of?(Array) && :each.equal?(@meth)
        return Primitive.walk_array(walk, from) if ARRAY_EACH == from.method(:each).unbind
      elsif Range === from && :each.equal?(@meth)
        return walk if RANGE_EACH == from.method(:each).unbind &&
                       Primitive.walk_integers(walk, from.begin, from.end, from.exclude_end?)
      elsif Integer === from && :times.equal?(@meth)
        return walk if TIMES == from.method(:times).unbind && Primitive.walk_integers(walk, 0, from, true)
      end
    end
    Primitive.walk_fiber(walk, Fiber.new { walk_through(walk) })
  end
  private :begin_walk

  # What the fiber of a walk runs.
  def walk_through(walk)
    begin
      result = each(&Primitive.walk_block(walk))
    ensure
      # Whatever ends it, the next call begins again.
      Primitive.walk_end(walk)
    end
    walk_ended(result)
    Primitive.walk_stop(@stop)
  end
  private :walk_through

  def walk_ended(result)
    Primitive.walk_end(@walk)
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
        e.rewind if e.respond_to?(:rewind)
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

    def +(other)
      Chain.new(self, other)
    end

    def dup
      Chain.new(*@enums)
    end
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
      raise TypeError, "initialize_copy should take same class object" unless other.class == self.class
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
      total = 1
      @enums.each do |e|
        return nil unless e.respond_to?(:size)
        n = e.size
        return n if nil.equal?(n)
        return nil unless Primitive.kind_of(n, Integer) || (Primitive.kind_of(n, Float) && n.infinite?)
        total *= n
      end
      total
    end

    def rewind
      @enums.each { |e| e.rewind if e.respond_to?(:rewind) }
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
  end
end
