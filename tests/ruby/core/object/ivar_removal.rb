# Instance variables set and removed by name: caches of other sites must not mistake such objects.
class Thing
  def initialize = @secret = 42
  def get = @secret
end
t = Thing.new
t.instance_variable_set(:@other, 1)
p t.remove_instance_variable(:@other) # => 1
p t.get, t.instance_eval { @secret + 1 }
# => 42
# => 43
100.times { |i| t.instance_variable_set("@v#{i}", i) }
p t.instance_eval { @v99 } # => 99
t.instance_eval { @secret = 7 }
p t.get # => 7
