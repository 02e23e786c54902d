# What a StringIO does by other methods lies in modules of IO; those for a terminal come with io/console.
require "stringio"

p StringIO.ancestors.map(&:to_s).grep(/generic/) # => ["IO::generic_writable", "IO::generic_readable"]
p IO.constants.grep(/generic/) # => []
p StringIO.instance_method(:puts).owner # => IO::generic_writable
p %i[<< print printf puts syswrite write_nonblock].map { |name| StringIO.instance_method(name).owner }.uniq.size # => 1
p %i[readchar readbyte readline sysread readpartial read_nonblock].map { |name| StringIO.instance_method(name).owner }.uniq # => [IO::generic_readable]
p StringIO.instance_methods(false).include?(:gets) # => true
p StringIO.method_defined?(:getch), StringIO.method_defined?(:getpass) # => false
# => false

class Loud < StringIO
  def puts(*texts) = super(*texts.map(&:upcase))
end
p Loud.new.tap { |io| io.puts("a", "b") }.string # => "A\nB\n"

require "io/console"
p StringIO.instance_method(:getch).owner # => IO::generic_readable
io = StringIO.new(+"secret\nx")
p io.getpass, io.string # => "secret"
# => "secret\n\n"
# The prompt is written where the line is read, as in CRuby.
io = StringIO.new(+"secret\n")
p io.getpass("P:"), io.string # => "cret"
# => "P:cret\n\n"
p StringIO.new("é!").getch # => "é"
p StringIO.new(+"").getpass # => nil

p StringIO.new("abcdef").pread(3, 2) # => "cde"
buffer = +"old"
p StringIO.new("abcdef").pread(9, 4, buffer), buffer # => "ef"
# => "ef"
p((StringIO.new("abc").pread(1, 3) rescue $!.class)) # => EOFError
p((StringIO.new(+"", "w:UTF-8:UTF-16LE", internal_encoding: "UTF-8") rescue $!.message)) # => "encoding specified twice"
