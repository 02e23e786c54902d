# An object that outgrows what its class knew about its instance variables keeps them all, wherever they are read from.
class Small
  def initialize = @a = 1
  attr_reader :a
end
s = Small.new
9.times { |i| s.instance_variable_set("@v#{i}", i) }
p s.instance_eval { @a } # => 1
p s.a # => 1
p s.instance_eval { @v8 } # => 8
s.instance_eval { @a = 5 }
p s.a # => 5
p s.instance_variables.size # => 10
t = Small.new
p t.a # => 1
t.instance_eval { @zz = 3 }
p t.instance_eval { @zz } # => 3
p t.instance_eval { remove_instance_variable(:@a) } # => 1
p t.a # => nil
