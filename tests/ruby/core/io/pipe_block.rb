# The block of IO.pipe gets both ends as one value.
IO.pipe { |pair| p pair.class, pair.size } # => Array
# => 2
IO.pipe { |reader, writer| writer << "x"; writer.close; p reader.read } # => "x"
