# frozen_string_literal: true

# What of ObjectSpace calls blocks.
module ObjectSpace
  def self.each_object(mod = nil)
    return to_enum(:each_object, mod) unless block_given?
    list = Primitive.objspace_objects(mod)
    i = 0
    size = Primitive.array_size(list)
    while i < size
      yield Primitive.array_at(list, i)
      i += 1
    end
    size
  end
  private def each_object(mod = nil, &block) = ObjectSpace.each_object(mod, &block)

  class WeakMap
    include Enumerable

    def each
      raise LocalJumpError, "no block given" unless block_given?
      pairs = Primitive.weak_map_pairs(self)
      i = 0
      size = Primitive.array_size(pairs)
      while i < size
        yield Primitive.array_at(pairs, i), Primitive.array_at(pairs, i + 1)
        i += 2
      end
      self
    end
    alias each_pair each

    def each_key(&block)
      raise LocalJumpError, "no block given" unless block
      keys.each(&block)
      self
    end

    def each_value(&block)
      raise LocalJumpError, "no block given" unless block
      values.each(&block)
      self
    end
  end
end
