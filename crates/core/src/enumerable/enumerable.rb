# frozen_string_literal: true

# Enumerable on top of `each`: conversion, searching and filtering. An `each` that yields several
# values at once has them packed in an array, except for the methods whose block gets them apart
# (map, flat_map, filter_map, count, find_index, take_while, all? and its family, uniq, to_h).
# An `each` that looks at what its block answers sees nil, unless the method hands on what it yields to the block it got.
module Enumerable
  def to_a(*args, **opts)
    out = []
    Primitive.loosen_block
    if args.empty? && opts.empty?
      # Splats of nothing would be collected anew by whoever takes splats.
      each do |*packed|
        Primitive.array_push(out, packed)
        nil
      end
      return out
    end
    each(*args, **opts) do |*packed|
      Primitive.array_push(out, packed)
      nil
    end
    out
  end
  alias entries to_a

  def to_h(*args)
    out = {}
    if block_given?
      each(*args) do |*passed|
        pair = Asterism::Internal.pair(Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed))
        Primitive.hash_set(out, Primitive.array_at(pair, 0), Primitive.array_at(pair, 1))
        out
      end
    else
      each(*args) do |*packed|
        v = packed
        pair = Asterism::Internal.pair(v)
        Primitive.hash_set(out, Primitive.array_at(pair, 0), Primitive.array_at(pair, 1))
        out
      end
    end
    out
  end

  def to_set(klass = Set, *args, &block)
    klass.new(self, *args, &block)
  end

  def map
    return to_enum(__callee__) { size if Primitive.responds(self, :size, true) } unless block_given?
    out = []
    each do |*passed|
      Primitive.array_push(out, Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed))
      nil
    end
    out
  end
  alias collect map

  def flat_map
    return to_enum(__callee__) { size if Primitive.responds(self, :size, true) } unless block_given?
    out = []
    each do |*passed|
      v = Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed)
      ary = Primitive.to_ary_or_nil(v)
      nil.equal?(ary) ? Primitive.array_push(out, v) : out.concat(ary)
      nil
    end
    out
  end
  alias collect_concat flat_map

  def filter_map
    return to_enum(:filter_map) { size if Primitive.responds(self, :size, true) } unless block_given?
    out = []
    each do |*passed|
      v = Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed)
      Primitive.array_push(out, v) if v
      nil
    end
    out
  end

  def select
    return to_enum(__callee__) { size if Primitive.responds(self, :size, true) } unless block_given?
    out = []
    Primitive.loosen_block
    each do |*packed|
      v = packed
      Primitive.array_push(out, v) if yield v
      nil
    end
    out
  end
  alias find_all select
  alias filter select

  def reject
    return to_enum(:reject) { size if Primitive.responds(self, :size, true) } unless block_given?
    out = []
    Primitive.loosen_block
    each do |*packed|
      v = packed
      Primitive.array_push(out, v) unless yield v
      nil
    end
    out
  end

  def partition
    return to_enum(:partition) { size if Primitive.responds(self, :size, true) } unless block_given?
    yes = []
    no = []
    Primitive.loosen_block
    each do |*packed|
      v = packed
      Primitive.array_push((yield v) ? yes : no, v)
      nil
    end
    [yes, no]
  end

  def group_by
    return to_enum(:group_by) { size if Primitive.responds(self, :size, true) } unless block_given?
    out = {}
    Primitive.loosen_block
    each do |*packed|
      v = packed
      k = yield v
      group = Primitive.hash_get(out, k, nil)
      if group
        Primitive.array_push(group, v)
      else
        Primitive.hash_set(out, k, [v])
      end
      nil
    end
    out
  end

  def find(if_none = nil)
    return to_enum(__callee__, *(nil.equal?(if_none) ? [] : [if_none])) unless block_given?
    Primitive.loosen_block
    each do |*packed|
      v = packed
      return v if yield v
    end
    nil.equal?(if_none) ? nil : if_none.call
  end
  alias detect find

  def find_index(needed_value = Primitive.undef)
    i = 0
    if Primitive.undef?(needed_value)
      return to_enum(:find_index) unless block_given?
      each do |*passed|
        return i if Primitive.several(passed) ? yield(*Primitive.several_values(passed)) : yield(passed)
        i += 1
        nil
      end
    else
      warn "given block not used", uplevel: 0 if block_given?
      each do |*packed|
        v = packed
        return i if Primitive.obj_same(v, needed_value) || v == needed_value
        i += 1
        nil
      end
    end
    nil
  end

  def first(n = Primitive.undef)
    if Primitive.undef?(n)
      each { |*packed| return packed }
      return nil
    end
    n = Primitive.to_int(n)
    raise ArgumentError, "attempt to take negative size" if n < 0
    take(n)
  end

  def take(n)
    n = Primitive.to_int(n)
    raise ArgumentError, "attempt to take negative size" if n < 0
    out = []
    return out if n == 0
    Primitive.array_check_size(n)
    each do |*packed|
      Primitive.array_push(out, packed)
      break if Primitive.array_size(out) >= n
    end
    out
  end

  def take_while
    return to_enum(:take_while) unless block_given?
    out = []
    each do |*vals|
      break unless yield(*vals)
      Primitive.array_push(out, Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0))
      nil
    end
    out
  end

  def drop(n)
    n = Primitive.to_int(n)
    raise ArgumentError, "attempt to drop negative size" if n < 0
    out = []
    i = 0
    each do |*packed|
      Primitive.array_push(out, packed) if i >= n
      i += 1
      nil
    end
    out
  end

  def drop_while
    return to_enum(:drop_while) unless block_given?
    out = []
    dropping = true
    Primitive.loosen_block
    each do |*packed|
      v = packed
      dropping = false if dropping && !yield(v)
      Primitive.array_push(out, v) unless dropping
      nil
    end
    out
  end

  def include?(value)
    each do |*packed|
      v = packed
      return true if Primitive.obj_same(v, value) || v == value
    end
    false
  end
  alias member? include?

  def grep(pattern)
    out = []
    # Without a block nobody could look at $~, and it stays as it is.
    quiet = !block_given? && Primitive.kind_of(pattern, Regexp)
    Primitive.loosen_block
    each do |*packed|
      v = packed
      found = quiet ? Primitive.grep_match(pattern, v) : pattern === v
      Primitive.array_push(out, block_given? ? yield(v) : v) if found
      nil
    end
    out
  end

  def grep_v(pattern)
    out = []
    # Without a block nobody could look at $~, and it stays as it is.
    quiet = !block_given? && Primitive.kind_of(pattern, Regexp)
    Primitive.loosen_block
    each do |*packed|
      v = packed
      found = quiet ? Primitive.grep_match(pattern, v) : pattern === v
      Primitive.array_push(out, block_given? ? yield(v) : v) unless found
      nil
    end
    out
  end

  def compact
    out = []
    each do |*packed|
      v = packed
      Primitive.array_push(out, v) unless nil.equal?(v)
      nil
    end
    out
  end

  def uniq
    seen = {}
    out = []
    each do |*vals|
      v = Primitive.array_size(vals) > 1 ? vals : Primitive.array_at(vals, 0)
      k = block_given? ? yield(*vals) : v
      if Primitive.undef?(Primitive.hash_get(seen, k, Primitive.undef))
        Primitive.hash_set(seen, k, true)
        Primitive.array_push(out, v)
      end
      nil
    end
    out
  end

  def tally(into = Primitive.undef)
    if Primitive.undef?(into)
      out = {}
    else
      out = Asterism::Internal.to_hash(into)
      Primitive.raise_frozen_if(out)
    end
    each do |*packed|
      v = packed
      n = Primitive.hash_get(out, v, 0)
      unless Primitive.kind_of(n, Integer)
        raise TypeError, "wrong argument type #{Primitive.class_of(n)} (expected Integer)"
      end
      Primitive.hash_set(out, v, n + 1)
      nil
    end
    out
  end

  def each_entry(*args, **opts)
    return to_enum(:each_entry, *args, **opts) { size if Primitive.responds(self, :size, true) } unless block_given?
    Primitive.loosen_block
    each(*args, **opts) do |*packed|
      yield(packed)
    end
    self
  end

  def each_with_index(*args)
    return to_enum(:each_with_index, *args) { size if Primitive.responds(self, :size, true) } unless block_given?
    i = -1
    each(*args) do |*packed|
      i += 1
      yield packed, i
    end
    self
  end

  def each_with_object(memo)
    return to_enum(:each_with_object, memo) { size if Primitive.responds(self, :size, true) } unless block_given?
    each do |*packed|
      yield packed, memo
    end
    memo
  end

  def reverse_each(*args)
    return to_enum(:reverse_each, *args) { size if Primitive.responds(self, :size, true) } unless block_given?
    all = Asterism::Internal.entries(self, *args)
    i = Primitive.array_size(all) - 1
    while i >= 0
      yield Primitive.array_at(all, i)
      i -= 1
    end
    self
  end

  def lazy
    Enumerator::Lazy.__send__(:__over, self)
  end

  def chain(*others)
    Enumerator::Chain.__send__(:__of, [self, *others])
  end
end
