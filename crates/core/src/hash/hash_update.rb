# frozen_string_literal: true

# Hash methods that change the receiver through a block.
class Hash
  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, 0)
      while at
        k = Primitive.hash_iter_key(self, at)
        v = Primitive.hash_iter_value(self, at)
        unless yield k, v
          Primitive.raise_frozen_if(self)
          delete(k)
        end
        at = Primitive.hash_iter_next(self, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, 0)
      while at
        k = Primitive.hash_iter_key(self, at)
        v = Primitive.hash_iter_value(self, at)
        if yield k, v
          Primitive.raise_frozen_if(self)
          delete(k)
        end
        at = Primitive.hash_iter_next(self, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end

  def select!
    return to_enum(__callee__) { size } unless block_given?
    before = Primitive.hash_size(self)
    keep_if { |k, v| yield k, v }
    Primitive.hash_size(self) == before ? nil : self
  end
  alias filter! select!

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    before = Primitive.hash_size(self)
    delete_if { |k, v| yield k, v }
    Primitive.hash_size(self) == before ? nil : self
  end

  def transform_values!
    return to_enum(:transform_values!) { size } unless block_given?
    Primitive.raise_frozen_if(self)
    # Setting a key that exists changes its value in place, which a walk allows.
    Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, 0)
      while at
        k = Primitive.hash_iter_key(self, at)
        v = Primitive.hash_iter_value(self, at)
        Primitive.hash_set(self, k, yield(v))
        at = Primitive.hash_iter_next(self, at + 1)
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
    while i < Primitive.array_size(pairs)
      pair = Primitive.array_at(pairs, i)
      key = Primitive.array_at(pair, 0)
      fresh = Primitive.undef?(mapping) ? Primitive.undef : Primitive.hash_get(mapping, key, Primitive.undef)
      fresh = block_given? ? yield(key) : key if Primitive.undef?(fresh)
      # A key that an earlier pair was moved to now belongs to that pair.
      delete(key) unless fresh_keys.key?(key)
      Primitive.hash_set(self, fresh, Primitive.array_at(pair, 1))
      Primitive.hash_set(fresh_keys, fresh, true)
      i += 1
    end
    self
  end

  def merge!(*others)
    Primitive.raise_frozen_if(self)
    others.each do |other|
      other = Asterism::Internal.to_hash(other)
      if block_given?
        other.each do |k, v|
          old = Primitive.hash_get(self, k, Primitive.undef)
          Primitive.hash_set(self, k, Primitive.undef?(old) ? v : yield(k, old, v))
        end
      else
        other.each { |k, v| Primitive.hash_set(self, k, v) }
      end
    end
    self
  end
  alias update merge!
end
