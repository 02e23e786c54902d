# dump_all says of an object what dump says of it, however many there are.
require "objspace"
require "json"

# A collection at each allocation would take minutes.
GC.stress = false

class Thing
  def initialize = (@a, @b = 1, "b")
end

KEPT = [
  "plain", "a\"b\\c\n\t\e\x7f", "ä€", "x" * 300, "bytes".b, "\xff".b, "wrong \xff", "wide".encode("UTF-16LE"), "frozen".freeze, :symbol.name,
  [], [1, 2, 3], (1..40).to_a, ["a", ["b"]].freeze, {}, { a: 1 }, (1..40).to_h { |i| [i, i.to_s] }, Thing.new, Object.new, 2**80, 1r / 3,
  Struct.new(:a).new(1), ->(a) { a }, Class.new, 1..2
].freeze
KEPT.each(&:object_id)
addresses = KEPT.map { |object| JSON.parse(ObjectSpace.dump(object))["address"] }
file = ObjectSpace.dump_all(output: :file)
lines = File.foreach(file.path).to_h { |line| [line[/\A{"address":"(0x\h+)"/, 1], line.chomp] }
File.delete(file.path)
# What has been made is older by now, and a set of things that are shareable may be known.
plain = ->(line) { line.sub(/"age":\d(, "old":true)?/, "") }
different = KEPT.zip(addresses).reject { |object, address| plain[lines[address]] == plain[ObjectSpace.dump(object)] }
p different.map { |object, address| [object, lines[address], ObjectSpace.dump(object)] } # => []
p lines.size > 1000, lines.each_value.all? { |line| line.start_with?("{") && JSON.parse(line) } # => true
# => true

# Where objects were made is told too.
ObjectSpace.trace_object_allocations do
  made = Thing.new
  file = ObjectSpace.dump_all(output: :file)
  line = File.foreach(file.path).find { |l| l.include?(JSON.parse(ObjectSpace.dump(made))["address"]) && l.include?('"type":"OBJECT"') }
  p JSON.parse(line)["line"] == __LINE__ - 3 # => true
  File.delete(file.path)
end

# And strings that other threads change meanwhile.
over = false
texts = Array.new(20) { |i| "text #{i}" }
changing = Array.new(2) { Thread.new { texts.each { |text| text.replace("other \u{20ac} \n" * rand(1..60)) } until over } }
# To a file: a String would be part of the next dump.
5.times do
  file = ObjectSpace.dump_all(output: :file)
  File.foreach(file.path) { |line| JSON.parse(line) if line.include?("other") }
  File.delete(file.path)
end
over = true
changing.each(&:join)
