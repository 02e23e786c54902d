# From an id back to the object.

def find(id)
  ObjectSpace._id2ref(id)
rescue RangeError => e
  e.message.sub(/\d+/, "N")
end

text = +"text"
p find(text.object_id).equal?(text) # => true
# Ids that are given out after the first search are found, too.
thing = Object.new
p find(thing.object_id).equal?(thing) # => true
blank = BasicObject.new
p blank.equal?(find(blank.__id__)) # => true
p [nil, true, false, 0, -7, :sym, 1.5, 2**61].all? { |v| find(v.object_id).equal?(v) } # => true
big = 2**70
p find(big.object_id).equal?(big) # => true
p Array.new(4) { |i| Thread.new { o = Object.new; find(o.object_id).equal?(o) } }.all?(&:value) # => true

def lost = Array.new(2000) { Object.new.object_id }
ids = lost
GC.start
p ids.count { |id| find(id) == "\"N\" is a recycled object" } > 1900 # => true
p find(2**50) # => "\"N\" is not an id value"
p find(2**90) # => "\"N\" is not an id value"
begin
  find("x")
rescue TypeError => e
  p e.message # => "no implicit conversion of String into Integer"
end

