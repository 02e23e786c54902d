# frozen_string_literal: true

# String#upto, which iterates by `succ`.
class String
  def upto(last, exclusive = false)
    return to_enum(:upto, last, exclusive) unless block_given?
    last = Asterism::Internal.to_str(last)
    unless Encoding.compatible?(self, last)
      raise Encoding::CompatibilityError, "incompatible character encodings: #{encoding} and #{last.encoding}"
    end
    # Single ASCII characters go by code, so that "9".upto("A") passes what lies between.
    if bytesize == 1 && last.bytesize == 1 && ascii_only? && last.ascii_only?
      c = ord
      stop = exclusive ? last.ord - 1 : last.ord
      while c <= stop
        yield c.chr(encoding)
        c += 1
      end
      return self
    end
    # Digits on both sides count as numbers, with the width of the receiver.
    if Primitive.digits?(self) && Primitive.digits?(last)
      i = to_i(10)
      stop = exclusive ? last.to_i(10) - 1 : last.to_i(10)
      width = size
      while i <= stop
        yield i.to_s.rjust(width, "0")
        i += 1
      end
      return self
    end
    order = self <=> last
    return self if order > 0 || (exclusive && order == 0)
    limit = last.size
    current = dup
    while true
      at_end = current == last
      return self if exclusive && at_end
      following = at_end ? nil : current.succ
      yield current
      return self if at_end || following.size > limit || following.empty?
      current = following
    end
  end
end
