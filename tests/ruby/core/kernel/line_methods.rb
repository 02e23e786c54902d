# args: -n
# stdin: abc
# stdin: xbz
# parallel: no, the program runs once for each line of standard input
# `-n` gives Kernel methods that change $_.
chomp
p $_ # => "abc"
p gsub(/b/) { $& * 2 } # => "abbc"
sub("a", "-")
p $_ # => "-bbc"
p Kernel.chop # => "-bb"
p $_ # => "-bb"
p Kernel.private_instance_methods(false).include?(:gsub) # => true
$_ = nil
chop rescue puts $!.message # => $_ value need to be String (nil given)
exit
