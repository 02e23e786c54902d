# Writes a program of random loops that count, calculate near the ends of the fixnums, and read and write Arrays, over and over, so that they are
# compiled. Now and then a value is no Integer, an operator is redefined, or a local is changed from outside. What it prints is the same
# whatever runs it.
#
#   ruby fuzz/integers.rb SEED > integers.rb

seed = Integer(ARGV.fetch(0))
RANDOM = Random.new(seed)
def chance(n, of = 100) = RANDOM.rand(of) < n
def pick(list) = list[RANDOM.rand(list.size)]
def some(most) = RANDOM.rand(most + 1)

NUMBERS = %w[0 1 -1 2 3 7 10 255 -5 2**30 2**31 -2**31 2**61 -2**61 2**62-1 -2**62 2**62 -2**62-1 2**62-3 -2**62+2 2**63 2**40+1]
ODD = %w[nil 1.5 -0.5 "s" :s [1] 2**70 true 1r 3.0e300]

# Names of locals: those that a loop counts with are not assigned in it.
LOCALS = %w[a b c d x y]

def number = pick(NUMBERS)
def local(counters) = pick(LOCALS + counters + counters)

def small(counters) = chance(60) ? local(counters) : pick(%w[0 1 2 3 5 -1])

# An Integer that stays small enough, most often.
def value(counters, depth = 2)
  return chance(70) ? local(counters) : number if depth == 0 || chance(25)
  one = -> { value(counters, depth - 1) }
  case some(15)
  when 0, 1, 2 then "(#{one.()} + #{one.()})"
  when 3, 4 then "(#{one.()} - #{one.()})"
  when 5 then "(#{one.()} * #{one.()} % #{pick(%w[97 (2**62-57) (2**61-1) 2**64 (2**66+1) 16])})"
  when 6 then "(#{one.()} / #{chance(70) ? pick(%w[2 3 -3 7 16 1]) : one.()})"
  when 7 then "(#{one.()} % #{chance(70) ? pick(%w[2 3 -3 8 16 1]) : one.()})"
  when 8 then "(#{one.()} #{pick(%w[& | ^])} #{one.()})"
  when 9 then "((#{one.()} << #{pick(%w[1 2 31 61 (i&31)])}) & #{pick(%w[0xffff (2**62-1) (2**64-1)])})"
  when 10 then "(#{one.()} >> #{pick(%w[0 1 2 40 62 63 64 (i&127) -1])})"
  when 11 then "(-#{one.()})"
  when 12 then "(#{local(counters)} #{pick(%w[+ -])} #{pick(%w[1 2 100])})"
  when 13 then "list[#{small(counters)}]"
  when 14 then pick(%w[list.size other.size list.first list[-1] other[0] list[1]])
  else "m#{some(3)}(#{one.()}, #{one.()})"
  end
end

def condition(counters)
  case some(6)
  when 0 then "#{value(counters, 1)}.nil?"
  when 1 then "list[#{small(counters)}]"
  when 2 then "list.empty?"
  else "#{value(counters, 1)} #{pick(%w[< <= > >= == !=])} #{value(counters, 1)}"
  end
end

def statements(counters, depth, indent)
  Array.new(1 + some(3)) { statement(counters, depth, indent) }.join
end

def loop_of(counters, depth, indent)
  i = %w[i j k].find { |name| !counters.include?(name) }
  return "#{indent}#{pick(LOCALS)} = #{value(counters)}\n" unless i
  inside = statements(counters + [i], depth - 1, indent + "  ")
  out = "#{indent}  #{pick(['break', 'next'])} if #{condition(counters + [i])}\n" if chance(15)
  limit = pick(%w[3 5 9 n n list.size])
  case some(5)
  when 0 then "#{indent}#{limit}.times do |#{i}|\n#{out}#{inside}#{indent}end\n"
  when 1 then "#{indent}0.upto(#{limit}) do |#{i}|\n#{out}#{inside}#{indent}end\n"
  when 2 then "#{indent}list.first(6).each_with_index do |y, #{i}|\n#{out}#{inside}#{indent}end\n"
  when 3
    start = pick(%w[2**62-4 2**62-2 -3])
    "#{indent}#{i} = #{start}\n#{indent}while #{i} < #{start}+#{some(6)}\n#{inside}#{indent}  #{i} += 1\n#{indent}end\n"
  else
    out = out&.sub("next", "break")
    "#{indent}#{i} = 0\n#{indent}while #{i} < #{limit}\n#{out}#{inside}#{indent}  #{i} += #{pick(%w[1 1 1 2])}\n#{indent}end\n"
  end
