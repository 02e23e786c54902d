# frozen_string_literal: true

# Delegation: objects that pass what they do not know on to another object.
class Delegator < BasicObject
  kernel = ::Kernel.dup
  kernel.class_eval do
    alias_method :__raise__, :raise
    [:to_s, :!~, :===, :<=>, :hash].each { |name| undef_method name if method_defined?(name) }
    private_instance_methods.each do |name|
      next if [:initialize_clone, :initialize_dup, :initialize_copy].include?(name)
      next unless name.match?(/\A[a-z_]/) && public_method_defined?(name)
      undef_method name
    end
  end
  include kernel

  def self.const_missing(name) = ::Object.const_get(name)

  def initialize(object)
    __setobj__(object)
  end

  def method_missing(name, *args, **opts, &block)
    target = __getobj__ { return super }
    if target.respond_to?(name)
      target.__send__(name, *args, **opts, &block)
    elsif ::Kernel.method_defined?(name) || ::Kernel.private_method_defined?(name)
      ::Kernel.instance_method(name).bind_call(self, *args, **opts, &block)
    else
      super
    end
  end

  def respond_to_missing?(name, include_private)
    target = __getobj__ { return false }
    return false unless target.respond_to?(name, include_private)
    return true unless include_private && !target.respond_to?(name, false)
    warn "delegator does not forward private method ##{name}", uplevel: 3
    false
  end

  def methods(all = true) = __getobj__.methods(all) | super

  def public_methods(all = true) = __getobj__.public_methods(all) | super

  def protected_methods(all = true) = __getobj__.protected_methods(all) | super

  def ==(other) = other.equal?(self) || __getobj__ == other

  def !=(other) = !other.equal?(self) && __getobj__ != other

  def eql?(other) = other.equal?(self) || (other.is_a?(Delegator) ? __getobj__.eql?(other.__getobj__) : __getobj__.eql?(other))

  def ! = !__getobj__

  def to_s = __getobj__.to_s

  def inspect = __getobj__.inspect

  def hash = __getobj__.hash

  def ===(other) = __getobj__ === other

  def <=>(other) = __getobj__ <=> other

  def !~(other) = __getobj__ !~ other

  # The object and the variables that a subclass has of its own, in the form that CRuby's dumps have.
  def marshal_dump
    names = instance_variables.reject { |name| name.start_with?("@delegate_") }
    [:__v2__, names, names.map { |name| instance_variable_get(name) }, __getobj__]
  end

  def marshal_load(data)
    form, names, values, object = data
    # What was dumped when the object was all there was.
    return __setobj__(data) unless :__v2__ == form

    names.each_with_index { |name, i| instance_variable_set(name, values[i]) }
    __setobj__(object)
  end

  def initialize_clone(other, freeze: nil)
    __setobj__(other.__getobj__.clone(freeze: freeze))
  end

  def initialize_dup(other)
    __setobj__(other.__getobj__.dup)
  end
  private :initialize_clone, :initialize_dup

  def freeze
    __getobj__.freeze
    super
  end

  def __getobj__ = __raise__(::NotImplementedError, "need to define '__getobj__'")

  def __setobj__(_object) = __raise__(::NotImplementedError, "need to define '__setobj__'")
end

class SimpleDelegator < Delegator
  def __getobj__
    unless defined?(@delegate_sd_obj)
      return yield if block_given?
      __raise__ ::ArgumentError, "not delegated"
    end
    @delegate_sd_obj
  end

  def __setobj__(object)
    __raise__ ::ArgumentError, "cannot delegate to self" if equal?(object)
    @delegate_sd_obj = object
  end
end

def DelegateClass(superclass, &block)
  made = Class.new(Delegator)
  skip = Delegator.public_instance_methods
  made.class_eval do
    def __getobj__
      unless defined?(@delegate_dc_obj)
        return yield if block_given?
        __raise__ ::ArgumentError, "not delegated"
      end
      @delegate_dc_obj
    end

    def __setobj__(object)
      __raise__ ::ArgumentError, "cannot delegate to self" if equal?(object)
      @delegate_dc_obj = object
    end

    (superclass.public_instance_methods - skip - [:__id__, :object_id, :__send__, :to_s, :inspect]).each do |name|
      define_method(name) { |*args, **opts, &blk| __getobj__.__send__(name, *args, **opts, &blk) }
    end
    superclass.protected_instance_methods.each do |name|
      define_method(name) { |*args, **opts, &blk| __getobj__.__send__(name, *args, **opts, &blk) }
      protected name
    end
  end
  # The methods of the class that it delegates to are among its own.
  [:instance_methods, :public_instance_methods, :protected_instance_methods].each do |list|
    made.define_singleton_method(list) { |all = true| super(all) | superclass.__send__(list) }
  end
  [:instance_method, :public_instance_method].each do |find|
    made.define_singleton_method(find) do |name|
      super(name)
    rescue NameError
      raise unless instance_methods.include?(name)
      superclass.__send__(find, name)
    end
  end
  made.class_eval(&block) if block
  made
end
