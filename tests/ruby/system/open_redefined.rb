# Methods of IO and Kernel that open files do not go by what a program makes of `File.open`.
path = __FILE__
class << File
  def open(*) = raise("the program's own")
end

p File.read(path, 3) # => "# M"
p IO.readlines(path).first[0, 3] # => "# M"
p IO.foreach(path).first[0, 3] # => "# M"
p open(path) { |file| file.read(3) } # => "# M"
p IO.binread(path, 3) # => "# M"
p File.write(IO::NULL, "x") # => 1
p (File.open(path) rescue $!) # => #<RuntimeError: the program's own>
