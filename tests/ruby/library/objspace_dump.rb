# What dumps of the heap say, as CRuby writes it: of all objects at one moment, shapes and free cells too.
require "objspace"
require "json"

def line(object) = JSON.parse(ObjectSpace.dump(object))

# A collection at each allocation would take minutes.
GC.stress = false

# Literals are made when their file is loaded, and have no line.
source = "# frozen_string_literal: true\n$kept = ['a literal of a file', Object.new]\n"
ObjectSpace.trace_object_allocations do
  iseq = RubyVM::InstructionSequence.compile(source, "kept.rb")
  entry = JSON.parse(ObjectSpace.dump_all(output: :string).lines.find { |text| text.include?('"value":"a literal of a file"') })
  p entry.values_at("file", "line") # => ["kept.rb", nil]
  iseq.eval
  p ObjectSpace.allocation_sourcefile($kept[1]), ObjectSpace.allocation_sourceline($kept[1]) # => "kept.rb"
  # => 2
  # An Array is made where it begins.
  start = __LINE__ + 1
  list = [
    Object.new,
    self,
  ]
  p ObjectSpace.allocation_sourceline(list) == start # => true
end

object = Object.new
p line(object)["object_id"] # => nil
p line(object)["flags"]["old"], line(object)["flags"]["age"] # => nil
# => 0
p line(object)["object_id"] == object.object_id # => false
p line(object)["object_id"] == object.object_id # => true
GC.start
p line(object)["flags"].values_at("old", "age") # => [true, 3]
p line(object)["shape_id"].class, line("a")["shape_id"] # => Integer
# => nil

# What Ractors may share, and what is there once for all.
p line(ENV)["flags"]["shareable"], line([])["flags"]["shareable"], line([1].freeze)["flags"]["shareable"] # => true
# => nil
# => true
p line("once".freeze)["fstring"], line("once".dup)["fstring"], line("once".dup.freeze)["fstring"] # => true
# => nil
# => nil
long = "long " * 100
copy = long.dup
p line(copy)["shared"], line("short")["shared"] # => true
# => nil

# References, but for the class, and nothing twice.
a = "a".dup
p line([a, a])["references"] == [line(a)["address"]], line([1]).key?("references") # => true
# => false

GC.start
# A dump of everything is of one moment; the literal is there beside its copy.
copied = "twice in the dump"
dump = ObjectSpace.dump_all(output: :string).lines.map { JSON.parse(_1) }
found = dump.select { |entry| entry["value"] == "twice in the dump" }
p found.map { |entry| [entry["fstring"], entry["frozen"]] }.uniq.sort_by(&:to_s) # => [[nil, nil], [true, true]]
p dump.first.values_at("type", "root"), dump.none? { |entry| entry["type"] == "NONE" } # => ["ROOT", "vm"]
# => true
addresses = dump.to_h { |entry| [entry["address"], true] }
p dump.drop(1).flat_map { |entry| entry["references"] || [] }.count { |address| !addresses[address] } # => 0
sizes = dump.filter_map { |entry| entry["slot_size"] }
unit = GC::INTERNAL_CONSTANTS[:BASE_SLOT_SIZE] + GC::INTERNAL_CONSTANTS[:RVALUE_OVERHEAD]
p sizes.all? { |size| size % unit == 0 }, sizes.max >= GC::INTERNAL_CONSTANTS[:BASE_SLOT_SIZE] # => true
# => true
p GC::INTERNAL_CONSTANTS.frozen? # => true
dump = addresses = nil
GC.start
free = ObjectSpace.dump_all(output: :string, full: true, shapes: false).lines.map { JSON.parse(_1) }
p free.any? { |entry| entry["type"] == "NONE" && entry["slot_size"] > 0 }, free.any? { |entry| entry["type"] == "SHAPE" } # => true
# => false

free = nil

# Shapes.
class Shaped
  def initialize(name) = instance_variable_set(name, 1)
end
before = RubyVM.stat(:next_shape_id)
p ObjectSpace.dump_shapes(output: :string, since: before) # => ""
one = Shaped.new(:@only_here)
changes = RubyVM.stat(:constant_cache_invalidations)
LATER = 1
p RubyVM.stat(:constant_cache_invalidations) > changes # => true
p RubyVM.stat[:next_shape_id] == RubyVM.stat({})[:next_shape_id], RubyVM.stat(:next_shape_id) > before # => true
# => true
added = ObjectSpace.dump_shapes(output: :string, since: before).lines.map { JSON.parse(_1) }
shape = added.find { |entry| entry["edge_name"] == "@only_here" && entry["id"] == line(one)["shape_id"] }
p shape.values_at("type", "shape_type", "edges"), shape["depth"] > 0 # => ["SHAPE", "IVAR", 0]
# => true
p ObjectSpace.dump_shapes(output: :string).lines.map { JSON.parse(_1)["type"] }.uniq # => ["SHAPE"]
begin
  RubyVM.stat(:none_such)
rescue ArgumentError => e
  puts e.message # => unknown key: none_such
end

# Symbols that were made by the program, and those of them that something has for a name.
counts = ObjectSpace.count_symbols
made = Array.new(100) { |i| :"made for the count #{i}" }
Class.new { define_method(made.last) {} }
after = ObjectSpace.count_symbols
p after[:mortal_dynamic_symbol] - counts[:mortal_dynamic_symbol] >= 99, after[:immortal_dynamic_symbol] - counts[:immortal_dynamic_symbol] # => true
# => 1
p after[:immortal_symbol] == after[:immortal_dynamic_symbol] + after[:immortal_static_symbol] # => true

# While other threads make objects.
stop = false
makers = 3.times.map { Thread.new { (made = [Object.new, "x" * rand(100)]) and sleep(0.001) until stop } }
3.times do
  GC.start
  ObjectSpace.dump_all(output: :string).each_line { |text| JSON.parse(text) }
end
stop = true
makers.each(&:join)
p makers.none?(&:alive?) # => true
