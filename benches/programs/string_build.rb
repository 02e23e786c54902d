# Building, cutting and joining strings the ways Ruby programs do.
WORDS = %w[alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu].freeze

def report(rows)
  out = +""
  rows.times do |i|
    word = WORDS[i % WORDS.size]
    out << "#{i}: " << word.capitalize << " has " << word.length.to_s << " letters\n"
  end
  out
end

def table(rows)
  lines = (1..rows).map do |i|
    format("|%6d|%-10s|%8.3f|%x|", i, WORDS[i % WORDS.size], i / 7.0, i)
  end
  lines.join("\n")
end

def csv(rows)
  (0...rows).map { |i| [i, WORDS[(i * 5) % WORDS.size], i * i].join(",") }.join("\n")
end

def markup(rows)
  body = ""
  rows.times { |i| body += "<li id=\"n#{i}\">#{WORDS[i % WORDS.size].upcase}</li>" if i < 400 }
  "<ul>" + body * 3 + "</ul>"
end

def digest(text)
  hash = 5381
  text.each_byte { |byte| hash = (hash * 33 + byte) & 0xffffffff }
  hash
end

n = (ARGV[0] || 130_000).to_i
text = report(n)
puts "report: #{text.size} #{digest(text)}"

text = table(n)
puts "table: #{text.size} #{digest(text)}"

text = csv(n)
sum = text.each_line.sum { |line| line.chomp.split(",").last.to_i }
puts "csv: #{text.size} #{sum}"

text = markup(n)
puts "markup: #{text.size} #{text.scan(/<li id="n(\d+)">/).size}"

counts = Hash.new(0)
n.times do |i|
  name = "#{WORDS[i % 12]}_#{WORDS[(i / 12) % 12]}"
  counts[name.reverse.tr("_", "-").squeeze] += 1
end
puts "names: #{counts.size} #{counts.keys.min} #{counts.keys.max}"

camel = Array.new(n) do |i|
  "#{WORDS[i % 12]}_#{WORDS[(i * 7 + 1) % 12]}".split("_").map(&:capitalize).join
end
puts "camel: #{camel.uniq.size} #{camel.first} #{camel.sum(&:size)}"
puts "palindromes: #{(0..n).count { |i| i.to_s == i.to_s.reverse }}"