end

def statement(counters, depth, indent)
  return "#{indent}#{pick(LOCALS)} = #{value(counters)}\n" if depth == 0
  case some(13)
  when 0, 1, 2 then loop_of(counters, depth, indent)
  when 3, 4
    other = "#{indent}else\n#{statements(counters, depth - 1, indent + '  ')}" if chance(40)
    "#{indent}if #{condition(counters)}\n#{statements(counters, depth - 1, indent + '  ')}#{other}#{indent}end\n"
  when 5 then "#{indent}list[#{small(counters)} & 15] = #{value(counters)}\n"
  when 6 then "#{indent}list[#{pick(%w[0 1 -1 n])}] = #{value(counters)}\n"
  when 7 then "#{indent}#{pick(LOCALS)} #{pick(%w[+= -=])} #{pick(%w[1 1 2 300])}\n"
  when 8 then "#{indent}poke(#{value(counters, 1)})\n"
  when 9 then "#{indent}list, other = other, list\n"
  else "#{indent}#{pick(LOCALS)} = #{value(counters)}\n"
  end
end

puts "# Seed #{seed}.", "$pokes = 0"
redefined = pick(%w[+ - * % & < ==])
late = 100 + some(4000)
puts "def poke(v)"
puts "  $pokes += 1"
if chance(30)
  puts "  Integer.class_eval { alias_method :as_before, :#{redefined}; define_method(:#{redefined}) { |o| as_before(o) } } if $pokes == #{late}"
end
puts "  v", "end"
4.times do |n|
  puts "def m#{n}(a, b) = #{pick(['a + b', 'a - b', 'a < b ? a : b', 'a & b', 'a', 'b.nil? ? a : b', 'a * 2 % 1000003', '(a >> 1) + 1'])}"
end
loops = 5 + some(3)
loops.times do |n|
  puts "def run#{n}(n, a, b, list, other)"
  puts "  c = #{number}", "  d = #{number}", "  x = #{chance(30) ? pick(ODD) : number}", "  y = #{chance(10) ? 'nil' : number}", "  i = 1"
  puts "  seen = lambda { a }" if chance(10)
  puts statements([], 3, "  ")
  puts "  [a, b, c, d, x, y, list, other]", "end"
end
odd = Array.new(3) { [some(69), pick(ODD), pick(ODD)] }
puts <<~RUBY
  def shown(v) = v.inspect.then { |s| s.size > 300 ? [s.size, s.hash_of] : s }
  class String
    def hash_of = each_byte.reduce(7) { |h, b| (h * 31 + b) & 0xffff_ffff }
  end
  #{loops}.times do |n|
    seen = []
    70.times do |round|
      a, b = round, #{number}
      #{odd.map { |at, p, q| "a, b = #{p}, #{q} if round == #{at}" }.join("\n    ")}
      list = round % 9 == 8 ? [1, nil, 2.5, 2**62] : [round, 2, 3, #{number}, #{number}]
      seen << begin
        shown(send("run\#{n}", 6, a, b, list, [#{number}, 1, 2]))
      rescue NoMemoryError, ArgumentError
        "too large"
      rescue StandardError => e
        e.class
      end
    end
    puts "\#{n}: \#{seen.map(&:to_s).join(' | ')}"
  end
RUBY
