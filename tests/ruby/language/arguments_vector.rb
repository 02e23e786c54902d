# ARGV holds the arguments after the file.
# argv: one two -v --long=3
p ARGV # => ["one", "two", "-v", "--long=3"]
p ARGV.shift, ARGV.size
# => "one"
# => 3
# parallel: no, ARGV belongs to the process
