# frozen_string_literal: true

# ENV's methods that build on reading, setting and listing variables.
class << ENV
  def []=(name, value)
    __set(name, value)
    value
  end
  alias store []=

  def fetch(name, default = (no_default = true))
    value = self[name]
    return value unless nil.equal?(value)
    warn("block supersedes default value argument", uplevel: 1) if block_given? && !no_default
    return yield(name) if block_given?
    raise KeyError.new("key not found: #{name.inspect}", receiver: self, key: name) if no_default
    default
  end

  def delete(name)
    old = __set(name, nil)
    return yield(name) if nil.equal?(old) && block_given?
    old
  end

  def to_hash
    list = __pairs
    hash = {}
    i = 0
    while i < list.size
      hash[list[i]] = list[i + 1]
      i += 2
    end
    hash
  end

  def to_h(&block) = block ? to_hash.to_h(&block) : to_hash

  def to_a = to_hash.to_a

  def keys = to_hash.keys

  def values = to_hash.values

  def size = __pairs.size / 2
  alias length size

  def empty? = __pairs.empty?

  def key?(name) = !nil.equal?(self[name])
  alias has_key? key?
  alias include? key?
  alias member? key?

  def value?(value) = Primitive.responds(value, :to_str) ? to_hash.value?(value.to_str) : nil
  alias has_value? value?

  def key(value)
    to_hash.key(Asterism::Internal.to_str(value))
  end

  def each
    return to_enum(:each) { size } unless block_given?
    to_hash.each_pair { |name, value| yield [name, value] }
    self
  end

  def each_pair
    return to_enum(:each_pair) { size } unless block_given?
    to_hash.each_pair { |name, value| yield [name, value] }
    self
  end

  def each_key(&block)
    return to_enum(:each_key) { size } unless block
    keys.each(&block)
    self
  end

  def each_value(&block)
    return to_enum(:each_value) { size } unless block
    values.each(&block)
    self
  end

  def select(&block) = block ? to_hash.select(&block) : to_enum(:select) { size }
  alias filter select

  def reject(&block) = block ? to_hash.reject(&block) : to_enum(:reject) { size }

  def filter_map(&block) = to_hash.filter_map(&block)

  # Removes the variables for which the block's answer is as wanted, if they still have the value it was asked about; if
  # not it is asked again. How many it has removed.
  def __take_out(wanted)
    taken = 0
    to_hash.each_pair do |name, value|
      while value && (yield(name, value) ? wanted : !wanted)
        if __exchange(name, value, nil)
          taken += 1
          break
        end
        value = self[name]
      end
    end
    taken
  end
  private :__take_out

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    __take_out(true) { |name, value| yield name, value }
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    __take_out(true) { |name, value| yield name, value } == 0 ? nil : self
  end

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    __take_out(false) { |name, value| yield name, value }
    self
  end

  def select!
    return to_enum(:select!) { size } unless block_given?
    __take_out(false) { |name, value| yield name, value } == 0 ? nil : self
  end
  alias filter! select!

  def assoc(name)
    name = Asterism::Internal.to_str(name)
    value = self[name]
    value && [name, value]
  end

  def rassoc(value) = Primitive.responds(value, :to_str) ? to_hash.rassoc(value.to_str) : nil

  def slice(*names)
    names.each_with_object({}) do |name, found|
      value = self[name]
      found[name] = value unless nil.equal?(value)
    end
  end

  def except(*names) = to_hash.except(*names)

  def invert = to_hash.invert

  def values_at(*names) = names.map { |name| self[name] }

  def update(*hashes)
    hashes.each do |hash|
      hash.to_hash.each_pair do |name, given|
        if block_given?
          old = self[name]
          until __exchange(name, old, nil.equal?(old) ? given : yield(name, old, given))
            old = self[name]
          end
        else
          self[name] = given
        end
      end
    end
    self
  end
  alias merge! update

  def replace(hash)
    hash = Asterism::Internal.to_hash(hash)
    list = []
    hash.each_pair { |name, value| list << name << value }
    __replace(list)
  end

  def shift
    while true
      name, value = to_hash.first
      return nil if nil.equal?(name)
      return [name, value] if __exchange(name, value, nil)
    end
  end

  def rehash = nil

  def freeze = raise(TypeError, "cannot freeze ENV")

  def clone(freeze: nil)
    unless nil.equal?(freeze) || true.equal?(freeze) || false.equal?(freeze)
      raise ArgumentError, "unexpected value for freeze: #{Primitive.class_of(freeze)}"
    end
    raise TypeError, "Cannot clone ENV, use ENV.to_h to get a copy of ENV as a hash"
  end

  def dup = raise(TypeError, "Cannot dup ENV, use ENV.to_h to get a copy of ENV as a hash")

  def to_s = "ENV"

  def inspect = to_hash.inspect
end
