# DATA reads what stands below __END__.
p DATA.gets # => "first line\n"
DATA.each_line { |line| p line.chomp }
# => "second # no comment"
# => ""
# => "last"
p DATA.read # => ""
# parallel: no, DATA is that of the main script
__END__
first line
second # no comment

last
