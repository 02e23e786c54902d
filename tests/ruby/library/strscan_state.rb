# What a StringScanner forgets, and what it says of itself.
require "strscan"
s = StringScanner.new("test string")
[-> { s.reset }, -> { s.terminate }, -> { s.unscan }, -> { s.string = "test it" }, -> { s.getch }].each do |change|
  s.reset
  s.scan(/(?<t>test)/)
  change.call
  p s.named_captures # => {}
                     # => {}
                     # => {}
                     # => {}
                     # => {}
end
s.reset
p s.match?(/(?<x>nosuch)/), s.named_captures # => nil
                     # => {"x" => nil}
raw = StringScanner.allocate
p raw.inspect        # => "#<StringScanner (uninitialized)>"
raw.string = "test"
p raw.inspect        # => "#<StringScanner 0/4 @ \"test\">"
begin
  StringScanner.new("\xA1\xA2".dup.force_encoding("EUC-JP")).scan("é")
rescue => e
  p e.class          # => Encoding::CompatibilityError
end
text = +"abcädef"
class << text
  undef_method :byteslice, :length
end
s = StringScanner.new(text)
s.scan_until(/ä/)
p s.charpos          # => 4
