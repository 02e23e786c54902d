# frozen_string_literal: true

# Hash methods that change the receiver through a block. An entry is changed only if it still is what the block was asked
# about; if another thread has changed it, the block is asked again, a hundred times at most.
class Hash
  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    tries = 0
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        k = Primitive.hash_iter_key(self, table, at)
        v = Primitive.hash_iter_value(self, table, at)
        unless Primitive.undef?(k) || Primitive.undef?(v) || yield(k, v)
          Primitive.raise_frozen_if(self)
          done = Primitive.hash_iter_delete(self, table, at, tries < 100 ? v : Primitive.undef)
          if false.equal?(done)
            tries += 1
            next
          end
        end
        tries = 0
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    tries = 0
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        k = Primitive.hash_iter_key(self, table, at)
        v = Primitive.hash_iter_value(self, table, at)
        unless Primitive.undef?(k) || Primitive.undef?(v) || !yield(k, v)
          Primitive.raise_frozen_if(self)
          done = Primitive.hash_iter_delete(self, table, at, tries < 100 ? v : Primitive.undef)
          if false.equal?(done)
            tries += 1
            next
          end
        end
        tries = 0
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end

  def select!
    return to_enum(__callee__) { size } unless block_given?
    __keep_if { |k, v| yield k, v } ? self : nil
  end
  alias filter! select!

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    __keep_if { |k, v| !yield(k, v) } ? self : nil
  end

  # As `keep_if`; whether it has deleted entries, or the block itself has.
  def __keep_if
    Primitive.raise_frozen_if(self)
    before = size
    deleted = tries = 0
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        k = Primitive.hash_iter_key(self, table, at)
        v = Primitive.hash_iter_value(self, table, at)
        unless Primitive.undef?(k) || Primitive.undef?(v) || yield(k, v)
          Primitive.raise_frozen_if(self)
          done = Primitive.hash_iter_delete(self, table, at, tries < 100 ? v : Primitive.undef)
          if false.equal?(done)
            tries += 1
            next
          end
          deleted += 1 if done
        end
        tries = 0
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    deleted > 0 || size != before
  end
  private :__keep_if

  def transform_values!
    return to_enum(:transform_values!) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    tries = 0
    # Setting a key that exists changes its value in place, which a walk allows.
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        v = Primitive.hash_iter_value(self, table, at)
        unless Primitive.undef?(v)
          fresh = yield v
          if false.equal?(Primitive.hash_iter_set(self, table, at, tries < 100 ? v : Primitive.undef, fresh))
            tries += 1
            next
          end
        end
        tries = 0
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end

  def transform_keys!(mapping = Primitive.undef)
    if Primitive.undef?(mapping)
      return to_enum(:transform_keys!) { size } unless block_given?
    else
      mapping = Asterism::Internal.to_hash(mapping)
    end
    Primitive.raise_frozen_if(self)
    fresh_keys = {}
    pairs = to_a
    i = 0
    n = Primitive.array_size(pairs)
    while i < n
      pair = Primitive.array_at(pairs, i)
      key = Primitive.array_at(pair, 0)
      fresh = Primitive.undef?(mapping) ? Primitive.undef : Primitive.hash_get(mapping, key, Primitive.undef)
      fresh = block_given? ? yield(key) : key if Primitive.undef?(fresh)
      # A key that an earlier pair was moved to now belongs to that pair.
      if fresh_keys.key?(key)
        Primitive.hash_set(self, fresh, Primitive.array_at(pair, 1))
      else
        Primitive.hash_move(self, key, fresh, Primitive.array_at(pair, 1))
      end
      Primitive.hash_set(fresh_keys, fresh, true)
      i += 1
    end
    self
  end

  def merge!(*others)
    Primitive.raise_frozen_if(self)
    return Primitive.hash_set_all(self, others) unless block_given?
    others.each do |other|
      other = Asterism::Internal.to_hash(other)
      # A subclass may have an `each` of its own, which is not asked.
      other = {}.replace(other) unless Primitive.is_core(other, :each)
      other.each do |k, v|
        tries = 0
        while true
          old = Primitive.hash_get(self, k, Primitive.undef)
          if Primitive.undef?(old)
            break if Primitive.hash_add(self, k, v)
            next
          end
          fresh = yield k, old, v
          break if Primitive.hash_exchange(self, k, old, fresh)
          # A block that sets the key itself has its way, but not the last word.
          break Primitive.hash_set(self, k, fresh) if (tries += 1) == 100
        end
      end
    end
    self
  end
  alias update merge!
end
