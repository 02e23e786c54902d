# frozen_string_literal: true

# The methods of String that iterate: over what its text was when they were called.
class String
  def each_char
    return to_enum(:each_char) { size } unless block_given?
    list = chars
    i = 0
    n = Primitive.array_size(list)
    while i < n
      yield Primitive.array_at(list, i)
      i += 1
    end
    self
  end

  # Bytes are read one at a time, so that changes by the block are seen.
  def each_byte
    return to_enum(:each_byte) { bytesize } unless block_given?
    i = 0
    while (byte = getbyte(i))
      yield byte
      i += 1
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) { size } unless block_given?
    unless valid_encoding?
      # Up to what is no character.
      each_char { |c| yield c.ord }
      return self
    end
    list = codepoints
    i = 0
    n = Primitive.array_size(list)
    while i < n
      yield Primitive.array_at(list, i)
      i += 1
    end
    self
  end

  def each_grapheme_cluster
    return to_enum(:each_grapheme_cluster) { grapheme_clusters.size } unless block_given?
    list = grapheme_clusters
    i = 0
    n = Primitive.array_size(list)
    while i < n
      yield Primitive.array_at(list, i)
      i += 1
    end
    self
  end

  def each_line(*args, **opts)
    return to_enum(:each_line, *args, **opts) unless block_given?
    if args.empty? && (source = Primitive.string_line_source(self))
      # Of a long text not all lines are there at once.
      at = 0
      while (part = Primitive.string_lines_from(source, at))
        at += part.bytesize
        list = part.lines("\n", **opts)
        i = 0
        n = Primitive.array_size(list)
        while i < n
          yield Primitive.array_at(list, i)
          i += 1
        end
      end
      return self
    end
    list = lines(*args, **opts)
    i = 0
    n = Primitive.array_size(list)
    while i < n
      yield Primitive.array_at(list, i)
      i += 1
    end
    self
  end
end
