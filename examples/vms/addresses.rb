# Writes a file of addresses as comma separated values: the same for the same number of lines.
#
# Usage: addresses.rb LINES FILE

PREFECTURES = %w[Aichi Akita Aomori Chiba Ehime Fukui Fukuoka Gifu Gunma Hyogo Ibaraki Iwate Kagawa Kochi Kyoto Mie Nagano
                 Nara Oita Osaka Saga Saitama Shiga Shimane Tochigi Tokyo Toyama Yamagata].freeze
SYLLABLES = %w[a ka sa ta na ha ma ya ra wa ki shi chi ni hi mi ri ku su tsu nu fu mu ru ke se te ne he me re ko so to no].freeze

# Numbers that look like chance: a linear congruential generator (the constants of MMIX).
class Chance
  def initialize(seed) = @state = seed

  def below(limit)
    @state = (@state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % (1 << 64)
    (@state >> 33) % limit
  end

  def name = Array.new(2 + below(4)) { SYLLABLES[below(SYLLABLES.size)] }.join.capitalize
end

def address(number, chance)
  code = format("%07d", number * 37 % 10_000_000)
  place = chance.below(20) == 0 ? "\"#{chance.name}, \"\"#{chance.name}\"\"\"" : chance.name
  "#{number},#{code[0, 3]},#{code},#{PREFECTURES[chance.below(PREFECTURES.size)]},#{chance.name},#{place},#{chance.below(2)}"
end

def addresses(count)
  chance = Chance.new(2012)
  Array.new(count) { |number| address(number, chance) }
end

if $PROGRAM_NAME == __FILE__
  count, file = ARGV
  abort "usage: addresses.rb LINES FILE" unless file
  File.write(file, addresses(Integer(count)).map { |line| "#{line}\n" }.join)
end
