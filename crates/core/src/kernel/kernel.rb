# frozen_string_literal: true

# The methods of Kernel that call a block, and the ones that make enumerators.
module Kernel
  def loop
    return to_enum(:loop) { Float::INFINITY } unless block_given?
    begin
      while true
        yield
      end
    rescue StopIteration => e
      e.result
    end
  end
  module_function :loop

  def Pathname(path) = Pathname === path ? path : Pathname.new(path)
  module_function :Pathname

  def tap
    yield self
    self
  end

  def yield_self
    return to_enum(__callee__) { 1 } unless block_given?
    yield self
  end
  alias then yield_self
end
