# The parts of Ractor that yield, and what others are made of.

class Ractor
  class RemoteError
    # The Ractor in which the exception was raised.
    attr_reader :ractor
  end

  # What is left of an object that was moved to another Ractor.
  class MovedObject
    def method_missing(*, **, &)
      ::Kernel.raise(MovedError, "can not send any methods to a moved object")
    end

    alias __send__ method_missing
    alias ! method_missing
    alias == method_missing
    alias != method_missing
    alias __id__ method_missing
    alias equal? method_missing
    alias instance_eval method_missing
    alias instance_exec method_missing
  end

  def self.select(*ports, timeout: nil)
    raise ArgumentError, "specify at least one Ractor::Port or Ractor" if ports.empty?

    ended = {}.compare_by_identity
    begin
      ports = ports.map do |from|
        case from
        when Ractor
          port = Port.new
          ended[port] = from
          from.monitor(port)
          port
        when Port then from
        else raise ArgumentError, "should be Ractor::Port or Ractor"
        end
      end
      port, message = Primitive.ractor_select(ports, timeout)
      return nil unless port
      ractor = ended[port]
      ractor ? [ractor, ractor.value] : [port, message]
    ensure
      ended.each do |port, ractor|
        ractor.unmonitor(port)
        port.close
      end
    end
  end

  def self.make_shareable(object, copy: false)
    object = Primitive.ractor_copy(object) if copy
    Primitive.ractor_make_shareable(object)
  end

  def self.shareable_proc(self: nil, &block)
    Primitive.ractor_shareable_proc(block, binding.local_variable_get(:self), false)
  end

  def self.shareable_lambda(self: nil, &block)
    Primitive.ractor_shareable_proc(block, binding.local_variable_get(:self), true)
  end

  def self.store_if_absent(key)
    return self[key] if Primitive.ractor_has_local(key)
    Primitive.ractor_locals_lock.synchronize do
      return self[key] if Primitive.ractor_has_local(key)
      self[key] = yield(nil)
    end
  end

  def self.require(feature) = Kernel.require(feature)

  def self._require(feature) = Kernel.require(feature)

  def close = default_port.close
end
