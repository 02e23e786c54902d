# What `p` shows is not lost when the process ends without ado, even what was written before; that of the others may be.
def run(code) = IO.popen([RbConfig.ruby, "-e", code], err: %i[child out], &:read)
puts run("p 1; exit!") # => 1
puts run("print 1; p 2, 3; exit!")
# => 12
# => 3
puts run("print 1; p; exit!") # => 1
puts run("p 1; Process.kill(:KILL, $$)") # => 1
puts run("p 1; fork { puts 2; exit! }; Process.wait") # => 1
p run("puts 1; exit!") # => ""
p run("$stdout.close; p")[/in .*/] # => "in 'Kernel#p': closed stream (IOError)"
p run("$stdout = File.open(File::NULL, 'w'); p 1; puts 2; $stdout = STDOUT; p 3") # => "3\n"
out = Object.new
def out.write(*texts) = STDOUT.write(*texts)
$stdout = out
p 4 # => 4
