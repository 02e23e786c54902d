# coding: US-ASCII
# The modifier says the encoding, whatever that of the file is.
p(/\p{Lo}/u.encoding) # => #<Encoding:UTF-8>
p(/\p{Lo}/u =~ "a\u3042") # => 1
p(/a/u.encoding) # => #<Encoding:UTF-8>
p(/a/.encoding) # => #<Encoding:US-ASCII>
