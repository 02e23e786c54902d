# Grapheme clusters in all encodings of Unicode, and of broken Strings.
texts = ["\u{20 200d}", "\u{261d 1F3FB}", "\u{1F468 200D 1F393}", "e\u0301", "\u{1f600}"]
p texts.all? { |t| t.grapheme_clusters == [t] } # => true
%w[UTF-16LE UTF-16BE UTF-32LE UTF-32BE].each do |name|
  p texts.all? { |t| t.encode(name).grapheme_clusters == [t.encode(name)] } # => true
  # => true
  # => true
  # => true
end
p "a\u{1F468 200D 1F393}b".encode("UTF-16LE").grapheme_clusters.map { _1.encode("UTF-8") } # => ["a", "👨‍🎓", "b"]
p "a\xEBb".grapheme_clusters, "\xEBab".grapheme_clusters, "안\xEB".grapheme_clusters, "\xE3\x81".grapheme_clusters # => ["a", "\xEB", "b"]
# => ["\xEB", "a", "b"]
# => ["안"]
# => []
