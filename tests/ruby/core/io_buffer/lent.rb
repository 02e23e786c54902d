# The String behind the buffer of a block cannot be changed meanwhile, except through the buffer.
def try
  yield
rescue => e
  "#{e.class}: #{e.message}"
end

text = +"for a string that is longer than what lies in a cell, so that it has a body of its own, of so many bytes"
[+"short", text].each do |s|
  result = IO::Buffer.for(s) do |buffer|
    copy = s.dup
    changes = [
      -> { s << "x" }, -> { s[0] = "x" }, -> { s.setbyte(0, 65) }, -> { s.upcase! }, -> { s.replace("x") }, -> { s.replace(s) },
      -> { s.clear }, -> { s.force_encoding("BINARY") }, -> { s.concat("a", "b") }, -> { s.insert(0, "x") }, -> { s.sub!(/./, "x") },
      -> { s.prepend("x") }, -> { s << 65 }, -> { s.squeeze! || s << "x" }, -> { s.append_as_bytes("x") },
      -> { Thread.new { try { s << "x" } }.value.tap { |answer| raise answer.split(": ", 2)[1] if answer.is_a?(String) } },
      -> { IO::Buffer.for(s) { } },
    ]
    puts changes.map { |change| try(&change) }.tally
    p s == copy, s.frozen?
    copy << "!"
    buffer.set_string("FOR")
    p s[0, 5], s.frozen?, copy[0, 5]
    :result
  end
  p result
  s << "!"
  p s[-2..]
end
# => {"RuntimeError: can't modify string; temporarily locked" => 16, "RuntimeError: temporal locking already locked string" => 1}
# => true
# => false
# => "FORrt"
# => false
# => "short"
# => :result
# => "t!"
# => {"RuntimeError: can't modify string; temporarily locked" => 16, "RuntimeError: temporal locking already locked string" => 1}
# => true
# => false
# => "FOR a"
# => false
# => "for a"
# => :result
# => "s!"

# However the block ends, and whatever happens to the buffer in it.
s = +"again"
p try { IO::Buffer.for(s) { raise "left" } } # => "RuntimeError: left"
s << "1"
catch(:out) { IO::Buffer.for(s) { throw :out } }
s << "2"
IO::Buffer.for(s) { |buffer| buffer.free; p try { s << "x" } } # => "RuntimeError: can't modify string; temporarily locked"
s << "3"
p IO::Buffer.for(s) { |buffer| other = buffer.transfer; other.set_string("A"); [buffer.null?, try { s << "x" }] }
# => [true, "RuntimeError: can't modify string; temporarily locked"]
s << "4"
p s # => "Again1234"

# A frozen String is read only, and stays as it was.
p IO::Buffer.for("frozen".freeze) { |buffer| [buffer.readonly?, try { buffer.set_string("x") }] }
# => [true, "IO::Buffer::AccessError: Buffer is not writable!"]
# Without a block the String is copied.
buffer = IO::Buffer.for(s)
s << "5"
p buffer.get_string # => "Again1234"
p IO::Buffer.string(4) { |b| b.set_string("made") }.then { |made| made << "!" } # => "made!"
