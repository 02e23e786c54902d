# frozen_string_literal: true

# Data: immutable values with named members, kept in the same slots as a Struct's.
module Asterism
  module Internal
    # What every class made by Data.define answers besides `new` and `[]`, which are native.
    module DataClass
      def members
        Array.new(Primitive.struct_members(self))
      end
    end
  end
end

class Data
  class << self
    undef_method :new

    def define(*names, &block)
      members = names.map { |m| Asterism::Internal.to_sym(m) }
      members.each_with_index do |m, i|
        raise ArgumentError, "invalid data member: #{m}" if m.end_with?("=")
        raise ArgumentError, "duplicate member: #{m}" if members.index(m) < i
      end
      klass = Class.new(self)
      Primitive.struct_define(klass, members, Primitive.undef)
      klass.extend(Asterism::Internal::DataClass)
      klass.singleton_class.__send__(:undef_method, :define)
      klass.class_eval(&block) if block
      klass
    end
  end

  def initialize_copy(other)
    i = 0
    while i < Primitive.struct_size(other)
      Primitive.struct_set(self, i, Primitive.struct_get(other, i))
      i += 1
    end
    freeze
  end
  private :initialize_copy

  def members
    Array.new(Primitive.struct_members(self.class))
  end

  def to_h
    members = Primitive.struct_members(self.class)
    out = {}
    i = 0
    while i < Primitive.array_size(members)
      if block_given?
        pair = Asterism::Internal.pair(yield(Primitive.array_at(members, i), Primitive.struct_get(self, i)))
        out[Primitive.array_at(pair, 0)] = Primitive.array_at(pair, 1)
      else
        out[Primitive.array_at(members, i)] = Primitive.struct_get(self, i)
      end
      i += 1
    end
    out
  end

  def deconstruct
    out = []
    i = 0
    while i < Primitive.struct_size(self)
      Primitive.array_push(out, Primitive.struct_get(self, i))
      i += 1
    end
    out
  end

  def deconstruct_keys(keys)
    return to_h if nil.equal?(keys)
    unless Primitive.kind_of(keys, Array)
      raise TypeError, "wrong argument type #{Primitive.class_of(keys)} (expected Array or nil)"
    end
    members = Primitive.struct_members(self.class)
    out = {}
    return out if keys.size > members.size
    keys.each do |k|
      unless Primitive.kind_of(k, Symbol) || Primitive.kind_of(k, String)
        name = k
        k = Asterism::Internal.to_str_or_nil(k)
        raise TypeError, "#{name.inspect} is not a symbol nor a string" if nil.equal?(k)
      end
      i = members.index(k.to_sym)
      return out if nil.equal?(i)
      out[k] = Primitive.struct_get(self, i)
    end
    out
  end

  def with(*args, **changes)
    unless args.empty?
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0)"
    end
    return self if changes.empty?
    made = self.class.allocate
    made.__send__(:initialize, **to_h, **changes)
    made.freeze
  end

  def ==(other)
    return true if Primitive.obj_same(self, other)
    return false unless Primitive.obj_same(self.class, Primitive.class_of(other))
    Asterism::Internal.same_slots?(self, other)
  end

  def eql?(other)
    return true if Primitive.obj_same(self, other)
    return false unless Primitive.obj_same(self.class, Primitive.class_of(other))
    Asterism::Internal.eql_slots?(self, other)
  end

  def hash
    Asterism::Internal.hash_slots(self)
  end

  def inspect
    name = Primitive.class_label(self)
    head = name ? "#<data #{name}" : "#<data"
    token = Primitive.inspect_enter(self)
    return "#<data #{name || Kernel.instance_method(:to_s).bind_call(self.class)}:...>" if nil.equal?(token)
    begin
      members = Primitive.struct_members(self.class)
      parts = []
      members.each_with_index { |k, i| parts << "#{Primitive.struct_label(k)}=#{Primitive.struct_get(self, i).inspect}" }
      parts.empty? ? "#{head} >" : "#{head} #{parts.join(", ")}>"
    ensure
      Primitive.inspect_leave(token)
    end
  end
  alias to_s inspect
end
