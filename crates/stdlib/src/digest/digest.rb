# frozen_string_literal: true

# The native part of the library `digest`.
module Digest
  module_function

  def hexencode(string) = Primitive.digest_hex(Asterism::Internal.to_str(string))

  # What a digest object answers; update, finish and reset are its class's.
  module Instance
    def update(_string)
      raise RuntimeError, "Digest::Instance#update() must be implemented" if Digest::Instance === self && self.class == Object
      raise RuntimeError, "#{self.class.name} does not implement update()"
    end

    alias << update

    def reset
      raise RuntimeError, "#{self.class.name} does not implement reset()"
    end

    def digest_length
      digest.bytesize
    end

    def block_length
      raise RuntimeError, "#{self.class.name} does not implement block_length()"
    end

    def length = digest_length
    alias size length

    def new = clone.reset

    def digest(string = (none = true; nil))
      if none
        clone.__send__(:finish)
      else
        reset
        update(string)
        value = finish
        reset
        value
      end
    end

    def digest!
      value = finish
      reset
      value
    end

    def hexdigest(string = (none = true; nil))
      Digest.hexencode(none ? digest : digest(string))
    end

    def hexdigest! = Digest.hexencode(digest!)

    def to_s = hexdigest

    def inspect = "#<#{self.class}: #{hexdigest}>"

    def ==(other)
      if Digest::Instance === other
        digest == other.digest
      else
        text = String.try_convert(other)
        text ? hexdigest == text : false
      end
    end

    private

    def finish
      raise RuntimeError, "#{self.class.name} does not implement finish()"
    end
  end

  class Class
    include Instance

    def self.digest(string, *args) = new(*args).digest(string)

    def self.hexdigest(*args) = hexencode(digest(*args))

    def self.hexencode(string) = Digest.hexencode(string)
    private_class_method :hexencode

    def initialize
    end
  end

  class Base < Class
    def self.new(*)
      raise NotImplementedError, "Digest::Base is an abstract class" if Primitive.obj_same(self, Base)
      super
    end

    def initialize
      super
      @state = Primitive.digest_start(algorithm)
    end

    def initialize_copy(other)
      super
      @state = Primitive.digest_copy(other.instance_variable_get(:@state))
    end

    def update(string)
      Primitive.digest_update(@state, string)
      self
    end
    alias << update

    def reset
      @state = Primitive.digest_start(algorithm)
      self
    end

    def instance_variables = super - [:@state]

    private

    # What computes: the name of an algorithm, or what C has begun with its own.
    def algorithm
      raise RuntimeError, "Digest::Base cannot be directly inherited in Ruby"
    end

    def finish = Primitive.digest_finish(@state)
  end

  [["MD5", 16, 64], ["RMD160", 20, 64], ["SHA1", 20, 64], ["SHA256", 32, 64], ["SHA384", 48, 128], ["SHA512", 64, 128]].each do |name, length, block|
    klass = ::Class.new(Base)
    klass.define_method(:algorithm) { name }
    klass.define_method(:digest_length) { length }
    klass.define_method(:block_length) { block }
    klass.__send__(:private, :algorithm)
    const_set(name, klass)
  end
end
