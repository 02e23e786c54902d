# A String of one interpolation only is in the encoding of the source where its text is ASCII, else in its own.
binary = "abc".b
p "#{binary}".encoding, "#{1}".encoding, "#{:a}".encoding, "#{nil}".encoding, "#{binary.dup.force_encoding("US-ASCII")}".encoding
# => #<Encoding:UTF-8>
# => #<Encoding:UTF-8>
# => #<Encoding:UTF-8>
# => #<Encoding:UTF-8>
# => #<Encoding:UTF-8>
p "#{"\xFF".b}".encoding, "#{"\xE9".dup.force_encoding("ISO-8859-1")}".encoding, "#{binary}#{binary}".encoding, "a#{binary}".encoding
# => #<Encoding:BINARY (ASCII-8BIT)>
# => #<Encoding:ISO-8859-1>
# => #<Encoding:BINARY (ASCII-8BIT)>
# => #<Encoding:UTF-8>
p "#{binary}", "#{binary}".equal?(binary), "#{binary}".frozen?, 3.times.map { |i| "#{i}" } # => "abc"
# => false
# => false
# => ["0", "1", "2"]
