# objspace: sizes, references, where objects were made, and all of it as JSON.
require "objspace"
require "json"

p ObjectSpace.memsize_of(1), ObjectSpace.memsize_of(nil) # => 0
# => 0
p ObjectSpace.memsize_of("a" * 1000) > 1000, ObjectSpace.memsize_of([1] * 1000) > 8000 # => true
# => true
p ObjectSpace.memsize_of(Array.new(100) { |i| [i] }) < 2000 # => true
p ObjectSpace.memsize_of_all(String).between?(1000, ObjectSpace.memsize_of_all) # => true
sizes = ObjectSpace.count_objects_size
p sizes[:TOTAL] == sizes.except(:TOTAL).values.sum, sizes[:T_STRING] > 0 # => true
# => true
p ObjectSpace.count_tdata_objects[Thread] >= 1, ObjectSpace.count_imemo_objects[:imemo_iseq] > 0 # => true
# => true
begin
  ObjectSpace.count_objects_size(1)
rescue TypeError => e
  puts e.message # => non-hash given
end

# What is referred to, each once and the class first.
a, b = "a".dup, "b".dup
p ObjectSpace.reachable_objects_from([a, b, a, 1, nil, :sym]) # => [Array, "a", "b"]
p ObjectSpace.reachable_objects_from({b => [a]}) # => [Hash, "b", ["a"]]
p ObjectSpace.reachable_objects_from(1), ObjectSpace.reachable_objects_from(:a) # => nil
# => nil
holder = Object.new
holder.instance_variable_set(:@it, a)
p ObjectSpace.reachable_objects_from(holder) # => [Object, "a"]
many = Array.new(300) { Object.new }
p ObjectSpace.reachable_objects_from(many).size # => 301
p ObjectSpace.reachable_objects_from("x" * 10_000) # => [String]

# What a Proc holds is found through what no program sees.
secret = Object.new
held = proc { secret }
seen, next_ones = {}.compare_by_identity, [held]
until next_ones.empty? || seen[secret]
  one = next_ones.shift
  next if seen[one]
  seen[one] = true
  next_ones.concat(ObjectSpace.reachable_objects_from(one) || []) unless Module === one
end
p seen.key?(secret) # => true
inner = ObjectSpace.reachable_objects_from(held).find { |o| o.inspect.start_with?("#<InternalObject:") }
p inner.type.start_with?("imemo_"), inner.internal_object_id > 0 # => true
# => true
p ObjectSpace.reachable_objects_from_root.keys # => ["vm"]
p ObjectSpace.internal_class_of(a), ObjectSpace.internal_super_of(Class.new(Array)) # => String
# => Array
p ObjectSpace.internal_class_of(class << holder; self; end.allocate) rescue puts $!.message # => can't create instance of singleton class

# Where they were made.
class Maker
  def text = "made" + "here"
  def list = [1, 2]
end
before = Object.new
ObjectSpace.trace_object_allocations do
  text, list = Maker.new.text, Maker.new.list
  p ObjectSpace.allocation_sourceline(text) == Maker.instance_method(:text).source_location[1], File.basename(ObjectSpace.allocation_sourcefile(text)) # => true
  # => "objspace.rb"
  p ObjectSpace.allocation_class_path(list), ObjectSpace.allocation_method_id(list) # => "Maker"
  # => :list
  p ObjectSpace.allocation_generation(list) <= GC.count # => true
  p ObjectSpace.allocation_sourceline(before) # => nil
  p JSON.parse(ObjectSpace.dump(list)).values_at("line", "method", "length") == [Maker.instance_method(:list).source_location[1], "list", 2] # => true
  ObjectSpace.trace_object_allocations { 1 }
  p ObjectSpace.allocation_sourceline(Object.new) == __LINE__ # => true
  # Other threads tell, too, and what dies is forgotten.
  places = 4.times.map { Thread.new { 100.times.map { Object.new }.map { ObjectSpace.allocation_sourceline(_1) } } }.flat_map(&:value)
  p places.uniq == [__LINE__ - 1], places.size # => true
  # => 400
end
p ObjectSpace.allocation_sourceline(Object.new) # => nil
ObjectSpace.trace_object_allocations_clear

# As JSON.
def fields(object, *names) = JSON.parse(ObjectSpace.dump(object)).values_at(*names)
p fields("h\u00e9", "type", "bytesize", "value", "encoding", "coderange") # => ["STRING", 3, "hé", "UTF-8", "valid"]
p fields([1, 2, 3], "type", "length"), fields({a: 1}, "type", "size"), fields(1 << 70, "type") # => ["ARRAY", 3]
# => ["HASH", 1]
# => ["BIGNUM"]
p fields(Maker, "type", "name"), fields(Maker.new, "type", "ivars"), fields($stdout, "type") # => ["CLASS", "Maker"]
# => ["OBJECT", 0]
# => ["FILE"]
puts ObjectSpace.dump(nil), ObjectSpace.dump(:a), ObjectSpace.dump(12) # => null
# => {"type":"SYMBOL", "value":"a"}
# => 12
# A collection at each allocation would take minutes from here on.
GC.stress = false
marked = "marked for the dump"
lines = ObjectSpace.dump_all(output: :string).lines.map { JSON.parse(_1) }
p lines.count { _1["value"] == marked } >= 1, lines.first["type"] # => true
# => "ROOT"
known = lines.to_h { [_1["address"], _1] }
p known[JSON.parse(ObjectSpace.dump(marked))["class"]]["name"] # => "String"
file = ObjectSpace.dump_all(full: true)
p File.foreach(file.path).any? { |line| line.include?(%("type":"IMEMO")) } # => true
File.unlink(file.path)
p ObjectSpace.dump(BasicObject.new).start_with?("{") # => true
