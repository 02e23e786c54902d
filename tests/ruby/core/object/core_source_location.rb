# Where a method of the core is that is written in Ruby: in no file, but somewhere.

file, line = 1.method(:times).source_location
p file.start_with?("<internal:"), line.positive? # => true
# => true
p 1.method(:+).source_location # => nil
