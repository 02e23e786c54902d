# frozen_string_literal: true

# Hash iteration. Each walk runs between hash_iter_begin and hash_iter_end, goes over the table that there was at its
# beginning, and makes adding a key meanwhile an error for its thread. Other threads change the Hash as they like: a key
# that they have just deleted is undef, its value is the last one.
class Hash
  include Enumerable

  def each_pair
    return to_enum(__callee__) { size } unless block_given?
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      if Primitive.block_spreads
        while at
          k = Primitive.hash_iter_key(self, table, at)
          v = Primitive.hash_iter_value(self, table, at)
          yield k, v unless Primitive.undef?(k) || Primitive.undef?(v)
          at = Primitive.hash_iter_next(self, table, at + 1)
        end
      else
        while at
          k = Primitive.hash_iter_key(self, table, at)
          v = Primitive.hash_iter_value(self, table, at)
          yield [k, v] unless Primitive.undef?(k) || Primitive.undef?(v)
          at = Primitive.hash_iter_next(self, table, at + 1)
        end
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end
  alias each each_pair
  # The pairs themselves, whatever `each` a subclass has.
  alias __pairs each_pair
  private :__pairs

  def each_key
    return to_enum(:each_key) { size } unless block_given?
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        k = Primitive.hash_iter_key(self, table, at)
        yield k unless Primitive.undef?(k)
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end

  def each_value
    return to_enum(:each_value) { size } unless block_given?
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        v = Primitive.hash_iter_value(self, table, at)
        yield v unless Primitive.undef?(v)
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    self
  end

  def each_with_index(*args)
    return super if Primitive.array_size(args) > 0
    return to_enum(:each_with_index) { size } unless block_given?
    i = 0
    each do |pair|
      yield pair, i
      i += 1
    end
    self
  end

  def map
    return super unless Primitive.is_core(self, :each)
    return to_enum(__callee__) { size } unless block_given?
    out = Primitive.array_new_capa(Primitive.hash_size(self))
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      # Unlike `each`, `map` takes the pair apart for a lambda of two parameters too.
      if Primitive.block_spreads || Primitive.block_takes_two
        while at
          k = Primitive.hash_iter_key(self, table, at)
          v = Primitive.hash_iter_value(self, table, at)
          Primitive.array_push(out, yield(k, v)) unless Primitive.undef?(k) || Primitive.undef?(v)
          at = Primitive.hash_iter_next(self, table, at + 1)
        end
      else
        while at
          k = Primitive.hash_iter_key(self, table, at)
          v = Primitive.hash_iter_value(self, table, at)
          Primitive.array_push(out, yield([k, v])) unless Primitive.undef?(k) || Primitive.undef?(v)
          at = Primitive.hash_iter_next(self, table, at + 1)
        end
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    out
  end
  alias collect map

  def filter_map
    return to_enum(:filter_map) { size } unless block_given?
    out = []
    each do |pair|
      v = yield pair
      Primitive.array_push(out, v) if v
    end
    out
  end

  # As CRuby's, these walk over a copy, so that a block may change the receiver.
  def select
    return to_enum(__callee__) { size } unless block_given?
    out = Primitive.hash_copy(self)
    table = Primitive.hash_iter_begin(out)
    at = Primitive.hash_iter_next(out, table, 0)
    while at
      k = Primitive.hash_iter_key(out, table, at)
      v = Primitive.hash_iter_value(out, table, at)
      unless Primitive.undef?(k) || Primitive.undef?(v) || yield(k, v)
        Primitive.hash_iter_delete(out, table, at, Primitive.undef)
      end
      at = Primitive.hash_iter_next(out, table, at + 1)
    end
    Primitive.hash_iter_end(out)
    Primitive.hash_trimmed(out)
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless block_given?
    out = Primitive.hash_copy(self)
    table = Primitive.hash_iter_begin(out)
    at = Primitive.hash_iter_next(out, table, 0)
    while at
      k = Primitive.hash_iter_key(out, table, at)
      v = Primitive.hash_iter_value(out, table, at)
      if !Primitive.undef?(k) && !Primitive.undef?(v) && yield(k, v)
        Primitive.hash_iter_delete(out, table, at, Primitive.undef)
      end
      at = Primitive.hash_iter_next(out, table, at + 1)
    end
    Primitive.hash_iter_end(out)
    Primitive.hash_trimmed(out)
  end

  def any?(pattern = Primitive.undef)
    return false if Primitive.hash_size(self) == 0
    if !Primitive.undef?(pattern)
      __pairs { |pair| return true if pattern === pair }
      return false
    end
    return true unless block_given?
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      spreads = Primitive.block_spreads
      while at
        k = Primitive.hash_iter_key(self, table, at)
        v = Primitive.hash_iter_value(self, table, at)
        unless Primitive.undef?(k) || Primitive.undef?(v)
          return true if spreads ? yield(k, v) : yield([k, v])
        end
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    false
  end

  def all?(*args)
    return super unless block_given? && Primitive.array_size(args) == 0
    each { |pair| return false unless yield pair }
    true
  end

  def count(*args)
    return super unless Primitive.array_size(args) == 0 && Primitive.is_core(self, :each)
    return Primitive.hash_size(self) unless block_given?
    n = 0
    each { |pair| n += 1 if yield pair }
    n
  end

  def find(*args)
    return super unless block_given? && Primitive.array_size(args) == 0
    each { |pair| return pair if yield pair }
    nil
  end

  def to_h
    unless block_given?
      return self if Primitive.obj_same(self.class, Hash)
      out = {}
      out.default = default
      out.default_proc = default_proc if default_proc
      out.compare_by_identity if compare_by_identity?
      __pairs { |k, v| Primitive.hash_set(out, k, v) }
      return out
    end
    out = {}
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        k = Primitive.hash_iter_key(self, table, at)
        v = Primitive.hash_iter_value(self, table, at)
        unless Primitive.undef?(k) || Primitive.undef?(v)
          pair = yield k, v
          pair = Asterism::Internal.pair(pair) unless Primitive.kind_of(pair, Array) && Primitive.array_size(pair) == 2
          Primitive.hash_set(out, Primitive.array_at(pair, 0), Primitive.array_at(pair, 1))
        end
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    out
  end

  def fetch(key, default = Primitive.undef)
    warn "block supersedes default value argument", uplevel: 0 if !Primitive.undef?(default) && block_given?
    v = Primitive.hash_get(self, key, Primitive.undef)
    return v unless Primitive.undef?(v)
    return yield(key) if block_given?
    return default unless Primitive.undef?(default)
    raise KeyError.new("key not found: #{Asterism::Internal.ellipsis(key.inspect)}", receiver: self, key: key)
  end

  def fetch_values(*keys, &block)
    keys.map! { |k| fetch(k, &block) }
  end

  def dig(key, *rest)
    v = Primitive.hash_get(self, key, Primitive.undef)
    v = default(key) if Primitive.undef?(v)
    i = 0
    n = Primitive.array_size(rest)
    # Hashes within Hashes need no Array of the other keys.
    while i < n && !nil.equal?(v)
      break unless Primitive.kind_of(v, Hash) && Primitive.is_core(v, :dig)
      key = Primitive.array_at(rest, i)
      within = Primitive.hash_get(v, key, Primitive.undef)
      v = Primitive.undef?(within) ? v.default(key) : within
      i += 1
    end
    return v if i == n || nil.equal?(v)
    raise TypeError, "#{Primitive.class_of(v)} does not have #dig method" unless Primitive.responds(v, :dig)
    v.dig(*Primitive.array_slice(rest, i, n - i))
  end

  def invert
    out = {}
    table = Primitive.hash_iter_begin(self)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        k = Primitive.hash_iter_key(self, table, at)
        v = Primitive.hash_iter_value(self, table, at)
        Primitive.hash_set(out, v, k) unless Primitive.undef?(k) || Primitive.undef?(v)
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    out
  end

  def transform_values
    return to_enum(:transform_values) { size } unless block_given?
    out = Primitive.hash_copy(self)
    table = Primitive.hash_iter_begin(out)
    at = Primitive.hash_iter_next(out, table, 0)
    while at
      v = Primitive.hash_iter_value(out, table, at)
      Primitive.hash_iter_set(out, table, at, Primitive.undef, yield(v)) unless Primitive.undef?(v)
      at = Primitive.hash_iter_next(out, table, at + 1)
    end
    Primitive.hash_iter_end(out)
    out
  end

  def transform_keys(mapping = Primitive.undef)
    if Primitive.undef?(mapping)
      return to_enum(:transform_keys) { size } unless block_given?
    else
      mapping = Asterism::Internal.to_hash(mapping)
    end
    out = {}
    __pairs do |k, v|
      fresh = Primitive.undef?(mapping) ? Primitive.undef : Primitive.hash_get(mapping, k, Primitive.undef)
      fresh = block_given? ? yield(k) : k if Primitive.undef?(fresh)
      Primitive.hash_set(out, fresh, v)
    end
    out
  end

  def merge(*others, &block)
    return Primitive.hash_merged(self, others) unless block
    Primitive.hash_dup(self).update(*others, &block)
  end

  def sum(init = 0)
    return super unless Primitive.is_core(self, :each)
    spreads = Primitive.block_spreads
    table = Primitive.hash_iter_begin(self)
    acc = init
    # Integers are added here, until the first value of another kind.
    state = Primitive.kind_of(acc, Integer) ? nil : Asterism::Internal.sum_start(acc)
    begin
      at = Primitive.hash_iter_next(self, table, 0)
      while at
        k = Primitive.hash_iter_key(self, table, at)
        v = Primitive.hash_iter_value(self, table, at)
        unless Primitive.undef?(k) || Primitive.undef?(v)
          e = spreads ? yield(k, v) : block_given? ? yield([k, v]) : [k, v]
          if nil.equal?(state) && Primitive.kind_of(e, Integer)
            acc += e
          else
            # As `Asterism::Internal.sum_start` makes it of an Integer.
            state ||= [false, acc, 0.0]
            Primitive.array_sum_step(state, e) || Asterism::Internal.sum_any(state, e)
          end
        end
        at = Primitive.hash_iter_next(self, table, at + 1)
      end
    ensure
      Primitive.hash_iter_end(self)
    end
    nil.equal?(state) ? acc : Asterism::Internal.sum_result(state)
  end
end
