# Statistics of a text: words, sentences, letters, the commonest pairs, readability, an index of lines.
VOCABULARY = %w[
  time year people way day man thing woman life child world school state family student group country problem hand part
  place case week company system program question work government number night point home water room mother area money
  story fact month lot right study book eye job word business issue side kind head house service friend father power
  hour game line end member law car city community name president team minute idea body information back parent face
  others level office door health person art war history party result change morning reason research girl guy moment
  air teacher force education
].freeze

def make_text(sentences)
  seed = 99
  pick = lambda do |n|
    seed = (seed * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) & 0xffffffffffffffff
    (seed >> 33) % n
  end
  lines = Array.new(sentences) do
    words = Array.new(5 + pick.(14)) { VOCABULARY[pick.(VOCABULARY.size)] }
    words[0] = words[0].capitalize
    words[pick.(words.size)] += "," if words.size > 8
    words.join(" ") + %w[. . . ! ?][pick.(5)]
  end
  lines.each_slice(4).map { |slice| slice.join(" ") }.join("\n")
end

def syllables(word)
  n = word.scan(/[aeiouy]+/).size
  n -= 1 if word.end_with?("e") && n > 1
  n.zero? ? 1 : n
end

text = make_text(9_000)
words = text.downcase.scan(/[a-z]+/)
sentences = text.split(/[.!?]+\s*/)
puts "#{text.size} characters, #{words.size} words, #{sentences.size} sentences, #{text.lines.size} lines"

counts = words.tally.sort_by { |word, n| [-n, word] }
counts.first(8).each { |word, n| puts format("%-12s %6d %5.2f%%", word, n, 100.0 * n / words.size) }

pairs = Hash.new(0)
words.each_cons(2) { |a, b| pairs["#{a} #{b}"] += 1 }
pairs.max_by(5) { |pair, n| [n, pair] }.each { |pair, n| puts "#{pair}: #{n}" }

letters = text.downcase.delete("^a-z").each_char.tally
letters.sort_by { |letter, n| [-n, letter] }.first(6).each { |letter, n| puts "#{letter} #{n} #{"*" * (n / 3000)}" }

lengths = words.map(&:size)
mean = lengths.sum.fdiv(lengths.size)
deviation = Math.sqrt(lengths.sum { |l| (l - mean)**2 } / lengths.size)
puts format("length: mean %.4f, deviation %.4f, median %d", mean, deviation, lengths.sort[lengths.size / 2])

known = Hash.new { |h, word| h[word] = syllables(word) }
total = words.sum { |word| known[word] }
puts format("ease: %.3f", 206.835 - 1.015 * words.size / sentences.size - 84.6 * total / words.size)

index = Hash.new { |h, word| h[word] = [] }
text.each_line.with_index(1) do |line, number|
  line.downcase.scan(/\w+/).uniq.each { |word| index[word] << number }
end
%w[war art teacher].each { |word| puts "#{word}: #{index[word].size} lines, #{index[word].first(10).join(" ")}" }

by_length = words.uniq.group_by(&:size).transform_values { |list| list.sort.first(3) }
by_length.sort.each { |size, list| puts "#{size}: #{list.join(", ")}" }
puts sentences.max_by(&:size).split.size
puts words.select { |w| w == w.reverse }.tally.to_a.flatten.join(" ")
puts text.tr("a-y", "b-z").squeeze("l-p").sum
