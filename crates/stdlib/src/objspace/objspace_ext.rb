# frozen_string_literal: true

# `objspace`: what can be said of objects without tracing allocations.
module ObjectSpace
  module_function

  # An estimate: a cell, and what the object holds outside of it.
  def memsize_of(object)
    case object
    when nil, true, false, Symbol then 0
    when Integer then object.bit_length < 63 ? 0 : 40 + object.size
    when Float then 0
    when String then object.bytesize <= 23 ? 40 : 40 + object.bytesize
    when Array then object.size <= 3 ? 40 : 40 + 8 * object.size
    when Hash then object.size <= 8 ? 160 : 40 + 48 * object.size
    else 40 + 8 * object.instance_variables.size
    end
  end
end
