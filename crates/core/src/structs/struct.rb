# frozen_string_literal: true

# Struct. Values lie in slots of the object (Primitive.struct_*); the accessors of the members are
# defined natively when the class is made.
module Asterism
  module Internal
    # What every class made by Struct.new answers besides `new` and `[]`, which are native.
    module StructClass
      def members
        Array.new(Primitive.struct_members(self))
      end

      def keyword_init?
        Primitive.struct_keyword_init(self)
      end

      def inspect
        keyword_init? ? "#{super}(keyword_init: true)" : super
      end
    end
  end
end

class Struct
  include Enumerable

  class << self
    def new(*args, keyword_init: nil, &block)
      name = nil
      if Primitive.array_size(args) > 0 && !Primitive.kind_of(args[0], Symbol)
        name = args.shift
        name = Asterism::Internal.to_str(name) unless nil.equal?(name)
      end
      members = []
      args.each do |m|
        m = Asterism::Internal.to_sym(m)
        if m.encoding.ascii_compatible?
          raise ArgumentError, "invalid struct member: #{m}" if m.end_with?("=") && m.match?(/\A[[:alpha:]_]\w*=\z/)
        end
        raise ArgumentError, "duplicate member: #{m}" if members.include?(m)
        members << m
      end
      if name && !Primitive.constant_name?(name)
        raise NameError.new("identifier #{name} needs to be constant", name.valid_encoding? ? name.to_sym : name)
      end
      members.each do |m|
        next unless m.encoding.ascii_compatible?
        # What has no name of its own for a setter: nothing, an operator, a single character that no name has.
        if m.empty? || m.match?(/\A(?:[-+]@|\*\*|[=!<>]=|===|<=>|[=!]~|<<|>>|[!-\/:-@\[-^`{-~])\z/)
          raise NameError.new("cannot make operator ID :#{m} attrset", m)
        end
      end
      klass = Class.new(self)
      if name
        if const_defined?(name, false)
          warn "redefining constant #{self}::#{name}", uplevel: 0
          __send__(:remove_const, name)
        end
        const_set(name, klass)
      end
      Primitive.struct_define(klass, members, nil.equal?(keyword_init) ? nil : (keyword_init ? true : false))
      klass.extend(Asterism::Internal::StructClass)
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
    self
  end
  private :initialize_copy

  def members
    Array.new(Primitive.struct_members(self.class))
  end

  def [](key)
    Primitive.struct_get(self, Primitive.struct_place(self, key) || Asterism::Internal.struct_slot(self, key))
  end

  def []=(key, value)
    i = Primitive.struct_place(self, key) || Asterism::Internal.struct_slot(self, key)
    Primitive.raise_frozen_if(self)
    Primitive.struct_set(self, i, value)
  end

  def to_a
    out = []
    i = 0
    while i < Primitive.struct_size(self)
      Primitive.array_push(out, Primitive.struct_get(self, i))
      i += 1
    end
    out
  end
  alias values to_a
  alias deconstruct to_a

  def size
    Primitive.struct_size(self)
  end
  alias length size

  def each
    return to_enum(:each) { size } unless block_given?
    i = 0
    while i < Primitive.struct_size(self)
      yield Primitive.struct_get(self, i)
      i += 1
    end
    self
  end

  def each_pair
    return to_enum(:each_pair) { size } unless block_given?
    members = Primitive.struct_members(self.class)
    i = 0
    while i < Primitive.struct_size(self)
      yield [Primitive.array_at(members, i), Primitive.struct_get(self, i)]
      i += 1
    end
    self
  end

  def to_h
    out = {}
    each_pair do |k, v|
      if block_given?
        pair = Asterism::Internal.pair(yield(k, v))
        out[Primitive.array_at(pair, 0)] = Primitive.array_at(pair, 1)
      else
        out[k] = v
      end
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
      i = Asterism::Internal.struct_position(self, members, k)
      return out if nil.equal?(i)
      out[k] = Primitive.struct_get(self, i)
    end
    out
  end

  def values_at(*indexes)
    n = Primitive.struct_size(self)
    indexes.each do |i|
      next unless Primitive.kind_of(i, Integer)
      raise IndexError, "offset #{i} too small for struct(size:#{n})" if i < -n
      raise IndexError, "offset #{i} too large for struct(size:#{n})" if i >= n
    end
    to_a.values_at(*indexes)
  end

  def dig(key, *rest)
    i = Asterism::Internal.struct_position(self, Primitive.struct_members(self.class), key)
    v = nil.equal?(i) ? nil : Primitive.struct_get(self, i)
    return v if rest.empty? || nil.equal?(v)
    raise TypeError, "#{Primitive.class_of(v)} does not have #dig method" unless Primitive.responds(v, :dig)
    v.dig(*rest)
  end

  def select
    return to_enum(__callee__) { size } unless block_given?
    out = []
    i = 0
    while i < Primitive.struct_size(self)
      v = Primitive.struct_get(self, i)
      Primitive.array_push(out, v) if yield v
      i += 1
    end
    out
  end
  alias filter select

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
    head = name ? "#<struct #{name}" : "#<struct"
    token = Primitive.inspect_enter(self)
    return name ? "#{head}:...>" : "#{head} #{self.class.inspect}:...>" if nil.equal?(token)
    begin
      parts = []
      each_pair { |k, v| parts << "#{Primitive.struct_label(k)}=#{v.inspect}" }
      parts.empty? && name ? "#{head}>" : "#{head} #{parts.join(", ")}>"
    ensure
      Primitive.inspect_leave(token)
    end
  end
  alias to_s inspect
end
