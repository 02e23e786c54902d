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
    raise TypeError, "can't copy execution context" if other.instance_variable_get(:@fiber) || other.instance_variable_get(:@list)
    super
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
    @fiber = @list = @ahead = @fed = @stop = nil
    self
  end

  def next
    if (list = @list)
      at = @at
      if at >= Primitive.array_size(list)
        list = more_of_list
        at = 0
      end
      @at = at + 1
      @fed = nil if @fed
      return Primitive.array_at(list, at)
    end
    if (vals = @ahead)
      @ahead = nil
    else
      vals = (fiber = @fiber) && fiber.resume
      unless vals
        return self.next if nil.equal?(@list) && begin_walk
        vals = pull
      end
    end
    Primitive.array_as_value(vals)
  end

  def next_values
    list = @list
    list = begin_walk if nil.equal?(list)
    return [self.next] if list
    vals = @ahead
    vals ? @ahead = nil : vals = pull
    vals
  end

  def peek
    if (list = @list)
      at = @at
      if at >= Primitive.array_size(list)
        list = more_of_list
        @at = at = 0
      end
      return Primitive.array_at(list, at)
    end
    unless (vals = @ahead)
      vals = (fiber = @fiber) && fiber.resume
      unless vals
        return peek if nil.equal?(@list) && begin_walk
        vals = pull
      end
      @ahead = vals
    end
    Primitive.array_as_value(vals)
  end

  def peek_values
    list = @list
    list = begin_walk if nil.equal?(list)
    list ? [peek] : (@ahead ||= pull).dup
  end

  def feed(value)
    raise TypeError, "feed value already set" if @fed
    @fed = [value]
    nil
  end

  # Decides how to walk: each of an Array or a Range of Integers, and Integer#times, run no code of the program but the
  # block, so their elements are taken one by one, those of a Range some at a time; everything else runs in a fiber. What
  # @list is from here on: an Array, or false.
  def begin_walk
    raise @stop if @stop
    @fed ||= nil
    @ahead ||= nil
    @fiber ||= nil
    @rest = nil
    @at = 0
    from = @receiver
    @list = if !instance_of?(Enumerator) || !@args.empty? || !@opts.empty?
      false
    elsif Array === from && from.instance_of?(Array) && :each.equal?(@meth)
      ARRAY_EACH == from.method(:each).unbind && from
    elsif Range === from && :each.equal?(@meth)
      low = from.begin
      high = from.end
      if Integer === low && (nil.equal?(high) || Integer === high) && RANGE_EACH == from.method(:each).unbind
        @rest = from
        []
      end
    elsif Integer === from && :times.equal?(@meth) && TIMES == from.method(:times).unbind
      @rest = 0...from
      []
    end || false
  end
  private :begin_walk

  # The next elements of a Range, if there are any: else the end.
  def more_of_list
    if (rest = @rest)
      low = rest.begin
      high = rest.end
      high = nil.equal?(high) ? low + 127 : rest.exclude_end? ? high - 1 : high
      if low <= high
        last = low + 127 < high ? low + 127 : high
        @rest = Range.new(last + 1, rest.end, rest.exclude_end?)
        return @list = (low..last).to_a
      end
    end
    @list = @fed = @rest = nil
    @stop = StopIteration.new("iteration reached an end")
    Primitive.stop_iteration_result(@stop, @receiver)
    raise @stop
  end
  private :more_of_list

  # The values of the next yield, an Array.
  def pull
    fiber = @fiber
    if nil.equal?(fiber)
      raise @stop if @stop
      fiber = start_fiber
    end
    vals = fiber.resume
    return vals if vals
    raise @stop
  end
  private :pull

  def start_fiber
    @fiber = Fiber.new do
      begin
        result = each do |*vals|
          Fiber.yield(vals)
          if (fed = @fed)
            @fed = nil
            Primitive.array_at(fed, 0)
          end
        end
      ensure
        # Whatever ends it, the next call begins again.
        @fiber = nil
      end
      @stop = StopIteration.new("iteration reached an end")
      Primitive.stop_iteration_result(@stop, result)
      false
    end
  end
  private :start_fiber

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
