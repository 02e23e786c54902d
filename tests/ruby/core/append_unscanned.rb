# Appending Strings that nobody has scanned to Strings that are known: what they are together is found out as before.
text = "aé€" * 100

def known(string) = string.tap(&:valid_encoding?)

p known(+"é").tap { |s| 50.times { |i| s << text[i, 80] } }.then { |s| [s.length, s.valid_encoding?, s.ascii_only?] } # => [4001, true, false]
p (known(+"a") << text.byteslice(0, 1)).ascii_only? # => true
p (known(+"a") << text.byteslice(1, 1)).valid_encoding? # => false
p (known(+"a") << text.byteslice(1, 1) << text.byteslice(2, 1)) # => "aé"
p (known(+"é") << text.byteslice(1, 1) << text.byteslice(2, 1)).valid_encoding? # => true
p (known(+"a") << "aé".encode("EUC-JP").byteslice(1, 3)).encoding # => #<Encoding:EUC-JP>
p (known(+"a".b) << text.b.byteslice(1, 1)).ascii_only? # => false
