# Counts of short sequences in a generated DNA string: substrings as hash keys.
class RandomDna
  MODULUS = 139_968
  FREQUENCIES = { "a" => 0.3029549426680, "c" => 0.1979883004921, "g" => 0.1975473066391, "t" => 0.3015094502008 }.freeze

  def initialize(seed = 42)
    @seed = seed
    sum = 0.0
    @limits = FREQUENCIES.map { |base, share| [sum += share, base] }
  end

  def generate(length)
    dna = String.new
    length.times do
      @seed = (@seed * 3877 + 29_573) % MODULUS
      random = @seed.to_f / MODULUS
      dna << pick(random)
    end
    dna
  end

  private

  def pick(random)
    @limits.each { |limit, base| return base if random < limit }
    @limits.last[1]
  end
end

def frequencies(dna, length)
  counts = Hash.new(0)
  (0..dna.size - length).each { |start| counts[dna[start, length]] += 1 }
  counts
end

def print_shares(dna, length)
  total = dna.size - length + 1
  counts = frequencies(dna, length)
  counts.sort_by { |sequence, count| [-count, sequence] }.each do |sequence, count|
    puts format("%s %.3f", sequence.upcase, count * 100.0 / total)
  end
  puts
end

size = (ARGV[0] || 500_000).to_i
dna = RandomDna.new.generate(size)
print_shares(dna, 1)
print_shares(dna, 2)
%w[ggt ggta ggtatt ggtattttaatt ggtattttaatttatagt].each do |sequence|
  puts "#{frequencies(dna, sequence.size)[sequence]}\t#{sequence.upcase}"
end
