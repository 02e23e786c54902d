# frozen_string_literal: true

# Array methods that change the receiver through a block, and lookups with a fallback block.
class Array
  def initialize(size = Primitive.undef, value = Primitive.undef)
    if !block_given? || Primitive.undef?(size)
      warn "given block not used", uplevel: 0 if block_given?
      Primitive.array_fill_new(self, size, value)
      return self
    end
    if Primitive.undef?(value) && !Primitive.kind_of(size, Integer) && (list = Primitive.to_ary_or_nil(size))
      warn "given block not used", uplevel: 0
      replace(list)
      return self
    end
    warn "block supersedes default value argument", uplevel: 0 unless Primitive.undef?(value)
    n = Primitive.array_check_size(size)
    Primitive.raise_frozen_if(self)
    Primitive.array_clear(self)
    i = 0
    while i < n
      v = yield i
      # Nobody else has changed it meanwhile, nearly always.
      if Primitive.array_size(self) == i
        Primitive.array_push(self, v)
      else
        Primitive.array_set(self, i, v)
      end
      i += 1
    end
    self
  end
  private :initialize

  # The four methods that take elements out note which, and where they are: they leave the array together at the end, also
  # when the block leaves early. What other threads do meanwhile stays as they did it.

  def select!
    return to_enum(__callee__) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    noted = []
    removed = 0
    i = 0
    begin
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        Primitive.array_note(noted, i, v) unless yield v
        i += 1
      end
    ensure
      removed = Primitive.array_remove(self, noted)
    end
    removed == 0 ? nil : self
  end
  alias filter! select!

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    noted = []
    i = 0
    begin
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        Primitive.array_note(noted, i, v) unless yield v
        i += 1
      end
    ensure
      Primitive.array_remove(self, noted)
    end
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    noted = []
    removed = 0
    i = 0
    begin
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        Primitive.array_note(noted, i, v) if yield v
        i += 1
      end
    ensure
      removed = Primitive.array_remove(self, noted)
    end
    removed == 0 ? nil : self
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    noted = []
    i = 0
    begin
      until Primitive.undef?(v = Primitive.array_fetch(self, i))
        Primitive.array_note(noted, i, v) if yield v
        i += 1
      end
    ensure
      Primitive.array_remove(self, noted)
    end
    self
  end

  def delete(value)
    noted = nil
    found = Primitive.undef
    while true
      # What several threads have is searched as it is at one moment.
      list = Primitive.array_settled(self)
      i = 0
      until Primitive.undef?(v = Primitive.array_fetch(list, i))
        if Primitive.obj_same(v, value) || v == value
          Primitive.raise_frozen_if(self)
          noted ||= []
          Primitive.array_note(noted, i, v)
          found = v
        end
        i += 1
      end
      break if noted || Primitive.array_is_settled(list)
    end
    # Another thread may have been the one that took it out.
    if nil.equal?(noted) || Primitive.array_remove(self, noted) == 0
      return block_given? ? yield(value) : nil
    end
    found
  end

  def uniq
    return Primitive.array_uniq(self) unless block_given?
    seen = {}
    out = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      k = yield v
      if Primitive.undef?(Primitive.hash_get(seen, k, Primitive.undef))
        Primitive.hash_set(seen, k, true)
        Primitive.array_push(out, v)
      end
      i += 1
    end
    out
  end

  def uniq!
    Primitive.raise_frozen_if(self)
    return nil if Primitive.array_size(self) < 2
    return Primitive.array_uniq_bang(self) unless block_given?
    seen = {}
    all = []
    kept = []
    classes = []
    i = 0
    until Primitive.undef?(v = Primitive.array_fetch(self, i))
      k = yield v
      Primitive.array_push(all, v)
      if Primitive.undef?(number = Primitive.hash_get(seen, k, Primitive.undef))
        number = Primitive.array_size(kept)
        Primitive.hash_set(seen, k, number)
        Primitive.array_push(kept, v)
      end
      Primitive.array_push(classes, number)
      i += 1
    end
    Primitive.array_keep_distinct(self, all, kept, classes)
  end

  def fetch(index, default = Primitive.undef)
    warn "block supersedes default value argument", uplevel: 0 if block_given? && !Primitive.undef?(default)
    i = Primitive.to_int(index)
    v = Primitive.array_fetch(self, i)
    return v unless Primitive.undef?(v)
    return yield(index) if block_given?
    return default unless Primitive.undef?(default)
    n = Primitive.array_size(self)
    raise IndexError, "index #{i} outside of array bounds: #{-n}...#{n}"
  end

  def fetch_values(*indexes, &block)
    indexes.map! { |i| fetch(i, &block) }
  end

  def dig(index, *rest)
    v = at(index)
    i = 0
    n = Primitive.array_size(rest)
    # Arrays within Arrays need no Array of the other indices.
    while i < n && !nil.equal?(v)
      break unless Primitive.kind_of(v, Array) && Primitive.is_core(v, :dig)
      v = v.at(Primitive.array_at(rest, i))
      i += 1
    end
    return v if i == n || nil.equal?(v)
    raise TypeError, "#{Primitive.class_of(v)} does not have #dig method" unless Primitive.responds(v, :dig)
    v.dig(*Primitive.array_slice(rest, i, n - i))
  end

  def fill(*args, &block)
    n = Primitive.array_size(args)
    if block
      raise ArgumentError, "wrong number of arguments (given #{n}, expected 0..2)" if n > 2
      from = args[0]
      length = args[1]
    else
      if n == 0 || n > 3
        raise ArgumentError, "wrong number of arguments (given #{n}, expected 1..3)"
      end
      value = args[0]
      from = args[1]
      length = args[2]
    end
    Primitive.raise_frozen_if(self)
    if n == 1 && !block
      size = Primitive.array_size(self)
      return self if size == 0 || Primitive.array_fill(self, 0, size, value, size)
    end
    # Converted once, since that may call methods; what they mean is found anew if the size has changed.
    range = nil
    if Primitive.kind_of(from, Range) && nil.equal?(length)
      range = from
      from = nil.equal?(range.begin) ? 0 : Primitive.to_int(range.begin)
      last = nil.equal?(range.end) ? nil : Primitive.to_int(range.end)
    else
      from = Primitive.to_int(from) unless nil.equal?(from)
      length = Primitive.to_int(length) unless nil.equal?(length)
    end
    while true
      size = Primitive.array_size(self)
      start = nil.equal?(from) ? 0 : from
      start += size if start < 0
      if range
        raise RangeError, "#{range.inspect} out of range" if start < 0
        stop = nil.equal?(last) ? size : last
        stop += size if stop < 0
        stop += 1 unless range.exclude_end? || nil.equal?(last)
        stop = start if stop < start
      else
        start = 0 if start < 0
        stop = nil.equal?(length) ? size : start + length
      end
      # An empty part behind the end makes room up to itself.
      if stop <= start
        self[start - 1] = nil if stop == start && start > size
        return self
      end
      # Sizes beyond this cannot be allocated, whatever the machine.
      raise ArgumentError, "argument too big" if stop > 0xfff_ffff_ffff_ffff
      unless block
        return self if Primitive.array_fill(self, start, stop - start, value, size)
        next
      end
      break if stop <= size || Primitive.array_fill(self, size, stop - size, nil, size)
    end
    i = start
    while i < stop
      break unless Primitive.array_put(self, i, yield(i))
      i += 1
    end
    self
  end

  def zip(*others)
    if Primitive.array_size(self) == 0
      # Nothing is asked for: the others need not have anything.
      others.each { |o| Primitive.to_ary_or_nil(o) }
      return block_given? ? nil : []
    end
    lists = others.map do |o|
      ary = Primitive.to_ary_or_nil(o)
      next ary unless nil.equal?(ary)
      unless Primitive.responds(o, :each, true)
        raise TypeError, "wrong argument type #{Primitive.class_of(o)} (must respond to :each)"
      end
      # Only as many elements as the receiver has are asked for: the other side may be endless.
      need = Primitive.array_size(self)
      got = []
      if need > 0
        o.each do |*packed|
          Primitive.array_push(got, packed)
          break if Primitive.array_size(got) >= need
        end
      end
      got
    end
    rows = Primitive.array_zip(self, lists)
    return rows unless block_given?
    i = 0
    while i < Primitive.array_size(rows)
      yield Primitive.array_at(rows, i)
      i += 1
    end
    nil
  end
end
