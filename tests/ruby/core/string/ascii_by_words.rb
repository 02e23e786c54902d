# What is ASCII is found by words: one other byte anywhere in a text of any length is noticed

lengths = (0..80).to_a << 255 << 256 << 257
p lengths.all? { |n| ("a" * n).b.ascii_only? && ("a" * n).dup.force_encoding("UTF-8").ascii_only? } # => true
missed = lengths.sum do |n|
  n.times.count do |i|
    text = ("a" * n).b
    text.setbyte(i, 0x80)
    text.ascii_only? || text.dup.force_encoding("UTF-8").valid_encoding?
  end
end
p missed # => 0

# What is read into a buffer keeps the buffer's encoding, and is looked at anew.
buffer = +"é"
IO.pipe do |reader, writer|
  writer.write("plain")
  reader.readpartial(100, buffer)
  p [buffer, buffer.encoding, buffer.ascii_only?] # => ["plain", #<Encoding:UTF-8>, true]
  writer.write("\xff")
  reader.readpartial(100, buffer)
  p [buffer.valid_encoding?, buffer.ascii_only?] # => [false, false]
end
