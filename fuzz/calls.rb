# Writes a program of random calls: methods with random parameters, called with random arguments, over and over, so that they are compiled.
# What it prints is the same whatever runs it.
#
#   ruby fuzz/calls.rb SEED > calls.rb

seed = Integer(ARGV.fetch(0))
RANDOM = Random.new(seed)
def chance(n, of = 100) = RANDOM.rand(of) < n
def pick(list) = list[RANDOM.rand(list.size)]
def some(most) = RANDOM.rand(most + 1)

# The parameters of a method, and the names that its body may show.
def parameters(block: true)
  names = ("a".."z").each
  params = Array.new(some(2)) { names.next }
  shown = params.dup
  defaults = Array.new(some(2)) { names.next }
  params += defaults.map.with_index { |n, i| "#{n} = #{pick([':d', '[1]', 'nil', shown[i] || '0'])}" }
  shown += defaults
  if chance(35)
    params << "*#{rest = names.next}"
    shown << rest
  end
  if chance(20) && (defaults.any? || rest)
    params << (post = names.next)
    shown << post
  end
  keywords = %w[k l m].take(some(3))
  params += keywords.map { |k| chance(40) ? "#{k}:" : "#{k}: #{pick(['1', 'nil', shown.last || '2'])}" }
  shown += keywords
  if chance(20)
    params << "**o"
    shown << "o"
  end
  if block && chance(30)
    params << "&blk"
    shown << "(blk ? blk.(7) : :none)"
  end
  [params.join(", "), shown]
end

def value(depth = 2)
  return pick(%w[1 2 nil :s "t" 3.5 [] true @i]) if depth == 0 || chance(50)
  pick([-> { "[#{Array.new(some(2)) { value(depth - 1) }.join(', ')}]" }, -> { "{x: #{value(depth - 1)}}" }, -> { "(#{value(0)})" }]).call
end

def arguments
  list = Array.new(some(3)) { value }
  list << pick(%w[*[1] *[1,2] *@list *nil *[{k:\ 1}] *@empty *(1..2)]) if chance(35)
  list += %w[k l m n].shuffle(random: RANDOM).take(some(3)).map { |k| "#{k}: #{value(1)}" } if chance(45)
  list << pick(%w[**@opts **{} **nil]) if chance(12)
  block = pick(["", "", "", " { |v| [v] }", " { 5 }"])
  list << pick(%w[&@proc &@lambda &nil &:to_s]) if block.empty? && chance(20)
  "(#{list.join(', ')})#{block}"
end

def body(shown)
  parts = shown.dup
  parts << "(block_given? ? yield(#{value(1)}) : :no)" if chance(40)
  parts << "self.class" if chance(20)
  "[#{parts.join(', ')}]"
end

methods = Array.new(4 + some(4)) { |n| "m#{n}" }
puts "# Seed #{seed}."
%w[Above Below].each do |name|
  puts "class #{name}#{' < Above' if name == 'Below'}"
  puts "  def initialize(#{(p = parameters).first}) = (@i = 4; @list = [5, 6]; @empty = []; @opts = {l: 8}; @proc = proc { |v| [:p, v] }; " \
       "@lambda = ->(v) { [:l, v] }; @seen = [#{p.last.join(', ')}])" if name == "Above"
  methods.each do |method|
    next if name == "Below" && chance(30)
    if chance(20)
      params, shown = parameters(block: false)
      inside = name == "Below" && chance(40) ? "[:b, super(#{value})]" : "[#{shown.join(', ')}]"
      puts "  define_method(:#{method}) { |#{params.gsub(/ = ([^,\s]+)/, ' = (\1)')}| #{inside} }"
      next
    end
    params, shown = parameters
    inside = if name == "Below" && chance(70)
      chance(50) && !params.include?("**") ? "[:s, super]" : "[:s, super#{arguments}]"
    else
      body(shown)
    end
    puts "  def #{method}(#{params}) = #{inside}"
  end
  puts "  def each_other(...) = m0(...)" if name == "Above"
  puts "end"
end
puts "def shown", "  yield", "rescue ArgumentError, TypeError, NoMethodError, LocalJumpError, RuntimeError => e", "  [e.class, e.message]", "end"
calls = Array.new(20) do
  receiver = pick(%w[@above @below])
  case some(9)
  when 0 then "#{pick(%w[Above Below])}.new#{arguments}.instance_variable_get(:@seen)"
  when 1 then "#{receiver}.each_other#{arguments}"
  when 2 then "#{receiver}.send(:#{pick(methods)}, *#{pick(%w[[] [1] @list])})"
  else "#{receiver}.#{pick(methods)}#{arguments}"
  end
end
calls.each_with_index { |call, n| puts "def call#{n} = shown { #{call} }", "def bare#{n} = #{call}" }
puts <<~RUBY
  def made(c) = c.allocate.tap { |o| {i: 4, list: [5, 6], empty: [], opts: {l: 8}, proc: proc { |v| [:p, v] }, lambda: ->(v) { [:l, v] }}.each { |k, v| o.instance_variable_set("@\#{k}", v) } }
  @i, @list, @empty, @opts, @proc, @lambda = 4, [5, 6], [], {l: 8}, proc { |v| [:p, v] }, ->(v) { [:l, v] }
  @above, @below = made(Above), made(Below)
  #{calls.size}.times do |n|
    seen = []
    80.times do |round|
      @above, @below = @below, @above if round == 50
      seen << send("call\#{n}").inspect << (send("bare\#{n}").inspect rescue $!.class)
    end
    puts "\#{n}: \#{seen.uniq.join(' | ')}"
  end
RUBY
