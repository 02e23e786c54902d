# frozen_string_literal: true

# Composition and currying of what can be called.
module Asterism
  module Internal
    # `f` with its first `n` arguments given one call at a time.
    def self.curry(f, n, lambda, given)
      step = proc do |*args, &block|
        all = given + args
        next f.call(*all, &block) if all.size >= n
        warn "given block not used", uplevel: 0 if block
        curry(f, n, lambda, all)
      end
      lambda ? make_lambda(f, n, given) : step
    end

    def self.make_lambda(f, n, given)
      lambda do |*args, &block|
        all = given + args
        next f.call(*all, &block) if all.size >= n
        warn "given block not used", uplevel: 0 if block
        make_lambda(f, n, all)
      end
    end

    def self.curry_arity(f, n, strict)
      arity = f.arity
      required = arity < 0 ? -arity - 1 : arity
      return required if nil.equal?(n)
      n = Primitive.to_int(n)
      kinds = f.parameters.map(&:first)
      most = kinds.include?(:rest) ? nil : kinds.count { |kind| kind == :req || kind == :opt }
      if strict && (n < required || most && n > most)
        range = most == required ? required : most ? "#{required}..#{most}" : "#{required}+"
        raise ArgumentError, "wrong number of arguments (given #{n}, expected #{range})"
      end
      n
    end

    def self.check_callable(g)
      return if Primitive.kind_of(g, Proc) || Primitive.kind_of(g, Method) || Primitive.responds(g, :call, true)
      raise TypeError, "callable object is expected"
    end
  end
end

class Proc
  def curry(arity = nil)
    n = Asterism::Internal.curry_arity(self, arity, lambda?)
    Asterism::Internal.curry(self, n, lambda?, [])
  end

  def >>(g)
    Asterism::Internal.check_callable(g)
    f = self
    if lambda?
      lambda { |*args, **opts, &block| g.call(f.call(*args, **opts, &block)) }
    else
      proc { |*args, **opts, &block| g.call(f.call(*args, **opts, &block)) }
    end
  end

  def <<(g)
    Asterism::Internal.check_callable(g)
    f = self
    if Primitive.kind_of(g, Proc) && !g.lambda?
      proc { |*args, **opts, &block| f.call(g.call(*args, **opts, &block)) }
    else
      lambda { |*args, **opts, &block| f.call(g.call(*args, **opts, &block)) }
    end
  end
end

class Method
  def curry(arity = nil)
    to_proc.curry(arity)
  end

  def >>(g)
    Asterism::Internal.check_callable(g)
    f = self
    lambda { |*args, **opts, &block| g.call(f.call(*args, **opts, &block)) }
  end

  def <<(g)
    Asterism::Internal.check_callable(g)
    f = self
    lambda { |*args, **opts, &block| f.call(g.call(*args, **opts, &block)) }
  end
end
