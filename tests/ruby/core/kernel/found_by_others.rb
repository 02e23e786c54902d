# Small things that programs ran into.

# An object that becomes an Array with itself in it.
o = Object.new
def o.to_ary = [1, self]
puts o
# => 1
# => [...]
a = [1]
a << a
puts a
# => 1
# => [...]
p "\xFF\xFE".delete_prefix("\xFF"), "あ".delete_prefix("\xE3"), "\xFE\xFF".delete_suffix("\xFF")
# => "\xFE"
# => "あ"
# => "\xFE\xFF"
p "\xFF\xFE".dup.delete_prefix!("\xFF") # => "\xFE"

# What a command writes is read as it comes, however much it is.
size = IO.popen("head -c 60000000 /dev/zero") { _1.read.size }
p size # => 60000000

# The trap comes before what was registered.
require "rbconfig"
program = "at_exit { puts 1 }; trap(:EXIT) { puts 2; at_exit { puts 4 } }; at_exit { puts 3 }"
puts IO.popen([RbConfig.ruby, "-e", program], &:read)
# => 2
# => 4
# => 3
# => 1
