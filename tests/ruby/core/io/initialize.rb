# What IO#initialize says of what it is not given, and that it answers the object.
[
  -> { IO.allocate.send(:initialize) },
  -> { IO.allocate.send(:initialize, 1, "w", 3) },
  -> { IO.allocate.send(:initialize, "x") },
  -> { File.allocate.send(:initialize) },
].each do |wrong|
  wrong.call
rescue ArgumentError, TypeError => e
  puts e.message
end
# => wrong number of arguments (given 0, expected 1..2)
# => wrong number of arguments (given 3, expected 1..2)
# => no implicit conversion of String into Integer
# => wrong number of arguments (given 0, expected 1..3)
io = IO.allocate
p io.send(:initialize, 1, autoclose: false).equal?(io) # => true
file = File.allocate
p file.send(:initialize, __FILE__).equal?(file) # => true
file.close
