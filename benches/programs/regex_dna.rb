# Regular expressions over generated DNA in FASTA form: match counts and substitutions.
ALPHABET = "acgt"
LINE = 60

def random_fasta(length, seed = 42)
  out = +">ONE generated\n"
  column = 0
  length.times do
    seed = (seed * 3877 + 29_573) % 139_968
    out << ALPHABET[seed * 4 / 139_968]
    column += 1
    if column == LINE
      out << "\n"
      column = 0
    end
  end
  out << "\n" unless column.zero?
  out
end

VARIANTS = [
  "agggtaaa|tttaccct", "[cgt]gggtaaa|tttaccc[acg]", "a[act]ggtaaa|tttacc[agt]t",
  "ag[act]gtaaa|tttac[agt]ct", "agg[act]taaa|ttta[agt]cct", "aggg[acg]aaa|ttt[cgt]ccc",
  "agggt[cgt]aa|tt[acg]accct", "agggta[cgt]a|t[acg]taccct", "agggtaa[cgt]|[acg]ttaccct"
].freeze

CODES = {
  /tHa[Nt]/ => "<4>", /aND|caN|Ha[DS]|WaS/ => "<3>", /a[NSt]|BY/ => "<2>",
  /\|[^|][^|]*\|/ => "|", /\|[^|][^|]*\|/i => "-"
}.freeze

size = (ARGV[0] || 2_000_000).to_i
text = random_fasta(size)
length = text.size
text.gsub!(/>.*\n|\n/, "")
stripped = text.size

VARIANTS.each do |variant|
  puts "#{variant} #{text.scan(Regexp.new(variant)).size}"
end

codes = { "b" => "(c|g|t)", "d" => "(a|g|t)", "h" => "(a|c|t)", "k" => "(g|t)" }
marked = text.gsub(/gg(?<base>[at])t/) { "|#{$~[:base].upcase}|" }
marked = marked.gsub(/aa(?=cc)/) { |found| found == "aa" ? codes["k"] : found }
CODES.each { |pattern, replacement| marked = marked.gsub(pattern, replacement) }
runs = text.scan(/(a+)(c+)/).group_by { |a, c| a.size + c.size }
runs.keys.sort.each { |key| puts "run #{key}: #{runs[key].size}" }

puts
puts length, stripped, marked.size
