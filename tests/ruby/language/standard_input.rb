# Lines of standard input through gets, each_line and read.
# stdin: first
# stdin: second
# stdin: third 3
# stdin: fourth
p gets # => "first\n"
p $stdin.gets.chomp, $.
# => "second"
# => 2
p $stdin.readline # => "third 3\n"
p $stdin.read # => "fourth\n"
p gets, $stdin.eof?
# => nil
# => true
# parallel: no, there is one standard input
