# frozen_string_literal: true

# Enumerable methods that walk the elements in groups: slices, windows, chunks, zip and cycle.
module Enumerable
  def each_slice(n)
    n = Primitive.to_int(n)
    raise ArgumentError, "invalid slice size" if n <= 0
    unless block_given?
      return to_enum(:each_slice, n) do
        total = Primitive.responds(self, :size, true) ? size : nil
        if nil.equal?(total)
          nil
        elsif Primitive.kind_of(total, Float) && total.infinite?
          total
        else
          (total + n - 1).div(n)
        end
      end
    end
    chunk = []
    each do |*packed|
      Primitive.array_push(chunk, packed)
      if Primitive.array_size(chunk) == n
        full = chunk
        chunk = []
        yield full
      end
    end
    yield chunk if Primitive.array_size(chunk) > 0
    self
  end

  def each_cons(n)
    n = Primitive.to_int(n)
    raise ArgumentError, "invalid size" if n <= 0
    unless block_given?
      return to_enum(:each_cons, n) do
        total = Primitive.responds(self, :size, true) ? size : nil
        if nil.equal?(total)
          nil
        else
          total = total - n + 1
          total < 0 ? 0 : total
        end
      end
    end
    window = []
    each do |*packed|
      window.shift if Primitive.array_size(window) == n
      Primitive.array_push(window, packed)
      yield window.dup if Primitive.array_size(window) == n
    end
    self
  end

  def zip(*others, &block)
    lists = others.map do |o|
      ary = Primitive.to_ary_or_nil(o)
      next ary unless nil.equal?(ary)
      unless Primitive.responds(o, :each, true)
        raise TypeError, "wrong argument type #{Primitive.class_of(o)} (must respond to :each)"
      end
      o.to_enum(:each)
    end
    out = block ? nil : []
    i = 0
    each do |*packed|
      row = [packed]
      j = 0
      while j < Primitive.array_size(lists)
        list = Primitive.array_at(lists, j)
        v = nil
        if Primitive.kind_of(list, Array)
          v = Primitive.array_at(list, i)
        elsif list
          # What is no array is walked beside the receiver.
          begin
            v = list.next
          rescue StopIteration
            lists[j] = nil
          end
        end
        Primitive.array_push(row, v)
        j += 1
      end
      i += 1
      out ? Primitive.array_push(out, row) : yield(row)
      nil
    end
    out
  end

  def cycle(n = nil)
    unless block_given?
      return to_enum(:cycle, *(nil.equal?(n) ? [] : [n])) do
        total = Primitive.responds(self, :size, true) ? size : nil
        times = nil.equal?(n) ? Float::INFINITY : Primitive.to_int(n)
        if nil.equal?(total) || total == 0
          total
        else
          times > 0 ? total * times : 0
        end
      end
    end
    unless nil.equal?(n)
      n = Primitive.to_int(n)
      return nil if n <= 0
    end
    seen = []
    Primitive.loosen_block
    each do |*packed|
      v = packed
      Primitive.array_push(seen, v)
      yield v
      nil
    end
    return nil if Primitive.array_size(seen) == 0
    while nil.equal?(n) || n > 1
      i = 0
      while i < Primitive.array_size(seen)
        yield Primitive.array_at(seen, i)
        i += 1
      end
      n -= 1 unless nil.equal?(n)
    end
    nil
  end

  def chunk(&block)
    return to_enum(:chunk) { size if Primitive.responds(self, :size, true) } unless block
    source = self
    Enumerator.new do |out|
      group = nil
      key = nil
      source.each do |*packed|
        v = packed
        k = block.call(v)
        if k == :_alone
          out << [key, group] if group
          group = nil
          out << [:_alone, [v]]
        elsif nil.equal?(k) || k == :_separator
          out << [key, group] if group
          group = nil
        elsif Primitive.kind_of(k, Symbol) && k.start_with?("_")
          raise RuntimeError, "symbols beginning with an underscore are reserved"
        elsif group && k == key
          Primitive.array_push(group, v)
        else
          out << [key, group] if group
          group = [v]
          key = k
        end
        nil
      end
      out << [key, group] if group
      nil
    end
  end

  def chunk_while(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    Asterism::Internal.split_pairs(self, false, block)
  end

  def slice_when(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    Asterism::Internal.split_pairs(self, true, block)
  end

  def slice_before(needed_pattern = Primitive.undef, &block)
    if block
      raise ArgumentError, "wrong number of arguments (given 1, expected 0)" unless Primitive.undef?(needed_pattern)
    elsif Primitive.undef?(needed_pattern)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1)"
    end
    source = self
    Enumerator.new do |out|
      group = nil
      source.each do |*packed|
        v = packed
        if group && (block ? block.call(v) : needed_pattern === v)
          out << group
          group = [v]
        elsif group
          Primitive.array_push(group, v)
        else
          # The first element starts a slice whatever the test says, but is tested all the same.
          block ? block.call(v) : needed_pattern === v
          group = [v]
        end
        nil
      end
      out << group if group
      nil
    end
  end

  def slice_after(pattern = Primitive.undef, &block)
    if block
      raise ArgumentError, "both pattern and block are given" unless Primitive.undef?(pattern)
    elsif Primitive.undef?(pattern)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1)"
    end
    source = self
    Enumerator.new do |out|
      group = nil
      source.each do |*packed|
        v = packed
        group ? Primitive.array_push(group, v) : group = [v]
        if block ? block.call(v) : pattern === v
          out << group
          group = nil
        end
        nil
      end
      out << group if group
      nil
    end
  end
end
