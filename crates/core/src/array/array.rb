# frozen_string_literal: true

# Array methods that call a block: iteration, searching, filtering and conversion. The size is
# read again on every step, because the block may change the array. What CRuby's Array has from Enumerable
# goes by `each` where a subclass or a module has its own.
class Array
  include Enumerable

  def each
    return to_enum(:each) { size } unless block_given?
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      yield v
      i += 1
    end
    self
  end

  def each_index
    return to_enum(:each_index) { size } unless block_given?
    i = 0
    while i < Primitive.array_size(self)
      yield i
      i += 1
    end
    self
  end

  def each_with_index(*args)
    return super unless Primitive.array_size(args) == 0 && Primitive.is_core(self, :each)
    return to_enum(:each_with_index) { size } unless block_given?
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      yield v, i
      i += 1
    end
    self
  end

  def each_with_object(memo)
    return super unless Primitive.is_core(self, :each)
    return to_enum(:each_with_object, memo) { size } unless block_given?
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      yield v, memo
      i += 1
    end
    memo
  end

  def reverse_each
    return to_enum(:reverse_each) { size } unless block_given?
    i = Primitive.array_size(self) - 1
    while i >= 0
      if Primitive.undef?(v = Primitive.array_fetch(self, i))
        # The array has become shorter: go on from its new end.
        i = Asterism::Internal.last_index(self, i)
      else
        yield v
        i -= 1
      end
    end
    self
  end

  def map
    return to_enum(__callee__) { size } unless block_given?
    out = Primitive.array_new_capa(Primitive.array_size(self))
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_push(out, yield(v))
      i += 1
    end
    out
  end
  alias collect map

  def map!
    return to_enum(__callee__) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_exchange(self, i, v, yield(v))
      i += 1
    end
    self
  end
  alias collect! map!

  def select
    return to_enum(__callee__) { size } unless block_given?
    out = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_push(out, v) if yield v
      i += 1
    end
    out
  end
  alias filter select

  def find_all
    return super unless Primitive.is_core(self, :each)
    return to_enum(:find_all) { size } unless block_given?
    out = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_push(out, v) if yield v
      i += 1
    end
    out
  end

  def reject
    return to_enum(:reject) { size } unless block_given?
    out = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_push(out, v) unless yield v
      i += 1
    end
    out
  end

  def filter_map
    return super unless Primitive.is_core(self, :each)
    return to_enum(:filter_map) { size } unless block_given?
    out = []
    i = 0
    until Primitive.undef?(x = Primitive.array_fetch(self, i))
      v = yield x
      Primitive.array_push(out, v) if v
      i += 1
    end
    out
  end

  def flat_map
    return super unless Primitive.is_core(self, :each)
    return to_enum(__callee__) { size } unless block_given?
    out = []
    i = 0
    until Primitive.undef?(x = Primitive.array_fetch(self, i))
      v = yield x
      ary = Primitive.to_ary_or_nil(v)
      if nil.equal?(ary)
        Primitive.array_push(out, v)
      else
        j = 0
        while j < Primitive.array_size(ary)
          Primitive.array_push(out, Primitive.array_at(ary, j))
          j += 1
        end
      end
      i += 1
    end
    out
  end
  alias collect_concat flat_map

  def partition
    return super unless Primitive.is_core(self, :each)
    return to_enum(:partition) { size } unless block_given?
    yes = []
    no = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      if yield v
        Primitive.array_push(yes, v)
      else
        Primitive.array_push(no, v)
      end
      i += 1
    end
    [yes, no]
  end

  def group_by
    return super unless Primitive.is_core(self, :each)
    return to_enum(:group_by) { size } unless block_given?
    out = {}
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      k = yield v
      group = Primitive.hash_get(out, k, nil)
      if group
        Primitive.array_push(group, v)
      else
        Primitive.hash_set(out, k, [v])
      end
      i += 1
    end
    out
  end

  def find(if_none = nil)
    return to_enum(__callee__, if_none) unless block_given?
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      return v if yield v
      i += 1
    end
    nil.equal?(if_none) ? nil : if_none.call
  end
  alias detect find

  def rfind(if_none = nil)
    return to_enum(:rfind, if_none) unless block_given?
    i = Primitive.array_size(self) - 1
    while i >= 0
      if Primitive.undef?(v = Primitive.array_fetch(self, i))
        i = Asterism::Internal.last_index(self, i)
      else
        return v if yield v
        i -= 1
      end
    end
    nil.equal?(if_none) ? nil : if_none.call
  end

  def find_index(value = Primitive.undef)
    if Primitive.undef?(value)
      return to_enum(__callee__) unless block_given?
      i = 0
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return i if yield v
        i += 1
      end
      return nil
    end
    warn "given block not used", uplevel: 0 if block_given?
    list = Primitive.array_settled(self)
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(list, i))
      return i if Primitive.obj_same(v, value) || v == value
      i += 1
    end
    nil
  end
  alias index find_index

  def rindex(value = Primitive.undef)
    return to_enum(:rindex) unless block_given? || !Primitive.undef?(value)
    warn "given block not used", uplevel: 0 if block_given? && !Primitive.undef?(value)
    i = Primitive.array_size(self) - 1
    while i >= 0
      if Primitive.undef?(v = Primitive.array_fetch(self, i))
        i = Asterism::Internal.last_index(self, i)
        next
      end
      if Primitive.undef?(value)
        return i if yield v
      elsif Primitive.obj_same(v, value) || v == value
        return i
      end
      i -= 1
    end
    nil
  end

  def any?(pattern = Primitive.undef)
    i = 0
    if !Primitive.undef?(pattern)
      warn "given block not used", uplevel: 0 if block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return true if pattern === v
        i += 1
      end
    elsif block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return true if yield v
        i += 1
      end
    else
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return true if v
        i += 1
      end
    end
    false
  end

  def all?(pattern = Primitive.undef)
    i = 0
    if !Primitive.undef?(pattern)
      warn "given block not used", uplevel: 0 if block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return false unless pattern === v
        i += 1
      end
    elsif block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return false unless yield v
        i += 1
      end
    else
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return false unless v
        i += 1
      end
    end
    true
  end

  def none?(pattern = Primitive.undef)
    i = 0
    if !Primitive.undef?(pattern)
      warn "given block not used", uplevel: 0 if block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return false if pattern === v
        i += 1
      end
    elsif block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return false if yield v
        i += 1
      end
    else
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        return false if v
        i += 1
      end
    end
    true
  end

  def one?(pattern = Primitive.undef)
    warn "given block not used", uplevel: 0 if block_given? && !Primitive.undef?(pattern)
    found = false
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      hit = if !Primitive.undef?(pattern)
        pattern === v
      elsif block_given?
        yield v
      else
        v
      end
      if hit
        return false if found
        found = true
      end
      i += 1
    end
    found
  end

  def count(value = Primitive.undef)
    n = 0
    i = 0
    if !Primitive.undef?(value)
      warn "given block not used", uplevel: 0 if block_given?
      list = Primitive.array_settled(self)
      until Primitive.undef?(v = Primitive.array_fetch(list, i))
        n += 1 if Primitive.obj_same(v, value) || v == value
        i += 1
      end
    elsif block_given?
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        n += 1 if yield v
        i += 1
      end
    else
      n = Primitive.array_size(self)
    end
    n
  end

  def take_while
    return to_enum(:take_while) unless block_given?
    out = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      break unless yield v
      Primitive.array_push(out, v)
      i += 1
    end
    out
  end

  def drop_while
    return to_enum(:drop_while) unless block_given?
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      break unless yield v
      i += 1
    end
    out = []
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.array_push(out, v)
      i += 1
    end
    out
  end

  def entries(*args)
    return super unless Primitive.array_size(args) == 0 && Primitive.is_core(self, :each)
    Primitive.array_slice(self, 0, Primitive.array_size(self))
  end

  def member?(value)
    return super unless Primitive.is_core(self, :each)
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      return true if Primitive.obj_same(v, value) || v == value
      i += 1
    end
    false
  end

  def each_entry(*args, &block)
    return super if Primitive.array_size(args) > 0
    return to_enum(:each_entry) { size } unless block
    each(&block)
  end

  def each_slice(n)
    return super unless Primitive.is_core(self, :each)
    n = Primitive.to_int(n)
    raise ArgumentError, "invalid slice size" if n <= 0
    return to_enum(:each_slice, n) { (size + n - 1) / n } unless block_given?
    i = 0
    while i < Primitive.array_size(self)
      chunk = Primitive.array_slice(self, i, n)
      yield chunk unless Primitive.array_size(chunk) == 0
      i += n
    end
    self
  end

  def each_cons(n)
    return super unless Primitive.is_core(self, :each)
    n = Primitive.to_int(n)
    raise ArgumentError, "invalid size" if n <= 0
    return to_enum(:each_cons, n) { size < n ? 0 : size - n + 1 } unless block_given?
    i = 0
    while i + n <= Primitive.array_size(self)
      window = Primitive.array_slice(self, i, n)
      break if Primitive.array_size(window) < n
      yield window
      i += 1
    end
    self
  end

  def cycle(n = nil)
    unless block_given?
      return to_enum(:cycle, *(nil.equal?(n) ? [] : [n])) do
        if size == 0
          0
        elsif nil.equal?(n)
          Float::INFINITY
        else
          times = Primitive.to_int(n)
          times > 0 ? size * times : 0
        end
      end
    end
    times = nil.equal?(n) ? nil : Primitive.to_int(n)
    while Primitive.array_size(self) > 0 && (nil.equal?(times) || times > 0)
      i = 0
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        yield v
        i += 1
      end
      times -= 1 unless nil.equal?(times)
    end
    nil
  end

  def to_h
    out = {}
    i = 0
    if block_given?
      until Primitive.undef?(x = Primitive.array_fetch(self, i))
        pair = yield x
        pair = Asterism::Internal.pair(pair, i) unless Primitive.kind_of(pair, Array) && Primitive.array_size(pair) == 2
        Primitive.hash_set(out, Primitive.array_at(pair, 0), Primitive.array_at(pair, 1))
        i += 1
      end
    else
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        pair = Asterism::Internal.pair(v, i)
        Primitive.hash_set(out, Primitive.array_at(pair, 0), Primitive.array_at(pair, 1))
        i += 1
      end
    end
    out
  end

  def tally(into = Primitive.undef)
    return super unless Primitive.undef?(into) && Primitive.is_core(self, :each)
    out = {}
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      Primitive.hash_set(out, v, Primitive.hash_get(out, v, 0) + 1)
      i += 1
    end
    out
  end
end

class Enumerator
  # What walking an Array from outside looks for: see begin_walk.
  ARRAY_EACH = Array.instance_method(:each)
  ARRAY_EACH_WITH_INDEX = Array.instance_method(:each_with_index)
  private_constant :ARRAY_EACH, :ARRAY_EACH_WITH_INDEX
end
