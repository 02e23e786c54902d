# frozen_string_literal: true

# Set, kept as the keys of a Hash.
class Set
  include Enumerable

  def self.[](*items)
    new(items)
  end

  # A set that is only allocated is an empty one.
  def self.allocate
    made = super
    Set.instance_method(:initialize).bind_call(made)
    made
  end

  # Where the elements are; a subclass may have forgotten to initialize it.
  def __table = @__hash || (frozen? ? {}.freeze : @__hash = {})
  private :__table

  def initialize(items = nil, &block)
    @__hash = {}
    return if nil.equal?(items)
    if block
      __fill_from(items) { |v| (@__hash || __table)[block.call(v)] = true }
    elsif __core?
      merge(items)
    else
      __fill_from(items) { |v| add(v) }
    end
  end

  # Subclasses but for those of CoreSet keep what the set library promised before sets became core: that `add` is called,
  # and their display.
  def __core? = Primitive.obj_same(self.class, Set) || CoreSet === self
  private :__core?

  def initialize_copy(other)
    @__hash = other.__table.dup
    self
  end
  private :initialize_copy

  def freeze
    (@__hash || __table).freeze
    super
  end

  # Hands every element of a set or another enumerable to the block.
  def __fill_from(items)
    if Primitive.responds(items, :each_entry)
      items.each_entry { |v| yield v }
    elsif Primitive.responds(items, :each)
      items.each { |v| yield v }
    else
      raise ArgumentError, "value must be enumerable"
    end
  end
  private :__fill_from

  def __need_set(other)
    raise ArgumentError, "value must be a set" unless Primitive.kind_of(other, Set)
    other
  end
  private :__need_set

  def compare_by_identity
    Primitive.raise_frozen_if(self)
    (@__hash || __table).compare_by_identity
    self
  end

  def compare_by_identity?
    (@__hash || __table).compare_by_identity?
  end

  def size
    Primitive.hash_size(@__hash || __table)
  end
  alias length size

  def empty?
    Primitive.hash_size(@__hash || __table) == 0
  end

  def clear
    Primitive.raise_frozen_if(self)
    (@__hash || __table).clear
    self
  end

  def replace(other)
    Primitive.raise_frozen_if(self)
    raise "cannot replace set during iteration" if Primitive.hash_iterating(@__hash || __table)
    # The Hash stays the same one: others may be about to change it.
    if Primitive.kind_of(other, Set)
      (@__hash || __table).replace(other.__table)
    else
      fresh = {}
      fresh.compare_by_identity if compare_by_identity?
      __fill_from(other) { |v| fresh[v] = true }
      (@__hash || __table).replace(fresh)
    end
    self
  end

  def reset
    Primitive.raise_frozen_if(self)
    (@__hash || __table).rehash
    self
  end

  def to_a
    (@__hash || __table).keys
  end

  def to_set(klass = Set, *args, &block)
    return self if Primitive.obj_same(klass, Set) && instance_of?(Set) && args.empty? && !block
    klass.new(self, *args, &block)
  end

  def each(&block)
    return to_enum(:each) { size } unless block
    (@__hash || __table).each_key(&block)
    self
  end

  def include?(value)
    (@__hash || __table).key?(value)
  end
  alias member? include?
  alias === include?

  def first(n = Primitive.undef)
    if Primitive.undef?(n)
      (@__hash || __table).each_key { |v| return v }
      return nil
    end
    super
  end

  def add(value)
    Primitive.raise_frozen_if(self)
    Primitive.set_add((@__hash || __table), value)
    self
  end
  alias << add

  def add?(value)
    Primitive.raise_frozen_if(self)
    Primitive.hash_add((@__hash || __table), value, true) ? self : nil
  end

  def delete(value)
    Primitive.raise_frozen_if(self)
    (@__hash || __table).delete(value)
    self
  end

  def delete?(value)
    Primitive.raise_frozen_if(self)
    (@__hash || __table).delete(value) ? self : nil
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    (@__hash || __table).delete_if { |v, _| yield(v) && !Primitive.raise_frozen_if(self) }
    self
  end

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    (@__hash || __table).keep_if { |v, _| yield(v) || Primitive.raise_frozen_if(self) }
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    (@__hash || __table).reject! { |v, _| yield(v) && !Primitive.raise_frozen_if(self) } ? self : nil
  end

  def select!
    return to_enum(:select!) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    (@__hash || __table).select! { |v, _| yield(v) || Primitive.raise_frozen_if(self) } ? self : nil
  end
  alias filter! select!

  def map!
    return to_enum(:map!) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    seen = Primitive.hash_seen(@__hash || __table)
    old = to_a
    made = old.map { |v| yield v }
    fresh = made.to_h { |v| [v, true] }
    if compare_by_identity?
      # What comes out is compared by `eql?`, as in CRuby.
      (@__hash || __table).replace(fresh)
      return self
    end
    return self if Primitive.hash_become((@__hash || __table), seen, fresh)
    # Each element that is still there gives way to what was made of it; what other threads have added stays.
    moved = []
    old.each_with_index { |v, i| moved << made[i] if !v.eql?(made[i]) && (@__hash || __table).delete(v) }
    moved.each { |v| (@__hash || __table)[v] = true }
    self
  end
  alias collect! map!

  def merge(*others, **opts)
    raise ArgumentError, "no keywords accepted" unless opts.empty?
    Primitive.raise_frozen_if(self)
    raise "cannot add to set during iteration" if Primitive.hash_iterating(@__hash || __table)
    others.each do |other|
      if Primitive.kind_of(other, Set)
        other.each { |v| Primitive.set_add((@__hash || __table), v) }
      else
        __fill_from(other) { |v| Primitive.set_add((@__hash || __table), v) }
      end
    end
    self
  end

  def subtract(other)
    Primitive.raise_frozen_if(self)
    __fill_from(other) { |v| (@__hash || __table).delete(v) }
    self
  end

  def |(other)
    dup.merge(other)
  end
  alias + |
  alias union |

  def -(other)
    dup.subtract(other)
  end
  alias difference -

  def &(other)
    out = self.class.new
    if Primitive.kind_of(other, Set) && other.size > size
      each { |v| out << v if other.include?(v) }
    else
      __fill_from(other) { |v| out << v if include?(v) }
    end
    out
  end
  alias intersection &

  def ^(other)
    others = dup.clear
    __fill_from(other) { |v| others << v }
    out = dup
    others.each { |v| out.add?(v) || out.delete(v) }
    out
  end

  def ==(other)
    return true if Primitive.obj_same(self, other)
    return false unless Primitive.kind_of(other, Set) && size == other.size
    return false unless compare_by_identity? == other.compare_by_identity?
    each { |v| return false unless other.include?(v) }
    true
  end
  alias eql? ==

  def hash
    [Set, (@__hash || __table)].hash
  end

  def <=>(other)
    return nil unless Primitive.kind_of(other, Set)
    if size == other.size
      self == other ? 0 : nil
    elsif size < other.size
      proper_subset?(other) ? -1 : nil
    else
      proper_superset?(other) ? 1 : nil
    end
  end

  def superset?(other)
    __need_set(other)
    return false if size < other.size
    other.each { |v| return false unless include?(v) }
    true
  end
  alias >= superset?

  def proper_superset?(other)
    __need_set(other)
    size > other.size && superset?(other)
  end
  alias > proper_superset?

  def subset?(other)
    __need_set(other).superset?(self)
  end
  alias <= subset?

  def proper_subset?(other)
    __need_set(other).proper_superset?(self)
  end
  alias < proper_subset?

  def intersect?(other)
    if Primitive.kind_of(other, Set)
      if size < other.size
        each { |v| return true if other.include?(v) }
      else
        other.each { |v| return true if include?(v) }
      end
    elsif Primitive.kind_of(other, Enumerable)
      other.each { |v| return true if include?(v) }
    else
      raise ArgumentError, "value must be enumerable"
    end
    false
  end

  def disjoint?(other)
    !intersect?(other)
  end

  def classify
    return to_enum(:classify) { size } unless block_given?
    out = {}
    each do |v|
      k = yield v
      (out[k] ||= self.class.new) << v
    end
    out
  end

  # With a block of one argument, the classes by its result; of two, the groups of elements that
  # it connects, directly or through others.
  def divide(&block)
    return to_enum(:divide) { size } unless block
    return self.class.new(classify(&block).values) unless block.arity == 2
    rest = to_a
    groups = self.class.new
    until rest.empty?
      group = [rest.shift]
      i = 0
      while i < group.size
        near, rest = rest.partition { |v| block.call(group[i], v) && block.call(v, group[i]) }
        group.concat(near)
        i += 1
      end
      groups << self.class.new(group)
    end
    groups
  end

  def flatten
    out = self.class.new
    __flatten_into(out, {}.compare_by_identity)
    out
  end

  def flatten!
    sets = to_a.select { |v| Primitive.kind_of(v, Set) }
    return nil if sets.empty?
    return replace(flatten) if compare_by_identity?
    found = sets.map do |set|
      out = self.class.new
      set.__send__(:__flatten_into, out, { self => true }.compare_by_identity)
      out
    end
    # Each set gives way to its elements in the hands of one thread; what others add meanwhile stays.
    sets.each_with_index { |set, i| merge(found[i]) if (@__hash || __table).delete(set) }
    self
  end

  def __flatten_into(out, active)
    raise ArgumentError, "tried to flatten recursive Set" if active.key?(self)
    active[self] = true
    each do |v|
      Primitive.kind_of(v, Set) ? v.__send__(:__flatten_into, out, active) : out << v
    end
    active.delete(self)
  end
  protected :__flatten_into

  def join(separator = nil)
    to_a.join(separator)
  end

  def inspect
    left, right = __core? ? ["#{self.class}[", "]"] : ["#<#{self.class}: {", "}>"]
    token = Primitive.inspect_enter(self)
    return "#{left}...#{right}" if nil.equal?(token)
    begin
      "#{left}#{to_a.map { |v| v.inspect }.join(", ")}#{right}"
    ensure
      Primitive.inspect_leave(token)
    end
  end
  alias to_s inspect

  # For subclasses that need nothing of the set library's.
  class CoreSet < Set
  end
end
